"""Requests that some provider cannot express."""

from __future__ import annotations

from typing import Any

from chatport.chat import (
    Media,
    Message,
    Options,
    Request,
    ToolCall,
    ToolChoice,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    assistant,
    system,
    tool_results,
    user,
)

TOOL = ToolDefinition(name="f", input_schema={"type": "object"})


def with_options(**given: Any) -> Request:
    return Request(user("Hi"), options=Options(model="m", **given))


def with_extensions(**given: Any) -> Request:
    return with_options(
        extensions={name.replace("__", "/"): value for name, value in given.items()}
    )


def of(*messages: Message) -> Request:
    return Request(*messages, options=Options(model="m"))


def showing(mime: str, uri: str) -> Request:
    return of(user("See", Media.of_uri(mime, uri)))


def calling(arguments: str) -> Request:
    return of(user("Hi"), assistant(ToolCall("c", "f", arguments)))


def resulting(media: Media) -> Request:
    return of(tool_results(ToolResult("c", "f", ToolOutput(user("See", media).parts))))  # type: ignore[arg-type]


def choosing(choice: ToolChoice) -> Request:
    return Request(user("Hi"), tools=[TOOL], tool_choice=choice, options=Options(model="m"))


ONLY_SYSTEM = of(system("Brief."))
NAMELESS = Request(user("Hi"))
