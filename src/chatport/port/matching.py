"""Which lines of two texts are the same: in time that grows with the texts, not with their product.

What both texts hold just once, and in the same order, is the same line (a patience diff); between
two such lines the same is asked again. Only short stretches without any are compared line by line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_MOST_PAIRS = 40_000
"""A stretch without an anchor that has more pairs of lines than this is new altogether."""


class Change(NamedTuple):
    """The lines from `start` to `end` give way to those from `new_start` to `new_end`, ends
    exclusive, lines counted from 0."""

    start: int
    end: int
    new_start: int
    new_end: int

    @property
    def grows_by(self) -> int:
        """How many lines the text has more."""
        return (self.new_end - self.new_start) - (self.end - self.start)


def split(text: str) -> list[str]:
    """The lines of a text with their ends; only what ends a line for Python does so here."""
    return _LINE.findall(text)


def changes(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Change]:
    """What differs, in order; nothing that touches."""
    line = new_line = 0
    for start, new_start, size in [*_same(old, new), (len(old), len(new), 0)]:
        if line < start or new_line < new_start:
            yield Change(line, start, new_line, new_start)
        line, new_line = start + size, new_start + size


def hunks(found: Iterable[Change], context: int) -> Iterator[list[Change]]:
    """The changes with what is near each other in one list: nearer than their context is long."""
    hunk: list[Change] = []
    for change in found:
        if hunk and change.start - hunk[-1].end > 2 * context:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _same(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """The stretches that are the same, in order, joined where they touch."""
    found: list[tuple[int, int, int]] = []
    todo = [(0, len(old), 0, len(new))]
    while todo:
        start, end, new_start, new_end = todo.pop()
        before = start
        while start < end and new_start < new_end and old[start] == new[new_start]:
            start, new_start = start + 1, new_start + 1
        found.append((before, new_start - (start - before), start - before))
        behind = end
        while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
            end, new_end = end - 1, new_end - 1
        found.append((end, new_end, behind - end))
        if start == end or new_start == new_end:
            continue
        anchors = _anchors(old, new, start, end, new_start, new_end)
        if anchors:
            for line, new_line in [*anchors, (end, new_end)]:
                todo.append((start, line, new_start, new_line))
                start, new_start = line, new_line
        elif (end - start) * (new_end - new_start) <= _MOST_PAIRS:
            from difflib import SequenceMatcher  # seldom: most stretches have an anchor

            matcher = SequenceMatcher(None, old[start:end], new[new_start:new_end], autojunk=False)
            found += [(start + a, new_start + b, n) for a, b, n in matcher.get_matching_blocks()]
    joined: list[tuple[int, int, int]] = []
    for line, new_line, size in sorted(one for one in found if one[2]):
        last = joined[-1] if joined else (0, 0, 0)
        if joined and (last[0] + last[2], last[1] + last[2]) == (line, new_line):
            joined[-1] = (last[0], last[1], last[2] + size)
        else:
            joined.append((line, new_line, size))
    return joined


def _anchors(
    old: Sequence[Hashable],
    new: Sequence[Hashable],
    start: int,
    end: int,
    new_start: int,
    new_end: int,
) -> list[tuple[int, int]]:
    """Lines that both stretches hold once: the longest run of them that is in order on both."""
    there = _once(new, new_start, new_end)
    pairs = [(line, there[text]) for text, line in _once(old, start, end).items() if text in there]
    tops: list[int] = []  # the new line that ends the best run of each length
    ends: list[int] = []  # the pair it is of
    behind: list[int | None] = []  # of each pair, the one before it in its run
    for index, (_, new_line) in enumerate(pairs):
        length = bisect_left(tops, new_line)
        behind.append(ends[length - 1] if length else None)
        tops[length : length + 1] = [new_line]
        ends[length : length + 1] = [index]
    run: list[tuple[int, int]] = []
    here = ends[-1] if ends else None
    while here is not None:
        run.append(pairs[here])
        here = behind[here]
    return run[::-1]


def _once(lines: Sequence[Hashable], start: int, end: int) -> dict[Hashable, int]:
    """The lines that a stretch holds once, in order, with where."""
    found: dict[Hashable, int] = {}
    several = set()
    for index in range(start, end):
        if found.setdefault(lines[index], index) != index:
            several.add(lines[index])
    return {text: index for text, index in found.items() if text not in several}
