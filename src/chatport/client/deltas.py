"""A complete response as the deltas it could have come in."""

from __future__ import annotations

from collections.abc import Iterator

from chatport.chat import (
    CitationDelta,
    MediaDelta,
    MediaPart,
    Part,
    PartDelta,
    ReasoningDelta,
    ReasoningPart,
    RefusalDelta,
    RefusalPart,
    Response,
    ResponseDelta,
    TextDelta,
    TextPart,
    ToolCallDelta,
    ToolCallPart,
)
from chatport.chat.metadata import NO_METADATA


def deltas_of(response: Response, *, size: int | None = None) -> Iterator[ResponseDelta]:
    """Deltas that accumulate to the response; texts in pieces of `size` characters, or whole."""
    for part in response.message.parts if response.message else ():
        for piece in _pieces(part, size):
            yield ResponseDelta(piece)
    yield ResponseDelta(
        message_metadata=response.message.metadata if response.message else NO_METADATA,
        finish_reason=response.finish_reason,
        output_metadata=response.output.metadata,
        metadata=response.metadata,
    )


def _pieces(part: Part, size: int | None) -> Iterator[PartDelta]:
    match part:
        case TextPart(text=text, citations=citations, metadata=metadata):
            yield from (TextDelta(piece, metadata) for piece in _cut(text, size))
            yield from (CitationDelta(citation) for citation in citations)
        case ReasoningPart(text=text, reasoning_state=state, metadata=metadata):
            yield from (ReasoningDelta(piece, metadata=metadata) for piece in _cut(text, size))
            if state:
                yield ReasoningDelta(reasoning_state=state, metadata=metadata)
        case RefusalPart(text=text, metadata=metadata):
            yield from (RefusalDelta(piece, metadata) for piece in _cut(text, size))
        case MediaPart(media=media, metadata=metadata):
            yield MediaDelta(media, metadata)
        case ToolCallPart(tool_call=call, metadata=metadata):
            for piece in _cut(call.arguments, size) or [""]:
                yield ToolCallDelta(call.replace(arguments=piece), metadata)


def _cut(text: str, size: int | None) -> list[str]:
    step = size or len(text) or 1
    return [text[start : start + step] for start in range(0, len(text), step)]
