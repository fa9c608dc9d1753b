"""Pictures of numbers: bars whose parts are told apart by colour and by pattern."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a bar, in per cent."""

    kind: str
    label: str
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a picture."""

    label: str
    total: int
    parts: tuple[Part, ...]
    value: str = ""
    """What choosing the bar filters by."""


def bar(label: str, counts: Iterable[tuple[str, str, int]], of: int, value: str = "") -> Bar:
    """A bar of parts (kind, word, count), full at `of`; a part of nothing is left out."""
    parts, start = [], 0.0
    total = 0
    for kind, word, count in counts:
        if count:
            width = round(100 * count / of, 3)
            parts.append(Part(kind, word, count, round(start, 3), width))
            start += width
            total += count
    return Bar(label, total, tuple(parts), value)
