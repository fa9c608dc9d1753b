"""Which rewritten lines count, and which were executed."""

from __future__ import annotations

import pytest

from chatport.port.findings import FilePlan, Status
from chatport.port.prove.coverage import coverage, ranges

BEFORE = b"""\
import old
x = 1
def f():
    return old.call(1)
"""
AFTER = b'''\
import new
x = 1
# a comment
def f():
    """What it does."""

    return new.call(
        first=1,
        second=2,
    )
'''


def measure(executed: set[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    change = FilePlan("app.py", Status.PORTED, (), BEFORE, AFTER)
    (measured,) = coverage([change], {"app.py": frozenset(executed)})
    return measured.rewritten, measured.never


@pytest.mark.parametrize(
    ("executed", "never"),
    [
        (set(), (1, 7, 8, 9, 10)),
        ({1}, (7, 8, 9, 10)),
        ({1, 4}, (7, 8, 9, 10)),
        ({1, 8}, ()),
    ],
)
def test_a_statement_ran_when_one_of_its_lines_did(
    executed: set[int], never: tuple[int, ...]
) -> None:
    assert measure(executed) == ((1, 7, 8, 9, 10), never)


def test_the_head_of_a_block_is_not_its_body() -> None:
    after = b"for x in new.call(\n    1\n):\n    print(x)\n"
    change = FilePlan("app.py", Status.PORTED, (), b"", after)
    (measured,) = coverage([change], {"app.py": frozenset({1})})
    assert measured.never == (4,)


def test_files_that_are_not_python_are_not_measured() -> None:
    change = FilePlan("requirements.txt", Status.PORTED, (), b"old", b"new")
    assert coverage([change], {}) == ()


def test_runs_of_lines_are_written_short() -> None:
    assert ranges([1, 3, 4, 5, 9]) == "1, 3-5, 9"
    assert ranges([]) == ""
