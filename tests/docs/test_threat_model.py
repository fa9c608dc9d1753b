"""Every promise of the threat model names a test that exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/threat-model.md").read_text(encoding="utf-8")
THREATS = PAGE.partition("## Each threat and its test")[2].partition("## Attacks that were")[0]
ROWS = [
    line
    for line in THREATS.splitlines()
    if line.startswith("| ") and not line.startswith(("| threat |", "|---"))
]
ATTEMPTS = re.findall(r"^\| (\d+) \| .+ \| .+ \| .+ \|$", PAGE, re.MULTILINE)


@cache
def functions_of(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_bytes())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_a_threat_names_a_test_that_exists(row: str) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
    assert named, row
    for path, name in named:
        assert name in functions_of(path), f"{path} has no {name}"


def test_at_least_fifty_attempts_are_listed_in_order() -> None:
    assert [str(number) for number in range(1, len(ATTEMPTS) + 1)] == ATTEMPTS
    assert len(ATTEMPTS) >= 50
    assert len(ROWS) > 60
