"""The parts of a change: hunks that are written together or not at all, for a person to choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chatport.port.findings import FilePlan
from chatport.port.matching import Change


@dataclass(frozen=True, slots=True)
class Part:
    """Some changes of one file, and the groups of findings they are about."""

    changes: tuple[Change, ...]
    groups: frozenset[str]


def parts(file: FilePlan) -> list[Part]:
    """The parts of a file in the order of their lines. What belongs to no group, as imports do,
    is shown with the first."""
    found: list[tuple[set[Change], set[str]]] = []
    rest: set[Change] = set()
    for change in file.changes():
        groups = set(_groups(file, change))
        if not groups:
            rest.add(change)
            continue
        mine = [part for part in found if part[1] & groups]
        found = [part for part in found if not part[1] & groups]
        found.append(
            (
                {change}.union(*(changes for changes, _ in mine)),
                groups.union(*(of for _, of in mine)),
            )
        )
    found.sort(key=lambda part: min(part[0]))
    if not found:
        return [Part(tuple(sorted(rest)), frozenset())]
    found[0][0].update(rest)
    return [Part(tuple(sorted(changes)), frozenset(groups)) for changes, groups in found]


def _groups(file: FilePlan, change: Change) -> Iterator[str]:
    """The groups whose uses stand in the old lines of a change; of lines that are put in, in the
    line above or below."""
    first, last = change.start + 1, change.end
    if first > last:
        first, last = change.start, change.start + 1
    for one in file.findings:
        if one.group is not None and one.place.line <= last and one.place.end_line >= first:
            yield one.group
