"""What the Messages API answers, as deltas; a plain answer has the same blocks, each at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from chatport.chat import (
    InvalidValueError,
    JSONFormat,
    OutputMetadata,
    RefusalDelta,
    Request,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    ResponseMetadata,
    Usage,
)
from chatport.providers.anthropic.blocks import Block, Blocks, Raws, text_in
from chatport.providers.anthropic.failures import failure_in
from chatport.providers.anthropic.words import PROVIDER, STOP_REASONS
from chatport.providers.codec import NOT_JSON, not_json
from chatport.providers.errors import UnexpectedAnswerError
from chatport.providers.native import metadata_of
from chatport.providers.sse import Event

Known: TypeAlias = dict[str, Any]

FAULTS: Final = (*NOT_JSON, InvalidValueError)
"""What reading an answer raises when it is not what the API says."""


class _Event(msgspec.Struct):
    """An event of the kinds read here; what a kind does not have stays empty."""

    type: str = ""
    index: int = 0
    delta: Known = {}
    content_block: Raws = {}
    message: Raws = {}
    usage: Raws = {}


class _Head(msgspec.Struct):
    type: str = ""


class _Details(msgspec.Struct):
    thinking_tokens: int | None = None


class _Counts(msgspec.Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    output_tokens_details: _Details | None = None


_EVENT = msgspec.json.Decoder(_Event)
_HEAD = msgspec.json.Decoder(_Head)
_RAWS = msgspec.json.Decoder(Raws)
_BLOCKS = msgspec.json.Decoder(list[Raws])

KINDS: Final = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    }
)
"""The kinds of events that are read; others, such as ``ping``, say nothing here."""

IN_MESSAGE: Final = frozenset({"type", "role", "id", "model", "content", "usage"})
STATE: Final = frozenset({"stop_reason", "stop_sequence", "stop_details", "container"})
"""Members of a message that say how it ended."""


def response_in(request: Request, body: bytes) -> Response:
    """The response in the body of a plain answer. Raises as `Codec.decode` says."""
    decoder = AnthropicDecoder(request)
    accumulator = ResponseAccumulator()
    try:
        for delta in (*decoder.whole(body), *decoder.finish()):
            accumulator.add(delta)
        if decoder.ended:
            return accumulator.response()
    except InvalidValueError as fault:
        raise _unexpected(f"the answer is no response: {fault}") from fault
    error = _unexpected("the answer does not say why it ended")
    error.partial = accumulator.message()
    raise error


class AnthropicDecoder:
    """A `StreamDecoder` of the Messages API."""

    __slots__ = ("_block", "_blocks", "_extra", "_json", "_number", "_state", "_usage", "done")

    def __init__(self, request: Request) -> None:
        self.done: bool = False
        """Whether the API has said that nothing follows."""
        self._json = isinstance(request.options.output_format, JSONFormat)
        self._blocks = Blocks(self._json)
        self._block: Block | None = None
        self._number = 0
        self._state: Raws = {}
        self._usage: Raws = {}
        self._extra: Raws = {}

    @property
    def ended(self) -> bool:
        """Whether the API has said why the answer ended."""
        return bool(self._reason())

    def feed(self, event: Event) -> Sequence[ResponseDelta]:
        """The deltas of one event; one, or none."""
        try:
            read = _EVENT.decode(event.data)
        except NOT_JSON as fault:
            if self._is_unknown(event.data, fault):
                return ()
            raise _unexpected(f"an event cannot be read: {fault}") from fault
        try:
            return self._take(read, event.data)
        except FAULTS as fault:
            raise _unexpected(f"an event cannot be read: {fault}") from fault

    def whole(self, body: bytes) -> Sequence[ResponseDelta]:
        """The deltas of a message that came in one piece; `finish` gives the last."""
        try:
            message = _RAWS.decode(body)
        except NOT_JSON as fault:
            raise not_json(body, PROVIDER, fault) from None
        try:
            if text_in(message, "type") == "error":
                raise failure_in(body)
            return list(self._message(message))
        except FAULTS as fault:
            raise _unexpected(f"the answer is no message: {fault}") from fault

    def finish(self) -> Sequence[ResponseDelta]:
        """The last delta, when the API has said that nothing follows."""
        try:
            return self._terminal() if self.done else ()
        except FAULTS as fault:
            raise _unexpected(f"the end of the answer cannot be read: {fault}") from fault

    # --- events ---------------------------------------------------------------------------------

    def _take(self, event: _Event, data: bytes) -> Sequence[ResponseDelta]:
        match event.type:
            case "content_block_delta":
                if self._block is None or event.index != self._number:
                    return ()  # of a block that never began, or that has ended
                parts = self._block.feed(event.delta)
                return (ResponseDelta(*parts),) if parts else ()
            case "content_block_start":
                deltas = self._stop()
                self._block = self._blocks.open(event.content_block)
                self._number = event.index
                parts = self._block.start()
                return (*deltas, ResponseDelta(*parts)) if parts else deltas
            case "content_block_stop":
                return self._stop()
            case "message_start":
                return self._begin(event.message)
            case "message_delta":
                state = _RAWS.decode(data)
                self._end(_RAWS.decode(state.pop("delta", _EMPTY)), event.usage)
                self._extra |= {name: state[name] for name in state.keys() - {"type", "usage"}}
            case "message_stop":
                self.done = True
                return self._stop()
            case "error":
                raise failure_in(data)
        return ()

    def _is_unknown(self, data: bytes, fault: Exception) -> bool:
        try:
            return _HEAD.decode(data).type not in KINDS
        except msgspec.ValidationError:
            return False
        except NOT_JSON:
            raise not_json(data, PROVIDER, fault) from None

    def _begin(self, message: Raws) -> Sequence[ResponseDelta]:
        self._usage |= _RAWS.decode(message.get("usage", _EMPTY))
        self._end({name: message[name] for name in message.keys() & STATE}, {})
        self._extra |= {name: message[name] for name in message.keys() - IN_MESSAGE - STATE}
        metadata = ResponseMetadata(
            id=text_in(message, "id").strip(),
            model=text_in(message, "model").strip(),
            usage=self.usage(),
        )
        return () if metadata == ResponseMetadata() else (ResponseDelta(metadata=metadata),)

    def _end(self, state: Raws, usage: Raws) -> None:
        self._state |= {name: value for name, value in state.items() if bytes(value) != b"null"}
        self._usage |= {name: value for name, value in usage.items() if bytes(value) != b"null"}

    def _stop(self) -> Sequence[ResponseDelta]:
        if self._block is None:
            return ()
        parts = self._block.stop()
        native = self._blocks.closed(self._block)
        self._block = None
        return (ResponseDelta(*parts, message_metadata=native),) if parts or native else ()

    def _message(self, message: Raws) -> Iterator[ResponseDelta]:
        yield from self._begin(message)
        for fields in _BLOCKS.decode(message.get("content", _NONE)):
            self._block = self._blocks.open(fields)
            if parts := self._block.start():
                yield ResponseDelta(*parts)
            yield from self._stop()
        self.done = True

    # --- the end --------------------------------------------------------------------------------

    def _reason(self) -> str:
        return text_in(self._state, "stop_reason")

    def _terminal(self) -> Sequence[ResponseDelta]:
        word = self._reason()
        if not word:
            return ()
        reason = STOP_REASONS.get(word)
        if reason is None:
            raise _unexpected(f"the answer ended for a reason that is not known: {word!a}")
        if reason == "tool_calls" and self._json:
            reason = "stop"  # the one tool there was is the answer
        extra: dict[str, object] = {
            name: value for name, value in self._extra.items() if bytes(value) != b"null"
        }
        if self._usage:
            extra["usage"] = msgspec.Raw(msgspec.json.encode(self._usage))
        metadata = ResponseMetadata(usage=self.usage(), extra=metadata_of(PROVIDER, extra))
        delta = ResponseDelta(
            *self._refusal(),
            finish_reason=reason,
            output_metadata=OutputMetadata(metadata_of(PROVIDER, self._state)),
            metadata=metadata,
        )
        return (delta,)

    def _refusal(self) -> Sequence[RefusalDelta]:
        """The API's words about why the model declined, when there are any."""
        details = self._state.get("stop_details")
        explained = "" if details is None else text_in(_RAWS.decode(details), "explanation")
        return (RefusalDelta(explained),) if explained else ()

    def usage(self) -> Usage | None:
        """What the answer has cost so far; a breakdown that contradicts its total is left out."""
        counts = msgspec.json.decode(msgspec.json.encode(self._usage), type=_Counts)
        if counts.input_tokens is None and counts.output_tokens is None:
            return None
        read, written = counts.cache_read_input_tokens, counts.cache_creation_input_tokens
        answered = counts.output_tokens or 0
        details = counts.output_tokens_details
        thought = None if details is None else details.thinking_tokens
        return Usage(
            # The API counts apart what went through the cache; the protocol's total holds it.
            input_tokens=(counts.input_tokens or 0) + (read or 0) + (written or 0),
            output_tokens=answered,
            reasoning_tokens=thought if thought is not None and thought <= answered else None,
            cache_read_input_tokens=read,
            cache_write_input_tokens=written,
        )


_EMPTY: Final = msgspec.Raw(b"{}")
_NONE: Final = msgspec.Raw(b"[]")


def _unexpected(problem: str) -> UnexpectedAnswerError:
    return UnexpectedAnswerError(problem, provider=PROVIDER)
