"""An HTTP server on loopback for tests: every exchange kept, every fault of a network at hand.

What is answered is the business of the servers built on it, one for each provider.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeAlias, TypeVar

Json: TypeAlias = dict[str, Any]

STREAM: Final = "text/event-stream"
DOCUMENT: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent for one request, byte by byte.

    `pieces` is the body: one piece goes out with its length, several one by one as chunks. `delay`
    and `pause` are seconds, before the head and before each further piece. `cut` closes the
    connection after so many pieces, in the middle of what was announced; -1 before the head.
    `announced` is the length of a body that is cut short of it. `phrase` is that of the status,
    where a protocol has one of its own.
    """

    pieces: tuple[bytes, ...] = ()
    status: int = 200
    kind: str = DOCUMENT
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0
    pause: float = 0.0
    cut: int | None = None
    announced: int | None = None
    phrase: str = ""


class Answered(Protocol):
    """A request and what was made of it, as far as it is sent."""

    @property
    def reply(self) -> Reply: ...


@dataclass(frozen=True)
class Exchange:
    """One request as it arrived, and the reply chosen for it. Header names are in lower case.

    `connection` counts connections: two exchanges with the same number shared one.
    """

    verb: str
    path: str
    headers: Mapping[str, str]
    content: bytes
    connection: int
    reply: Reply = field(repr=False)

    @cached_property
    def body(self) -> Json:
        """The JSON body; empty when there is none, or it is no object."""
        try:
            value = json.loads(self.content)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


E = TypeVar("E", bound=Answered)


class Server(Generic[E]):
    """A server on a port of 127.0.0.1, 0 for a free one, for ``with``. Override `receive`."""

    def __init__(self, port: int = 0) -> None:
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._exchanges: list[E] = []
        self._http = _Http(("127.0.0.1", port), type("Handler", (_Handler,), {"server_of": self}))
        self.port: int = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    def receive(
        self, verb: str, path: str, headers: Mapping[str, str], content: bytes, connection: int
    ) -> E:
        """Decide the reply to one request, and record both in `_exchanges` under `_lock`."""
        raise NotImplementedError

    @property
    def exchanges(self) -> tuple[E, ...]:
        """What was asked so far, in the order of arrival."""
        with self._lock:
            return tuple(self._exchanges)

    @property
    def connections(self) -> int:
        """Connections that are open now."""
        return len(self._http.open)

    def wait(self, seconds: float) -> None:
        """Let time pass for a slow reply; ends at once when the server closes."""
        if seconds > 0:
            self._closing.wait(seconds)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def close(self) -> None:
        """Stop answering and close what is open; a slow answer under way is given up."""
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._http.hang_up()
        self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class LoopbackServer(Server[Exchange]):
    """A server whose replies depend on nothing but the request. Override `reply_to`."""

    def reply_to(self, verb: str, path: str, headers: Mapping[str, str], content: bytes) -> Reply:
        """The reply to one request. Called under a lock."""
        raise NotImplementedError

    def receive(
        self, verb: str, path: str, headers: Mapping[str, str], content: bytes, connection: int
    ) -> Exchange:
        """Decide the reply to one request and record both."""
        with self._lock:
            reply = self.reply_to(verb, path, headers, content)
            exchange = Exchange(verb, path, headers, content, connection, reply)
            self._exchanges.append(exchange)
        return exchange


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 1024

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.open: dict[Any, int] = {}
        self.accepted = 0
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.accepted += 1
        self.open[request] = self.accepted
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.open.pop(request, None)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Close the connections that clients keep alive, so that no thread waits on them."""
        for connection in tuple(self.open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing about a client that hangs up: that is part of the tests this serves."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server_of: ClassVar[Server[Any]]
    server: _Http
    protocol_version = "HTTP/1.1"
    # Headers and body leave in one packet; with Nagle's algorithm on, each answer waits 40 ms.
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """Keep quiet on stderr: the exchanges are the log."""

    def _answer(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        number = self.server.open.get(self.connection, 0)
        exchange = self.server_of.receive(self.command, self.path, headers, self._content(), number)
        reply = exchange.reply
        self.server_of.wait(reply.delay)
        if reply.cut is not None and reply.cut < 0:
            self.close_connection = True
            return
        whole = len(reply.pieces) == 1 and reply.cut is None
        self.send_response(reply.status, reply.phrase or _phrase(reply.status))
        self.send_header("Content-Type", reply.kind)
        for name, value in reply.headers:
            self.send_header(name, value)
        if whole or not reply.pieces:
            body = b"".join(reply.pieces)
            told = len(body) if reply.announced is None else reply.announced
            self.send_header("Content-Length", str(told))
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = self.close_connection or told != len(body)
        else:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self._chunks_of(reply)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _answer  # noqa: N815 (the library's names)

    def _chunks_of(self, reply: Reply) -> None:
        for index, piece in enumerate(reply.pieces):
            if reply.cut == index:
                break
            if index:
                self.server_of.wait(reply.pause)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        if reply.cut is None:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    def _content(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(self._chunks())
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown"


def event(document: Json | str, name: str | None = None) -> bytes:
    """A server-sent event with a document, or a word, as its data."""
    data = document if isinstance(document, str) else json.dumps(document, separators=(",", ":"))
    return (f"event: {name}\n" if name else "").encode() + f"data: {data}\n\n".encode()


def document(value: Json) -> bytes:
    """JSON text."""
    return json.dumps(value, separators=(",", ":")).encode()
