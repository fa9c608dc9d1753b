"""Requests as ours, and as the arguments of anthropic's `messages.create`."""

from __future__ import annotations

import base64
import json
from typing import Any

from chatport.chat import (
    JSONFormat,
    JSONSchemaFormat,
    Media,
    MediaPart,
    Message,
    Options,
    ReasoningPart,
    Request,
    TextFormat,
    TextPart,
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
from tests.providers.anthropic.answers import FOUND, SEARCHED, USED
from tests.providers.official import Case

MODEL = "claude-opus-5"
PNG = b"\x89PNG\xff\xfe"
PNG_TEXT = base64.b64encode(PNG).decode()
HI = {"role": "user", "content": "Hi"}
CLOSED = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
WEATHER = ToolDefinition(name="weather", description="Tells it.", input_schema=CLOSED)
CLOCK = ToolDefinition(name="clock", input_schema={"type": "object"})
THEIR_WEATHER = {"name": "weather", "description": "Tells it.", "input_schema": CLOSED}
THEIR_CLOCK = {"name": "clock", "input_schema": {"type": "object"}}
OLD = "2023-06-01"


def theirs(messages: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"model": MODEL, "max_tokens": 100, "messages": messages or [HI], **more}


def options(**given: Any) -> Options:
    return Options(model=MODEL, max_output_tokens=100, **given)


def plain(name: str, wire: dict[str, Any], **given: Any) -> Case:
    """A greeting with options."""
    return Case(name, Request(user("Hi"), options=options(**given)), theirs(**wire))


def extended(name: str, wire: dict[str, Any], **own: Any) -> Case:
    """A greeting with extensions."""
    return plain(name, wire, extensions={f"anthropic/{key}": value for key, value in own.items()})


def said(name: str, messages: list[Message], wire: list[Any], **more: Any) -> Case:
    """A conversation."""
    return Case(name, Request(*messages, options=options()), theirs(wire, **more))


def shown(name: str, part: Media | MediaPart, block: Any) -> Case:
    """A user's message with media."""
    content = [{"type": "text", "text": "See"}, block]
    return said(name, [user("See", part)], [{"role": "user", "content": content}])


def offered(name: str, choice: ToolChoice | None, wire: Any) -> Case:
    """A greeting with a tool."""
    ours = Request(user("Hi"), tools=[WEATHER], tool_choice=choice, options=options())
    chosen = {} if wire is None else {"tool_choice": wire}
    return Case(name, ours, theirs(tools=[THEIR_WEATHER], **chosen))


def used(name: str, output: ToolOutput, content: Any, is_error: bool = False) -> Case:
    """A call and its result."""
    call = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Ulm"}}
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": "toolu_1"}
    result |= {} if content is None else {"content": content}
    result |= {"is_error": True} if is_error else {}
    wire = [HI, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    messages = [
        user("Hi"),
        assistant(ToolCall("toolu_1", "weather", '{"city":"Ulm"}')),
        tool_results(ToolResult("toolu_1", "weather", output, is_error)),
    ]
    return said(name, messages, wire)


def returned(name: str, message: Message, content: list[Any]) -> Case:
    """An answer that goes back."""
    wire = [HI, {"role": "assistant", "content": content}, {"role": "user", "content": "Why?"}]
    return said(name, [user("Hi"), message, user("Why?")], wire)


def marked(**members: Any) -> Any:
    return {f"anthropic/{key}": value for key, value in members.items()}


def image(**source: Any) -> dict[str, Any]:
    return {"type": "image", "source": source}


def file(**source: Any) -> dict[str, Any]:
    return {"type": "document", "source": source}


def _lines(*blocks: Any) -> bytes:
    return b"".join(json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in blocks)


def _search() -> dict[str, str]:
    return {"type": "web_search_20250305", "name": "web_search"}


IMAGE = Media.of_bytes("image/png", PNG)
IMAGE_BLOCK = image(type="base64", media_type="image/png", data=PNG_TEXT)
PDF = "application/pdf"
EPHEMERAL = {"type": "ephemeral"}
CASES = [
    plain("a text", {}),
    plain("a text in a stream", {"stream": True}),
    Case(
        "a bound of the codec's own",
        Request(user("Hi"), options=Options(model=MODEL)),
        theirs(max_tokens=8192),
    ),
    said(
        "several texts",
        [user("One", "Two")],
        [
            {
                "role": "user",
                "content": [{"type": "text", "text": "One"}, {"type": "text", "text": "Two"}],
            }
        ],
    ),
    said(
        "a conversation",
        [user("Hi"), assistant("Hello."), user("Why?")],
        [HI, {"role": "assistant", "content": "Hello."}, {"role": "user", "content": "Why?"}],
    ),
    said("a prefix", [user("Hi"), assistant("It")], [HI, {"role": "assistant", "content": "It"}]),
    said("a system message", [system("Brief."), user("Hi")], [HI], system="Brief."),
    said(
        "several system messages",
        [system("Brief."), system("Kind."), user("Hi")],
        [HI],
        system=[{"type": "text", "text": "Brief."}, {"type": "text", "text": "Kind."}],
    ),
    said(
        "a cached system message",
        [system(TextPart("Brief.", (), marked(cache_control=EPHEMERAL))), user("Hi")],
        [HI],
        system=[{"type": "text", "text": "Brief.", "cache_control": EPHEMERAL}],
    ),
    said(
        "a cached text",
        [user(TextPart("Hi", (), marked(cache_control={"type": "ephemeral", "ttl": "1h"})))],
        [
            {
                "role": "user",
                "content": [
                    {
                        "type": "text",
                        "text": "Hi",
                        "cache_control": {"type": "ephemeral", "ttl": "1h"},
                    }
                ],
            }
        ],
    ),
    plain("stops", {"stop_sequences": ["a", "b"]}, stop=["a", "b"]),
    plain("effort", {"output_config": {"effort": "low"}}, reasoning_effort="low"),
    plain("text as the format", {}, output_format=TextFormat()),
    plain(
        "a schema",
        {"output_config": {"format": {"type": "json_schema", "schema": CLOSED}}},
        output_format=JSONSchemaFormat(name="answer", schema=CLOSED),
    ),
    plain(
        "a schema and an effort",
        {"output_config": {"format": {"type": "json_schema", "schema": CLOSED}, "effort": "high"}},
        output_format=JSONSchemaFormat(name="answer", schema=CLOSED),
        reasoning_effort="high",
    ),
    plain(
        "JSON",
        {
            "tools": [
                {
                    "name": "chatport_json_answer",
                    "description": "Give the answer, as a JSON object, with this tool.",
                    "input_schema": {"type": "object"},
                }
            ],
            "tool_choice": {
                "type": "tool",
                "name": "chatport_json_answer",
                "disable_parallel_tool_use": True,
            },
        },
        output_format=JSONFormat(),
    ),
    plain("temperature", {"extra_body": {"temperature": 0.5}, "version": OLD}, temperature=0.5),
    plain(
        "sampling",
        {"extra_body": {"top_p": 0.5, "top_k": 40}, "version": OLD},
        top_p=0.5,
        top_k=40,
    ),
    shown("an image", IMAGE, IMAGE_BLOCK),
    shown(
        "an image at a URI",
        Media.of_uri("image/jpeg", "https://h.test/a.jpg"),
        image(type="url", url="https://h.test/a.jpg"),
    ),
    shown(
        "an image in a data: URI",
        Media.of_uri("image/png", f"data:image/png;base64,{PNG_TEXT}"),
        IMAGE_BLOCK,
    ),
    shown(
        "an uploaded image",
        Media.of_reference("image/png", "file_1"),
        image(type="file", file_id="file_1"),
    ),
    shown(
        "a cached image",
        MediaPart(IMAGE, marked(cache_control=EPHEMERAL)),
        IMAGE_BLOCK | {"cache_control": EPHEMERAL},
    ),
    shown(
        "a document",
        Media.of_bytes(PDF, b"%PDF"),
        file(type="base64", media_type=PDF, data="JVBERg=="),
    ),
    shown(
        "a document at a URI",
        Media.of_uri(PDF, "https://h.test/a.pdf"),
        file(type="url", url="https://h.test/a.pdf"),
    ),
    shown(
        "an uploaded document",
        Media.of_reference(PDF, "file_2"),
        file(type="file", file_id="file_2"),
    ),
    shown(
        "a document of text",
        Media.of_bytes("text/plain", "Grün".encode()),
        file(type="text", media_type="text/plain", data="Grün"),
    ),
    shown(
        "a document with a title, to be cited",
        MediaPart(
            Media.of_bytes("text/plain; charset=utf-8", b"Green", name="Botany"),
            marked(citations={"enabled": True}, context="An old one."),
        ),
        file(type="text", media_type="text/plain", data="Green")
        | {"title": "Botany", "citations": {"enabled": True}, "context": "An old one."},
    ),
    offered("a tool", None, None),
    Case(
        "two tools",
        Request(user("Hi"), tools=[WEATHER, CLOCK], options=options()),
        theirs(tools=[THEIR_WEATHER, THEIR_CLOCK]),
    ),
    offered("a choice left to the model", ToolChoice("auto"), {"type": "auto"}),
    offered("no tool, though offered", ToolChoice("none"), {"type": "none"}),
    offered("some tool", ToolChoice("required"), {"type": "any"}),
    offered("this tool", ToolChoice("named", "weather"), {"type": "tool", "name": "weather"}),
    offered(
        "one call at most",
        ToolChoice("auto", parallelism="single"),
        {"type": "auto", "disable_parallel_tool_use": True},
    ),
    offered(
        "several calls",
        ToolChoice("required", parallelism="allow"),
        {"type": "any", "disable_parallel_tool_use": False},
    ),
    used("a result that is text", ToolOutput.of_text("Sunny"), "Sunny"),
    used("a result that is JSON", ToolOutput.of_json({"sun": True}), '{"sun":true}'),
    used("a result that is an error", ToolOutput.of_text("No city"), "No city", True),
    used("an empty result", ToolOutput(), None),
    used(
        "a result with an image",
        ToolOutput((TextPart("See"), MediaPart(IMAGE))),
        [{"type": "text", "text": "See"}, IMAGE_BLOCK],
    ),
    used(
        "a result with a document",
        ToolOutput((MediaPart(Media.of_bytes(PDF, b"%PDF")),)),
        [file(type="base64", media_type=PDF, data="JVBERg==")],
    ),
    said(
        "results in messages of their own",
        [
            user("Hi"),
            assistant(ToolCall("toolu_1", "clock", "{}"), ToolCall("toolu_2", "clock", "")),
            tool_results(ToolResult("toolu_1", "clock", ToolOutput.of_text("A"))),
            tool_results(ToolResult("toolu_2", "clock", ToolOutput.of_text("B"))),
        ],
        [
            HI,
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "toolu_1", "name": "clock", "input": {}},
                    {"type": "tool_use", "id": "toolu_2", "name": "clock", "input": {}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "toolu_1", "content": "A"},
                    {"type": "tool_result", "tool_use_id": "toolu_2", "content": "B"},
                ],
            },
        ],
    ),
    returned(
        "thinking",
        Message(
            "assistant",
            (
                ReasoningPart("Hm.", b"sig1", marked(block=0)),
                ReasoningPart("", b"hidden", marked(block=1, redacted=True)),
                TextPart("42"),
            ),
        ),
        [
            {"type": "thinking", "thinking": "Hm.", "signature": "sig1"},
            {"type": "redacted_thinking", "data": "hidden"},
            {"type": "text", "text": "42"},
        ],
    ),
    returned(
        "a search of the provider's, and what was cited of it",
        Message(
            "assistant",
            (
                ReasoningPart("", _lines(USED, FOUND), marked(blocks=True)),
                TextPart("It is so."),
            ),
            marked(citations={"0": [SEARCHED]}),
        ),
        [USED, FOUND, {"type": "text", "text": "It is so.", "citations": [SEARCHED]}],
    ),
    extended(
        "thinking turned on",
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        thinking={"type": "enabled", "budget_tokens": 1024},
    ),
    extended("a cache of everything", {"cache_control": EPHEMERAL}, cache_control=EPHEMERAL),
    extended("who asks", {"metadata": {"user_id": "u1"}}, metadata={"user_id": "u1"}),
    extended("a tier", {"service_tier": "standard_only"}, service_tier="standard_only"),
    extended("a search", {"tools": [_search()]}, tools=[_search()]),
    Case(
        "a search beside a tool",
        Request(
            user("Hi"),
            tools=[WEATHER],
            tool_choice=ToolChoice("auto"),
            options=options(extensions={"anthropic/tools": [_search()]}),
        ),
        theirs(tools=[THEIR_WEATHER, _search()], tool_choice={"type": "auto"}),
    ),
    extended(
        "a feature under trial",
        {"extra_headers": {"anthropic-beta": "one-2026-01-01,two-2026-01-01"}},
        beta=["one-2026-01-01", "two-2026-01-01"],
    ),
    extended("a container", {"container": "c1"}, container="c1"),
    extended("a member of tomorrow", {"extra_body": {"horizon": {"x": 1}}}, horizon={"x": 1}),
]
