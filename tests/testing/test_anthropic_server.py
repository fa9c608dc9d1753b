"""The loopback Anthropic server, judged by the official SDK and spoken to over plain HTTP."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from chatport.testing.anthropic_server import (
    AnthropicServer,
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


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with anthropic_server() as running:
        yield running


@pytest.fixture
def sdk(server: AnthropicServer) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client:
        yield client


def test_the_sdk_reads_a_derived_answer(sdk: anthropic.Anthropic, server: AnthropicServer) -> None:
    message = sdk.messages.create(**HELLO)
    assert [block.to_dict() for block in message.content] == [
        {"type": "text", "text": "Answer: Hello", "citations": None}
    ]
    assert message.stop_reason == "end_turn"
    assert message.usage.output_tokens_details is not None
    assert message.usage.output_tokens_details.thinking_tokens == 2
    assert server.exchanges[0].body == HELLO


def test_the_sdk_puts_a_stream_together(sdk: anthropic.Anthropic, server: AnthropicServer) -> None:
    server.answer_with(text("Hel", "lo"))
    with sdk.messages.stream(**HELLO) as stream:
        assert list(stream.text_stream) == ["Hel", "lo"]
        message = stream.get_final_message()
    assert message.stop_reason == "end_turn"
    assert message.usage.output_tokens == 5


def test_the_sdk_reads_every_kind_of_block(
    sdk: anthropic.Anthropic, server: AnthropicServer
) -> None:
    cited = {
        "type": "char_location",
        "cited_text": "green",
        "document_index": 0,
        "document_title": "Botany",
        "start_char_index": 0,
        "end_char_index": 5,
    }
    given = blocks(
        {"type": "thinking", "thinking": "Hm.", "signature": "sig"},
        {"type": "redacted_thinking", "data": "hidden"},
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "q"}},
        {"type": "text", "text": ("Gre", "en"), "citations": [cited]},
        {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"x": [1, 2]}},
        stop="tool_use",
    )
    server.answer_with(given, given)
    whole = sdk.messages.create(**HELLO)
    with sdk.messages.stream(**HELLO) as stream:
        streamed = stream.get_final_message()
    wanted = ["thinking", "redacted_thinking", "server_tool_use", "text", "tool_use"]
    assert [block.type for block in whole.content] == wanted
    parts = [block.to_dict() for block in streamed.content]
    assert [part | {"parsed_output": None} for part in parts] == [
        block.to_dict() | {"parsed_output": None} for block in whole.content
    ]
    assert streamed.stop_reason == whole.stop_reason == "tool_use"


def test_a_tool_is_called_and_its_result_answered(
    sdk: anthropic.Anthropic, server: AnthropicServer
) -> None:
    asked = HELLO | {"tools": [TOOL], "tool_choice": {"type": "any"}}
    message = sdk.messages.create(**asked)
    (call,) = message.content
    assert call.type == "tool_use"
    assert call.input == {"city": "text"}
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "Sunny"}
    more = [message.to_param(), {"role": "user", "content": [result]}]
    answered = sdk.messages.create(**asked | {"messages": [*HELLO["messages"], *more]})
    assert answered.content[0].to_dict()["text"] == "Answer: Sunny"


def test_a_schema_is_met(sdk: anthropic.Anthropic) -> None:
    wanted = {"type": "json_schema", "schema": TOOL["input_schema"]}
    message = sdk.messages.create(**HELLO, output_config={"format": wanted})
    assert json.loads(message.content[0].to_dict()["text"]) == {"city": "text"}


def test_thinking_comes_first_when_it_is_turned_on(sdk: anthropic.Anthropic) -> None:
    message = sdk.messages.create(**HELLO, thinking={"type": "enabled", "budget_tokens": 1024})
    assert [block.type for block in message.content] == ["thinking", "text"]


def test_tokens_are_counted_and_models_listed(sdk: anthropic.Anthropic) -> None:
    counted = sdk.messages.count_tokens(model="m", system="Be brief", messages=HELLO["messages"])
    assert counted.input_tokens == 4
    assert [model.id for model in sdk.models.list()] == ["loopback-large", "loopback-small"]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, anthropic.BadRequestError),
        (401, anthropic.AuthenticationError),
        (404, anthropic.NotFoundError),
        (429, anthropic.RateLimitError),
        (500, anthropic.InternalServerError),
        (529, anthropic.OverloadedError),
    ],
)
def test_the_sdk_knows_each_failure(
    sdk: anthropic.Anthropic, server: AnthropicServer, status: int, kind: type[Exception]
) -> None:
    server.answer_with(failure(status, "Not now", headers={"retry-after": "7"}))
    with pytest.raises(kind, match="Not now") as raised:
        sdk.messages.create(**HELLO)
    assert isinstance(raised.value, anthropic.APIStatusError)
    assert raised.value.request_id == "req_loopback"
    assert raised.value.response.headers["retry-after"] == "7"


def test_a_refusal_says_why(sdk: anthropic.Anthropic, server: AnthropicServer) -> None:
    server.answer_with(refusal("It could harm.", "bio"))
    message = sdk.messages.create(**HELLO)
    assert message.stop_reason == "refusal"
    assert message.stop_details is not None
    assert message.stop_details.explanation == "It could harm."


def test_a_stream_can_break_with_an_error(
    sdk: anthropic.Anthropic, server: AnthropicServer
) -> None:
    server.answer_with(broken(text("Hel", "lo"), 4))
    with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
        list(sdk.messages.create(**HELLO, stream=True))


def test_a_connection_can_be_cut_and_an_answer_late(
    sdk: anthropic.Anthropic, server: AnthropicServer
) -> None:
    server.answer_with(cut(text("Hello"), -1), slow(text("Late"), 0.01))
    with pytest.raises(anthropic.APIConnectionError):
        sdk.messages.create(**HELLO)
    assert sdk.messages.create(**HELLO).content[0].to_dict()["text"] == "Late"


def test_failures_come_as_often_as_asked_for(
    sdk: anthropic.Anthropic, server: AnthropicServer
) -> None:
    server.answer_with(failure(529, times=2), thinking("Hm.", "Yes."))
    for _ in range(2):
        with pytest.raises(anthropic.OverloadedError):
            sdk.messages.create(**HELLO)
    assert len(sdk.messages.create(**HELLO).content) == 2


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
