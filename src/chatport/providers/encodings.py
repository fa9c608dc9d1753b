"""Bodies that a server, or something in between, compresses although it is asked not to."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from chatport.providers.errors import UnexpectedAnswerError

if TYPE_CHECKING:
    from zlib import _Decompress

PIECE: Final = 256 * 1024
"""Bytes that come out at a time: a small piece may hold gigabytes."""
_AUTOMATIC: Final = zlib.MAX_WBITS | 32
"""Window bits with which zlib knows gzip from its own format by itself."""


class Inflater:
    """Undoes the compression of one body."""

    __slots__ = ("_inner",)

    def __init__(self) -> None:
        self._inner: _Decompress = zlib.decompressobj(_AUTOMATIC)

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """What a piece holds, in pieces of a bounded size."""
        try:
            while piece and not self._inner.eof:
                if made := self._inner.decompress(piece, PIECE):
                    yield made
                piece = self._inner.unconsumed_tail
            while not self._inner.eof and (made := self._inner.decompress(b"", PIECE)):
                yield made
        except zlib.error as fault:
            raise UnexpectedAnswerError(f"the body is not compressed as it says: {fault}") from None

    def finish(self) -> None:
        """Raise `UnexpectedAnswerError` when the body has ended too soon."""
        if not self._inner.eof:
            raise UnexpectedAnswerError("the compressed body ends in the middle")


def inflater(headers: Mapping[str, str]) -> Inflater | None:
    """What undoes the compression of a body with these headers; None when there is none."""
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding in ("", "identity"):
        return None
    if encoding in ("gzip", "x-gzip", "deflate"):
        return Inflater()
    raise UnexpectedAnswerError(
        f"the body is compressed with {encoding[:40]!a}, which was not asked for"
    )
