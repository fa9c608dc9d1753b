"""Edits as the few lines they change, checked to leave a file that compiles."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chatport.port.findings import Hunk
from chatport.port.source.edits import Edit, common_start
from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile, parse

_LINE_END = re.compile(r"\r\n|\r|\n")


def hunks_of(source: SourceFile, edits: Iterable[Edit]) -> tuple[Hunk, ...]:
    """The lines that edits of a file change, in order. None where nothing changes, where edits
    overlap, and where the outcome does not compile."""
    found = []
    ordered = sorted(set(edits))
    for run in _runs(source, ordered):
        hunk = _hunk(source, run)
        if hunk is not None:
            found.append(hunk)
    return tuple(found) if found and _compiles(source.text, ordered) else ()


def _runs(source: SourceFile, edits: list[Edit]) -> list[list[Edit]]:
    """Edits of the same or of neighbouring lines together."""
    runs: list[list[Edit]] = []
    last = -1
    for edit in edits:
        if not runs or source.line_at(edit.start) > last:
            runs.append([])
        runs[-1].append(edit)
        last = max(last, source.line_at(edit.end))
    return runs


def _hunk(source: SourceFile, run: list[Edit]) -> Hunk | None:
    start = source.line_start(run[0].start)
    end = max(edit.end for edit in run)
    if end > start and source.line_start(end) == end and run[-1].text.endswith("\n"):
        pass  # whole lines
    else:
        rest = _LINE_END.search(source.text, end)
        end = rest.end() if rest is not None else len(source.text)
    old = _lines(source.shown[start:end])
    new = _lines(_made(source.shown, run, start, end))
    above = common_start(old, new)
    below = common_start(old[above:][::-1], new[above:][::-1])
    old, new = old[above : len(old) - below], new[above : len(new) - below]
    if not old and not new:
        return None
    line = source.line_at(start) + above
    offset = source.offset_of_line(min(line, source.line_at(len(source.text))))
    return Hunk(line, tuple(old), tuple(new), source.place(offset, offset).where)


def _lines(text: str) -> list[str]:
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def _made(text: str, edits: list[Edit], start: int, end: int) -> str:
    pieces, position = [], start
    for edit in edits:
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:end]])


def _compiles(text: str, edits: list[Edit]) -> bool:
    position = 0
    for edit in edits:
        if edit.start < position:
            return False
        position = edit.end
    try:
        parse(_made(text, edits, 0, len(text)))
    except SourceError:
        return False
    return True
