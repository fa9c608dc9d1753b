"""How cost grows, as a picture: CPU time and memory over the number of things, both logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 220, 62, 34, 96
INKS = ("#1f6feb", "#bc4c00")


@dataclass(frozen=True, slots=True)
class Series:
    """One kind of thing: how many, seconds of CPU, megabytes at the peak."""

    name: str
    points: Sequence[tuple[int, float, float]]


@dataclass(frozen=True, slots=True)
class Axis:
    """Decades of values, over some pixels."""

    low: int
    high: int
    pixels: int

    @classmethod
    def over(cls, values: Sequence[float], pixels: int) -> Axis:
        """The whole decades that hold all of the values."""
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return cls(low, max(high, low + 1), pixels)

    def at(self, value: float) -> float:
        """Where a value lies."""
        return (math.log10(value) - self.low) / (self.high - self.low) * self.pixels

    def marks(self) -> list[float]:
        """The powers of ten."""
        return [10.0**power for power in range(self.low, self.high + 1)]


def draw(series: Sequence[Series]) -> str:
    """The picture: a panel of seconds, and one of megabytes."""
    panels = [
        panel(series, 0, 1, "CPU seconds"),
        panel(series, WIDTH + GAP, 2, "peak memory, MB"),
    ]
    width, height = LEFT + 2 * WIDTH + GAP + 20, TOP + HEIGHT + 48
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n{"".join(panels)}</svg>\n'
    )


def panel(series: Sequence[Series], shift: int, column: int, title: str) -> str:
    """One diagram, `shift` pixels to the right."""
    counts = Axis.over([point[0] for each in series for point in each.points], WIDTH)
    values = Axis.over([point[column] for each in series for point in each.points], HEIGHT)
    left, bottom = LEFT + shift, TOP + HEIGHT
    parts = [f'<text x="{left}" y="{TOP - 14}" font-weight="bold">{title}</text>\n']
    for mark in counts.marks():
        x = left + counts.at(mark)
        parts.append(line(x, TOP, x, bottom))
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{mark:,g}</text>\n')
    for mark in values.marks():
        y = bottom - values.at(mark)
        parts.append(line(left, y, left + WIDTH, y))
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{mark:g}</text>\n')
    for number, each in enumerate(series):
        places = [(left + counts.at(p[0]), bottom - values.at(p[column])) for p in each.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        ink = INKS[number]
        parts.append(f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"/>\n')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ink}"/>\n' for x, y in places]
        y = bottom + 36
        parts.append(f'<text x="{left + 100 * number}" y="{y}" fill="{ink}">{each.name}</text>\n')
    return "".join(parts)


def line(x1: float, y1: float, x2: float, y2: float) -> str:
    """A line of the grid."""
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="#d0d7de"/>\n'
