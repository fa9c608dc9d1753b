"""Assertions about what a model was asked, with failures that show the difference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from chatport.chat import Message, Request, Response, ToolCallPart, ToolResultPart


def said(messages: Request | Response | Iterable[Message]) -> list[str]:
    """What was said, a line a part: ``user: hello``, ``assistant calls save({})`` …

    For comparing with ``==``, and for reading.
    """
    if isinstance(messages, Request):
        messages = messages.messages
    elif isinstance(messages, Response):
        messages = () if messages.message is None else (messages.message,)
    return [line for message in messages for line in _lines(message)]


def assert_said(messages: Request | Response | Iterable[Message], *lines: str) -> None:
    """Raise `AssertionError`, with the first difference, unless just these lines were said."""
    for position, (found, wanted) in enumerate(zip_longest(said(messages), lines)):
        if found != wanted:
            raise AssertionError(f"line {position + 1} is {found!r}, wanted {wanted!r}")


def assert_tools_ran(requests: Sequence[Request], *names: str) -> None:
    """Raise `AssertionError` unless the last request has results of just these, in order."""
    results = [
        part.tool_result.name
        for message in (requests[-1].messages if requests else ())
        for part in message.parts
        if isinstance(part, ToolResultPart)
    ]
    if results != list(names):
        raise AssertionError(f"results of {results} were sent, of {list(names)} wanted")


def _lines(message: Message) -> Iterable[str]:
    for part in message.parts:
        if isinstance(part, ToolCallPart):
            yield f"{message.role} calls {part.tool_call.name}({part.tool_call.arguments})"
        elif isinstance(part, ToolResultPart):
            result = part.tool_result
            verb = "fails" if result.is_error else "returns"
            yield f"{result.name} {verb}: {result.output.text()}"
        else:
            text = getattr(part, "text", None)
            yield f"{message.role}: {text}" if text else f"{message.role}: <{type(part).__name__}>"
