"""The default transport, on httpx2: environment, proxies, certificates as its users know them."""

from __future__ import annotations

import asyncio
import threading
import warnings
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, contextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

import httpx2

from chatport.providers import errors
from chatport.providers.errors import ClosedError, TransportError
from chatport.providers.transport import Call

LIMITS: Final = httpx2.Limits(
    max_connections=1000, max_keepalive_connections=100, keepalive_expiry=60.0
)
"""A thousand streams may be open at once; the rest wait."""


class Httpx2Transport:
    """Calls through an `httpx2.Client`: one of its own, made with the first call, or yours.

    Yours stays open when this is closed. Its timeouts, redirects, base address and default headers
    are not used; what its connections are made of is: certificates, proxies, limits, transports.
    """

    def __init__(self, client: httpx2.Client | None = None) -> None:
        self._client = client
        self._is_ours = client is None
        self._is_closed = False
        self._lock = threading.Lock()

    def open(self, call: Call) -> Httpx2Answer:
        """Send the call."""
        client = self._client or self._made()
        if self._is_closed or client.is_closed:
            raise ClosedError("the model is closed")
        with translated():
            return Httpx2Answer(client.send(_request(call), stream=True, follow_redirects=False))

    def close(self) -> None:
        """Close the client, when it is ours."""
        self._is_closed = True
        if self._is_ours and self._client is not None:
            self._client.close()

    def _made(self) -> httpx2.Client:
        with self._lock:
            if self._client is None and not self._is_closed:
                self._client = httpx2.Client(limits=LIMITS)
        if self._client is None:
            raise ClosedError("the model is closed")
        return self._client

    def __del__(self) -> None:
        if self._is_ours and self._client is not None and not self._is_closed:
            warnings.warn(
                "a model was left with open connections; close() it, or use it with `with`",
                ResourceWarning,
                stacklevel=2,
            )
            self._client.close()


class Httpx2Answer:
    """The answer over an httpx2 response."""

    __slots__ = ("_response", "headers", "status")

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives."""
        response = self._response
        with translated():
            yield from response.iter_bytes() if _needs_decoding(response) else response.iter_raw()

    def close(self) -> None:
        """Give the connection back, or drop it."""
        self._response.close()


class AsyncHttpx2Transport:
    """Calls through an `httpx2.AsyncClient`: one of its own for each event loop, or yours.

    Its own are closed with their loop at the latest, because connections do not outlive it. Yours
    stays open, and works in its loop.
    """

    def __init__(self, client: httpx2.AsyncClient | None = None) -> None:
        self._client = client
        self._pools: WeakKeyDictionary[asyncio.AbstractEventLoop, _Pool] = WeakKeyDictionary()

    async def open(self, call: Call) -> AsyncHttpx2Answer:
        """Send the call."""
        client = self._client or await self._pool()
        if client.is_closed:
            raise ClosedError("the client is closed")
        with translated():
            return AsyncHttpx2Answer(
                await client.send(_request(call), stream=True, follow_redirects=False)
            )

    async def aclose(self) -> None:
        """Close the connections of this event loop; a later call makes new ones."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            await pool.keeper.aclose()

    async def _pool(self) -> httpx2.AsyncClient:
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None or pool.client.is_closed:
            pool = self._pools[loop] = _Pool()
            # Begun here, the generator is known to the loop, which ends it before it closes.
            await anext(pool.keeper)
        return pool.client


class _Pool:
    """The client of one event loop, closed when the loop ends its asynchronous generators."""

    __slots__ = ("client", "keeper")

    def __init__(self) -> None:
        self.client = httpx2.AsyncClient(limits=LIMITS)
        self.keeper = _keep(self.client)


async def _keep(client: httpx2.AsyncClient) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        await client.aclose()


class AsyncHttpx2Answer:
    """The answer over an httpx2 response, asynchronously."""

    __slots__ = ("_response", "headers", "status")

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The body as it arrives."""
        response = self._response
        with translated():
            decodes = _needs_decoding(response)
            source = response.aiter_bytes() if decodes else response.aiter_raw()
            async with aclosing(source) as pieces:
                async for piece in pieces:
                    yield piece

    async def aclose(self) -> None:
        """Give the connection back, or drop it."""
        await self._response.aclose()


def _needs_decoding(response: httpx2.Response) -> bool:
    """Whether the body is compressed, or there already: a mock's has been read."""
    return "content-encoding" in response.headers or response.is_stream_consumed


def _request(call: Call) -> httpx2.Request:
    timeouts = call.timeouts
    limits = {
        "connect": timeouts.connect,
        "read": timeouts.read,
        "write": timeouts.read,
        "pool": timeouts.total,
    }
    extensions: dict[str, Any] = {"timeout": limits}
    return httpx2.Request(
        call.method, call.url, headers=call.headers, content=call.body, extensions=extensions
    )


@contextmanager
def translated() -> Iterator[None]:
    """The errors of httpx2 as those of transports. Their causes forget the request: it has the
    key."""
    try:
        yield
    except httpx2.TimeoutException as error:
        forget(error)
        what = "no connection" if isinstance(error, httpx2.ConnectTimeout) else "no answer"
        raise errors.TimeoutError(f"{what} in the time allowed ({_told(error)})") from error
    except httpx2.HTTPError as error:
        forget(error)
        raise TransportError(_told(error)) from error
    except httpx2.InvalidURL as error:
        raise TransportError(f"the address is invalid: {error}") from None


def forget(error: httpx2.HTTPError) -> None:
    """Leave on an error only the address it was for."""
    error.request = httpx2.Request(error.request.method, error.request.url)


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
