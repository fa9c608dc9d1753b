"""Which lines are the same: what is found makes the change, in time that grows with the texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.port.matching import Change, changes, hunks

LINES = st.lists(st.sampled_from("abcd\n"), max_size=30)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("abc", "abc", []),
        ("abc", "axc", [Change(1, 2, 1, 2)]),
        ("", "ab", [Change(0, 0, 0, 2)]),
        ("ab", "", [Change(0, 2, 0, 0)]),
        ("abc", "abxc", [Change(2, 2, 2, 3)]),
        ("abcdef", "xbcdey", [Change(0, 1, 0, 1), Change(5, 6, 5, 6)]),
        ("ab", "ba", [Change(0, 1, 0, 0), Change(2, 2, 1, 2)]),
    ],
)
def test_rows(old: str, new: str, expected: list[Change]) -> None:
    assert list(changes(old, new)) == expected


@given(LINES, LINES)
def test_the_changes_make_the_new_text(old: list[str], new: list[str]) -> None:
    made, line = [], 0
    found = list(changes(old, new))
    for change in found:
        assert line <= change.start <= change.end
        made += old[line : change.start] + new[change.new_start : change.new_end]
        line = change.end
    assert made + old[line:] == new
    for first, second in pairwise(found):
        assert first.end < second.start, "what touches is one change"


@given(LINES)
def test_nothing_differs_from_itself(lines: list[str]) -> None:
    assert list(changes(lines, lines)) == []


def test_changes_that_are_near_each_other_are_one_hunk() -> None:
    found = [Change(0, 1, 0, 1), Change(7, 8, 7, 8), Change(15, 16, 15, 16)]
    assert list(hunks(found, 3)) == [found[:2], found[2:]]


class Counted(str):
    """A line that counts how often it is compared."""

    asked = 0
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.asked += 1
        return str.__eq__(self, other)


def compared(hunks_of: int) -> int:
    old = [Counted(line) for n in range(hunks_of) for line in (f"call {n}", "", "pass", "")]
    new = [
        Counted(line.replace("call", "run") if n % 8 == 0 else line) for n, line in enumerate(old)
    ]
    Counted.asked = 0
    assert len(list(changes(old, new))) == (hunks_of + 1) // 2
    return Counted.asked


def test_ten_times_the_hunks_take_some_ten_times_the_comparisons() -> None:
    assert compared(2000) < 15 * compared(200)
