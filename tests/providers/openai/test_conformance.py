"""What we send is what the official SDK sends; the loopback server says what it understands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatport import JSONSchema, Options, Request, collect, user
from chatport.providers import openai
from chatport.providers.openai import API
from chatport.testing.loopback import Exchange
from chatport.testing.openai_server import (
    calls,
    cut,
    failure,
    openai_server,
    plain,
    refusal,
    text,
)
from tests.providers.openai.official import official
from tests.providers.openai.requests import CHAT, HI, RESPONSES, Row

ROWS: list[tuple[API, Row]] = [("chat", row) for row in CHAT] + [
    ("responses", row) for row in RESPONSES
]
every_row = pytest.mark.parametrize(
    "number", range(len(ROWS)), ids=[f"{api}: {row.name}" for api, row in ROWS]
)

NORMALISATIONS = {
    "the order of members": "objects are compared as objects",
    "numbers": "0.5 and 5e-1, 1 and 1.0 are the same number",
}
"""All that may differ in a body that is asked for as a whole. The provider's page lists them."""
PAGE = Path(__file__).parents[3] / "docs" / "providers" / "openai.md"

HEADERS = ("authorization", "content-type", "openai-organization", "openai-project")
"""The headers that matter. The rest names libraries and platforms."""


@pytest.fixture(scope="module")
def theirs() -> Iterator[tuple[Exchange, ...]]:
    """What the official SDK sent for every row."""
    with openai_server() as server:
        official(server, *[(api, row.official) for api, row in ROWS])
        assert len(server.exchanges) == len(ROWS)
        yield server.exchanges


def test_there_are_enough_requests() -> None:
    assert len(CHAT) >= 40
    assert len({row.name for row in CHAT}) == len(CHAT)


def test_what_may_differ_is_on_the_page() -> None:
    section = PAGE.read_text().split("## Compared with the official SDK")[1].split("\n## ")[0]
    listed = re.findall(r"^- (.+?):", section, re.MULTILINE)
    assert listed == list(NORMALISATIONS)


@every_row
def test_a_request_is_sent_as_the_official_sdk_sends_it(
    theirs: tuple[Exchange, ...], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, row = ROWS[number]
    monkeypatch.setenv("OPENAI_ORG_ID", "org")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj")
    with openai_server() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        with openai.Model("m", api=api, key="key") as model:
            model.call(row.ours)
    (ours,) = server.exchanges
    assert ours.body == theirs[number].body
    assert ours.path == theirs[number].path
    for name in HEADERS:
        assert ours.headers[name] == theirs[number].headers[name]


@every_row
def test_a_stream_is_asked_for_with_the_same_body(
    theirs: tuple[Exchange, ...], number: int
) -> None:
    api, row = ROWS[number]
    with openai.Model("m", api=api, key="key") as model:
        connection = model._connection
        call = connection.prepare(connection.resolved(row.ours), "key", stream=True)
    added = {"stream": True}
    if api == "chat":
        added["stream_options"] = {"include_usage": True}  # type: ignore[assignment]
    assert json.loads(call.body) == theirs[number].body | added
    assert dict(call.headers)["accept"] == "text/event-stream"


def test_a_typed_answer_asks_for_the_schema_the_sdk_asks_for() -> None:
    from pydantic import BaseModel

    class City(BaseModel):
        city: str

    with openai_server() as server:
        official(server, ("chat_parse", {"messages": [HI]}))
        request = JSONSchema(City, name="City").prepare(Request(user("Hi")))
        with openai.Model("m", base_url=server.url) as model:
            model.call(request)
    theirs, ours = (exchange.body["response_format"] for exchange in server.exchanges)
    for told in (theirs, ours):
        told["json_schema"]["schema"].pop("title", None)
        told["json_schema"]["schema"]["properties"]["city"].pop("title", None)
    assert ours == theirs


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_the_official_sdk_reads_what_the_server_says(api: str) -> None:
    ask: dict[str, Any] = (
        {"messages": [HI]} if api == "chat" else {"input": [HI], "max_output_tokens": 100}
    )
    spoken = [
        text("Hel", "lo."),
        calls(("a", "f", '{"x": 1}'), ("b", "g", "{}")),
        refusal("No."),
        text("Hel", finish="length"),
    ]
    with openai_server([*spoken, *spoken[:3]]) as server:
        whole = official(server, *[(api, ask)] * 4, *[(f"{api}_stream", ask)] * 3)
    read = [_read(api, one) for one in whole]
    assert read[:3] == read[4:]
    assert read[0] == ("Hello.", "", [], "stop" if api == "chat" else "completed")
    assert read[1][2] == [("a", "f", '{"x": 1}'), ("b", "g", "{}")]
    assert read[2][1] == "No."
    assert read[3][3] == ("length" if api == "chat" else "incomplete")


def test_the_official_sdk_is_content_with_everything_else() -> None:
    wanted = {"messages": [HI]}
    with openai_server([text('{"city": "Oslo"}')] * 2) as server:
        server.answer_with(failure(429), cut(text("a", "b"), 1))
        assert official(
            server,
            ("chat_parse", wanted),
            ("responses_parse", {"input": [HI]}),
            ("chat", wanted),
            ("chat_stream", wanted),
            ("models", None),
        ) == [
            {"city": "Oslo"},
            {"city": "Oslo"},
            {"error": "RateLimitError", "status": 429},
            {"error": "APIConnectionError"},
            ["loopback-large", "loopback-small"],
        ]


def test_the_server_answers_by_what_it_is_asked() -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    with openai_server() as server:
        forced, asked, plainly = official(
            server,
            ("chat", {"messages": [HI], "tools": [tool], "tool_choice": "required"}),
            ("chat", {"messages": [{"role": "user", "content": "CALL it"}], "tools": [tool]}),
            ("chat", {"messages": [HI], "tools": [tool]}),
        )
    assert _read("chat", forced)[2] == _read("chat", asked)[2] == [("call_1", "f", "{}")]
    assert _read("chat", plainly)[0] == "Answer: Hi"


def test_what_other_servers_call_the_limit() -> None:
    with openai_server() as server, openai.Model("m", base_url=server.url) as model:
        collect(model.stream(Request(user("Hi"), options=Options(max_output_tokens=5))))
    assert server.exchanges[0].body["max_tokens"] == 5


def test_a_stream_without_options_is_asked_for_where_they_are_not_known() -> None:
    chunk = {"choices": [{"delta": {"content": "x"}, "finish_reason": "stop"}]}
    with openai_server([plain(chunk)]) as server, openai.Model("m", base_url=server.url) as model:
        request = Request(user("Hi"), options=Options(extensions={"openai/stream_options": None}))
        assert collect(model.stream(request)).usage is None
    assert "stream_options" not in server.exchanges[0].body


def _read(api: str, told: Any) -> tuple[str, str, list[tuple[str, str, str]], str]:
    """Text, refusal, calls and end of what the SDK read."""
    if api == "chat":
        choice = told["choices"][0]
        message = choice["message"]
        made = [
            (one["id"], one["function"]["name"], one["function"]["arguments"])
            for one in message.get("tool_calls") or []
        ]
        said = message.get("content") or "", message.get("refusal") or ""
        return *said, made, choice["finish_reason"]
    words = [part for item in told["output"] for part in item.get("content", [])]
    made = [
        (item["call_id"], item["name"], item["arguments"])
        for item in told["output"]
        if item["type"] == "function_call"
    ]
    text_of = "".join(part.get("text", "") for part in words)
    refused = "".join(part.get("refusal", "") for part in words)
    return text_of, refused, made, told["status"]
