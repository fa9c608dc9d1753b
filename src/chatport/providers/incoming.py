"""One answer as it arrives. httptools, which is the parser of Node.js, says what the bytes mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import httptools

from chatport.providers.errors import ProviderError, TransportError

if TYPE_CHECKING:
    from asyncio import Future

MAX_HEAD: Final = 256 * 1024
"""Bytes of a head, and of what a server says before it."""
MUCH: Final = 256 * 1024
"""Bytes of a body that may wait to be read before the server is made to wait."""


class Incoming:
    """An answer in the making: fed by its connection, read by whoever has asked for it.

    `has_head` says whether `status` and `headers` are known. `is_over` says whether all has come,
    `has_more` whether more did, and `keeps` whether the connection may serve again. After a `fault`
    nothing comes. `waiter` is what the reader waits for.
    """

    __slots__ = (
        *("_head_left", "_parser", "_pieces", "_size", "_tells_its_end", "fault", "has_head"),
        *("has_more", "headers", "is_over", "keeps", "status", "waiter"),
    )

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._head_left = MAX_HEAD
        self._pieces: list[bytes] = []
        self._size = 0
        self._tells_its_end = False
        self.status: int = 0
        self.headers: dict[str, str] = {}
        self.has_head: bool = False
        self.is_over: bool = False
        self.has_more: bool = False
        self.keeps: bool = False
        self.fault: ProviderError | None = None
        self.waiter: Future[None] | None = None

    def feed(self, data: bytes) -> bool:
        """Take what has come; whether that is enough for now."""
        if not self.has_head:
            self._head_left -= len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            fault = TransportError(f"what came is no answer of HTTP: {error}")
            fault.__cause__ = error
            self.fail(fault)
        if not self.has_head and self._head_left < 0:
            self.fail(TransportError(f"a head of more than {MAX_HEAD} bytes"))
        self._wake()
        return self._size > MUCH

    def end(self, error: Exception | None) -> None:
        """Nothing more comes: the connection is closed, or broken."""
        if self.is_over:
            return
        if self.has_head and not self._tells_its_end and error is None:
            self.is_over = True
        else:
            what = "the answer broke off" if self.has_head else "no answer"
            told = "the server closed the connection"
            if error is not None:
                told = f"{type(error).__name__}: {error}"
            fault = TransportError(f"{what}: {told}")
            fault.__cause__ = error or EOFError(told)
            self.fail(fault)
        self._wake()

    def fail(self, fault: ProviderError) -> None:
        """Nothing that comes from now on counts."""
        if self.is_over:
            self.has_more = True
        elif self.fault is None:
            self.fault = fault
            self._wake()

    def take(self) -> bytes:
        """What has come of the body and was not taken yet."""
        pieces = self._pieces
        if len(pieces) == 1:
            self._size = 0
            return pieces.pop()
        whole = b"".join(pieces)
        pieces.clear()
        self._size = 0
        return whole

    def _wake(self) -> None:
        waiter = self.waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    # What the parser calls.

    def on_message_begin(self) -> None:
        """The first byte of an answer, or of one that nobody has asked for."""
        if self.is_over:
            self.has_more = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field; those after the body are nothing to us."""
        if not self.has_head:
            self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """The end of a head: perhaps of one that only says that the answer is on its way."""
        if self.has_head:
            return
        status = self._parser.get_status_code()
        if status < 200:
            self.headers.clear()
            return
        told = self.headers
        chunked = told.get("transfer-encoding", "").lower().endswith("chunked")
        self._tells_its_end = chunked or "content-length" in told
        self.status, self.has_head = status, True

    def on_body(self, piece: bytes) -> None:
        """A piece of the body."""
        if not self.is_over:
            self._pieces.append(piece)
            self._size += len(piece)

    def on_message_complete(self) -> None:
        """The end of an answer."""
        if self.has_head and not self.is_over:
            self.is_over = True
            self.keeps = self._parser.should_keep_alive()
