"""The parts of a message, one class a kind. A kind holds its own payload and no other."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from chatport.chat.content import MediaPart, TextPart
from chatport.chat.errors import InvalidPartError
from chatport.chat.metadata import NO_METADATA, MetadataField
from chatport.chat.tool import ToolCall, ToolResult
from chatport.chat.value import (
    Fault,
    Value,
    clean_text,
    frozen_metadata,
    instance_of,
    put,
    required_text,
)


class ReasoningPart(Value, frozen=True, tag="reasoning", tag_field="kind"):
    """The model's reasoning: readable text, opaque state to hand back, or both."""

    text: str = ""
    reasoning_state: bytes = b""
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidPartError

    def __post_init__(self) -> None:
        put(self, "text", clean_text(InvalidPartError, "text", self.text))
        instance_of(InvalidPartError, "reasoning_state", self.reasoning_state, bytes)
        if not self.text and not self.reasoning_state:
            raise InvalidPartError("needs text or reasoning_state")
        put(self, "metadata", frozen_metadata(InvalidPartError, "metadata", self.metadata))


class ToolCallPart(Value, frozen=True, tag="tool_call", tag_field="kind"):
    """A call the model proposes."""

    tool_call: ToolCall
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidPartError

    def __post_init__(self) -> None:
        instance_of(InvalidPartError, "tool_call", self.tool_call, ToolCall)
        put(self, "metadata", frozen_metadata(InvalidPartError, "metadata", self.metadata))


class ToolResultPart(Value, frozen=True, tag="tool_result", tag_field="kind"):
    """The result of a call."""

    tool_result: ToolResult
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidPartError

    def __post_init__(self) -> None:
        instance_of(InvalidPartError, "tool_result", self.tool_result, ToolResult)
        put(self, "metadata", frozen_metadata(InvalidPartError, "metadata", self.metadata))


class RefusalPart(Value, frozen=True, tag="refusal", tag_field="kind"):
    """The model's words when it declines; never empty."""

    text: str
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidPartError

    def __post_init__(self) -> None:
        put(self, "text", required_text(InvalidPartError, "text", self.text))
        put(self, "metadata", frozen_metadata(InvalidPartError, "metadata", self.metadata))


Part: TypeAlias = TextPart | MediaPart | ReasoningPart | ToolCallPart | ToolResultPart | RefusalPart
