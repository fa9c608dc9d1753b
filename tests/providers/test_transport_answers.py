"""What a server answers, whole or in pieces, on both transports and in all four ways to ask."""

from __future__ import annotations

from typing import Any

import pytest

import chatport
from chatport import RefusalPart, assistant
from chatport.providers import connection, errors, http_model, openai
from chatport.providers.errors import ProviderError
from chatport.providers.transport import Timeouts
from chatport.testing.loopback import STREAM, Reply, document
from chatport.testing.openai_server import OpenAIServer, cut, failure, plain, refusal, reply, text
from tests.providers.asking import HELLO, STREAMING, WAYS, Ask, every_stream, every_way

CHUNK = {"id": "c", "model": "m", "choices": [{"index": 0, "delta": {"content": "one "}}]}
LAST = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


@every_way
def test_an_answer_is_the_same_however_it_is_asked_for(server: OpenAIServer, ask: Ask) -> None:
    response = ask(server.url)
    assert response.message == assistant("Answer: Hello")
    assert response.finish_reason == "stop"
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.cache_read_input_tokens) == (9, 4)
    assert response.metadata.id == "chatcmpl-loopback"
    assert response.output.metadata.extra == {"openai/finish_reason": "stop"}


@every_way
def test_a_refusal_is_told_as_one(server: OpenAIServer, ask: Ask) -> None:
    server.answer_with(refusal("I would rather not."))
    response = ask(server.url)
    assert response.message is not None
    assert response.message.parts == (RefusalPart("I would rather not."),)
    assert response.finish_reason == "refusal"


WHOLE_FAULTS: list[tuple[str, Reply, type[ProviderError], str]] = [
    ("HTML", reply("<html>Sign in</html>", "text/html"), errors.UnexpectedAnswerError, "not JSON"),
    ("nothing at all", reply(""), errors.UnexpectedAnswerError, "an empty body"),
    ("JSON that breaks off", reply('{"choices": [{"me'), errors.UnexpectedAnswerError, "not JSON"),
    ("no choices", reply('{"choices": []}'), errors.UnexpectedAnswerError, "no choices"),
    ("no object", reply("[1]"), errors.UnexpectedAnswerError, "not what the protocol says"),
    ("bytes that are no text", reply(b'{"id": "\xff"}'), errors.UnexpectedAnswerError, "not"),
    ("members of other types", reply('{"choices": [{"index": "a"}]}'),
     errors.UnexpectedAnswerError, "not what the protocol says"),
    ("an answer that does not say why it ended",
     reply('{"choices": [{"message": {"content": "x"}}]}'), errors.UnexpectedAnswerError, "ended"),
    ("usage of another type",
     reply('{"choices": [{"message": {}, "finish_reason": "stop"}], "usage": 3}'),
     errors.UnexpectedAnswerError, "malformed"),
    ("an error with status 200", reply('{"error": {"message": "boom", "code": "server_error"}}'),
     errors.ServerError, "boom"),
    ("a status 200 that says the limit is reached",
     reply('{"error": {"message": "slow down", "type": "rate_limit_error"}}'),
     errors.RateLimitedError, "slow down"),
]  # fmt: skip


@every_way
@pytest.mark.parametrize(
    ("answer", "kind", "said"), [row[1:] for row in WHOLE_FAULTS], ids=[r[0] for r in WHOLE_FAULTS]
)
def test_a_body_that_is_no_answer_is_an_error_of_ours(
    server: OpenAIServer, ask: Ask, answer: Reply, kind: type[ProviderError], said: str
) -> None:
    server.answer_with(answer)
    with pytest.raises(kind, match=said) as failed:
        ask(server.url)
    assert type(failed.value) is kind
    assert str(failed.value).startswith("openai")


STATUSES: list[tuple[Reply, type[ProviderError], float | None]] = [
    (failure(400, "Unknown parameter", param="foo")[0], errors.InvalidRequestError, None),
    (failure(400, "too long", code="context_length_exceeded")[0], errors.ContextLengthError, None),
    (failure(400, "maximum context length is 8 tokens")[0], errors.ContextLengthError, None),
    (failure(400, "filtered", code="content_filter")[0], errors.ContentBlockedError, None),
    (failure(401)[0], errors.AuthenticationError, None),
    (failure(403)[0], errors.PermissionDeniedError, None),
    (failure(404, code="model_not_found")[0], errors.NotFoundError, None),
    (failure(413)[0], errors.InvalidRequestError, None),
    (failure(429)[0], errors.RateLimitedError, None),
    (failure(429, headers={"retry-after": "7"})[0], errors.RateLimitedError, 7.0),
    (failure(429, code="insufficient_quota")[0], errors.QuotaExceededError, None),
    (failure(500)[0], errors.ServerError, None),
    (failure(503)[0], errors.OverloadedError, None),
    (failure(529)[0], errors.OverloadedError, None),
    (reply("<h1>Bad gateway</h1>", "text/html", 502), errors.ServerError, None),
    (reply('{"detail": "Not Found"}', status=404), errors.NotFoundError, None),
    (reply('{"object": "error", "message": "no", "code": 400}', status=400),
     errors.InvalidRequestError, None),
    (reply("", status=500), errors.ServerError, None),
]  # fmt: skip


@pytest.mark.parametrize("ask", [WAYS["default call"], WAYS["httpx2 async stream"]])
@pytest.mark.parametrize(("answer", "kind", "wait"), STATUSES)
def test_a_status_is_an_error_of_its_class(
    server: OpenAIServer, ask: Ask, answer: Reply, kind: type[ProviderError], wait: float | None
) -> None:
    server.answer_with(answer)
    with pytest.raises(ProviderError) as failed:
        ask(server.url)
    assert type(failed.value) is kind
    assert (failed.value.status, failed.value.retry_after) == (answer.status, wait)
    if answer.headers:
        assert failed.value.request_id in (None, "req_loopback")


def test_a_date_to_wait_for_counts_from_now_where_the_answer_has_none_of_its_own() -> None:
    from email.utils import formatdate
    from time import time

    connection_ = connection.Connection(openai.Chat(), connection.Endpoint("http://localhost"))
    until = {"retry-after": formatdate(time() + 3600, usegmt=True)}
    error = connection_.failure(429, b"", until, "")
    assert error.retry_after is not None
    assert 3000 < error.retry_after <= 3601
    dated = until | {"date": until["retry-after"]}
    assert connection_.failure(429, b"", dated, "").retry_after == 0.0


def test_an_error_has_what_the_provider_said(server: OpenAIServer) -> None:
    server.answer_with(failure(400, "Unknown parameter", code="unknown_parameter", param="foo"))
    with (
        openai.Model("m", base_url=server.url) as model,
        pytest.raises(chatport.InvalidRequestError) as failed,
    ):
        model.call(HELLO)
    assert isinstance(failed.value, errors.InvalidRequestError)
    assert (failed.value.problem, failed.value.path) == ("Unknown parameter", "foo")
    assert (failed.value.code, failed.value.request_id) == ("unknown_parameter", "req_loopback")
    assert str(failed.value) == (
        "openai 400 unknown_parameter: Unknown parameter (request req_loopback)"
    )


CUTS: list[tuple[str, Any, type[ProviderError], str]] = [
    ("a clean end without a reason", plain(CHUNK), errors.CutStreamError, "one "),
    ("the last event without a reason", plain(CHUNK, done=True), errors.CutStreamError, "one "),
    ("nothing", plain(), errors.CutStreamError, ""),
    ("a connection that breaks", cut(text("one ", "two"), 2), errors.TransportError, "one "),
    ("an error among the events", plain(CHUNK, {"error": {"message": "boom"}}),
     errors.ServerError, "one "),
    ("a limit among the events",
     plain(CHUNK, {"error": {"message": "slow", "code": "rate_limit_exceeded"}}),
     errors.RateLimitedError, "one "),
    ("a status among the events", plain(CHUNK, {"error": {"message": "x", "code": 503}}),
     errors.OverloadedError, "one "),
    ("an event that is no JSON", plain(CHUNK, '{"choices": ['), errors.UnexpectedAnswerError,
     "one "),
    ("an event of another type", plain(CHUNK, {"choices": {"a": 1}}),
     errors.UnexpectedAnswerError, "one "),
    ("a part of another type", plain(CHUNK, {"choices": [{"delta": {"tool_calls": 3}}]}),
     errors.UnexpectedAnswerError, "one "),
    ("a call that never gets its name",
     plain(CHUNK, {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a"}]}}]}, LAST),
     errors.UnexpectedAnswerError, "one "),
    ("a call that changes its name",
     plain(CHUNK, {"choices": [{"delta": {"tool_calls": [
         {"index": 0, "id": "a", "function": {"name": "f"}},
         {"index": 1, "id": "a\ud800", "function": {"name": "g"}}]}}]}, LAST),
     errors.UnexpectedAnswerError, "one "),
    ("a cut in the middle of a character",
     Reply((b'data: {"choices": [{"delta": {"content": "one \xc3',), kind=STREAM),
     errors.UnexpectedAnswerError, ""),
    ("a cut in the middle of an event",
     Reply((b"data: " + document(CHUNK) + b"\n\ndata: {", b"x"), kind=STREAM, cut=1),
     errors.TransportError, "one "),
]  # fmt: skip


@every_stream
@pytest.mark.parametrize(
    ("answer", "kind", "partial"), [row[1:] for row in CUTS], ids=[row[0] for row in CUTS]
)
def test_a_stream_that_is_not_whole_is_an_error_that_has_what_came(
    server: OpenAIServer, ask: Ask, answer: Any, kind: type[ProviderError], partial: str
) -> None:
    server.answer_with(answer)
    with pytest.raises(kind) as failed:
        ask(server.url)
    assert (failed.value.partial.text() if failed.value.partial else "") == partial
    assert failed.value.provider == "openai"


@every_stream
def test_usage_that_came_before_a_cut_is_on_the_error(server: OpenAIServer, ask: Ask) -> None:
    counted = CHUNK | {"usage": {"prompt_tokens": 3, "completion_tokens": 1}}
    server.answer_with(plain(counted))
    with pytest.raises(errors.CutStreamError) as failed:
        ask(server.url)
    assert failed.value.usage == chatport.Usage(input_tokens=3, output_tokens=1)


@every_stream
def test_a_stream_that_falls_silent_is_given_up_with_what_came(
    server: OpenAIServer, ask: Ask
) -> None:
    server.answer_with(
        Reply((b"data: " + document(CHUNK) + b"\n\n", b":\n\n"), kind=STREAM, pause=5.0)
    )
    with pytest.raises(TimeoutError) as failed:
        ask(server.url, timeouts=Timeouts(read=1.0))
    assert isinstance(failed.value, errors.TimeoutError)
    assert failed.value.partial == assistant("one ")


@every_way
def test_a_compressed_answer_is_read(server: OpenAIServer, ask: Ask) -> None:
    import gzip

    whole = {"choices": [{"message": {"content": "Hi."}, "finish_reason": "stop"}]}
    chunk = {"choices": [{"delta": {"content": "Hi."}, "finish_reason": "stop"}]}
    encoded = {"content-encoding": "gzip"}

    def answer(body: bytes, kind: str) -> Reply:
        return Reply((gzip.compress(body),), kind=kind, headers=tuple(encoded.items()))

    is_stream = ask in [WAYS[name] for name in STREAMING]
    events = b"data: " + document(chunk) + b"\n\n"
    server.answer_with(
        answer(events, STREAM) if is_stream else answer(document(whole), "application/json")
    )
    assert ask(server.url).text() == "Hi."


@every_way
@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_without_end_is_given_up(
    server: OpenAIServer, ask: Ask, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gzip

    for module in (http_model, connection):
        monkeypatch.setattr(module, "MAX_BODY", 1_000_000)
    is_stream = ask in [WAYS[name] for name in STREAMING]
    body = b": nothing\n" * 500_000 if is_stream else b'{"choices": [' + b" " * 5_000_000
    server.answer_with(
        Reply(
            (gzip.compress(body) if packed else body,),
            kind=STREAM if is_stream else "application/json",
            headers=(("content-encoding", "gzip"),) if packed else (),
        )
    )
    with pytest.raises(errors.UnexpectedAnswerError, match="more than 1000000 bytes"):
        ask(server.url)


@every_stream
def test_an_event_of_ten_megabytes_is_read(server: OpenAIServer, ask: Ask) -> None:
    big = "x" * 10_000_000
    chunk = {"choices": [{"delta": {"content": big}, "finish_reason": "stop"}]}
    server.answer_with(plain(chunk, done=True))
    assert ask(server.url).text() == big


@pytest.mark.parametrize("kind", ["text/event-stream", "text/plain", "application/x-ndjson"])
def test_a_stream_by_another_name_is_read(server: OpenAIServer, kind: str) -> None:
    events = b"".join(b"data: " + document(one) + b"\n\n" for one in (CHUNK, LAST))
    server.answer_with(Reply((events,), kind=kind))
    assert WAYS["default stream"](server.url).text() == "one "


def test_a_whole_answer_where_a_stream_was_asked_for_is_told(server: OpenAIServer) -> None:
    whole = {"choices": [{"message": {"content": "Hi."}, "finish_reason": "stop"}]}
    server.answer_with(reply(document(whole)))
    with pytest.raises(errors.UnexpectedAnswerError, match="a stream was asked for"):
        WAYS["default stream"](server.url)
