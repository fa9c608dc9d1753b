"""The transport of synchronous models: http.client of the standard library, and a pool.

Why not another library: docs/decisions/0150-http-libraries.md.
"""

from __future__ import annotations

import http.client
import io
import os
import select
import socket
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

from chatport.providers import errors
from chatport.providers.encodings import inflater
from chatport.providers.errors import ClosedError, TransportError
from chatport.providers.routes import Proxy, proxy_for, tls_context

if TYPE_CHECKING:
    from ssl import SSLContext

    from chatport.providers.transport import Call, Timeouts

SIZE: Final = 64 * 1024
"""Bytes that are asked of a socket at a time."""
KEPT: Final = 100
"""Idle connections to one address that are kept."""
KEPT_SECONDS: Final = 60.0

Origin = tuple[str, str]
"""Scheme and network location."""


class StandardTransport:
    """Calls over connections of the standard library's, kept for the next call.

    `tls` is how certificates are verified; else as the system, or ``SSL_CERT_FILE``, says. Proxies
    are those of the environment, as they are when the first call is made to an address.

    A process may fork: the child makes connections of its own.
    """

    def __init__(self, *, tls: SSLContext | None = None) -> None:
        self._tls = tls
        self._is_closed = False
        self._forget()

    def _forget(self) -> None:
        self._process = os.getpid()
        self._proxies: dict[Origin, Proxy | None] = {}
        # Lists and sets whose single operations are atomic: no lock that a fork could leave held.
        self._idle: dict[Origin, list[_Line]] = {}
        self._lines: set[_Line] = set()

    def open(self, call: Call) -> StandardAnswer:
        """Send the call."""
        if self._is_closed:
            raise ClosedError("the model is closed")
        if self._process != os.getpid():
            self._forget()
        parts = urlsplit(call.url)
        origin = parts.scheme, parts.netloc
        deadline = None if call.timeouts.total is None else monotonic() + call.timeouts.total
        try:
            line = self._kept(origin) or self._made(origin, call)
        except Exception as error:
            raise self._told(error, "no connection") from error
        try:
            line.allow(call.timeouts.read, deadline)
            response = line.ask(call, _target(call.url, parts.netloc, line.in_full))
            return StandardAnswer(self, line, response)
        except BaseException as error:
            self.drop(line)
            if isinstance(error, Exception):
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

    def _made(self, origin: Origin, call: Call) -> _Line:
        if origin not in self._proxies:
            self._proxies[origin] = proxy_for(urlsplit(call.url))
        line = _Line(origin, self._proxies[origin], self._tls, call.timeouts)
        self._lines.add(line)
        if self._is_closed:
            self.drop(line)
            raise ClosedError("the model is closed")
        return line

    def _told(self, error: Exception, what: str) -> errors.ProviderError:
        """An error of the library's as one of ours."""
        if isinstance(error, errors.ProviderError):
            return error
        if self._is_closed:
            return ClosedError("the model was closed")
        if isinstance(error, TimeoutError):
            return errors.TimeoutError(f"{what} in the time allowed")
        if isinstance(error, http.client.IncompleteRead | http.client.RemoteDisconnected):
            return TransportError(f"{what}: the server closed the connection")
        if isinstance(error, OSError | http.client.HTTPException | UnicodeError):
            return TransportError(f"{what}: {type(error).__name__}: {error}")
        raise error

    def __del__(self) -> None:
        if self._lines and not self._is_closed and self._process == os.getpid():
            warnings.warn(
                "a model was left with open connections; close() it, or use it with `with`",
                ResourceWarning,
                stacklevel=2,
            )
            self.close()


class StandardAnswer:
    """The answer over a response of http.client."""

    __slots__ = ("_line", "_pool", "_response", "headers", "status")

    def __init__(
        self, pool: StandardTransport, line: _Line, response: http.client.HTTPResponse
    ) -> None:
        self._pool = pool
        self._line: _Line | None = line
        self._response = response
        self.status: int = response.status
        self.headers: Mapping[str, str] = {
            name.lower(): value for name, value in response.headers.items()
        }

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives."""
        undo = inflater(self.headers)
        if undo is None:
            yield from self._raw()
            return
        for piece in self._raw():
            yield from undo.feed(piece)
        undo.finish()

    def _raw(self) -> Iterator[bytes]:
        response = self._response
        read = response.read1
        left = response.length  # None when its end is told otherwise
        try:
            while left != 0 and (piece := read(SIZE if left is None else min(SIZE, left))):
                if left is not None:
                    left -= len(piece)
                yield piece
        except Exception as error:
            raise self._pool._told(error, "the answer broke off") from error  # noqa: SLF001
        if left:
            raise TransportError(f"the answer broke off {left} bytes before its end")
        line, self._line = self._line, None
        if line is not None:
            response.close()
            (self._pool.drop if response.will_close else self._pool.keep)(line)

    def hurry(self, seconds: float) -> None:
        """Wait for the rest of the body only so long."""
        if self._line is not None:
            self._line.allow(seconds, monotonic() + seconds)

    def close(self) -> None:
        """Drop the connection, unless the whole body has been read: then it is back already."""
        line, self._line = self._line, None
        if line is not None:
            self._pool.drop(line)


class _Line:
    """One connection to a server, perhaps through a proxy."""

    __slots__ = ("_connection", "_wire", "in_full", "origin", "proxy", "since")

    def __init__(
        self, origin: Origin, proxy: Proxy | None, tls: SSLContext | None, timeouts: Timeouts
    ) -> None:
        self.origin = origin
        self.proxy = proxy
        self.since = 0.0
        secure = origin[0] == "https"
        self.in_full: bool = proxy is not None and not secure
        """Whether requests name the whole address, as proxies want it."""
        parts = urlsplit(f"//{origin[1]}")
        host, port = parts.hostname or "", parts.port or (443 if secure else 80)
        at = (proxy.host, proxy.port) if proxy is not None else (host, port)
        self._connection: http.client.HTTPConnection = (
            http.client.HTTPSConnection(*at, timeout=timeouts.connect, context=tls or tls_context())
            if secure
            else http.client.HTTPConnection(*at, timeout=timeouts.connect)
        )
        if proxy is not None and secure:
            shown = {"proxy-authorization": proxy.authorization} if proxy.authorization else {}
            self._connection.set_tunnel(host, port, shown)
        self._connection.connect()
        self._wire = _Wire(cast(socket.socket, self._connection.sock))
        # http.client sends and reads through this, and so within the time of each call.
        self._connection.sock = self._wire

    def allow(self, read: float | None, deadline: float | None) -> None:
        """How long to wait for each read, and until when at all."""
        self._wire.read, self._wire.deadline = read, deadline

    def ask(self, call: Call, target: str) -> http.client.HTTPResponse:
        """Send a request; the response when its headers are there."""
        connection = self._connection
        connection.putrequest(call.method, target, skip_accept_encoding=True)
        put = connection.putheader
        for name, value in call.headers:
            put(name, value)
        if self.in_full and self.proxy is not None and self.proxy.authorization:
            put("proxy-authorization", self.proxy.authorization)
        if call.body:
            put("content-length", str(len(call.body)))
        connection.endheaders(call.body or None)
        return connection.getresponse()

    def has_news(self) -> bool:
        """Whether the server has closed the connection, or sent what nobody asked for."""
        return self._wire.has_more or self._wire.is_readable()

    def close(self) -> None:
        """Close it; a thread that reads from it hears of it."""
        self._wire.shut()
        self._connection.close()


class _Wire:
    """A connected socket that waits no longer than the call it serves may take.

    It has what http.client asks of a socket. That closes it whenever a response says that nothing
    follows; here the pool does, when the response has been read.
    """

    __slots__ = ("_socket", "deadline", "has_more", "is_over", "read")

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self.is_over = False
        self.has_more = False
        """Whether more came than the answers were long."""
        self.read: float | None = None
        self.deadline: float | None = None

    def sendall(self, data: bytes) -> None:
        self._socket.settimeout(self._patience())
        self._socket.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return _Received(self)

    def receive_into(self, buffer: Any) -> int:
        if self.is_over:
            return 0
        self._socket.settimeout(self._patience())
        return self._socket.recv_into(buffer)

    def close(self) -> None:
        """Nothing: see above."""

    def shut(self) -> None:
        """Close the socket."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def is_readable(self) -> bool:
        if not hasattr(select, "poll"):
            return bool(select.select([self._socket], [], [], 0)[0])
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(poll.poll(0))

    def _patience(self) -> float | None:
        """Seconds to wait."""
        if self.deadline is None:
            return self.read
        left = self.deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the whole took longer than the total timeout")
        return left if self.read is None else min(self.read, left)


class _Received(io.BufferedReader):
    """What a wire receives for one answer, as a file. Closed, it tells whether more had come."""

    def __init__(self, wire: _Wire) -> None:
        super().__init__(_Raw(wire), SIZE)
        self._wire = wire

    def close(self) -> None:
        if not self.closed:
            self._wire.is_over = True
            with suppress(ValueError, OSError):
                self._wire.has_more = self._wire.has_more or bool(self.peek(1))
            self._wire.is_over = False
        super().close()


class _Raw(io.RawIOBase):
    """The same without a buffer."""

    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._wire.receive_into(buffer)


def _target(url: str, netloc: str, in_full: bool) -> str:
    """What stands in the request line."""
    if in_full:
        return url
    return url.partition(netloc)[2] or "/"
