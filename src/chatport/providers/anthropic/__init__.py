"""Anthropic's Messages API."""

from __future__ import annotations

from chatport.providers.anthropic.codec import AnthropicCodec

__all__ = ["AnthropicCodec"]
