"""The loopback Anthropic server, judged by the official SDK and spoken to over plain HTTP."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.providers.official import done_by

from chatport.testing.anthropic_server import (
    Answer,
    AnthropicServer,
    Reply,
    anthropic_server,
    blocks,
    broken,
    cut,
    failure,
    plain,
    refusal,
    reply,
    slow,
    text,
    thinking,
    tool_use,
)

PEER = Path(__file__).parents[1] / "providers" / "anthropic" / "peer.py"
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
HELLO: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "Hello"}],
}
TOOL = {
    "name": "weather",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
}
FORCED = HELLO | {"tools": [TOOL], "tool_choice": {"type": "any"}}
CALLED = [
    *HELLO["messages"],
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}],
    },
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "Sunny"}],
    },
]
CITED = {
    "type": "char_location",
    "cited_text": "green",
    "document_index": 0,
    "document_title": "Botany",
    "start_char_index": 0,
    "end_char_index": 5,
}
EVERYTHING = blocks(
    {"type": "thinking", "thinking": "Hm.", "signature": "sig"},
    {"type": "redacted_thinking", "data": "hidden"},
    {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "q"}},
    {"type": "text", "text": ("Gre", "en"), "citations": [CITED]},
    {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"x": [1, 2]}},
    stop="tool_use",
)
FAILURES = {
    400: "BadRequestError",
    401: "AuthenticationError",
    404: "NotFoundError",
    429: "RateLimitError",
    500: "InternalServerError",
    529: "OverloadedError",
}


@dataclass(frozen=True)
class Step:
    """A call of the SDK's, and what the server is told to answer it; nothing to derive it."""

    call: str
    arguments: dict[str, Any]
    said: Answer | Reply | None = None


STEPS = {
    "stream": Step("stream", HELLO, text("Hel", "lo")),
    "everything": Step("create", HELLO, EVERYTHING),
    "everything streamed": Step("stream", HELLO, EVERYTHING),
    **{
        f"failure {status}": Step("create", HELLO, one)
        for status in FAILURES
        for one in failure(status, "Not now", headers={"retry-after": "7"})
    },
    "refusal": Step("create", HELLO, refusal("It could harm.", "bio")),
    "broken": Step("create", HELLO | {"stream": True}, broken(text("Hel", "lo"), 4)),
    "cut": Step("create", HELLO, cut(text("Hello"), -1)),
    "late": Step("create", HELLO, slow(text("Late"), 0.01)),
    # The script is at its end: from here on answers are derived.
    "derived": Step("create", HELLO),
    "a call": Step("create", FORCED),
    "its result": Step("create", FORCED | {"messages": CALLED}),
    "a schema": Step(
        "create",
        HELLO
        | {"output_config": {"format": {"type": "json_schema", "schema": TOOL["input_schema"]}}},
    ),
    "thinking": Step("create", HELLO | {"thinking": {"type": "enabled", "budget_tokens": 1024}}),
    "count": Step("count", {"model": "m", "system": "Be brief", "messages": HELLO["messages"]}),
    "models": Step("models", {}),
}


@pytest.fixture(scope="module")
def read() -> dict[str, Any]:
    """What the SDK makes of every step."""
    script = [step.said for step in STEPS.values() if step.said is not None]
    calls = [(step.call, step.arguments) for step in STEPS.values()]
    with anthropic_server(script) as running:
        results = done_by("anthropic", PEER, running.url, calls)
        assert running.exchanges[0].body == HELLO | {"stream": True}
    return dict(zip(STEPS, results, strict=True))


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with anthropic_server() as running:
        yield running


def test_the_sdk_reads_a_derived_answer(read: dict[str, Any]) -> None:
    message = read["derived"]
    assert [block["text"] for block in message["content"]] == ["Answer: Hello"]
    assert message["stop_reason"] == "end_turn"
    assert message["usage"]["output_tokens_details"] == {"thinking_tokens": 2}


def test_the_sdk_puts_a_stream_together(read: dict[str, Any]) -> None:
    assert read["stream"]["texts"] == ["Hel", "lo"]
    assert read["stream"]["message"]["stop_reason"] == "end_turn"
    assert read["stream"]["message"]["usage"]["output_tokens"] == 5


def test_the_sdk_reads_every_kind_of_block(read: dict[str, Any]) -> None:
    whole, streamed = read["everything"], read["everything streamed"]["message"]
    wanted = ["thinking", "redacted_thinking", "server_tool_use", "text", "tool_use"]
    assert [block["type"] for block in whole["content"]] == wanted
    assert [block | {"parsed_output": None} for block in streamed["content"]] == [
        block | {"parsed_output": None} for block in whole["content"]
    ]
    assert streamed["stop_reason"] == whole["stop_reason"] == "tool_use"


def test_a_tool_is_called_and_its_result_answered(read: dict[str, Any]) -> None:
    (call,) = read["a call"]["content"]
    assert (call["type"], call["input"]) == ("tool_use", {"city": "text"})
    assert read["its result"]["content"][0]["text"] == "Answer: Sunny"


def test_a_schema_is_met(read: dict[str, Any]) -> None:
    assert json.loads(read["a schema"]["content"][0]["text"]) == {"city": "text"}


def test_thinking_comes_first_when_it_is_turned_on(read: dict[str, Any]) -> None:
    assert [block["type"] for block in read["thinking"]["content"]] == ["thinking", "text"]


def test_tokens_are_counted_and_models_listed(read: dict[str, Any]) -> None:
    assert read["count"] == 4
    assert read["models"] == ["loopback-large", "loopback-small"]


@pytest.mark.parametrize("status", FAILURES)
def test_the_sdk_knows_each_failure(read: dict[str, Any], status: int) -> None:
    error = read[f"failure {status}"]
    assert error["error"] == FAILURES[status]
    assert "Not now" in error["message"]
    assert (error["request_id"], error["retry_after"]) == ("req_loopback", "7")


def test_a_refusal_says_why(read: dict[str, Any]) -> None:
    assert read["refusal"]["stop_reason"] == "refusal"
    assert read["refusal"]["stop_details"]["explanation"] == "It could harm."


def test_a_stream_can_break_with_an_error(read: dict[str, Any]) -> None:
    assert read["broken"]["error"].endswith("Error")
    assert "Overloaded" in read["broken"]["message"]


def test_a_connection_can_be_cut_and_an_answer_late(read: dict[str, Any]) -> None:
    assert read["cut"]["error"] == "APIConnectionError"
    assert read["late"]["content"][0]["text"] == "Late"


def test_failures_come_as_often_as_asked_for(server: AnthropicServer) -> None:
    server.answer_with(failure(529, times=2), thinking("Hm.", "Yes."))
    assert [ask(server, "/v1/messages", HELLO)[0] for _ in range(3)] == [529, 529, 200]


def ask(server: AnthropicServer, path: str, body: object, **headers: str) -> tuple[int, Any]:
    told = {"x-api-key": "k", "anthropic-version": "2026-10-21"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(server.url + path, content, told)
    try:
        with OPENER.open(request, timeout=10) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.loads(refused.read())["error"]


TWO_ROUNDS = [
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]},
]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"max_tokens": None}, "max_tokens"),
        ({"messages": []}, "messages"),
        ({"temperature": 1.0}, "temperature"),
        ({"tool_choice": {"type": "any"}}, "tool_choice"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "role"),
        ({"messages": [{"role": "user", "content": []}]}, "content"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": " "}]}]}, "text"),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "a", "citations": [{}]}]}
                ]
            },
            "citations",
        ),
        (
            {
                "messages": [
                    *TWO_ROUNDS[:1],
                    {"role": "assistant", "content": [{"type": "document"}]},
                ]
            },
            "document",
        ),
        ({"messages": [*TWO_ROUNDS, {"role": "user", "content": "And?"}]}, "tool_result"),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t2"}]}
                ]
            },
            "tool_use_id",
        ),
    ],
)
def test_what_the_api_refuses_is_refused(
    server: AnthropicServer, change: dict[str, Any], words: str
) -> None:
    status, error = ask(server, "/v1/messages", HELLO | change)
    assert status == 400
    assert error["type"] == "invalid_request_error"
    assert words in error["message"]


def test_sampling_is_taken_by_the_version_that_has_it(server: AnthropicServer) -> None:
    old = {"anthropic_version": "2023-06-01"}
    assert ask(server, "/v1/messages", HELLO | {"temperature": 1.0}, **old)[0] == 200


@pytest.mark.parametrize(
    ("path", "body", "headers", "status"),
    [
        ("/v1/complete", HELLO, {}, 404),
        ("/v1/messages", b"{", {}, 400),
        ("/v1/messages", [], {}, 400),
        ("/v1/messages", HELLO, {"anthropic_version": "1999"}, 400),
        ("/v1/messages", HELLO, {"x_api_key": ""}, 401),
    ],
)
def test_what_is_no_request_of_the_api_is_refused(
    server: AnthropicServer, path: str, body: object, headers: dict[str, str], status: int
) -> None:
    assert ask(server, path, body, **headers)[0] == status


def test_bodies_and_streams_can_be_anything(server: AnthropicServer) -> None:
    server.answer_with(reply("<html>", "text/html"), plain({"type": "ping"}), tool_use("f", {}))
    assert ask(server, "/v1/messages", HELLO) == (200, b"<html>")
    assert ask(server, "/v1/messages", HELLO) == (200, b'event: ping\ndata: {"type":"ping"}\n\n')
    assert b'"tool_use"' in ask(server, "/v1/messages", HELLO)[1]
