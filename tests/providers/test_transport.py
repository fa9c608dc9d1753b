"""How a model reaches a server: keys, addresses, redirects, time, and transports of one's own."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

import chatport
from chatport import collect
from chatport.providers import errors, openai
from chatport.providers.transport import Timeouts
from chatport.testing.loopback import STREAM, Reply
from chatport.testing.openai_server import (
    OpenAIServer,
    cut,
    failure,
    openai_server,
    reply,
    slow,
    text,
)
from tests.providers.asking import HELLO, Ask, both, every_stream, every_way

KEY = "sk-very-secret-key"


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


def test_the_models_say_what_they_are_without_their_key() -> None:
    for made in (
        openai.Model("gpt", key=KEY),
        openai.AsyncModel("gpt", key=KEY),
    ):
        assert "openai 'gpt' at https://api.openai.com/v1" in repr(made)
        assert KEY not in repr(made)


def test_what_is_no_request_is_refused_at_once() -> None:
    wrong: Any = "Hello"
    with openai.Model("m") as model, pytest.raises(chatport.InvalidRequestError):
        model.call(wrong)
