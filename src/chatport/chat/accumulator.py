"""The one way from the deltas of a stream to a response."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from datetime import datetime
from typing import TypeAlias

from chatport.chat.content import Citation, MediaPart, TextPart
from chatport.chat.delta import (
    CitationDelta,
    MediaDelta,
    PartDelta,
    ReasoningDelta,
    RefusalDelta,
    ResponseDelta,
    TextDelta,
    ToolCallDelta,
)
from chatport.chat.errors import IncompleteStreamError, InvalidResponseError
from chatport.chat.message import Message
from chatport.chat.metadata import NO_METADATA, Metadata
from chatport.chat.part import Part, ReasoningPart, RefusalPart, ToolCallPart
from chatport.chat.response import (
    NO_OUTPUT_METADATA,
    NO_RESPONSE_METADATA,
    FinishReason,
    Output,
    OutputMetadata,
    Response,
    ResponseMetadata,
    Usage,
)
from chatport.chat.tool import ToolCall
from chatport.chat.value import instance_of, nested

StretchDelta: TypeAlias = TextDelta | ReasoningDelta | RefusalDelta


class ResponseAccumulator:
    """Puts a streamed response together. Not safe for use by several threads at once.

    Taking in a delta costs the same however much came before it.
    """

    __slots__ = ("_calls", "_finish_reason", "_message", "_output", "_parts", "_response")

    def __init__(self) -> None:
        self._parts: list[_Stretch | _Call | MediaPart] = []
        self._calls: dict[str, _Call] = {}
        self._finish_reason: FinishReason | None = None
        self._message: dict[str, bytes] = {}
        self._output: OutputMetadata | None = None
        self._response = _ResponseMetadata()

    def add(self, delta: ResponseDelta) -> None:
        """Take in the next delta, whole or not at all.

        Text, refusal and reasoning continue the last part when it is of the same kind and has the
        same metadata. A tool call's fragments come together at the place of the first, whatever
        lies between. Usage replaces what was reported before; metadata merges key by key.

        Raises `InvalidResponseError` for a delta after the finish reason, a citation that does not
        follow text, and a fragment that gives a known call another name; nothing has changed then
        and the stream can go on.
        """
        instance_of(InvalidResponseError, "", delta, ResponseDelta)
        if self._finish_reason is not None:
            raise InvalidResponseError("a delta after the one with the finish reason")
        parts = delta.parts
        if len(parts) != 1 or type(parts[0]) is not TextDelta:
            self._check(parts)
        for part in parts:
            self._take(part)
        if delta.message_metadata:
            self._message.update(delta.message_metadata.texts)
        if delta.output_metadata is not None:
            self._output = (
                delta.output_metadata
                if self._output is None
                else OutputMetadata(self._output.extra.merge(delta.output_metadata.extra))
            )
        if delta.metadata is not None:
            self._response.take(delta.metadata)
        self._finish_reason = delta.finish_reason

    def text(self) -> str:
        """The visible text so far."""
        return "".join(
            [
                part.text()
                for part in self._parts
                if type(part) is _Stretch and part.kind is TextDelta
            ]
        )

    def message(self) -> Message | None:
        """The message so far; None before the first part."""
        return self._whole_message() if self._parts else None

    def response(self) -> Response:
        """The complete response.

        Raises `IncompleteStreamError` before a finish reason has been seen, and
        `InvalidResponseError` when what came does not make a valid response, which is so when
        there is message metadata and no part.
        """
        if self._finish_reason is None:
            raise IncompleteStreamError(
                "the stream ended without a finish reason", partial=self.message()
            )
        message = None
        if self._parts or self._message:
            message = nested(InvalidResponseError, "output.message", self._whole_message)
        output = Output(message, self._finish_reason, self._output or NO_OUTPUT_METADATA)
        return Response(output, self._response.value())

    def _check(self, parts: tuple[PartDelta, ...]) -> None:
        last = self._parts[-1] if self._parts else None
        after_text = type(last) is _Stretch and last.kind is TextDelta
        new_calls: dict[str, str] = {}
        for index, part in enumerate(parts):
            if type(part) is CitationDelta:
                if not after_text:
                    raise InvalidResponseError(
                        "a citation must follow the text it belongs to", f"parts[{index}]"
                    )
            elif type(part) is ToolCallDelta:
                call = part.tool_call
                known = self._calls.get(call.id)
                name = new_calls.get(call.id) if known is None else known.name
                if name is None:
                    new_calls[call.id] = call.name
                    after_text = False
                elif name != call.name:
                    raise InvalidResponseError(
                        f"call {call.id!r} is of {name!r} already", f"parts[{index}].tool_call.name"
                    )
            else:
                after_text = type(part) is TextDelta

    def _take(self, part: PartDelta) -> None:
        if isinstance(part, TextDelta | ReasoningDelta | RefusalDelta):
            last = self._parts[-1] if self._parts else None
            if not (type(last) is _Stretch and last.continues(part)):
                last = _Stretch(part)
                self._parts.append(last)
            last.take(part)
        elif isinstance(part, ToolCallDelta):
            call = self._calls.get(part.tool_call.id)
            if call is None:
                call = self._calls[part.tool_call.id] = _Call(part.tool_call)
                self._parts.append(call)
            call.take(part)
        elif isinstance(part, MediaDelta):
            self._parts.append(MediaPart(part.media, part.metadata))
        else:
            last = self._parts[-1]
            assert type(last) is _Stretch  # the check has seen to it
            last.citations.append(part.citation)

    def _whole_message(self) -> Message:
        parts = tuple(
            [part if isinstance(part, MediaPart) else part.part() for part in self._parts]
        )
        metadata = Metadata.of_texts(self._message) if self._message else NO_METADATA
        return Message("assistant", parts, metadata)


class _Stretch:
    """A text, reasoning or refusal part in the making: deltas of one kind and one metadata."""

    __slots__ = ("citations", "kind", "metadata", "states", "texts")

    def __init__(self, first: StretchDelta) -> None:
        self.kind = type(first)
        self.metadata = first.metadata
        self.texts: list[str] = []
        self.states: list[bytes] = []
        self.citations: list[Citation] = []

    def continues(self, part: StretchDelta) -> bool:
        return self.kind is type(part) and (
            self.metadata is part.metadata or self.metadata == part.metadata
        )

    def take(self, part: StretchDelta) -> None:
        self.texts.append(part.text)
        if type(part) is ReasoningDelta:
            self.states.append(part.reasoning_state)

    def text(self) -> str:
        return "".join(self.texts)

    def part(self) -> Part:
        if self.kind is TextDelta:
            return TextPart(self.text(), tuple(self.citations), self.metadata)
        if self.kind is RefusalDelta:
            return RefusalPart(self.text(), self.metadata)
        return ReasoningPart(self.text(), b"".join(self.states), self.metadata)


class _Call:
    """A tool call in the making."""

    __slots__ = ("arguments", "id", "metadata", "name")

    def __init__(self, first: ToolCall) -> None:
        self.id = first.id
        self.name = first.name
        self.arguments: list[str] = []
        self.metadata: dict[str, bytes] = {}

    def take(self, part: ToolCallDelta) -> None:
        self.arguments.append(part.tool_call.arguments)
        self.metadata.update(part.metadata.texts)

    def part(self) -> Part:
        call = ToolCall(self.id, self.name, "".join(self.arguments))
        return ToolCallPart(call, Metadata.of_texts(self.metadata))


class _ResponseMetadata:
    """The response's metadata in the making: what a later delta reports replaces the earlier.

    Most answers that come in one piece have it in one piece: that is kept as it is.
    """

    __slots__ = ("created_at", "extra", "id", "model", "only", "usage")

    def __init__(self) -> None:
        self.only: ResponseMetadata | None = NO_RESPONSE_METADATA
        self.id: str | None = None
        self.model: str | None = None
        self.usage: Usage | None = None
        self.created_at: datetime | None = None
        self.extra: dict[str, bytes] = {}

    def take(self, metadata: ResponseMetadata) -> None:
        if self.only is NO_RESPONSE_METADATA:
            self.only = metadata
            return
        if self.only is not None:
            first, self.only = self.only, None
            self._merge(first)
        self._merge(metadata)

    def _merge(self, metadata: ResponseMetadata) -> None:
        self.id = metadata.id or self.id
        self.model = metadata.model or self.model
        self.created_at = metadata.created_at or self.created_at
        if metadata.usage is not None:
            self.usage = metadata.usage
        self.extra.update(metadata.extra.texts)

    def value(self) -> ResponseMetadata:
        if self.only is not None:
            return self.only
        return ResponseMetadata(
            id=self.id,
            model=self.model,
            usage=self.usage,
            created_at=self.created_at,
            extra=Metadata.of_texts(self.extra),
        )


def collect(stream: Iterable[ResponseDelta]) -> Response:
    """The response a stream of deltas amounts to. The stream is closed in any case.

    Raises what the stream raises, and what `ResponseAccumulator` raises.
    """
    accumulator = ResponseAccumulator()
    try:
        for delta in stream:
            accumulator.add(delta)
    finally:
        close = getattr(stream, "close", None)
        if close is not None:
            close()
    return accumulator.response()


async def acollect(stream: AsyncIterable[ResponseDelta]) -> Response:
    """The response an asynchronous stream of deltas amounts to. The stream is closed in any case.

    Raises what the stream raises, and what `ResponseAccumulator` raises.
    """
    accumulator = ResponseAccumulator()
    try:
        async for delta in stream:
            accumulator.add(delta)
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
    return accumulator.response()
