"""The transport of asynchronous models: connections of asyncio's, and httptools to parse answers.

Why not another library: docs/decisions/0150-http-libraries.md.
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncGenerator, Callable, Mapping
from ipaddress import ip_address
from math import inf
from typing import TYPE_CHECKING, Final, TypeAlias

from chatport.providers import errors
from chatport.providers.deadlines import Deadlines
from chatport.providers.encodings import inflater
from chatport.providers.errors import ClosedError, TransportError
from chatport.providers.heads import head
from chatport.providers.incoming import Incoming
from chatport.providers.routes import Origin, Way, Ways

if TYPE_CHECKING:
    from ssl import SSLContext

    from chatport.providers.transport import Call, Timeouts

AT_ONCE: Final = 1000
"""Connections of one event loop that are in use; who wants more waits."""
KEPT_SECONDS: Final = 60.0
OTHER_FAMILY: Final = 0.25
"""Seconds until an address of the other family is tried as well (RFC 8305)."""


class AsyncioTransport:
    """Calls over connections of asyncio's, kept for the next call; each event loop has its own.

    `tls` is how certificates are verified; else as the system, or ``SSL_CERT_FILE``, says. Proxies
    are those of the environment, as they are when the first call is made to an address. What an
    event loop has open is closed with it.
    """

    def __init__(self, *, tls: SSLContext | None = None) -> None:
        self._ways = Ways(tls)
        self._pools: Pools = {}

    async def open(self, call: Call) -> AsyncioAnswer:
        """Send the call."""
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None or pool.is_closed:
            pool = self._pools[loop] = _Pool(loop, self._pools)
            # Begun here, the generator is known to the loop, which ends it before it closes.
            await anext(pool.keeper)
        way = self._ways.to(call.url)
        sent = head(call, way.netloc, way.target, way.fields) + call.body
        total = call.timeouts.total
        until = inf if total is None else loop.time() + total
        line = await pool.line(way, call.timeouts, until)
        try:
            answer = AsyncioAnswer(line, call.timeouts.read, until)
            line.send(sent)
            await answer.begin()
        except BaseException:
            pool.drop(line)
            raise
        return answer

    async def aclose(self) -> None:
        """Close the connections of this event loop; a later call makes new ones."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            await pool.keeper.aclose()

    def __del__(self) -> None:
        left = [pool for pool in tuple(self._pools.values()) if pool.is_open]
        if left:
            warnings.warn(
                "a model was left with open connections; aclose() it, or use it with `async with`",
                ResourceWarning,
                stacklevel=2,
            )
        for pool in left:
            if not pool.loop.is_closed():
                pool.loop.call_soon_threadsafe(pool.shut)


def _is_address(host: str) -> bool:
    """Whether a host is an address already, and no name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class _Pool:
    """The connections of one event loop, closed when the loop ends its asynchronous generators."""

    def __init__(self, loop: asyncio.AbstractEventLoop, pools: Pools) -> None:
        self.loop = loop
        self._pools = pools
        self.deadlines = Deadlines(loop)
        self.is_closed = False
        self.keeper = self._keep()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._lines: set[_Line] = set()
        self._idle: dict[Origin, dict[_Line, float]] = {}
        """Since when, the longest first."""

    @property
    def is_open(self) -> bool:
        """Whether there are connections that nobody has closed."""
        return bool(self._lines) and not self.is_closed

    async def _keep(self) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            self.shut()
            await asyncio.sleep(0)  # in which the loop closes the sockets

    def shut(self) -> None:
        """Close every connection, in the loop; who waits for an answer on one is told."""
        self.is_closed = True
        if self._pools.get(self.loop) is self:
            del self._pools[self.loop]
        self.deadlines.close()
        for line in tuple(self._lines):
            if line.incoming is not None:
                line.incoming.fail(ClosedError("the model was closed"))
            line.transport.abort()

    async def line(self, way: Way, timeouts: Timeouts, until: float) -> _Line:
        """A connection, of one's own until it is kept or dropped."""
        if self._slots.locked():
            try:
                async with asyncio.timeout_at(None if until == inf else until):
                    await self._slots.acquire()
            except TimeoutError as error:
                raise _told(error, "no connection") from error
        else:
            await self._slots.acquire()
        origin = way.origin
        idle = self._idle.get(origin)
        while idle:
            line, since = idle.popitem()
            is_closing = line.transport.is_closing()  # which it hears of a step later
            if not is_closing and self.loop.time() - since < KEPT_SECONDS:
                return line
            line.transport.abort()
        try:
            return await self._connected(way, timeouts, until)
        except BaseException as error:
            self._slots.release()
            if isinstance(error, FAULTS):
                raise _told(error, "no connection") from error
            raise

    def keep(self, line: _Line) -> None:
        """Take back a connection whose answer has been read."""
        self._slots.release()
        if line not in self._lines or self.is_closed:
            line.transport.abort()
            return
        line.incoming = None
        idle = self._idle.setdefault(line.origin, {})
        now = self.loop.time()
        while idle and now - next(iter(idle.values())) > KEPT_SECONDS:
            oldest = next(iter(idle))
            del idle[oldest]
            oldest.transport.abort()
        idle[line] = now

    def drop(self, line: _Line) -> None:
        """Close a connection."""
        self._slots.release()
        line.incoming = None
        line.transport.abort()

    def join(self, line: _Line) -> None:
        """There is a new connection."""
        self._lines.add(line)

    def lose(self, line: _Line) -> None:
        """A connection is closed."""
        self._lines.discard(line)
        idle = self._idle.get(line.origin)
        if idle is not None:
            idle.pop(line, None)

    async def _connected(self, way: Way, timeouts: Timeouts, until: float) -> _Line:
        if timeouts.connect is not None:
            until = min(until, self.loop.time() + timeouts.connect)
        async with asyncio.timeout_at(None if until == inf else until):
            if way.proxy is None:
                return await self._dialled(way, way.host, way.port, way.tls)
            line = await self._dialled(way, way.proxy.host, way.proxy.port, None)
            return line if way.tls is None else await self._tunnelled(line, way, until)

    async def _dialled(self, way: Way, host: str, port: int, tls: SSLContext | None) -> _Line:
        _, line = await self.loop.create_connection(
            lambda: _Line(self, way.origin),
            host,
            port,
            ssl=tls,
            server_hostname=way.host if tls is not None else None,
            # An address needs no race for one; before CPython 3.12.8 the race may lose the socket
            # of a task that is cancelled in the step in which it is won.
            happy_eyeballs_delay=None if _is_address(host) else OTHER_FAMILY,
        )
        return line

    async def _tunnelled(self, outer: _Line, way: Way, until: float) -> _Line:
        """A connection through one to a proxy."""
        answer = AsyncioAnswer(outer, None, until)
        try:
            outer.send(way.tunnel())
            await answer.begin()
            way.opened(answer.status)
            outer.incoming = None
            inner = _Line(self, way.origin)
            assert way.tls is not None
            made = await self.loop.start_tls(
                outer.transport, inner, way.tls, server_hostname=way.host
            )
            assert made is not None, "asyncio gives none only for a transport that is closing"
            inner.connection_made(made)
        except BaseException:
            outer.transport.abort()
            raise
        self._lines.discard(outer)
        return inner


Pools: TypeAlias = "dict[asyncio.AbstractEventLoop, _Pool]"


class _Line(asyncio.Protocol):
    """One connection. What arrives on it belongs to the answer that is waited for."""

    def __init__(self, pool: _Pool, origin: Origin) -> None:
        self.pool = pool
        self.origin = origin
        self.incoming: Incoming | None = None
        self.transport: asyncio.Transport
        self._is_paused = False

    def send(self, data: bytes) -> None:
        """Ask for an answer."""
        self.incoming = Incoming()
        self.transport.write(data)

    @property
    def is_sending(self) -> bool:
        """Whether the request is still on its way."""
        return self.transport.get_write_buffer_size() > 0

    def go_on(self) -> None:
        """There is room for more."""
        if self._is_paused:
            self._is_paused = False
            self.transport.resume_reading()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.pool.join(self)

    def data_received(self, data: bytes) -> None:
        """Bytes; on a connection that is idle, from a server that is not to be trusted."""
        if self.incoming is None:
            self.transport.abort()
        elif self.incoming.feed(data) and not self._is_paused:
            self._is_paused = True
            self.transport.pause_reading()

    def eof_received(self) -> None:
        """The server has said all it has to say; asyncio closes the connection."""
        if self.incoming is not None:
            self.incoming.end(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self.pool.lose(self)
        if self.incoming is not None:
            self.incoming.end(exc)


class AsyncioAnswer:
    """The answer that arrives on a connection."""

    __slots__ = ("_incoming", "_line", "_patience", "_until")

    def __init__(self, line: _Line, patience: float | None, until: float) -> None:
        self._line: _Line | None = line
        self._incoming: Incoming
        self._patience = patience
        self._until = until

    @property
    def status(self) -> int:
        """The status."""
        return self._incoming.status

    @property
    def headers(self) -> Mapping[str, str]:
        """By names in lower case."""
        return self._incoming.headers

    async def begin(self) -> None:
        """Wait for the head."""
        assert self._line is not None
        assert self._line.incoming is not None
        self._incoming = incoming = self._line.incoming
        while not incoming.has_head:
            if incoming.fault is not None:
                raise incoming.fault
            await self._news("no answer")

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The body as it arrives."""
        undo = inflater(self.headers)
        while piece := await self._next():
            if undo is None:
                yield piece
            else:
                for made in undo.feed(piece):
                    yield made
        if undo is not None:
            undo.finish()

    async def fill(self, is_enough: Callable[[bytes], bool]) -> None:
        """Hand over the body, piece by piece, until it is enough: `pieces` for who wants it whole.

        Most bodies come with their head, and nothing is waited for then.
        """
        undo = inflater(self.headers)
        while piece := await self._next():
            if undo is None:
                if is_enough(piece):
                    return
            elif any(map(is_enough, undo.feed(piece))):
                return
        if undo is not None:
            undo.finish()

    async def aclose(self) -> None:
        """Drop the connection, unless the whole body has been read: then it is back already."""
        line, self._line = self._line, None
        if line is not None:
            line.pool.drop(line)
            await asyncio.sleep(0)  # in which the loop closes the socket

    async def _next(self) -> bytes:
        """The next bytes; none at the end."""
        incoming = self._incoming
        while True:
            if piece := incoming.take():
                if self._line is not None:
                    self._line.go_on()
                return piece
            if incoming.is_over:
                self._give_back()
                return b""
            if incoming.fault is not None:
                raise incoming.fault
            await self._news("the answer broke off")

    def _give_back(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            keeps = self._incoming.keeps and not self._incoming.has_more
            (line.pool.keep if keeps else line.pool.drop)(line)

    async def _news(self, what: str) -> None:
        """Wait until something has come. The request's own way does not count as silence."""
        line = self._line
        if line is None:
            raise ClosedError("the answer is closed")
        loop = line.pool.loop
        while True:
            waiter = self._incoming.waiter = loop.create_future()
            until = self._until
            if self._patience is not None:
                until = min(until, loop.time() + self._patience)
            try:
                await line.pool.deadlines.wait(waiter, until)
            except TimeoutError as error:
                if until < self._until and line.is_sending:
                    continue
                raise _told(error, what) from error
            finally:
                self._incoming.waiter = None
            return


FAULTS: Final = (OSError, UnicodeError)
"""What asyncio raises where there is no connection; time that is over is an `OSError` as well."""


def _told(error: Exception, what: str) -> errors.ProviderError:
    """An error of asyncio's as one of ours."""
    if isinstance(error, errors.ProviderError):
        return error
    if isinstance(error, TimeoutError):
        return errors.TimeoutError(f"{what} in the time allowed")
    return TransportError(f"{what}: {type(error).__name__}: {error}")
