"""The transport of asynchronous models, on aiohttp.

Why not another library: docs/decisions/0150-http-libraries.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import aiohttp
from aiohttp import RequestInfo
from aiohttp.http import HttpProcessingError
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from chatport.providers import errors
from chatport.providers.encodings import inflater
from chatport.providers.errors import ClosedError, TransportError
from chatport.providers.routes import proxy_for, tls_context

if TYPE_CHECKING:
    from ssl import SSLContext

    from chatport.providers.transport import Call, Timeouts

AT_ONCE: Final = 1000
"""Connections of one event loop; what is more waits."""
KEPT_SECONDS: Final = 60.0

Settings = Mapping[str, Any]


class AiohttpTransport:
    """Calls through an `aiohttp.ClientSession` for each event loop, closed with its loop.

    `tls` is how certificates are verified; else as the system, or ``SSL_CERT_FILE``, says. Proxies
    are those of the environment, as they are when the first call is made to an address.
    """

    def __init__(self, *, tls: SSLContext | None = None) -> None:
        self._tls = tls
        self._ways: dict[tuple[str, str], Settings] = {}
        self._pools: WeakKeyDictionary[asyncio.AbstractEventLoop, _Pool] = WeakKeyDictionary()

    async def open(self, call: Call) -> AiohttpAnswer:
        """Send the call."""
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None or pool.session.closed:
            pool = self._pools[loop] = _Pool()
            # Begun here, the generator is known to the loop, which ends it before it closes.
            await anext(pool.keeper)
        way = dict(self._way(call.url))
        headers = (*call.headers, *way.pop("headers", {}).items())
        try:
            response = await pool.session.request(
                call.method,
                URL(call.url, encoded=True),
                data=call.body or None,
                headers=headers,
                timeout=_limits(call.timeouts),
                allow_redirects=False,
                **way,
            )
        except FAULTS as error:
            raise told(error, "no answer") from error
        return AiohttpAnswer(response)

    async def aclose(self) -> None:
        """Close the connections of this event loop; a later call makes new ones."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            await pool.keeper.aclose()

    def _way(self, url: str) -> Settings:
        """How the server of an address is reached, as arguments of a request."""
        parts = urlsplit(url)
        origin = parts.scheme, parts.netloc
        if origin not in self._ways:
            way: dict[str, Any] = {}
            if parts.scheme == "https":
                way["ssl"] = self._tls or tls_context()
            if (proxy := proxy_for(parts)) is not None:
                way["proxy"] = proxy.url
                if proxy.authorization:
                    shown = {"proxy-authorization": proxy.authorization}
                    # Plain requests go to the proxy themselves, others through a tunnel.
                    way["proxy_headers" if parts.scheme == "https" else "headers"] = shown
            self._ways[origin] = way
        return self._ways[origin]


class _Pool:
    """The session of one event loop, closed when the loop ends its asynchronous generators."""

    __slots__ = ("keeper", "session")

    def __init__(self) -> None:
        self.session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=AT_ONCE, keepalive_timeout=KEPT_SECONDS),
            cookie_jar=aiohttp.DummyCookieJar(),
            # The bodies are decompressed here as they are for synchronous models.
            auto_decompress=False,
        )
        self.keeper = _keep(self.session)


async def _keep(session: aiohttp.ClientSession) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        await session.close()


class AiohttpAnswer:
    """The answer over an aiohttp response."""

    __slots__ = ("_response", "headers", "status")

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self.status: int = response.status
        self.headers: Mapping[str, str] = {
            name.lower(): value for name, value in response.headers.items()
        }

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The body as it arrives."""
        undo = inflater(self.headers)
        read = self._response.content.readany
        while True:
            try:
                piece = await read()
            except FAULTS as error:
                raise told(error, "the answer broke off") from error
            if not piece:
                break
            if undo is None:
                yield piece
            else:
                for made in undo.feed(piece):
                    yield made
        if undo is not None:
            undo.finish()

    async def aclose(self) -> None:
        """Give the connection back, or drop it."""
        if self._response.connection is not None:
            self._response.close()
            await asyncio.sleep(0)  # in which the loop closes the socket


@lru_cache(64)
def _limits(timeouts: Timeouts) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(
        total=timeouts.total, sock_connect=timeouts.connect, sock_read=timeouts.read
    )


FAULTS: Final = (TimeoutError, aiohttp.ClientError, HttpProcessingError, RuntimeError)
"""What aiohttp raises. The last is said of a session that was closed."""


def told(error: Exception, what: str) -> errors.ProviderError:
    """An error of aiohttp's as one of ours. It forgets the request, which has the key."""
    if isinstance(error, TimeoutError):
        connects = isinstance(error, aiohttp.ConnectionTimeoutError)
        return errors.TimeoutError(f"{'no connection' if connects else what} in the time allowed")
    if isinstance(error, aiohttp.ClientResponseError):
        info = error.request_info
        error.request_info = RequestInfo(info.url, info.method, _NO_HEADERS, info.real_url)
        error.args = (error.request_info, ())
    if isinstance(error, aiohttp.ClientResponseError | HttpProcessingError):
        first = error.message.partition("\n")[0].rstrip(":")
        return TransportError(f"{what}: {type(error).__name__}: {first}")
    if isinstance(error, aiohttp.ClientError):
        return TransportError(f"{what}: {type(error).__name__}: {error}")
    if str(error) == "Session is closed":
        return ClosedError("the model is closed")
    raise error


_NO_HEADERS: Final = CIMultiDictProxy[str](CIMultiDict())
