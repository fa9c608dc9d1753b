"""Models of Anthropic against the loopback server: what is said, and every awkward answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chatport import (
    JSON,
    Client,
    Options,
    OutputCompletionError,
    ReasoningPart,
    RefusalPart,
    Request,
    StreamClient,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    UnsupportedOptionError,
    assistant,
    tool_results,
    user,
)
from chatport.providers import anthropic
from chatport.providers.errors import (
    AuthenticationError,
    ContextLengthError,
    CutStreamError,
    InvalidRequestError,
    MissingKeyError,
    OverloadedError,
    ProviderError,
    QuotaExceededError,
    RateLimitedError,
    ServerError,
    TransportError,
    UnexpectedAnswerError,
)
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
    text,
    thinking,
    tool_use,
)
from tests.providers.ways import HELLO, Ask, ways

WAYS = ways(anthropic)
every_way = pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
streamed = pytest.mark.parametrize("ask", [WAYS["stream"], WAYS["async stream"]])
WEATHER = ToolDefinition(name="weather", input_schema={"type": "object"})


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with anthropic_server() as running:
        yield running


@every_way
def test_an_answer_is_the_same_however_it_is_asked_for(server: AnthropicServer, ask: Ask) -> None:
    response = ask(server.url)
    assert response.message == assistant("Answer: Hello")
    assert response.finish_reason == "stop"
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.cache_read_input_tokens) == (13, 4)
    (exchange,) = server.exchanges
    assert exchange.headers["x-api-key"] == "secret"
    assert exchange.headers["anthropic-version"] == "2026-10-21"


@every_way
def test_thinking_and_calls_go_back_and_forth(server: AnthropicServer, ask: Ask) -> None:
    server.answer_with(
        blocks(
            {"type": "thinking", "thinking": "Hm.", "signature": "sig"},
            {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}},
            stop="tool_use",
        )
    )
    asked = Request(user("Hello"), tools=[WEATHER])
    proposed = ask(server.url, asked)
    assert proposed.finish_reason == "tool_calls"
    assert proposed.message is not None
    result = ToolResult("toolu_1", "weather", ToolOutput.of_text("Sunny"))
    answered = ask(server.url, asked.extend(proposed.message, tool_results(result)))
    assert answered.text() == "Answer: Sunny"
    assert server.exchanges[1].body["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "Hm.", "signature": "sig"},
        {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}},
    ]


@every_way
def test_a_refusal_is_told_as_one(server: AnthropicServer, ask: Ask) -> None:
    server.answer_with(refusal("It could harm.", "bio"))
    response = ask(server.url)
    assert response.finish_reason == "refusal"
    assert response.message is not None
    assert response.message.parts == (RefusalPart("It could harm."),)


def test_typed_output_tells_a_refusal_and_a_cut_from_an_answer(server: AnthropicServer) -> None:
    server.answer_with(refusal("I will not"), text('{"a": ', stop="max_tokens"))
    with anthropic.Model("m", base_url=server.url, key="secret") as model:
        client = Client(model)
        with pytest.raises(OutputCompletionError, match="I will not"):
            client.output(HELLO, JSON(dict[str, int]))
        with pytest.raises(OutputCompletionError, match="length"):
            client.output(HELLO, JSON(dict[str, int]))


def test_any_json_is_an_answer(server: AnthropicServer) -> None:
    server.answer_with(tool_use("chatport_json_answer", {"a": 1}))
    with anthropic.Model("m", base_url=server.url, key="secret") as model:
        assert Client(model).output(HELLO, JSON(dict[str, int])) == {"a": 1}


FAILURES = [
    (400, "messages: at least one message is required", InvalidRequestError),
    (400, "prompt is too long: 210000 tokens > 200000 maximum", ContextLengthError),
    (400, "Your credit balance is too low to access the API", QuotaExceededError),
    (401, "invalid x-api-key", AuthenticationError),
    (402, "billing", QuotaExceededError),
    (413, "Request exceeds the maximum size", InvalidRequestError),
    (429, "rate limit", RateLimitedError),
    (500, "Internal server error", ServerError),
    (529, "Overloaded", OverloadedError),
]


@every_way
@pytest.mark.parametrize(("status", "message", "kind"), FAILURES)
def test_each_failure_is_of_its_class(
    server: AnthropicServer, ask: Ask, status: int, message: str, kind: type[ProviderError]
) -> None:
    server.answer_with(failure(status, message, headers={"retry-after": "7"}))
    with pytest.raises(kind) as raised:
        ask(server.url)
    assert type(raised.value) is kind
    assert raised.value.status == status
    assert raised.value.message == message
    assert raised.value.request_id == "req_loopback"
    assert raised.value.retry_after == 7
    assert "secret" not in str(raised.value)
    assert len(server.exchanges) == 1


@streamed
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (broken(text("Hel", "lo"), 4), OverloadedError),
        (plain(*[{"type": "message_start", "message": {}}]), CutStreamError),
        (reply(b"data: {not json\n\n", "text/event-stream"), UnexpectedAnswerError),
        (reply("<html>502</html>", "text/html"), UnexpectedAnswerError),
        (reply("", "text/event-stream"), CutStreamError),
    ],
)
def test_a_stream_that_goes_wrong_is_an_error(
    server: AnthropicServer, ask: Ask, answer: Any, kind: type[ProviderError]
) -> None:
    server.answer_with(answer)
    with pytest.raises(kind):
        ask(server.url)


@streamed
@pytest.mark.parametrize("after", [5, 6, 7])
def test_a_stream_cut_anywhere_keeps_what_came(
    server: AnthropicServer, ask: Ask, after: int
) -> None:
    server.answer_with(cut(text("Hel", "lo"), after))
    with pytest.raises(TransportError) as raised:
        ask(server.url)
    assert raised.value.partial is not None
    assert raised.value.partial.text() == "Hello"
    assert raised.value.usage is not None


@streamed
def test_a_stream_closed_before_its_end_is_no_answer(server: AnthropicServer, ask: Ask) -> None:
    events = list(text("Hel", "lo").events({}))
    server.answer_with(plain(*events[:-1]))
    with pytest.raises(CutStreamError) as raised:
        ask(server.url)
    assert raised.value.partial is not None
    assert raised.value.partial.text() == "Hello"


@every_way
@pytest.mark.parametrize(
    "body", ["<html>", "{}", "[]", '{"type": "message", "content": []}', '{"content": null}']
)
def test_a_body_that_is_no_answer_is_an_error(server: AnthropicServer, ask: Ask, body: str) -> None:
    server.answer_with(reply(body))
    with pytest.raises(UnexpectedAnswerError):
        ask(server.url)


def test_options_are_refused_before_anything_is_sent(server: AnthropicServer) -> None:
    warm = HELLO.replace(options=Options(temperature=0.5))
    with (
        anthropic.Model("m", base_url=server.url, key="secret") as model,
        pytest.raises(UnsupportedOptionError, match="2023-06-01"),
    ):
        model.call(warm)
    assert not server.exchanges
    with anthropic.Model("m", base_url=server.url, key="secret", version="2023-06-01") as model:
        model.call(warm)
    assert server.exchanges[0].body["temperature"] == 0.5


def test_streams_keep_one_connection(server: AnthropicServer) -> None:
    with anthropic.Model("m", base_url=server.url, key="secret") as model:
        for _ in range(10):
            with StreamClient(model).stream(HELLO) as stream:
                assert "".join(delta.text() for delta in stream) == "Answer: Hello"
    assert {exchange.connection for exchange in server.exchanges} == {1}


def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with anthropic.Model("m") as model, pytest.raises(MissingKeyError, match="ANTHROPIC_API_KEY"):
        model.call(HELLO)


def test_the_environment_names_key_and_address(
    monkeypatch: pytest.MonkeyPatch, server: AnthropicServer
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "from-environment")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    with anthropic.Model("m") as model:
        model.call(HELLO)
    assert server.exchanges[0].headers["x-api-key"] == "from-environment"


def test_thinking_is_told_apart_from_text(server: AnthropicServer) -> None:
    server.answer_with(thinking("Hm.", "42"))
    with anthropic.Model("m", base_url=server.url, key="secret") as model:
        message = model.call(HELLO).message
    assert message is not None
    assert message.text() == "42"
    assert isinstance(message.parts[0], ReasoningPart)
    assert message.parts[0].text == "Hm."
