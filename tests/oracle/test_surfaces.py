"""Every surface of docs/coverage.md is run: as it is found, and as it becomes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docs.generate_coverage import FRAMES, planned, sections

from chatport.port.findings import Status
from chatport.port.prove.compare import compare
from chatport.port.prove.pair import PairResult
from chatport.port.prove.running import How, Program, Worker

Workers = Callable[[str], Worker]

ROWS = {
    f"{section['number']} {row['title']}": row for section in sections() for row in section["rows"]
}


def becomes(row: dict[str, Any]) -> str | None:
    file = planned(row)
    if file is None or file.status is not Status.PORTED or file.after is None:
        return None
    return file.after.decode()


AFTER = {name: text for name, row in ROWS.items() if (text := becomes(row)) is not None}
RUN = [name for name in AFTER if "not_run" not in ROWS[name]]


def program(text: str, folder: Path) -> Program:
    folder.mkdir()
    (folder / "app.py").write_text(text, encoding="utf-8")
    return Program(folder, path="app.py")


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
@pytest.mark.parametrize("name", RUN)
def test_a_surface_sends_what_it_sent(
    worker: Workers, tmp_path: Path, name: str, environment: str
) -> None:
    row = ROWS[name]
    call = row.get("call", "")
    before = worker("legacy").run(
        program(FRAMES[row["frame"]] + row["code"] + call, tmp_path / "before")
    )
    after = worker(environment).run(program(AFTER[name] + call, tmp_path / "after"))
    assert before.how is How.RETURNED, before.stderr
    result = PairResult(before, after, compare(before, after))
    assert result.same, result.explain()


@pytest.mark.parametrize("name", [name for name in ROWS if "not_run" in ROWS[name]])
def test_what_is_not_run_says_why(name: str) -> None:
    assert ROWS[name]["not_run"]
    assert name in AFTER
