"""The pieces of a streamed response."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias

from chatport.chat.content import Citation
from chatport.chat.errors import InvalidResponseError
from chatport.chat.media import Media
from chatport.chat.metadata import NO_METADATA, Metadata, MetadataField
from chatport.chat.response import FINISH_REASONS, FinishReason, OutputMetadata, ResponseMetadata
from chatport.chat.tool import ToolCall
from chatport.chat.value import (
    Fault,
    Value,
    Variadic,
    clean_text,
    frozen_items,
    frozen_metadata,
    instance_of,
    one_of,
    put,
    required_text,
)


class TextDelta(Value, frozen=True, tag="text", tag_field="kind"):
    """A stretch of visible text; never empty."""

    text: str
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    def __post_init__(self) -> None:
        put(self, "text", required_text(InvalidResponseError, "text", self.text))
        if self.metadata is not NO_METADATA:
            put(self, "metadata", frozen_metadata(InvalidResponseError, "metadata", self.metadata))


class MediaDelta(Value, frozen=True, tag="media", tag_field="kind"):
    """One complete piece of media."""

    media: Media
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    def __post_init__(self) -> None:
        instance_of(InvalidResponseError, "media", self.media, Media)
        put(self, "metadata", frozen_metadata(InvalidResponseError, "metadata", self.metadata))


class ReasoningDelta(Value, frozen=True, tag="reasoning", tag_field="kind"):
    """A stretch of reasoning text, of its opaque state, or both."""

    text: str = ""
    reasoning_state: bytes = b""
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    def __post_init__(self) -> None:
        put(self, "text", clean_text(InvalidResponseError, "text", self.text))
        instance_of(InvalidResponseError, "reasoning_state", self.reasoning_state, bytes)
        if not self.text and not self.reasoning_state:
            raise InvalidResponseError("needs text or reasoning_state")
        put(self, "metadata", frozen_metadata(InvalidResponseError, "metadata", self.metadata))


class ToolCallDelta(Value, frozen=True, tag="tool_call", tag_field="kind"):
    """A fragment of a call: every fragment names the call and the tool, arguments may be empty."""

    tool_call: ToolCall
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    def __post_init__(self) -> None:
        instance_of(InvalidResponseError, "tool_call", self.tool_call, ToolCall)
        put(self, "metadata", frozen_metadata(InvalidResponseError, "metadata", self.metadata))


class CitationDelta(Value, frozen=True, tag="citation", tag_field="kind"):
    """A citation of the text before it."""

    citation: Citation
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    def __post_init__(self) -> None:
        instance_of(InvalidResponseError, "citation", self.citation, Citation)
        put(self, "metadata", frozen_metadata(InvalidResponseError, "metadata", self.metadata))


class RefusalDelta(Value, frozen=True, tag="refusal", tag_field="kind"):
    """A stretch of the model's words when it declines; never empty."""

    text: str
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidResponseError

    def __post_init__(self) -> None:
        put(self, "text", required_text(InvalidResponseError, "text", self.text))
        put(self, "metadata", frozen_metadata(InvalidResponseError, "metadata", self.metadata))


PartDelta: TypeAlias = (
    TextDelta | MediaDelta | ReasoningDelta | ToolCallDelta | CitationDelta | RefusalDelta
)
PART_DELTAS: Final = (
    TextDelta,
    MediaDelta,
    ReasoningDelta,
    ToolCallDelta,
    CitationDelta,
    RefusalDelta,
)


class ResponseDelta(Value, frozen=True, metaclass=Variadic):
    """One step of a stream: ``ResponseDelta(TextDelta("Hel"))``. Not empty.

    The last delta of a stream, and only the last, has a finish reason; usage is cumulative.
    Raises `InvalidResponseError`.
    """

    parts: tuple[PartDelta, ...] = ()
    message_metadata: MetadataField = NO_METADATA
    finish_reason: FinishReason | None = None
    output_metadata: OutputMetadata | None = None
    metadata: ResponseMetadata | None = None

    fault: ClassVar[Fault] = InvalidResponseError

    if TYPE_CHECKING:

        def __init__(
            self,
            *parts: PartDelta,
            message_metadata: Metadata = ...,
            finish_reason: FinishReason | None = None,
            output_metadata: OutputMetadata | None = None,
            metadata: ResponseMetadata | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        fault = InvalidResponseError
        put(self, "parts", frozen_items(fault, "parts", self.parts, *PART_DELTAS))
        if self.message_metadata is not NO_METADATA:
            settled = frozen_metadata(fault, "message_metadata", self.message_metadata)
            put(self, "message_metadata", settled)
        if self.finish_reason is not None:
            reason = one_of(fault, "finish_reason", self.finish_reason, FINISH_REASONS)
            put(self, "finish_reason", reason)
        if self.output_metadata is not None:
            instance_of(fault, "output_metadata", self.output_metadata, OutputMetadata)
        if self.metadata is not None:
            instance_of(fault, "metadata", self.metadata, ResponseMetadata)
        if not self.parts and self._is_empty():
            raise fault("a delta must not be empty")

    def _is_empty(self) -> bool:
        return (
            not self.message_metadata
            and self.finish_reason is None
            and self.output_metadata is None
            and self.metadata is None
        )

    def text(self) -> str:
        """The visible text of this delta alone."""
        return "".join([part.text for part in self.parts if type(part) is TextDelta])

    @classmethod
    def _make(cls, values: dict[str, Any]) -> Self:
        return cls(*values.pop("parts"), **values)
