"""The Gemini API's words, and the protocol's for the same things.

One table for both directions: what is sent, what is read, and what the proof of a port reads out of
requests. Sources: the API's reference (ai.google.dev/api/generate-content) and google-genai 3.6.1,
whose enumerations name every finish reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from chatport.chat import FinishReason, ToolChoice

PROVIDER: Final = "gemini"

OPTIONS: Final[Mapping[str, str]] = {
    "temperature": "temperature",
    "topP": "top_p",
    "topK": "top_k",
    "maxOutputTokens": "max_output_tokens",
    "stopSequences": "stop",
    "presencePenalty": "presence_penalty",
    "frequencyPenalty": "frequency_penalty",
}
"""Members of `generationConfig` that are options of the protocol."""

MODES: Final[Mapping[str, Literal["auto", "none", "required"]]] = {
    "AUTO": "auto",
    "NONE": "none",
    "ANY": "required",
}
"""The modes of calling functions; ANY with one allowed name is ``named``."""

EFFORTS: Final = ("minimal", "low", "medium", "high", "xhigh")
"""The levels of thinking, as `reasoning_effort` names them; the API has them in capitals."""

CONFIG_EXTENSIONS: Final = (
    "audio_timestamp",
    "audio_transcription_config",
    "candidate_count",
    "enable_enhanced_civic_answers",
    "image_config",
    "logprobs",
    "media_resolution",
    "response_logprobs",
    "response_modalities",
    "routing_config",
    "seed",
    "speech_config",
    "thinking_config",
)
"""Extensions that are members of `generationConfig`; the others are members of the request."""

UNANSWERABLE: Final = frozenset({"candidate_count", "candidateCount"})
"""Several answers to one request have no place in a response."""
RESERVED: Final = frozenset({"contents", "model", "system_instruction"})
"""Members of the request that no extension sets."""

FINISH_REASONS: Final[Mapping[str, FinishReason]] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "CONTINUATION": "length",
    "SAFETY": "content_filter",
    "RECITATION": "content_filter",
    "BLOCKLIST": "content_filter",
    "PROHIBITED_CONTENT": "content_filter",
    "SPII": "content_filter",
    "IMAGE_SAFETY": "content_filter",
    "IMAGE_PROHIBITED_CONTENT": "content_filter",
    "IMAGE_RECITATION": "content_filter",
    "MODEL_ARMOR": "content_filter",
    "ESCALATION": "content_filter",
    "LANGUAGE": "other",
    "OTHER": "other",
    "IMAGE_OTHER": "other",
    "NO_IMAGE": "other",
    "MALFORMED_FUNCTION_CALL": "other",
    "UNEXPECTED_TOOL_CALL": "other",
    "TOO_MANY_TOOL_CALLS": "other",
    "MISSING_THOUGHT_SIGNATURE": "other",
    "MALFORMED_RESPONSE": "other",
    "PUP_LIMITED_DISABLED": "other",
}
"""Every reason the API may give for the end of an answer; STOP with calls is ``tool_calls``."""

UNSPECIFIED: Final = frozenset({"", "FINISH_REASON_UNSPECIFIED", "BLOCK_REASON_UNSPECIFIED"})
"""What protocol buffers say for: not said."""


def camel(name: str) -> str:
    """A member as the wire spells it: ``safety_settings`` is ``safetySettings``."""
    head, *tail = name.split("_")
    return head + "".join([word[:1].upper() + word[1:] for word in tail]) if head else name


def snake(name: str) -> str:
    """A member as extensions and metadata spell it; `camel` takes it back in any case."""
    spelled = "".join([f"_{c.lower()}" if c.isupper() else c for c in name])
    return spelled if camel(spelled) == name else name


def function_calling(choice: ToolChoice) -> dict[str, object]:
    """The `functionCallingConfig` of a choice."""
    if choice.name is not None:
        return {"mode": "ANY", "allowedFunctionNames": [choice.name]}
    return {"mode": next(word for word, mode in MODES.items() if mode == choice.mode)}
