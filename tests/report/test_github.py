"""Annotations for GitHub: which come first, where they stand, and that nothing breaks out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from chatport.port.findings import FilePlan, Place, Plan, Problem, Status
from chatport.port.report.github import render
from tests.report.plans import PLAN, REFUSED

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def commands(made: Plan) -> list[tuple[str, dict[str, str], str]]:
    """Level, properties and message of each line, as the runner reads them."""
    found = []
    for line in render(made).splitlines():
        match = COMMAND.fullmatch(line)
        assert match is not None, line
        pairs = (pair.split("=", 1) for pair in match[2].split(","))
        found.append((match[1], {key: unescaped(value) for key, value in pairs}, match[3]))
    return found


def unescaped(text: str) -> str:
    for code, character in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_what_holds_back_comes_first_and_consequences_are_left_out() -> None:
    found = commands(PLAN)
    assert [(level, where["file"], where.get("line")) for level, where, _ in found] == [
        ("error", "old.py", None),
        ("error", "app/é.py", "8"),
        ("warning", "app/é.py", "3"),
        ("notice", "app/bot.py", "1"),
        ("notice", "app/bot.py", "7"),
        ("notice", "requirements.txt", "2"),
    ]


def test_columns_are_said_of_one_line_only() -> None:
    places = {where["line"]: where for _, where, _ in commands(PLAN)[1:]}
    assert (places["3"]["col"], places["3"]["endColumn"]) == ("9", "30")
    assert places["7"]["endLine"] == "9"
    assert "col" not in places["7"]


@pytest.mark.parametrize(
    "hostile", ["a,line=9.py", "a::error ::b.py", "100%0Ab.py", "a\n::error::b.py", "\x1b[31m.py"]
)
def test_nothing_breaks_out_of_its_command(hostile: str) -> None:
    finding = replace(REFUSED, path=hostile, symbol=hostile, message=hostile)
    file = FilePlan(hostile, Status.REFUSED, (finding,), b"")
    ((level, where, message),) = commands(Plan(Path("/p"), (file,)))
    assert (level, where["line"]) == ("warning", "3")
    assert "\x1b" not in where["file"] + message
    assert where["file"].replace("\\x1b", "\x1b") == hostile


def test_an_error_says_what_is_wrong() -> None:
    ((_, where, message),) = commands(Plan(Path("/p"), errors=(Problem("a.py", "line 1: no"),)))
    assert (where["file"], message) == ("a.py", "line 1: no")


def test_place_of_a_finding_in_several_lines_ends_there() -> None:
    finding = replace(REFUSED, place=Place(3, 1, 5, 2))
    file = FilePlan("a.py", Status.REFUSED, (finding,), b"")
    ((_, where, _),) = commands(Plan(Path("/p"), (file,)))
    assert where["endLine"] == "5"
