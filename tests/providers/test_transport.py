"""What happens between a model and a server, on both transports, in all four ways to ask."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

import chatport
from chatport import RefusalPart, Request, assistant, collect, user
from chatport.providers import errors, openai
from chatport.providers.errors import ProviderError
from chatport.providers.httpx2_transport import AsyncHttpx2Transport, Httpx2Transport
from chatport.providers.pyreqwest_transport import PyreqwestTransport
from chatport.providers.transport import Timeouts
from chatport.testing.loopback import STREAM, Reply, document
from chatport.testing.openai_server import (
    OpenAIServer,
    cut,
    failure,
    openai_server,
    plain,
    refusal,
    reply,
    slow,
    text,
)
from tests.providers.asking import HELLO, TRANSPORTS, Ask, ways

WAYS = ways()
every_way = pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
streaming = [name for name in WAYS if "stream" in name]
every_stream = pytest.mark.parametrize("ask", [WAYS[name] for name in streaming], ids=streaming)
both = pytest.mark.parametrize("make", [pair[0] for pair in TRANSPORTS.values()], ids=TRANSPORTS)
both_async = pytest.mark.parametrize(
    "amake", [pair[1] for pair in TRANSPORTS.values()], ids=TRANSPORTS
)
KEY = "sk-very-secret-key"
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


@pytest.mark.parametrize("ask", [WAYS["httpx2 call"], WAYS["pyreqwest async stream"]])
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


@every_way
def test_a_connection_that_closes_before_it_answers(server: OpenAIServer, ask: Ask) -> None:
    server.answer_with(cut(text("x"), -1))
    with pytest.raises(errors.TransportError) as failed:
        ask(server.url)
    assert failed.value.retryable
    assert failed.value.__cause__ is not None


@every_way
def test_a_server_that_is_not_there(ask: Ask) -> None:
    with pytest.raises(errors.TransportError, match=r"(?i)refused|connect"):
        ask("http://127.0.0.1:9/v1")


@every_way
def test_a_server_that_stays_silent_is_given_up(server: OpenAIServer, ask: Ask) -> None:
    server.answer_with(slow(text("x"), 5.0))
    with pytest.raises(errors.TimeoutError):
        ask(server.url, timeouts=Timeouts(read=0.1))


@every_stream
def test_a_stream_that_falls_silent_is_given_up_with_what_came(
    server: OpenAIServer, ask: Ask
) -> None:
    server.answer_with(
        Reply((b"data: " + document(CHUNK) + b"\n\n", b":\n\n"), kind=STREAM, pause=5.0)
    )
    with pytest.raises(TimeoutError) as failed:
        ask(server.url, timeouts=Timeouts(read=0.2))
    assert isinstance(failed.value, errors.TimeoutError)
    assert failed.value.partial == assistant("one ")


@every_stream
def test_a_server_that_trickles_is_given_up_after_the_total_time(
    server: OpenAIServer, ask: Ask
) -> None:
    server.answer_with(Reply(tuple([b":\n"] * 200), kind=STREAM, pause=0.05))
    with pytest.raises(errors.TimeoutError):
        ask(server.url, timeouts=Timeouts(total=0.3))


@both
def test_the_time_the_caller_has_is_the_time_a_call_gets(
    server: OpenAIServer, make: Callable[[], Any]
) -> None:
    server.answer_with(slow(text("x"), 5.0))
    with (
        openai.Model("m", base_url=server.url, transport=make()) as model,
        chatport.cancellable(0.2),
        pytest.raises(chatport.CallTimeoutError),
    ):
        model.call(HELLO)


@every_way
def test_a_redirect_is_refused_and_the_key_goes_nowhere(server: OpenAIServer, ask: Ask) -> None:
    with openai_server() as other:
        elsewhere = other.url.replace("127.0.0.1", "localhost") + "/chat/completions"
        server.answer_with(reply("", status=307, location=elsewhere))
        with pytest.raises(errors.RedirectError, match="redirects to localhost") as failed:
            ask(server.url, key=KEY)
        assert other.exchanges == ()
    assert not failed.value.retryable
    assert KEY not in str(failed.value)


@every_way
def test_the_key_is_in_no_error(server: OpenAIServer, ask: Ask) -> None:
    server.answer_with(failure(401, f"Incorrect API key provided: {KEY}", code=KEY))
    with pytest.raises(errors.AuthenticationError) as refused:
        ask(server.url, key=KEY)
    with pytest.raises(errors.TransportError) as lost:
        ask("http://127.0.0.1:9/v1", key=KEY)
    for error in (refused.value, lost.value):
        chain: BaseException | None = error
        while chain is not None:
            assert KEY not in f"{chain!s} {chain!r} {vars(chain)}"
            request = chain.request if isinstance(chain, httpx2.HTTPError) else None
            assert request is None or KEY not in str(request.headers.raw)
            chain = chain.__cause__
        assert KEY not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("sk-a\n", "holds the character '\\n' at position 4; strip the whitespace"),
        ("sk-a\r\nx-admin: 1", "holds the character '\\r' at position 4"),
        ("sk-\u00e9", "holds the character '\\xe9' at position 3"),
        ("", "is empty"),
    ],
)
def test_a_key_that_cannot_travel_is_refused_before_anything_is_sent(
    key: str, problem: str
) -> None:
    with openai.Model("m", key=key) as model, pytest.raises(errors.AuthenticationError) as refused:
        model.call(HELLO)
    assert problem in str(refused.value)
    assert not key or key.strip() not in str(refused.value)


def test_a_key_that_is_missing_is_told_with_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with (
        openai.Model("m") as model,
        pytest.raises(errors.MissingKeyError, match="set OPENAI_API_KEY"),
    ):
        model.call(HELLO)


def test_a_key_from_the_environment_goes_to_the_provider_and_to_no_other_address(
    server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with openai.Model("m", base_url=server.url) as model:
        model.call(HELLO)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_ORG_ID", "org")
    with openai.Model("m") as model:
        model.call(HELLO)
    elsewhere, official = server.exchanges
    assert "authorization" not in elsewhere.headers
    assert official.headers["authorization"] == f"Bearer {KEY}"
    assert official.headers["openai-organization"] == "org"


def test_a_key_may_be_made_anew_for_each_call(server: OpenAIServer) -> None:
    keys = iter(["one", "two", "three"])

    async def fresh() -> str:
        return next(keys)

    async def run() -> None:
        async with openai.AsyncModel("m", base_url=server.url, key=fresh) as model:
            await model.call(HELLO)

    with openai.Model("m", base_url=server.url, key=lambda: next(keys)) as model:
        model.call(HELLO)
        collect(model.stream(HELLO))
    asyncio.run(run())
    sent = [exchange.headers["authorization"] for exchange in server.exchanges]
    assert sent == ["Bearer one", "Bearer two", "Bearer three"]
    with openai.Model("m", key=fresh) as model, pytest.raises(TypeError, match="asynchronous"):
        model.call(HELLO)


@pytest.mark.parametrize("address", ["localhost:80", "ftp://h/v1", "https://u:p@h/v1", ""])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="address"):
        openai.Model("m", base_url=address or "nowhere")


@both
def test_ten_streams_and_ten_calls_make_one_connection(
    server: OpenAIServer, make: Callable[[], Any]
) -> None:
    with openai.Model("m", base_url=server.url, transport=make()) as model:
        for _ in range(10):
            collect(model.stream(HELLO))
            model.call(HELLO)
    assert {exchange.connection for exchange in server.exchanges} == {1}


@both_async
def test_ten_asynchronous_streams_make_one_connection(
    server: OpenAIServer, amake: Callable[[], Any]
) -> None:
    async def run() -> None:
        async with openai.AsyncModel("m", base_url=server.url, transport=amake()) as model:
            for _ in range(10):
                await chatport.acollect(model.stream(HELLO))

    asyncio.run(run())
    assert {exchange.connection for exchange in server.exchanges} == {1}


@both
def test_a_stream_left_at_its_last_delta_has_given_its_connection_back(
    server: OpenAIServer, make: Callable[[], Any]
) -> None:
    with openai.Model("m", base_url=server.url, transport=make()) as model:
        for _ in range(3):
            stream = model.stream(HELLO)
            for delta in stream:
                if delta.finish_reason:
                    break
            stream.close()  # type: ignore[attr-defined]
    assert {exchange.connection for exchange in server.exchanges} == {1}


@both
def test_a_stream_left_early_has_dropped_its_connection(
    server: OpenAIServer, make: Callable[[], Any]
) -> None:
    server.answer_with(slow(text(*"abcdefgh"), 0.0, 0.1))
    with openai.Model("m", base_url=server.url, transport=make()) as model:
        stream = model.stream(HELLO)
        assert next(stream).metadata is not None
        stream.close()  # type: ignore[attr-defined]
        assert eventually(lambda: server.connections == 0)
        assert model.call(HELLO).text() == "Answer: Hello"


@both_async
@pytest.mark.parametrize("after", [0.0, 0.05, 0.15, 0.35])
def test_a_call_cancelled_at_any_time_leaves_nothing_behind(
    server: OpenAIServer, amake: Callable[[], Any], after: float
) -> None:
    server.answer_with(slow(text(*"abcdefgh"), 0.1, 0.1))

    async def run() -> None:
        async with openai.AsyncModel("m", base_url=server.url, transport=amake()) as model:

            async def read() -> None:
                async for _ in model.stream(HELLO):
                    pass

            task = asyncio.create_task(read())
            await asyncio.sleep(after)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert (await model.call(HELLO)).finish_reason == "stop"

    asyncio.run(run())
    assert eventually(lambda: server.connections == 0)


@both_async
def test_a_stream_cancelled_at_every_step_leaves_nothing_behind(
    server: OpenAIServer, amake: Callable[[], Any]
) -> None:
    async def run() -> None:
        async with openai.AsyncModel("m", base_url=server.url, transport=amake()) as model:
            for steps in range(60):
                task = asyncio.create_task(chatport.acollect(model.stream(HELLO)))
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                assert task.cancelled() or task.result().text() == "Answer: Hello"
            for _ in range(3):
                await asyncio.sleep(0)
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert (await model.call(HELLO)).text() == "Answer: Hello"

    asyncio.run(run())
    assert eventually(lambda: server.connections == 0)


@both_async
def test_one_model_works_in_one_event_loop_after_the_other(
    server: OpenAIServer, amake: Callable[[], Any]
) -> None:
    model = openai.AsyncModel("m", base_url=server.url, transport=amake())

    async def ask() -> str:
        return (await model.call(HELLO)).text()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [asyncio.run(ask()) for _ in range(3)] == ["Answer: Hello"] * 3
    asyncio.run(model.aclose())


@both_async
def test_one_model_works_in_several_event_loops_at_once(
    server: OpenAIServer, amake: Callable[[], Any]
) -> None:
    model = openai.AsyncModel("m", base_url=server.url, transport=amake())

    async def ask() -> list[str]:
        return [response.text() for response in await asyncio.gather(*map(model.call, [HELLO] * 5))]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: asyncio.run(ask()), range(4)))
    assert answers == [["Answer: Hello"] * 5] * 4


@both
def test_one_model_is_used_by_many_threads(server: OpenAIServer, make: Callable[[], Any]) -> None:
    with (
        openai.Model("m", base_url=server.url, transport=make()) as model,
        ThreadPoolExecutor(16) as pool,
    ):
        asked = [Request(user(f"number {index}")) for index in range(100)]
        answers = pool.map(lambda request: collect(model.stream(request)).text(), asked)
        assert list(answers) == [f"Answer: number {index}" for index in range(100)]


@both
def test_a_closed_model_says_so(server: OpenAIServer, make: Callable[[], Any]) -> None:
    model = openai.Model("m", base_url=server.url, transport=make())
    model.call(HELLO)
    model.close()
    model.close()
    with pytest.raises(errors.ClosedError, match="closed"):
        model.call(HELLO)
    unused = openai.Model("m", base_url=server.url, transport=make())
    unused.close()
    with pytest.raises(errors.ClosedError, match="closed"):
        collect(unused.stream(HELLO))


def test_a_model_that_is_forgotten_warns(server: OpenAIServer) -> None:
    forgotten = [openai.Model("m", base_url=server.url)]
    forgotten[0].call(HELLO)
    with pytest.warns(ResourceWarning, match="use it with `with`"):
        forgotten.clear()


def test_streams_left_to_the_garbage_collector_stop_nobody(server: OpenAIServer) -> None:
    done = threading.Event()

    def work() -> None:
        with openai.Model("m", base_url=server.url) as model:
            for _ in range(30):
                next(model.stream(HELLO))
                model.call(HELLO)
        done.set()

    threading.Thread(target=work, daemon=True).start()
    assert done.wait(30)


def test_a_client_of_the_users_own_is_used_and_stays_open(server: OpenAIServer) -> None:
    seen: list[str] = []
    hooks = {"request": [lambda request: seen.append(request.method)]}
    with httpx2.Client(event_hooks=hooks, follow_redirects=True, timeout=0.001) as client:
        with openai.Model("m", base_url=server.url, transport=client) as model:
            assert model.call(HELLO).text() == "Answer: Hello"
        assert not client.is_closed
    assert seen == ["POST"]

    async def run() -> None:
        async with httpx2.AsyncClient() as client:
            async with openai.AsyncModel("m", base_url=server.url, transport=client) as model:
                assert (await model.call(HELLO)).text() == "Answer: Hello"
            assert not client.is_closed

    asyncio.run(run())
    wrong: Any = object()
    with pytest.raises(TypeError, match=r"httpx2\.Client"):
        openai.Model("m", transport=wrong)


def test_a_transport_of_a_test_needs_no_server() -> None:
    sent: list[dict[str, Any]] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        sent.append(json.loads(request.content))
        answer = {"choices": [{"message": {"content": "Hi."}, "finish_reason": "stop"}]}
        return httpx2.Response(200, json=answer)

    with (
        httpx2.Client(transport=httpx2.MockTransport(respond)) as client,
        openai.Model("m", key="k", transport=client) as model,
    ):
        assert model.call(HELLO).text() == "Hi."
    assert sent == [{"model": "m", "messages": [{"role": "user", "content": "Hello"}]}]


@every_way
def test_a_compressed_answer_is_read(server: OpenAIServer, ask: Ask) -> None:
    import gzip

    whole = {"choices": [{"message": {"content": "Hi."}, "finish_reason": "stop"}]}
    chunk = {"choices": [{"delta": {"content": "Hi."}, "finish_reason": "stop"}]}
    encoded = {"content-encoding": "gzip"}

    def answer(body: bytes, kind: str) -> Reply:
        return Reply((gzip.compress(body),), kind=kind, headers=tuple(encoded.items()))

    is_stream = ask in [WAYS[name] for name in streaming]
    events = b"data: " + document(chunk) + b"\n\n"
    server.answer_with(
        answer(events, STREAM) if is_stream else answer(document(whole), "application/json")
    )
    assert ask(server.url).text() == "Hi."


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
    assert WAYS["httpx2 stream"](server.url).text() == "one "


def test_a_whole_answer_where_a_stream_was_asked_for_is_told(server: OpenAIServer) -> None:
    whole = {"choices": [{"message": {"content": "Hi."}, "finish_reason": "stop"}]}
    server.answer_with(reply(document(whole)))
    with pytest.raises(errors.UnexpectedAnswerError, match="a stream was asked for"):
        WAYS["httpx2 stream"](server.url)


@both_async
def test_a_thousand_streams_at_once_lose_nothing(
    server: OpenAIServer, amake: Callable[[], Any]
) -> None:
    async def run() -> list[str]:
        async with openai.AsyncModel("m", base_url=server.url, transport=amake()) as model:

            async def one(index: int) -> str:
                stream = model.stream(Request(user(f"number {index}")))
                return (await chatport.acollect(stream)).text()

            return await asyncio.gather(*map(one, range(1000)))

    assert asyncio.run(run()) == [f"Answer: number {index}" for index in range(1000)]


def test_the_models_say_what_they_are_without_their_key() -> None:
    for made in (
        openai.Model("gpt", key=KEY, transport=Httpx2Transport()),
        openai.AsyncModel("gpt", key=KEY, transport=AsyncHttpx2Transport()),
        openai.Model("gpt", key=KEY, transport=PyreqwestTransport()),
    ):
        assert "openai 'gpt' at https://api.openai.com/v1" in repr(made)
        assert KEY not in repr(made)


def test_what_is_no_request_is_refused_at_once() -> None:
    wrong: Any = "Hello"
    with openai.Model("m") as model, pytest.raises(chatport.InvalidRequestError):
        model.call(wrong)


def eventually(happens: Callable[[], bool]) -> bool:
    for _ in range(100):
        if happens():
            return True
        time.sleep(0.02)
    return False
