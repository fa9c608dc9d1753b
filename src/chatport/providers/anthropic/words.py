"""The Messages API's words, and the protocol's for the same things.

Sources: the API's reference and its versions (platform.claude.com/docs/en/api/versioning), and the
types of anthropic 2.14.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from chatport.chat import FinishReason

PROVIDER: Final = "anthropic"

NEWEST: Final = "2026-10-21"
SAMPLING: Final = frozenset({"2023-06-01"})
"""Versions of the API that take temperature, top_p and top_k; later ones answer them with 400."""

MAX_TOKENS: Final = 8192
"""The bound on an answer that sets none: the API wants one, every model it serves allows this."""

EFFORTS: Final = ("low", "medium", "high", "xhigh", "max")

CHOICES: Final[Mapping[str, str]] = {
    "auto": "auto",
    "none": "none",
    "required": "any",
    "named": "tool",
}
"""The modes of a tool choice."""

RESERVED: Final = frozenset({"max_tokens", "messages", "model", "stream", "system", "tool_choice"})
"""Members of the request that no extension sets."""

IMAGES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
PDF: Final = "application/pdf"
PLAIN: Final = "text/plain"

STOP_REASONS: Final[Mapping[str, FinishReason]] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "length",
    "tool_use": "tool_calls",
    "refusal": "refusal",
}
"""Every reason the API gives for the end of an answer."""

JSON_TOOL: Final = "chatport_json_answer"
"""The tool whose input is the answer when any JSON is asked for: the API knows only schemas."""
