"""Messages: who speaks, and in which parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias

from chatport.chat.content import MediaPart, TextPart
from chatport.chat.errors import InvalidMessageError, InvalidValueError
from chatport.chat.media import Media
from chatport.chat.metadata import NO_METADATA, MetadataField
from chatport.chat.part import (
    Part,
    ReasoningPart,
    RefusalPart,
    ToolCallPart,
    ToolResultPart,
)
from chatport.chat.tool import ToolCall, ToolResult
from chatport.chat.value import Fault, Value, frozen_items, frozen_metadata, one_of, put

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]

ALLOWED_PARTS: Final[Mapping[str, tuple[type, ...]]] = {
    "system": (TextPart,),
    "user": (TextPart, MediaPart),
    "assistant": (TextPart, MediaPart, ReasoningPart, ToolCallPart, RefusalPart),
    "tool": (ToolResultPart,),
}


class Message(Value, frozen=True):
    """What one role says, in at least one part. `user`, `system` … make them.

    Raises `InvalidMessageError`, e.g. for a part the role does not allow.
    """

    role: Role
    parts: tuple[Part, ...]
    metadata: MetadataField = NO_METADATA

    fault: ClassVar[Fault] = InvalidMessageError

    def __post_init__(self) -> None:
        put(self, "role", one_of(InvalidMessageError, "role", self.role, ALLOWED_PARTS))
        parts = frozen_items(InvalidMessageError, "parts", self.parts)
        if not parts:
            raise InvalidMessageError("must not be empty", "parts")
        put(self, "parts", parts)
        if self.metadata is not NO_METADATA:
            put(self, "metadata", frozen_metadata(InvalidMessageError, "metadata", self.metadata))
        allowed = ALLOWED_PARTS[self.role]
        for index, part in enumerate(parts):
            if type(part) not in allowed:
                raise InvalidMessageError(
                    f"a {self.role} message cannot hold a {type(part).__name__}", f"parts[{index}]"
                )

    def text(self) -> str:
        """The text parts joined, without a separator; no reasoning, refusal or tool payload."""
        return "".join([part.text for part in self.parts if type(part) is TextPart])

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls the message proposes, in order."""
        return tuple([part.tool_call for part in self.parts if type(part) is ToolCallPart])


def system(*parts: str | TextPart, metadata: Mapping[str, object] | None = None) -> Message:
    """A system message."""
    return _message("system", parts, metadata)


def user(
    *parts: str | Media | TextPart | MediaPart, metadata: Mapping[str, object] | None = None
) -> Message:
    """A user message of texts and media: ``user("What is this?", image)``."""
    return _message("user", parts, metadata)


def assistant(
    *parts: str | Media | ToolCall | Part, metadata: Mapping[str, object] | None = None
) -> Message:
    """An assistant message."""
    return _message("assistant", parts, metadata)


def tool_results(
    *results: ToolResult | ToolResultPart, metadata: Mapping[str, object] | None = None
) -> Message:
    """A tool message that answers calls, in their order."""
    return _message("tool", results, metadata)


_PART_OF: Final[Mapping[type, Callable[[Any], Part]]] = {
    str: TextPart,
    Media: MediaPart,
    ToolCall: ToolCallPart,
    ToolResult: ToolResultPart,
}
"""What stands for a part when given bare."""


def _message(role: Role, given: Iterable[Any], metadata: Mapping[str, object] | None) -> Message:
    parts = tuple([_part(index, item) for index, item in enumerate(given)])
    if metadata is None:
        return Message(role, parts)
    return Message(role, parts, frozen_metadata(InvalidMessageError, "metadata", metadata))


def _part(index: int, item: Any) -> Part:
    kind = str if isinstance(item, str) else type(item)
    make = _PART_OF.get(kind)
    if make is None:
        return item  # type: ignore[no-any-return]  # the message checks that it is a part
    try:
        return make(item)
    except InvalidValueError as fault:
        raise InvalidMessageError.around(fault, f"parts[{index}]") from fault
