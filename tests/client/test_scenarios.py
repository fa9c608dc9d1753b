"""The table of scenarios names every test of a scenario, and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "client" / "scenarios.md"


def test_the_table_names_every_test_of_every_scenario() -> None:
    told, files = set(), set()
    for line in TABLE.read_text().splitlines():
        if not re.match(r"\| \d", line):
            continue
        number = int(line.split("|")[1])
        for path, names in re.findall(r"\]\(\.\./\.\./(tests/[^)]+)\)([^<|]*)", line):
            files.add((number, path))
            told |= {(path, name) for name in re.findall(r"`(\w+)`", names)}
    written = {
        (str(path.relative_to(ROOT)), name)
        for room in ("client", "tools")
        for path in (ROOT / "tests" / room).glob("test_*.py")
        for name in re.findall(r"^def (test_s\d\d_\w+)", path.read_text(), re.MULTILINE)
    }
    assert told == written
    assert {number for number, _ in files} == set(range(1, 84))
    for number, path in files:
        assert f"def test_s{number:02}_" in (ROOT / path).read_text(), (number, path)
