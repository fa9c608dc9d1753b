"""What our transports do themselves: heads, tunnels, pools, deadlines, and room for what comes."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest

from chatport import acollect, collect
from chatport.chat import Request, user
from chatport.providers import asyncio_transport, errors, openai, standard_transport
from chatport.providers.asyncio_transport import AsyncioTransport
from chatport.providers.deadlines import Deadlines
from chatport.providers.heads import head
from chatport.providers.incoming import MAX_HEAD, MUCH
from chatport.providers.standard_transport import StandardTransport
from chatport.providers.transport import Call, Timeouts
from tests.providers.asking import HELLO, WAYS, Ask, every_way
from tests.providers.raw_server import EVENTS, RawServer, chunk, received, whole
from tests.providers.test_hostile_servers import CHUNKED, answer, document, event, every_default
from tests.providers.test_routes import CERTIFICATE, serving

SECRET = "sk-secret"


def asked(*fields: tuple[str, str], url: str = "http://h/v1", body: bytes = b"{}") -> Call:
    return Call("POST", url, fields, body, Timeouts())


def test_a_head_is_written_as_http_writes_it() -> None:
    sent = head(asked(("accept", "text/é")), "h", "/v1", (("proxy-authorization", "Basic x"),))
    assert sent == (
        b"POST /v1 HTTP/1.1\r\nhost: h\r\naccept: text/\xe9\r\n"
        b"proxy-authorization: Basic x\r\ncontent-length: 2\r\n\r\n"
    )
    assert b"content-length" not in head(asked(body=b""), "h", "/")


@pytest.mark.parametrize(
    ("field", "host", "target"),
    [
        (("x-a", f"{SECRET}\r\nx-b: 1"), "h", "/"),
        (("x-a", f"{SECRET}\n"), "h", "/"),
        (("x-a", f"{SECRET}\r"), "h", "/"),
        (("x-a", f"{SECRET}\0"), "h", "/"),
        (("x-a", f"{SECRET} \u20ac"), "h", "/"),
        (("x a", SECRET), "h", "/"),
        (("x-a:", SECRET), "h", "/"),
        (("", SECRET), "h", "/"),
        (("x-a", SECRET), "h\r\nx-b: 1", "/"),
        (("x-a", SECRET), "h", "/a b"),
        (("x-a", SECRET), "h", "/ü"),
        (("x-a", SECRET), "h", "/\r\n\r\nGET /"),
    ],
)
def test_what_cannot_travel_in_a_head_is_refused_and_no_value_is_quoted(
    field: tuple[str, str], host: str, target: str
) -> None:
    with pytest.raises(errors.InvalidRequestError) as refused:
        head(asked(field), host, target)
    assert SECRET not in str(refused.value)
    assert not refused.value.retryable


@every_way
def test_informational_answers_are_skipped(ask: Ask) -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\nx-status: hints\r\n\r\n"
    more = b"HTTP/1.1 102 Processing\r\n\r\n"
    with RawServer([hints + more, hints + answer(ask)]) as server:
        assert ask(server.url).text() == "Hi."


@every_default
@pytest.mark.parametrize("begun", [b"HTTP/1.1 200 OK\r\nx-a: ", b"HTTP/1.1 200 OK\r\nx-"])
def test_a_head_without_end_is_read_to_a_bound(ask: Ask, begun: bytes) -> None:
    with (
        RawServer([begun, b"a" * (MAX_HEAD + 100_000)]) as server,
        pytest.raises(errors.TransportError, match="a head of more than"),
    ):
        ask(server.url)


@every_default
def test_an_answer_of_another_protocol_is_none(ask: Ask) -> None:
    switched = b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhi"
    with RawServer([switched]) as server, pytest.raises(errors.TransportError, match="no answer"):
        ask(server.url)


@pytest.mark.parametrize("kind", ["default call", "default async call"])
def test_fields_after_the_body_do_not_count(kind: str) -> None:
    trailed = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n" + CHUNKED
    trailed += chunk(document()) + b"0\r\ncontent-type: text/html\r\n\r\n"
    with RawServer([trailed]) as server:
        assert WAYS[kind](server.url).text() == "Hi."


@every_default
def test_a_large_request_that_is_refused_before_it_is_read_is_told_so(ask: Ask) -> None:
    """The server answers after the head, and takes the rest in its own time."""
    refused = b'HTTP/1.1 413 Too large\r\ncontent-length: 30\r\n\r\n{"error": {"message": "vast"}}'
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection = listener.accept()[0]
        connection.recv(1024)
        connection.sendall(refused)
        with contextlib.suppress(OSError):
            while connection.recv(1 << 20):
                pass
        connection.close()

    threading.Thread(target=serve, daemon=True).start()
    vast = Request(user("x" * 20_000_000))
    with listener, pytest.raises(errors.InvalidRequestError, match="vast"):
        ask(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", vast)


@contextlib.contextmanager
def tunnelling(server: RawServer, heard: list[bytes]) -> Iterator[str]:
    """The address of a proxy that leads to a server, whatever it is asked for."""
    listener = socket.create_server(("127.0.0.1", 0))

    def carry(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                heard.append(data)
                target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        host, port = server.address.split(":")
        with (
            contextlib.suppress(OSError),
            listener.accept()[0] as inner,
            socket.create_connection((host, int(port))) as outer,
        ):
            heard.append(received(inner))
            inner.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=carry, args=(outer, inner))
            back.start()
            carry(inner, outer)
            back.join()

    serving_ = threading.Thread(target=serve)
    serving_.start()
    with listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    serving_.join()


@every_default
def test_a_tunnel_carries_what_nobody_on_the_way_can_read(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[bytes] = []
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    from chatport.providers import routes

    routes.tls_context.cache_clear()
    with RawServer([answer(ask)], tls=serving()) as server, tunnelling(server, heard) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://ann:word@{proxy}")
        assert ask(server.url, key=SECRET).text() == "Hi."
    routes.tls_context.cache_clear()
    port = server.address.split(":")[1]
    assert heard[0].startswith(b"CONNECT localhost:%s HTTP/1.1\r\n" % port.encode())
    assert b"proxy-authorization: Basic" in heard[0]
    assert not any(SECRET.encode() in one for one in heard)
    (request,) = server.requests
    assert SECRET.encode() in request
    assert b"proxy-authorization" not in request


def test_a_connection_over_tls_is_used_again() -> None:
    context = ssl.create_default_context(cafile=CERTIFICATE)
    answers = [[whole(document())]] * 6
    with RawServer(*answers, tls=serving()) as server:
        transport = StandardTransport(tls=context)
        with openai.Model("m", base_url=server.url, transport=transport) as model:
            assert [model.call(HELLO).text() for _ in range(3)] == ["Hi."] * 3
        assert server.connections == 1

        async def run() -> list[str]:
            pool = AsyncioTransport(tls=context)
            async with openai.AsyncModel("m", base_url=server.url, transport=pool) as model:
                return [(await model.call(HELLO)).text() for _ in range(3)]

        assert asyncio.run(run()) == ["Hi."] * 3
        assert server.connections == 2


def test_an_idle_connection_that_the_server_speaks_on_is_not_used_again() -> None:
    smuggled = [whole(document()), whole(document("Somebody else's answer."))]

    async def run(url: str) -> list[str]:
        async with openai.AsyncModel("m", base_url=url) as model:
            first = (await model.call(HELLO)).text()
            await asyncio.sleep(0.05)
            return [first, (await model.call(HELLO)).text()]

    with RawServer(smuggled, [whole(document("Mine."))]) as server:
        assert asyncio.run(run(server.url)) == ["Hi.", "Mine."]
        assert server.connections == 2


def test_connections_that_have_been_idle_for_long_are_not_used_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(standard_transport, "KEPT_SECONDS", 0.0)
    monkeypatch.setattr(asyncio_transport, "KEPT_SECONDS", 0.0)

    async def run(url: str) -> None:
        async with openai.AsyncModel("m", base_url=url) as model:
            await asyncio.gather(*(model.call(HELLO) for _ in range(2)))
            await asyncio.sleep(0.01)
            await model.call(HELLO)

    with RawServer(*[[whole(document())]] * 5) as server:
        with openai.Model("m", base_url=server.url) as model:
            model.call(HELLO)
            model.call(HELLO)
        assert server.connections == 2
        asyncio.run(run(server.url))
        assert server.connections == 5


def test_who_finds_every_connection_in_use_waits_for_one_as_long_as_there_is_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asyncio_transport, "AT_ONCE", 1)

    async def run(url: str) -> tuple[Any, ...]:
        hurried = Timeouts(total=0.2)
        async with openai.AsyncModel("m", base_url=url, timeouts=hurried) as model:
            stream = model.stream(HELLO)
            await anext(stream)
            with pytest.raises(errors.TimeoutError, match="no connection"):
                await model.call(HELLO)
            await stream.aclose()  # type: ignore[attr-defined]
            return (await model.call(HELLO)).text(), (await model.call(HELLO)).text()

    begun = EVENTS + CHUNKED + chunk(event({"content": "Hi."}))
    with RawServer([begun, None], [whole(document())], [whole(document())]) as server:
        assert asyncio.run(run(server.url)) == ("Hi.", "Hi.")


def test_a_server_is_made_to_wait_for_whoever_reads_slowly() -> None:
    words = event({"content": "x" * 10_000}) * 1_000
    body = words + event({}, "stop") + b"data: [DONE]\n\n"
    sent = EVENTS + b"content-length: %d\r\n\r\n" % len(body)
    seen: list[int] = []

    async def run(url: str) -> str:
        transport = AsyncioTransport()
        async with openai.AsyncModel("m", base_url=url, transport=transport) as model:

            async def slowly() -> Any:
                async for delta in model.stream(HELLO):
                    if len(seen) < 20:
                        await asyncio.sleep(0.01)
                    (pool,) = transport._pools.values()
                    held = [line.incoming for line in pool._lines if line.incoming is not None]
                    seen.append(sum(one._size for one in held))
                    yield delta

            return (await acollect(slowly())).text()

    with RawServer([sent + body]) as server:
        assert len(asyncio.run(run(server.url))) == 10_000_000
    assert max(seen) <= 2 * MUCH


def test_a_model_that_is_closed_under_a_stream_says_so() -> None:
    begun = EVENTS + CHUNKED + chunk(event({"content": "Hi."}))

    async def run(url: str) -> None:
        model = openai.AsyncModel("m", base_url=url)
        stream = model.stream(HELLO)
        await anext(stream)
        reading = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.01)
        await model.aclose()
        with pytest.raises(errors.ClosedError, match="closed"):
            await reading

    with RawServer([begun, None], [begun, None]) as server:
        asyncio.run(run(server.url))
        model = openai.Model("m", base_url=server.url)
        stream = model.stream(HELLO)
        next(stream)
        threading.Timer(0.05, model.close).start()
        with pytest.raises(errors.ClosedError, match="closed"):
            collect(stream)


def test_deadlines_end_what_waits_in_the_order_of_their_times() -> None:
    ended: list[str] = []

    async def waiting(deadlines: Deadlines, name: str, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        if name == "answered":
            loop.call_later(0.005, waiter.set_result, None)
        try:
            await deadlines.wait(waiter, inf if seconds == inf else loop.time() + seconds)
        except TimeoutError:
            ended.append(name)

    async def run() -> None:
        deadlines = Deadlines(asyncio.get_running_loop())
        tasks = [
            asyncio.create_task(waiting(deadlines, name, seconds))
            for name, seconds in [
                ("late", 0.06),
                ("soon", 0.01),
                ("answered", 0.03),
                ("never", inf),
            ]
        ]
        await asyncio.wait(tasks[:3])
        assert not tasks[3].done()
        tasks[3].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert deadlines._waiting == {}
        deadlines.close()

    asyncio.run(run())
    assert ended == ["soon", "late"]
