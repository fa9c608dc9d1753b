"""The text of a file before and after, in lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatport.port.findings import FilePlan, Place
from chatport.port.matching import split
from chatport.port.source.discover import NOTEBOOK_SUFFIX

if TYPE_CHECKING:
    from chatport.port.source.notebook import NotebookFile


@dataclass(frozen=True, slots=True)
class Shown:
    """What people are shown of a file: of a notebook the text of its code cells."""

    old: list[str]
    new: list[str]
    line_of: Callable[[Place], int]
    """The line of `old` a place begins in."""
    cells: tuple[Cells, Cells] | None = None
    """Of a notebook, the cells that the lines of `old` and `new` are in."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a notebook, by the lines of its text."""

    starts: tuple[int, ...]
    """The line each code cell begins on, counted from 1."""
    numbers: tuple[int, ...]
    """What each is called: from 1, all kinds of cells counted."""

    @classmethod
    def of(cls, notebook: NotebookFile) -> Cells:
        """Those of a notebook."""
        starts = (notebook.line_at(cell.start) for cell in notebook.cells)
        return cls(tuple(starts), tuple(cell.number for cell in notebook.cells))

    def at(self, line: int) -> tuple[int, int]:
        """The cell a line is in, and the line there."""
        index = max(0, bisect_right(self.starts, line) - 1)
        return self.numbers[index], line - self.starts[index] + 1


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
            cells = Cells.of(before), Cells.of(after)
            return Shown(split(before.shown), split(after.shown), before.line_of, cells)
    return Shown(*sides(file), lambda place: place.line)


def decoded(file: FilePlan, data: bytes) -> str:
    """Bytes of a file as text; what is no text is shown as a replacement character."""
    text = data.decode(file.encoding, "replace")
    return text.removeprefix("\ufeff")
