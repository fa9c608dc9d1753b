"""A request: messages, the tools offered, and options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from chatport.chat.errors import InvalidRequestError
from chatport.chat.message import Message
from chatport.chat.options import NO_OPTIONS, Options
from chatport.chat.tool import ToolChoice, ToolDefinition
from chatport.chat.value import Fault, Value, Variadic, frozen_items, instance_of, put


class Request(Value, frozen=True, metaclass=Variadic):
    """What a model is asked: ``Request(system("Be brief."), user("Why?"), options=Options(…))``.

    At least one message; system messages lead. Tools have distinct names, and a tool choice needs
    tools. Whether roles alternate and results answer calls is the provider's concern: a clipped
    history is valid. Raises `InvalidRequestError`.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...] = ()
    tool_choice: ToolChoice | None = None
    options: Options = NO_OPTIONS

    fault: ClassVar[Fault] = InvalidRequestError

    if TYPE_CHECKING:

        def __init__(
            self,
            *messages: Message,
            tools: Iterable[ToolDefinition] = (),
            tool_choice: ToolChoice | None = None,
            options: Options = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        messages = frozen_items(InvalidRequestError, "messages", self.messages, Message)
        if not messages:
            raise InvalidRequestError("must not be empty", "messages")
        put(self, "messages", messages)
        _check_system_first(messages)
        put(self, "tools", frozen_items(InvalidRequestError, "tools", self.tools, ToolDefinition))
        names = _distinct_names(self.tools)
        if self.tool_choice is not None:
            _check_choice(self.tool_choice, names)
        instance_of(InvalidRequestError, "options", self.options, Options)
        if self.options == NO_OPTIONS:
            put(self, "options", NO_OPTIONS)

    def extend(self, *messages: Message) -> Request:
        """The request with more messages at its end."""
        return self.replace(messages=self.messages + messages)

    @classmethod
    def _make(cls, values: dict[str, Any]) -> Self:
        return cls(*values.pop("messages"), **values)


def _check_system_first(messages: tuple[Message, ...]) -> None:
    prefix = True
    for index, message in enumerate(messages):
        if message.role != "system":
            prefix = False
        elif not prefix:
            raise InvalidRequestError(
                "a system message must come before all others", f"messages[{index}]"
            )


def _distinct_names(tools: tuple[ToolDefinition, ...]) -> set[str]:
    names: set[str] = set()
    for index, tool in enumerate(tools):
        if tool.name in names:
            raise InvalidRequestError(f"{tool.name!r} is defined twice", f"tools[{index}].name")
        names.add(tool.name)
    return names


def _check_choice(choice: ToolChoice, names: set[str]) -> None:
    instance_of(InvalidRequestError, "tool_choice", choice, ToolChoice)
    if not names:
        raise InvalidRequestError("needs tools to choose from", "tool_choice")
    if choice.name is not None and choice.name not in names:
        raise InvalidRequestError(f"no tool is named {choice.name!r}", "tool_choice.name")
