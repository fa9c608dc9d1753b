"""docs/seed.md: every requirement has its cases, and each of them is what it says."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.cases import load_cases

PAGE = Path(__file__).parents[2] / "docs" / "seed.md"
ROWS = [*(f"D{number}" for number in range(1, 15) if number != 12), "end", "open"]


def test_every_row_has_cases_and_each_is_graded_for_it() -> None:
    graded = {case.name: case.rows for case in load_cases()}
    listed = _listed()
    assert list(listed) == ROWS
    for row, cases in listed.items():
        assert cases, row
        assert [case for case in cases if row not in graded.get(case, ())] == [], row


def _listed() -> dict[str, list[str]]:
    cells = re.findall(r"^\| (D\d+|end|open) \| .+ \| (.+) \|$", PAGE.read_text(), re.MULTILINE)
    return {row: re.findall(r"`(\w+)`", cases) for row, cases in cells}
