"""The text of a file before and after, in lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from chatport.port.findings import FilePlan, Place
from chatport.port.source.discover import NOTEBOOK_SUFFIX

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


@dataclass(frozen=True, slots=True)
class Shown:
    """What people are shown of a file: of a notebook the text of its code cells."""

    old: list[str]
    new: list[str]
    line_of: Callable[[Place], int]
    """The line of `old` a place begins in."""


def split(text: str) -> list[str]:
    """The lines of a text with their ends; only what ends a line for Python does so here."""
    return _LINE.findall(text)


def sides(file: FilePlan) -> tuple[list[str], list[str]]:
    """The lines of a file as it stands on the disk, before and after; the same twice when nothing
    changes."""
    old = split(decoded(file, file.before))
    return old, old if file.after is None else split(decoded(file, file.after))


def shown(file: FilePlan) -> Shown:
    """The lines of a file as people see them."""
    if file.path.endswith(NOTEBOOK_SUFFIX):
        from chatport.port.source.errors import SourceError
        from chatport.port.source.notebook import NotebookFile

        try:
            before = NotebookFile.read(file.path, file.before)
            after = NotebookFile.read(file.path, file.after or file.before)
        except SourceError:
            pass  # as it stands on the disk, then
        else:
            return Shown(split(before.shown), split(after.shown), before.line_of)
    return Shown(*sides(file), lambda place: place.line)


def decoded(file: FilePlan, data: bytes) -> str:
    """Bytes of a file as text; what is no text is shown as a replacement character."""
    text = data.decode(file.encoding, "replace")
    return text.removeprefix("\ufeff")
