"""The Gemini API, as Google's Developer API and its cloud serve it."""

from __future__ import annotations

from chatport.providers.gemini.codec import GeminiCodec

__all__ = ["GeminiCodec"]
