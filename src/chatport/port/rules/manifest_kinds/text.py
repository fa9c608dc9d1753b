"""Bytes to text and back, edits and places, for files that are not Python."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from chatport.port.findings import Place
from chatport.port.source.edits import Edit


class Encoding(NamedTuple):
    """How the bytes of a manifest are text."""

    codec: str
    mark: bytes
    errors: str

    def encode(self, text: str) -> bytes:
        return self.mark + text.encode(self.codec, self.errors)


_MARKS = (
    Encoding("utf-8", codecs.BOM_UTF8, "surrogateescape"),
    Encoding("utf-16-le", codecs.BOM_UTF16_LE, "surrogatepass"),
    Encoding("utf-16-be", codecs.BOM_UTF16_BE, "surrogatepass"),
    Encoding("utf-8", b"", "surrogateescape"),
)


def decode(data: bytes) -> tuple[str, Encoding]:
    """The text; bytes that are not UTF-8 survive the way back as they are."""
    encoding = next(e for e in _MARKS if data.startswith(e.mark))
    return data[len(encoding.mark) :].decode(encoding.codec, encoding.errors), encoding


def apply(text: str, edits: Iterable[Edit]) -> str:
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += (text[position : edit.start], edit.text)
        position = max(position, edit.end)
    return "".join([*pieces, text[position:]])


def place(text: str, start: int, end: int) -> Place:
    breaks = [0, *(match.end() for match in re.finditer("\n", text))]
    first, last = bisect_right(breaks, start), bisect_right(breaks, end)
    return Place(first, start - breaks[first - 1] + 1, last, end - breaks[last - 1] + 1)
