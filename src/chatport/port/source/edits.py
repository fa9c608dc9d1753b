"""Edits: stretches of text replaced inside the original bytes, which otherwise stay untouched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from chatport.port.source.discover import NOTEBOOK_SUFFIX
from chatport.port.source.errors import SourceError

if TYPE_CHECKING:
    from chatport.port.source.text import SourceFile

_LINE_END = re.compile(r"\r\n|\r|\n")
_UTF8_MARK = b"\xef\xbb\xbf"


class Edit(Struct, frozen=True, order=True):
    """Put `text` in place of the characters from `start` to `end` (exclusive).

    With `start == end` it is an insertion; several insertions at one place come out in the order
    of their texts, before a replacement that starts there. An edit given twice is made once.
    """

    start: int
    end: int
    text: str


def apply(source: SourceFile, edits: Iterable[Edit]) -> bytes:
    """The bytes of the file with the edits made.

    What no edit covers is copied from the original bytes. The line ends of an edit's text, whatever
    they are, become the file's dominant one; its characters are written in the file's encoding.
    Raises `ValueError` for edits that overlap or leave the file (a mistake of the caller) and
    `SourceError` for a character that the file's encoding does not have.
    """
    ordered = sorted(set(edits))
    _check_order(ordered, len(source.text))
    if source.path.endswith(NOTEBOOK_SUFFIX):
        from chatport.port.source.notebook import NotebookFile  # only where there is one

        assert isinstance(source, NotebookFile)
        return source.apply(ordered)
    codec = "utf-8" if source.encoding == "utf-8-sig" else source.encoding
    read = len(_UTF8_MARK) if source.encoding == "utf-8-sig" else 0
    pieces = [source.data[:read]]
    position = 0

    def skip_to(end: int) -> bytes:
        """The original bytes of the text up to `end`, checked to be just that text."""
        nonlocal position, read
        text = source.text[position:end]
        size, original = 0, b""
        try:
            size = len(text.encode(codec))
            original = source.data[read : read + size]
            agrees = original.decode(codec) == text
        except UnicodeError:
            agrees = False
        if not agrees:
            raise SourceError(
                f"line {source.place(position, end).line}: text in {source.encoding} cannot be "
                "replaced piece by piece; save the file as UTF-8"
            )
        position, read = end, read + size
        return original

    for edit in ordered:
        pieces.append(skip_to(edit.start))
        pieces.append(_encode(source, edit, codec))
        skip_to(edit.end)
    pieces.append(skip_to(len(source.text)))
    return b"".join(pieces)


def _check_order(edits: list[Edit], length: int) -> None:
    for edit in edits:
        if not 0 <= edit.start <= edit.end <= length:
            raise ValueError(f"{edit} is not inside a text of {length} characters")
    for first, second in pairwise(edits):
        if second.start < first.end:
            raise ValueError(f"{first} and {second} overlap")


def _encode(source: SourceFile, edit: Edit, codec: str) -> bytes:
    text = _LINE_END.sub(source.newline, edit.text)
    try:
        return text.encode(codec)
    except UnicodeError as error:
        start = error.start if isinstance(error, UnicodeEncodeError) else 0
        raise SourceError(
            f"line {source.place(edit.start, edit.start).line}: the new code holds "
            f"{text[start]!r}, which {source.encoding} does not have; save the file as UTF-8"
        ) from error


def common_start(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines two texts have in common before they differ."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count
