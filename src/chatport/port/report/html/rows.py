"""Two texts side by side: which line stands beside which, and which words of it are new."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from chatport.port.matching import changes
from chatport.port.report.escape import on_one_line, visible

CONTEXT = 3
"""Unchanged lines that are shown around what matters."""

_ALIKE = 0.35
"""Lines that share less of their words than this stand in rows of their own."""
_MOST_PAIRS = 10_000
"""Longer stretches are paired line by line: comparing each with each would take too long."""
_LONGEST = 2_000
"""Of a longer line only the beginning is shown."""

_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)


class Piece(NamedTuple):
    """A stretch of a line, and whether it is on this side only."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One line of each side; a side without a number is empty."""

    kind: str
    """``same``, ``changed``, ``removed`` or ``added``."""
    old_number: int | None
    old: tuple[Piece, ...]
    new_number: int | None
    new: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Unchanged lines that are left out."""

    lines: int


def rows(old: Sequence[str], new: Sequence[str], wanted: frozenset[int]) -> Iterator[Row | Gap]:
    """The rows of a file: what changed, the old lines in `wanted`, and `CONTEXT` lines around."""
    every = list(_rows(old, new))
    near = _widened([row.kind != "same" or row.old_number in wanted for row in every])
    for here, run in groupby(zip(near, every, strict=True), key=itemgetter(0)):
        stretch = [row for _, row in run]
        if here or len(stretch) == 1:  # saying that one line is left out takes as much room
            yield from stretch
        elif any(near):
            yield Gap(len(stretch))


def _widened(shown: Sequence[bool]) -> list[bool]:
    near = [False] * len(shown)
    for index, here in enumerate(shown):
        if here:
            low, high = max(0, index - CONTEXT), min(len(shown), index + CONTEXT + 1)
            near[low:high] = [True] * (high - low)
    return near


def _rows(old: Sequence[str], new: Sequence[str]) -> Iterator[Row]:
    line = new_line = 0
    for start, end, new_start, new_end in [*changes(old, new), (len(old), 0, len(new), 0)]:
        for index in range(start - line):
            text = (Piece(_shown(old[line + index]), False),)
            yield Row("same", line + index + 1, text, new_line + index + 1, text)
        for mine, theirs in _pairs(old[start:end], new[new_start:new_end]):
            yield _changed(old, new, start, new_start, mine, theirs)
        line, new_line = end, new_end


def _changed(
    old: Sequence[str],
    new: Sequence[str],
    start: int,
    new_start: int,
    mine: int | None,
    theirs: int | None,
) -> Row:
    if mine is None:
        assert theirs is not None
        number = new_start + theirs
        return Row("added", None, (), number + 1, (Piece(_shown(new[number]), False),))
    if theirs is None:
        number = start + mine
        return Row("removed", number + 1, (Piece(_shown(old[number]), False),), None, ())
    left, right = words(_shown(old[start + mine]), _shown(new[new_start + theirs]))
    return Row("changed", start + mine + 1, left, new_start + theirs + 1, right)


def words(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Two lines in pieces, with what differs marked on each side."""
    mine, theirs = _WORD.findall(old), _WORD.findall(new)
    left, right = [], []
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if start < end:
            left.append(Piece("".join(mine[start:end]), tag != "equal"))
        if new_start < new_end:
            right.append(Piece("".join(theirs[new_start:new_end]), tag != "equal"))
    return tuple(left), tuple(right)


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Which line of a replaced stretch stands beside which: the most alike, in order."""
    if len(old) * len(new) > _MOST_PAIRS:
        for index in range(max(len(old), len(new))):
            yield (index if index < len(old) else None, index if index < len(new) else None)
        return
    best = _best(old, new)
    mine = theirs = 0
    while mine < len(old) or theirs < len(new):
        here = best[mine][theirs]
        if mine < len(old) and here == best[mine + 1][theirs]:
            yield mine, None
            mine += 1
        elif theirs < len(new) and here == best[mine][theirs + 1]:
            yield None, theirs
            theirs += 1
        else:
            yield mine, theirs
            mine, theirs = mine + 1, theirs + 1


def _best(old: Sequence[str], new: Sequence[str]) -> list[list[float]]:
    """How alike the rests of two stretches can be made to stand, from each pair of lines on."""
    counted = [_counted(line) for line in old], [_counted(line) for line in new]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for mine in reversed(range(len(old))):
        for theirs in reversed(range(len(new))):
            alike = _likeness(counted[0][mine], counted[1][theirs])
            paired = best[mine + 1][theirs + 1] + alike if alike >= _ALIKE else 0.0
            best[mine][theirs] = max(paired, best[mine + 1][theirs], best[mine][theirs + 1])
    return best


def _counted(line: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", line))


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def _shown(line: str) -> str:
    """A line as the page shows it: without its end, with what could deceive written out."""
    text = visible(line.rstrip("\r\n"))
    return text if len(text) <= _LONGEST else on_one_line(text[:_LONGEST]) + " …"
