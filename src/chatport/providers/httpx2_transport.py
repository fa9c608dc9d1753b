"""An adapter, so that a model can use an httpx2 client that you have set up."""

from __future__ import annotations

import asyncio
import builtins
import socket
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from math import inf
from time import monotonic
from typing import Any

import httpx2

from chatport.providers import errors
from chatport.providers.errors import ClosedError, TransportError
from chatport.providers.transport import Call


class Httpx2Transport:
    """Calls through your `httpx2.Client`, which stays open when this is closed.

    Its timeouts, redirects, base address and default headers are not used; what its connections
    are made of is: certificates, proxies, limits, hooks, transports. httpx2 has no time for the
    whole, so we keep it: only a head that trickles may take longer.
    """

    def __init__(self, client: httpx2.Client) -> None:
        self._client = client
        self._is_closed = False

    def open(self, call: Call) -> Httpx2Answer:
        """Send the call."""
        if self._is_closed or self._client.is_closed:
            raise ClosedError("the model is closed")
        deadline = None if call.timeouts.total is None else monotonic() + call.timeouts.total
        request = _request(call)
        if deadline is not None:
            request.extensions["trace"] = _hurrying(request, deadline)
        with translated():
            response = self._client.send(request, stream=True, follow_redirects=False)
        return Httpx2Answer(response, deadline, call.timeouts.read)

    def close(self) -> None:
        """Open no further calls."""
        self._is_closed = True


class Httpx2Answer:
    """The answer over an httpx2 response."""

    __slots__ = ("_deadline", "_is_late", "_patience", "_response", "_timer", "headers", "status")

    def __init__(
        self, response: httpx2.Response, deadline: float | None, patience: float | None
    ) -> None:
        self._response = response
        self._deadline = inf if deadline is None else deadline
        self._patience = inf if patience is None else patience
        self._timer: threading.Timer | None = None
        self._is_late = False
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives."""
        response = self._response
        try:
            with translated():
                self._watch()
                for piece in (
                    response.iter_bytes() if _needs_decoding(response) else response.iter_raw()
                ):
                    yield piece
                    self._watch()
        except TransportError:
            if not self._is_late:
                raise
        if self._is_late:
            raise _late()

    def close(self) -> None:
        """Give the connection back, or drop it."""
        if self._timer is not None:
            self._timer.cancel()
        self._response.close()

    def _watch(self) -> None:
        """See to it that the next wait ends in time, where httpx2 itself would wait for longer."""
        left = self._deadline - monotonic()
        if left <= 0:
            raise _late()
        if left < self._patience and self._timer is None:
            self._timer = threading.Timer(left, self._end)
            self._timer.daemon = True
            self._timer.start()

    def _end(self) -> None:
        """Called in a thread of its own: end the wait in the other one."""
        self._is_late = True
        stream = self._response.extensions.get("network_stream")
        connected = stream.get_extra_info("socket") if stream is not None else None
        if connected is not None:
            with suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)


def _late() -> errors.TimeoutError:
    return errors.TimeoutError("the whole took longer than the total timeout")


def _hurrying(request: httpx2.Request, deadline: float) -> Callable[[str, Any], None]:
    """What httpx2 tells of its steps: before it waits for the head, it is told how long it may."""
    limits = request.extensions["timeout"]

    def step(name: str, _: Any) -> None:
        if name.endswith("receive_response_headers.started"):
            left = max(deadline - monotonic(), 0.001)
            limits["read"] = left if limits["read"] is None else min(left, limits["read"])

    return step


class AsyncHttpx2Transport:
    """Calls through your `httpx2.AsyncClient`, in its event loop; it stays open."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client
        self._is_closed = False

    async def open(self, call: Call) -> AsyncHttpx2Answer:
        """Send the call."""
        if self._is_closed or self._client.is_closed:
            raise ClosedError("the model is closed")
        until = _until(call.timeouts.total)
        with translated():
            async with asyncio.timeout_at(until):
                response = await self._client.send(
                    _request(call), stream=True, follow_redirects=False
                )
        return AsyncHttpx2Answer(response, until)

    async def aclose(self) -> None:
        """Open no further calls."""
        self._is_closed = True


def _until(seconds: float | None) -> float | None:
    return None if seconds is None else asyncio.get_running_loop().time() + seconds


class AsyncHttpx2Answer:
    """The answer over an httpx2 response, asynchronously."""

    __slots__ = ("_response", "_until", "headers", "status")

    def __init__(self, response: httpx2.Response, until: float | None) -> None:
        self._response = response
        self._until = until
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The body as it arrives."""
        response = self._response
        with translated():
            decodes = _needs_decoding(response)
            source = response.aiter_bytes() if decodes else response.aiter_raw()
            async with aclosing(source) as pieces:
                while True:
                    async with asyncio.timeout_at(self._until):
                        piece = await anext(pieces, None)
                    if piece is None:
                        return
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
    except builtins.TimeoutError as error:
        if isinstance(error, errors.ProviderError):
            raise
        raise _late() from error
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
