"""Models of Gemini against the loopback server: what is said, and every awkward answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from chatport import (
    JSON,
    Client,
    OutputCompletionError,
    Request,
    StreamClient,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    assistant,
    tool_results,
    user,
)
from chatport.providers import gemini
from chatport.providers.errors import (
    AuthenticationError,
    ContentBlockedError,
    ContextLengthError,
    CutStreamError,
    InvalidRequestError,
    MissingKeyError,
    NotFoundError,
    OverloadedError,
    PermissionDeniedError,
    ProviderError,
    QuotaExceededError,
    RateLimitedError,
    ServerError,
    TransportError,
    UnexpectedAnswerError,
)
from chatport.testing.gemini_server import (
    Answer,
    GeminiServer,
    blocked,
    body,
    cut,
    gemini_server,
    malformed,
    no_candidates,
    parts,
    stopped,
    text,
)
from tests.providers.ways import HELLO, Ask, ways

WAYS = ways(gemini)
every_way = pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
streamed = pytest.mark.parametrize("ask", [WAYS["stream"], WAYS["async stream"]])
WEATHER = ToolDefinition(
    name="weather",
    input_schema={"type": "object", "properties": {"city": {"type": "string"}}},
)


@pytest.fixture
def server() -> Iterator[GeminiServer]:
    with gemini_server() as running:
        yield running


@every_way
def test_an_answer_is_the_same_however_it_is_asked_for(server: GeminiServer, ask: Ask) -> None:
    response = ask(server.url)
    assert response.message == assistant("Answer 1: Hello")
    assert response.finish_reason == "stop"
    assert response.usage is not None
    assert response.metadata.model == "m"
    (exchange,) = server.exchanges
    assert exchange.headers["x-goog-api-key"] == "secret"
    assert "secret" not in exchange.path


@every_way
def test_signed_calls_go_back_and_forth(server: GeminiServer, ask: Ask) -> None:
    signed = {
        "functionCall": {"name": "weather", "args": {"city": "Ulm"}},
        "thoughtSignature": "c2ln",
    }
    server.answer_with(parts({"text": "Hm.", "thought": True}, signed))
    asked = Request(user("Hello"), tools=[WEATHER])
    proposed = ask(server.url, asked)
    assert proposed.finish_reason == "tool_calls"
    assert proposed.message is not None
    (call,) = proposed.tool_calls
    assert call.arguments == '{"city":"Ulm"}'
    result = ToolResult(call.id, call.name, ToolOutput.of_json({"sun": True}))
    answered = ask(server.url, asked.extend(proposed.message, tool_results(result)))
    assert answered.finish_reason == "stop"
    assert server.exchanges[1].body is not None
    assert server.exchanges[1].body["contents"][1:] == [
        {"role": "model", "parts": [{"text": "Hm.", "thought": True}, signed]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"name": "weather", "response": {"sun": True}}}],
        },
    ]


@every_way
def test_a_blocked_prompt_is_an_error(server: GeminiServer, ask: Ask) -> None:
    server.answer_with(blocked("PROHIBITED_CONTENT"))
    with pytest.raises(ContentBlockedError) as raised:
        ask(server.url)
    assert raised.value.code == "PROHIBITED_CONTENT"
    assert raised.value.usage is not None
    assert raised.value.usage.input_tokens == 4


@every_way
def test_an_answer_that_was_stopped_says_why(server: GeminiServer, ask: Ask) -> None:
    server.answer_with(stopped("SAFETY"))
    response = ask(server.url)
    assert response.message is None
    assert response.finish_reason == "content_filter"


def test_typed_output_tells_a_filter_and_a_cut_from_an_answer(server: GeminiServer) -> None:
    server.answer_with(stopped("RECITATION"), text('{"a": ', finish="MAX_TOKENS"), text('{"a": 1}'))
    with gemini.Model("m", base_url=server.url, key="secret") as model:
        client = Client(model)
        with pytest.raises(OutputCompletionError, match="content_filter"):
            client.output(HELLO, JSON(dict[str, int]))
        with pytest.raises(OutputCompletionError, match="length"):
            client.output(HELLO, JSON(dict[str, int]))
        assert client.output(HELLO, JSON(dict[str, int])) == {"a": 1}


def failing(status: int, name: str, message: str, *details: Any) -> Answer:
    error = {"code": status, "message": message, "status": name, "details": list(details)}
    return Answer(({"error": error},), status)


RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "33.5s"}
BAD_KEY = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
BAD_FIELD = {
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    "fieldViolations": [{"field": "contents", "description": "is missing"}],
}
DAILY = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
}
TOO_LONG = "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576)."
FAILURES: Sequence[tuple[Answer, type[ProviderError]]] = [
    (failing(400, "INVALID_ARGUMENT", "Bad.", BAD_FIELD), InvalidRequestError),
    (failing(400, "INVALID_ARGUMENT", TOO_LONG), ContextLengthError),
    (failing(400, "INVALID_ARGUMENT", "API key not valid.", BAD_KEY), AuthenticationError),
    (failing(400, "FAILED_PRECONDITION", "Location is not supported."), PermissionDeniedError),
    (failing(401, "UNAUTHENTICATED", "No."), AuthenticationError),
    (failing(403, "PERMISSION_DENIED", "No."), PermissionDeniedError),
    (failing(404, "NOT_FOUND", "models/m is not found"), NotFoundError),
    (failing(429, "RESOURCE_EXHAUSTED", "Slow down.", RETRY), RateLimitedError),
    (failing(429, "RESOURCE_EXHAUSTED", "Come back tomorrow.", DAILY), QuotaExceededError),
    (failing(500, "INTERNAL", "Oops."), ServerError),
    (failing(503, "UNAVAILABLE", "The model is overloaded."), OverloadedError),
]


@every_way
@pytest.mark.parametrize(("answer", "kind"), FAILURES)
def test_each_failure_is_of_its_class(
    server: GeminiServer, ask: Ask, answer: Answer, kind: type[ProviderError]
) -> None:
    server.answer_with(answer)
    told = answer.events[0]["error"]
    with pytest.raises(kind) as raised:
        ask(server.url)
    error = raised.value
    assert type(error) is kind
    assert (error.status, error.code, error.message) == (
        answer.status,
        told["status"],
        told["message"],
    )
    assert error.retry_after == (33.5 if RETRY in told["details"] else None)
    assert error.param == ("contents" if BAD_FIELD in told["details"] else None)


@streamed
def test_an_error_inside_a_stream_keeps_what_came(server: GeminiServer, ask: Ask) -> None:
    first, _ = text("Hel", "lo").events
    server.answer_with(body(first, failing(503, "UNAVAILABLE", "Overloaded").events[0]))
    with pytest.raises(OverloadedError, match="Overloaded") as raised:
        ask(server.url)
    assert raised.value.partial is not None
    assert raised.value.partial.text() == "Hel"
    assert raised.value.usage is not None


@streamed
def test_a_stream_cut_in_the_middle_keeps_what_came(server: GeminiServer, ask: Ask) -> None:
    server.answer_with(cut(text("Hel", "lo"), 1))
    with pytest.raises(TransportError) as raised:
        ask(server.url)
    assert raised.value.partial is not None
    assert raised.value.partial.text() == "Hel"


@streamed
def test_a_stream_closed_without_a_reason_is_no_answer(server: GeminiServer, ask: Ask) -> None:
    server.answer_with(body(text("Hel", "lo").events[0]))
    with pytest.raises(CutStreamError) as raised:
        ask(server.url)
    assert raised.value.partial is not None
    assert raised.value.partial.text() == "Hel"


@every_way
@pytest.mark.parametrize(
    "answer",
    [
        malformed(),
        no_candidates(),
        Answer(raw=b"<html>502</html>"),
        Answer(raw=b"[]"),
        Answer(raw=json.dumps({"candidates": [None]}).encode()),
    ],
)
def test_a_body_that_is_no_answer_is_an_error(
    server: GeminiServer, ask: Ask, answer: Answer
) -> None:
    server.answer_with(answer)
    with pytest.raises(UnexpectedAnswerError):
        ask(server.url)


def test_several_streams_of_one_model(server: GeminiServer) -> None:
    with gemini.Model("m", base_url=server.url, key="secret") as model:
        for _ in range(3):
            with StreamClient(model).stream(HELLO) as stream:
                assert "".join(delta.text() for delta in stream) == "Answer 1: Hello"


def test_a_model_of_the_cloud(server: GeminiServer) -> None:
    with gemini.VertexModel(
        "m", project="p1", location="us-east1", base_url=server.url, key=lambda: "token"
    ) as model:
        assert model.call(HELLO).text() == "Answer 1: Hello"
    (exchange,) = server.exchanges
    where = "/v1beta1/projects/p1/locations/us-east1/publishers/google/models/m"
    assert exchange.path == f"{where}:generateContent"
    assert exchange.headers["authorization"] == "Bearer token"


def test_a_model_of_the_cloud_without_a_thread_of_its_own(server: GeminiServer) -> None:
    async def token() -> str:
        return "token"

    async def ask() -> str:
        async with gemini.AsyncVertexModel(
            "m", project="p1", location="eu", base_url=server.url, key=token
        ) as model:
            return (await model.call(HELLO)).text()

    assert asyncio.run(ask()) == "Answer 1: Hello"
    assert server.exchanges[0].headers["authorization"] == "Bearer token"


@pytest.mark.parametrize(
    ("location", "host"),
    [
        ("global", "https://aiplatform.googleapis.com"),
        ("eu", "https://aiplatform.eu.rep.googleapis.com"),
        ("europe-west4", "https://europe-west4-aiplatform.googleapis.com"),
    ],
)
def test_the_address_of_a_location(location: str, host: str) -> None:
    assert gemini.vertex("p1", location, None, "v1")[1].base_url == host


def test_a_project_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p2")
    monkeypatch.setenv("GOOGLE_CLOUD_LOCATION", "eu")
    codec, _ = gemini.vertex(None, None, None, "v1")
    assert codec.parent == "projects/p2/locations/eu"
    monkeypatch.delenv("GOOGLE_CLOUD_PROJECT")
    with pytest.raises(ValueError, match="GOOGLE_CLOUD_PROJECT"):
        gemini.vertex(None, None, None, "v1")


def test_a_missing_key_names_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in gemini.KEY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    with gemini.Model("m") as model, pytest.raises(MissingKeyError, match="GEMINI_API_KEY"):
        model.call(HELLO)


def test_the_environment_names_key_and_address(
    monkeypatch: pytest.MonkeyPatch, server: GeminiServer
) -> None:
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.setenv("GEMINI_API_KEY", "from-environment")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
    with gemini.Model("m") as model:
        model.call(HELLO)
    assert server.exchanges[0].headers["x-goog-api-key"] == "from-environment"
