"""The fast transport, on pyreqwest: the extra ``fast``. What it costs otherwise is told below."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

try:
    from pyreqwest import exceptions as theirs
    from pyreqwest.client import Client, ClientBuilder, SyncClient, SyncClientBuilder
except ImportError:
    raise ImportError("the fast transport is an extra: pip install 'chatport[fast]'") from None

from chatport.providers import errors
from chatport.providers.errors import ClosedError, TransportError
from chatport.providers.transport import Call


class PyreqwestTransport:
    """Calls through pyreqwest, at a fraction of the default's cost.

    Two things it cannot do. While it waits for a server, Ctrl-C is not heard: it acts when the next
    bytes or a timeout come. And a process that has used it must not fork and go on; the child's
    calls fail or hang. The connect and read timeouts of the first call are those of all.
    """

    def __init__(self) -> None:
        self._client: SyncClient | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    def open(self, call: Call) -> PyreqwestAnswer:
        """Send the call."""
        with translated():
            request = prepared(self._client or self._made(call), call)
            if call.streaming:
                exchange = request.build_streamed()
                return PyreqwestAnswer(exchange.__enter__(), exchange)
            return PyreqwestAnswer(request.build().send(), None)

    def close(self) -> None:
        """Close every connection."""
        self._is_closed = True
        if self._client is not None:
            self._client.close()

    def _made(self, call: Call) -> SyncClient:
        with self._lock:
            if self._is_closed:
                raise ClosedError("the model is closed")
            if self._client is None:
                self._client = configured(SyncClientBuilder(), call).build()
            return self._client


class PyreqwestAnswer:
    """The answer over a pyreqwest response."""

    __slots__ = ("_exchange", "_response", "headers", "status")

    def __init__(self, response: Any, exchange: Any) -> None:
        self._response = response
        self._exchange = exchange
        self.status: int = response.status
        self.headers: Mapping[str, str] = response.headers

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives."""
        with translated():
            if self._exchange is None:
                yield bytes(self._response.bytes())
                return
            read = self._response.body_reader.read_chunk
            while (piece := read()) is not None:
                yield bytes(piece)

    def close(self) -> None:
        """Give the connection back, or drop it."""
        exchange, self._exchange = self._exchange, None
        if exchange is not None:
            exchange.__exit__(None, None, None)


class AsyncPyreqwestTransport:
    """Calls through pyreqwest, asynchronously; one pool for all event loops.

    A process that has used it must not fork and go on. The connect and read timeouts of the first
    call are those of all.
    """

    def __init__(self) -> None:
        self._client: Client | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    async def open(self, call: Call) -> AsyncPyreqwestAnswer:
        """Send the call."""
        with translated():
            request = prepared(self._client or self._made(call), call)
            if call.streaming:
                exchange = request.build_streamed()
                return AsyncPyreqwestAnswer(await exchange.__aenter__(), exchange)
            return AsyncPyreqwestAnswer(await request.build().send(), None)

    async def aclose(self) -> None:
        """Close every connection."""
        self._is_closed = True
        if self._client is not None:
            await self._client.close()

    def _made(self, call: Call) -> Client:
        with self._lock:
            if self._is_closed:
                raise ClosedError("the model is closed")
            if self._client is None:
                self._client = configured(ClientBuilder(), call).build()
            return self._client


class AsyncPyreqwestAnswer:
    """The answer over a pyreqwest response, asynchronously."""

    __slots__ = ("_exchange", "_response", "headers", "status")

    def __init__(self, response: Any, exchange: Any) -> None:
        self._response = response
        self._exchange = exchange
        self.status: int = response.status
        self.headers: Mapping[str, str] = response.headers

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The body as it arrives."""
        with translated():
            if self._exchange is None:
                yield bytes(await self._response.bytes())
                return
            read = self._response.body_reader.read_chunk
            while (piece := await read()) is not None:
                yield bytes(piece)

    async def aclose(self) -> None:
        """Give the connection back, or drop it."""
        exchange, self._exchange = self._exchange, None
        if exchange is not None:
            await exchange.__aexit__(None, None, None)


def configured(builder: Any, call: Call) -> Any:
    """A builder with our limits."""
    builder = builder.follow_redirects(False).pool_idle_timeout(timedelta(seconds=60))
    if call.timeouts.connect is not None:
        builder = builder.connect_timeout(timedelta(seconds=call.timeouts.connect))
    if call.timeouts.read is not None:
        builder = builder.read_timeout(timedelta(seconds=call.timeouts.read))
    return builder


def prepared(client: Any, call: Call) -> Any:
    """The request of a call, not yet sent."""
    request = client.request(call.method, call.url).headers(call.headers).body_bytes(call.body)
    if call.timeouts.total is not None:
        request = request.timeout(timedelta(seconds=call.timeouts.total))
    # Without the limit it reads ahead before it gives anything.
    return request.streamed_read_buffer_limit(0) if call.streaming else request


@contextmanager
def translated() -> Iterator[None]:
    """The errors of pyreqwest as those of transports."""
    try:
        yield
    except theirs.RequestTimeoutError as error:
        raise errors.TimeoutError(f"no answer in the time allowed ({_told(error)})") from error
    except theirs.ClientClosedError as error:
        raise ClosedError("the model is closed") from error
    except theirs.DetailedPyreqwestError as error:
        raise TransportError(_told(error)) from error


def _told(error: theirs.DetailedPyreqwestError) -> str:
    causes = error.details["causes"] or [{"message": error.message}]
    return f"{type(error).__name__}: {causes[-1]['message']}"
