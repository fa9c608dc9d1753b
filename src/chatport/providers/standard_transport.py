"""The transport of synchronous models: sockets of the standard library, and a pool of them.

Why not another library: docs/decisions/0150-http-libraries.md.
"""

from __future__ import annotations

import os
import select
import socket
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Final

from chatport.providers import errors
from chatport.providers.encodings import inflater
from chatport.providers.errors import ClosedError, TransportError
from chatport.providers.heads import head
from chatport.providers.incoming import Incoming
from chatport.providers.routes import Origin, Way, Ways

if TYPE_CHECKING:
    from ssl import SSLContext

    from chatport.providers.transport import Call, Timeouts

SIZE: Final = 64 * 1024
"""Bytes that are asked of a socket at a time."""
KEPT: Final = 100
"""Idle connections to one address that are kept."""
KEPT_SECONDS: Final = 60.0


class StandardTransport:
    """Calls over sockets, kept for the next call.

    `tls` is how certificates are verified; else as the system, or ``SSL_CERT_FILE``, says. Proxies
    are those of the environment, as they are when the first call is made to an address.

    A process may fork: the child makes connections of its own.
    """

    def __init__(self, *, tls: SSLContext | None = None) -> None:
        self._ways = Ways(tls)
        self._is_closed = False
        self._forget()

    def _forget(self) -> None:
        self._process = os.getpid()
        self._ways.forget()
        # Lists and sets whose single operations are atomic: no lock that a fork could leave held.
        self._idle: dict[Origin, list[_Line]] = {}
        self._lines: set[_Line] = set()

    def open(self, call: Call) -> StandardAnswer:
        """Send the call."""
        if self._is_closed:
            raise ClosedError("the model is closed")
        if self._process != os.getpid():
            self._forget()
        timeouts = call.timeouts
        deadline = None if timeouts.total is None else monotonic() + timeouts.total
        try:
            way = self._ways.to(call.url)
            sent = head(call, way.netloc, way.target, way.fields) + call.body
            line = self._kept(way.origin) or self._made(way, timeouts)
        except FAULTS as error:
            raise self._told(error, "no connection") from error
        try:
            line.read, line.deadline = timeouts.read, deadline
            line.send(sent)
            line.await_head()
            return StandardAnswer(self, line)
        except BaseException as error:
            self.drop(line)
            if isinstance(error, FAULTS):
                raise self._told(error, "no answer") from error
            raise

    def close(self) -> None:
        """Close every connection, those in use as well. May be called again."""
        self._is_closed = True
        for line in tuple(self._lines):
            self.drop(line)

    def keep(self, line: _Line) -> None:
        """Take back a connection whose answer has been read."""
        idle = self._idle.setdefault(line.origin, [])
        if self._is_closed or len(idle) >= KEPT or line not in self._lines:
            self.drop(line)
            return
        line.since = monotonic()
        idle.append(line)

    def drop(self, line: _Line) -> None:
        """Close a connection."""
        self._lines.discard(line)
        line.close()

    def receive(self, line: _Line) -> None:
        """Wait for the next bytes of a body."""
        try:
            line.receive()
        except FAULTS as error:
            raise self._told(error, "the answer broke off") from error

    def faulty(self, fault: errors.ProviderError) -> errors.ProviderError:
        """Why nothing more came: what the connection says, unless it was closed from here."""
        return ClosedError("the model was closed") if self._is_closed else fault

    def _kept(self, origin: Origin) -> _Line | None:
        """The connection to this address that was used last, if it is still one."""
        idle = self._idle.get(origin)
        while idle:
            try:
                line = idle.pop()
            except IndexError:  # another thread was faster
                return None
            if monotonic() - line.since < KEPT_SECONDS and not line.has_news():
                return line
            self.drop(line)
        return None

    def _made(self, way: Way, timeouts: Timeouts) -> _Line:
        line = _Line(way, timeouts.connect)
        self._lines.add(line)
        if self._is_closed:
            self.drop(line)
            raise ClosedError("the model is closed")
        return line

    def _told(self, error: Exception, what: str) -> errors.ProviderError:
        """An error on the way as one of ours."""
        if isinstance(error, errors.ProviderError):
            return self.faulty(error) if type(error) is TransportError else error
        if self._is_closed:
            return ClosedError("the model was closed")
        if isinstance(error, TimeoutError):
            return errors.TimeoutError(f"{what} in the time allowed")
        return TransportError(f"{what}: {type(error).__name__}: {error}")

    def __del__(self) -> None:
        if self._lines and not self._is_closed and self._process == os.getpid():
            warnings.warn(
                "a model was left with open connections; close() it, or use it with `with`",
                ResourceWarning,
                stacklevel=2,
            )
            self.close()


FAULTS: Final = (OSError, UnicodeError, errors.ProviderError)
"""What sockets and names of hosts raise. Time that is over, and TLS, are an `OSError` as well."""


class StandardAnswer:
    """The answer that arrives on a connection."""

    __slots__ = ("_incoming", "_line", "_pool", "headers", "status")

    def __init__(self, pool: StandardTransport, line: _Line) -> None:
        self._pool = pool
        self._line: _Line | None = line
        self._incoming = line.incoming
        self.status: int = line.incoming.status
        self.headers: Mapping[str, str] = line.incoming.headers

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives."""
        undo = inflater(self.headers)
        while piece := self._next():
            if undo is None:
                yield piece
            else:
                yield from undo.feed(piece)
        if undo is not None:
            undo.finish()

    def fill(self, is_enough: Callable[[bytes], bool]) -> None:
        """Hand over the body, piece by piece, until it is enough: `pieces` for who wants it whole.

        Most bodies come with their head, and nothing is waited for then.
        """
        undo = inflater(self.headers)
        while piece := self._next():
            if undo is None:
                if is_enough(piece):
                    return
            elif any(map(is_enough, undo.feed(piece))):
                return
        if undo is not None:
            undo.finish()

    def hurry(self, seconds: float) -> None:
        """Wait for the rest of the body only so long."""
        if self._line is not None:
            self._line.read, self._line.deadline = seconds, monotonic() + seconds

    def close(self) -> None:
        """Drop the connection, unless the whole body has been read: then it is back already."""
        line, self._line = self._line, None
        if line is not None:
            self._pool.drop(line)

    def _next(self) -> bytes:
        """The next bytes; none at the end."""
        incoming = self._incoming
        while True:
            if piece := incoming.take():
                return piece
            if incoming.is_over:
                self._give_back()
                return b""
            if incoming.fault is not None:
                raise self._pool.faulty(incoming.fault)
            if self._line is None:
                raise ClosedError("the answer is closed")
            self._pool.receive(self._line)

    def _give_back(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            keeps = self._incoming.keeps and not self._incoming.has_more
            (self._pool.keep if keeps else self._pool.drop)(line)


class _Line:
    """One connection to a server, perhaps through a proxy.

    It waits no longer than `read` seconds for anything, and not at all after the `deadline`.
    """

    __slots__ = ("_patience", "_poll", "_socket", "deadline", "incoming", "origin", "read", "since")

    def __init__(self, way: Way, connect: float | None) -> None:
        self.origin = way.origin
        self.since = 0.0
        self.incoming = Incoming()
        self.read = connect
        self.deadline = None if connect is None else monotonic() + connect
        self._patience = connect
        at = (way.host, way.port) if way.proxy is None else (way.proxy.host, way.proxy.port)
        self._socket = socket.create_connection(at, connect)
        self._poll: select.poll | None = None
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if way.proxy is not None and way.tls is not None:
                self.send(way.tunnel())
                self.await_head()
                way.opened(self.incoming.status)
            if way.tls is not None:
                self._socket.settimeout(self._left())
                self._socket = way.tls.wrap_socket(self._socket, server_hostname=way.host)
                self._patience = self._socket.gettimeout()
        except BaseException:
            self._socket.close()
            raise
        if hasattr(select, "poll"):
            self._poll = select.poll()
            self._poll.register(self._socket, select.POLLIN)

    def send(self, data: bytes) -> None:
        """Ask for an answer."""
        self.incoming = Incoming()
        self._wait_at_most(self._left())
        self._socket.sendall(data)

    def await_head(self) -> None:
        """Wait for the head of the answer."""
        incoming = self.incoming
        while not incoming.has_head:
            if incoming.fault is not None:
                raise incoming.fault
            self.receive()

    def receive(self) -> None:
        """Wait for the next bytes, or for the end."""
        self._wait_at_most(self._left())
        try:
            data = self._socket.recv(SIZE)
        except TimeoutError:
            raise
        except OSError as error:
            self.incoming.end(error)
            return
        if data:
            self.incoming.feed(data)
        else:
            self.incoming.end(None)

    def has_news(self) -> bool:
        """Whether the server has closed the connection, or sent what nobody asked for."""
        if self._poll is not None:
            return bool(self._poll.poll(0))
        return bool(select.select([self._socket], [], [], 0)[0])

    def close(self) -> None:
        """Close it; a thread that reads from it hears of it."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _wait_at_most(self, seconds: float | None) -> None:
        if seconds != self._patience:  # setting it costs a call of the system
            self._socket.settimeout(seconds)
            self._patience = seconds

    def _left(self) -> float | None:
        """Seconds to wait."""
        if self.deadline is None:
            return self.read
        left = self.deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the whole took longer than the total timeout")
        return left if self.read is None else min(self.read, left)
