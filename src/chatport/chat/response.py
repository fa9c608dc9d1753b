"""A response: the output, why it ended, and what it cost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal, TypeAlias, get_args

import msgspec

from chatport.chat.errors import InvalidResponseError, InvalidUsageError
from chatport.chat.message import Message
from chatport.chat.metadata import NO_METADATA, MetadataField
from chatport.chat.tool import ToolCall
from chatport.chat.value import (
    MAX_INT64,
    Fault,
    Value,
    frozen_metadata,
    instance_of,
    one_of,
    put,
    unpadded_text,
    whole_number,
)

FinishReason: TypeAlias = Literal[
    "stop", "length", "tool_calls", "content_filter", "refusal", "other"
]
"""Why a response ended.

`length` covers every state in which continuing helps (the token budget, a full context, a pause of
the provider's); `content_filter`: a policy acted on what was generated; `refusal`: the model
declined; `other`: a known end without a match here, never a default. The provider's own word
belongs into the output's metadata.
"""
FINISH_REASONS: Final[tuple[str, ...]] = get_args(FinishReason)


class Usage(Value, frozen=True, kw_only=True):
    """Token counts. The breakdowns are parts of the totals; None means not reported.

    Raises `InvalidUsageError`.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None

    fault: ClassVar[Fault] = InvalidUsageError

    def __post_init__(self) -> None:
        fault = InvalidUsageError
        whole_number(fault, "input_tokens", self.input_tokens, 0)
        whole_number(fault, "output_tokens", self.output_tokens, 0)
        if self.total_tokens > MAX_INT64:
            raise fault(f"input and output tokens together exceed {MAX_INT64}")
        for name, whole in BREAKDOWNS.items():
            if (count := getattr(self, name)) is not None:
                whole_number(fault, name, count, 0)
                if count > getattr(self, whole):
                    raise fault(f"{count} exceeds {whole}", name)

    @property
    def total_tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        """The usage of two calls. A breakdown only one of them reports is a lower bound."""
        if not isinstance(other, Usage):
            return NotImplemented
        parts = {name: _sum(getattr(self, name), getattr(other, name)) for name in BREAKDOWNS}
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            **parts,
        )


BREAKDOWNS: Final = {
    "reasoning_tokens": "output_tokens",
    "cache_read_input_tokens": "input_tokens",
    "cache_write_input_tokens": "input_tokens",
}
"""Which total each breakdown is a part of."""


class OutputMetadata(Value, frozen=True):
    """What the provider says about the output and the protocol has no word for."""

    extra: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    def __post_init__(self) -> None:
        put(self, "extra", frozen_metadata(InvalidResponseError, "extra", self.extra))


NO_OUTPUT_METADATA: Final = OutputMetadata()


class Output(Value, frozen=True):
    """The assistant's message, if there is one, and why it ended: ``Output(message, "stop")``.

    Raises `InvalidResponseError`.
    """

    message: Message | None = None
    finish_reason: FinishReason = ""  # type: ignore[assignment]  # missing is refused below
    metadata: OutputMetadata = NO_OUTPUT_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    if TYPE_CHECKING:

        def __init__(
            self,
            message: Message | None,
            finish_reason: FinishReason,
            metadata: OutputMetadata = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        if self.message is not None:
            instance_of(InvalidResponseError, "message", self.message, Message)
            if self.message.role != "assistant":
                raise InvalidResponseError("must be an assistant message", "message.role")
        reason = one_of(InvalidResponseError, "finish_reason", self.finish_reason, FINISH_REASONS)
        put(self, "finish_reason", reason)
        instance_of(InvalidResponseError, "metadata", self.metadata, OutputMetadata)
        if self.metadata == NO_OUTPUT_METADATA:
            put(self, "metadata", NO_OUTPUT_METADATA)

    def text(self) -> str:
        """The message's text; empty without a message."""
        return "" if self.message is None else self.message.text()


class ResponseMetadata(Value, frozen=True, kw_only=True):
    """The response's identity and cost.

    `usage` None means not reported, ``Usage()`` means zero. `created_at` carries a UTC offset of
    whole minutes and microseconds at most. Raises `InvalidResponseError`.
    """

    id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    created_at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    extra: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    def __post_init__(self) -> None:
        fault = InvalidResponseError
        put(self, "id", unpadded_text(fault, "id", self.id))
        put(self, "model", unpadded_text(fault, "model", self.model))
        if self.usage is not None:
            instance_of(fault, "usage", self.usage, Usage)
        if self.created_at is not None:
            put(self, "created_at", _fixed_time(self.created_at))
        put(self, "extra", frozen_metadata(fault, "extra", self.extra))


NO_RESPONSE_METADATA: Final = ResponseMetadata()


class Response(Value, frozen=True):
    """A complete answer: ``Response(Output(assistant("42"), "stop"))``."""

    output: Output
    metadata: ResponseMetadata = NO_RESPONSE_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    def __post_init__(self) -> None:
        instance_of(InvalidResponseError, "output", self.output, Output)
        instance_of(InvalidResponseError, "metadata", self.metadata, ResponseMetadata)
        if self.metadata == NO_RESPONSE_METADATA:
            put(self, "metadata", NO_RESPONSE_METADATA)

    def text(self) -> str:
        """The text of the answer; no reasoning, refusal or tool payload."""
        return self.output.text()

    @property
    def message(self) -> Message | None:
        """The assistant's message, if there is one."""
        return self.output.message

    @property
    def finish_reason(self) -> FinishReason:
        """Why the response ended."""
        return self.output.finish_reason

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls the answer proposes, in order."""
        return () if self.output.message is None else self.output.message.tool_calls

    @property
    def usage(self) -> Usage | None:
        """What the response cost; None when not reported."""
        return self.metadata.usage


def _fixed_time(moment: object) -> datetime:
    """The moment with a constant offset: a zone object may change its mind, a value must not."""
    if type(moment) is datetime and moment.tzinfo is UTC and not moment.fold:
        return moment
    if not isinstance(moment, datetime):
        raise InvalidResponseError(
            f"expected a datetime, got {type(moment).__name__}", "created_at"
        )
    offset = moment.utcoffset()
    if offset is None:
        raise InvalidResponseError("needs a UTC offset", "created_at")
    if offset % timedelta(minutes=1):
        raise InvalidResponseError("the UTC offset must be whole minutes", "created_at")
    return datetime.combine(moment.date(), moment.time().replace(fold=0), timezone(offset))


def _sum(mine: int | None, theirs: int | None) -> int | None:
    return None if mine is None and theirs is None else (mine or 0) + (theirs or 0)
