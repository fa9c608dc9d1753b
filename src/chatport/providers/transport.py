"""The seam between the models and a library that speaks HTTP.

A transport opens a call and gives the answer's status, headers and body as it arrives. The default
is sockets for synchronous models and asyncio for asynchronous ones, with httptools to parse
(docs/decisions/0150-http-libraries.md); an adapter takes an httpx2 client of your own. Anything
with these methods is one: a test's needs ten lines.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds, each None for no limit.

    `connect`: until there is a connection. `read`: until the next bytes of the answer. `total`: for
    all of it, streams included. Keeping to them is the transport's business.
    """

    connect: float | None = 10.0
    read: float | None = 120.0
    total: float | None = 600.0

    def within(self, seconds: float | None) -> Timeouts:
        """The same, none longer than so many seconds."""
        total = _least(self.total, seconds)
        connect, read = _least(self.connect, total), _least(self.read, total)
        if (connect, read, total) == (self.connect, self.read, self.total):
            return self
        return replace(self, connect=connect, read=read, total=total)


@dataclass(frozen=True, slots=True)
class Call:
    """One HTTP request, complete. Its text does not show the headers, which hold the key."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    timeouts: Timeouts
    streaming: bool = False

    def __repr__(self) -> str:
        return f"Call({self.method} {self.url}, {len(self.body)} bytes)"


class Answer(Protocol):
    """An answer whose body has perhaps not all arrived.

    `pieces` gives the body as it arrives, once, without the transfer and content encodings. `close`
    returns when the connection is back in the pool, or dropped when there was more to come; it may
    be called again, and in any state.

    It may have two methods more. ``fill(is_enough)`` hands over the body piece by piece until that
    is true of one, which saves a generator. ``hurry(seconds)`` has the rest wait only so long.
    """

    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]:
        """By names in lower case."""
        ...

    def pieces(self) -> Iterator[bytes]: ...
    def close(self) -> None: ...


class AsyncAnswer(Protocol):
    """An `Answer`, asynchronously."""

    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    def pieces(self) -> AsyncGenerator[bytes, None]: ...
    async def aclose(self) -> None: ...


class Transport(Protocol):
    """Opens calls; used by many threads at once. Follows no redirects.

    Raises `TransportError`, or `TimeoutError` of chatport.providers, and nothing else; they quote
    no header.
    """

    def open(self, call: Call) -> Answer:
        """Send the call; the answer when its headers are there."""
        ...

    def close(self) -> None:
        """Close every connection. May be called again."""
        ...


class AsyncTransport(Protocol):
    """Opens calls, in any event loop. Otherwise a `Transport`."""

    async def open(self, call: Call) -> AsyncAnswer:
        """Send the call; the answer when its headers are there."""
        ...

    async def aclose(self) -> None:
        """Close every connection of this event loop. May be called again."""
        ...


def as_transport(given: Transport | httpx2.Client | None) -> Transport:
    """A transport out of one, out of your own httpx2 client, or the default one out of None.

    Raises `TypeError` for anything else.
    """
    if given is None:
        from chatport.providers.standard_transport import StandardTransport

        return StandardTransport()
    if hasattr(given, "open"):
        return given
    if _is_of_httpx2(given, "Client"):
        from chatport.providers.httpx2_transport import Httpx2Transport

        return Httpx2Transport(given)
    raise TypeError(f"transport is a Transport or an httpx2.Client, not {given!r}")


def as_async_transport(given: AsyncTransport | httpx2.AsyncClient | None) -> AsyncTransport:
    """The same for asynchronous models, out of an httpx2.AsyncClient."""
    if given is None:
        from chatport.providers.asyncio_transport import AsyncioTransport

        return AsyncioTransport()
    if hasattr(given, "open"):
        return given
    if _is_of_httpx2(given, "AsyncClient"):
        from chatport.providers.httpx2_transport import AsyncHttpx2Transport

        return AsyncHttpx2Transport(given)
    raise TypeError(f"transport is an AsyncTransport or an httpx2.AsyncClient, not {given!r}")


def _is_of_httpx2(given: object, name: str) -> bool:
    """Whether a value is of this class: then the library, which we do without, has been loaded."""
    kind = getattr(sys.modules.get("httpx2"), name, None)
    return isinstance(kind, type) and isinstance(given, kind)


MAX_BODY: Final = 256 * 1024 * 1024
"""Bytes of an answer, unpacked, whole or streamed: a server may not fill the memory. Answers with
several images have some tens of millions."""
MAX_ERROR_BODY: Final = 1024 * 1024
"""Bytes of an error's body that are read."""


def _least(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else min(one, other)
