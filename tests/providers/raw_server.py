"""A server that sends exactly the bytes it is told to, whatever it is asked."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Sequence
from typing import Self

Answers = Sequence[bytes | None]
"""What is sent for one request; None waits until the server ends, and says nothing."""

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
EVENTS = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"


class RawServer:
    """Answers the requests of all connections in the order they come; keeps what it was sent.

    A connection is closed after an answer that `closes`, else left open for the next request.
    """

    def __init__(
        self, *answers: Answers, closes: bool = False, tls: ssl.SSLContext | None = None
    ) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self._answers = list(answers)
        self._closes = closes
        self._tls = tls
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"

    @property
    def url(self) -> str:
        """By its name with TLS, which is what its certificate is for."""
        if self._tls is not None:
            return f"https://{self.address.replace('127.0.0.1', 'localhost')}/v1"
        return f"http://{self.address}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        for one in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection = self._listener.accept()[0]
                self.connections += 1
                self._open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            while self._answer(connection) and not self._closes:
                pass
            connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def _answer(self, connection: socket.socket) -> bool:
        request = received(connection)
        if not request or not self._answers:
            return False
        self.requests.append(request)
        for piece in self._answers.pop(0):
            if piece is None:
                self._over.wait()
            else:
                connection.sendall(piece)
        return True


def received(connection: socket.socket) -> bytes:
    """One request: its head, and as much of a body as it says."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := connection.recv(65536)):
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or b"0")
    while len(body) < length and (more := connection.recv(65536)):
        body += more
    return head + b"\r\n\r\n" + body


def whole(body: bytes, *, length: int | None = None, extra: bytes = b"") -> bytes:
    """A plain answer; `length` is what it says of itself."""
    told = len(body) if length is None else length
    return HEAD + extra + b"content-length: %d\r\n\r\n" % told + body


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)
