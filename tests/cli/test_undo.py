"""`undo` finds the run of a folder and takes it back, or says why it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.findings import Plan
from chatport.port.journal import NONE_LEFT
from chatport.port.writer import write
from tests.cli.conftest import LEGACY, Command, ported


def test_a_run_is_found_from_below(
    chatport: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Plan(project, (ported(project),)))
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    assert chatport("undo").code == 0
    assert (project / "a.py").read_text() == LEGACY


def test_a_run_can_be_named(chatport: Command, project: Path) -> None:
    run = write(Plan(project, (ported(project),)))
    assert chatport("undo", "--run", "other").code == 2
    result = chatport("undo", str(project), "--run", run)
    assert (result.code, result.out) == (0, f"restored a.py\nRun {run} is taken back.\n")


def test_where_nothing_was_written_there_is_nothing_to_take_back(
    chatport: Command, project: Path
) -> None:
    result = chatport("undo")
    assert result.code == 2
    assert result.err == (
        "chatport: error: .: there is no .chatport there or above it, so fix --write has written "
        "nothing there; name the folder it was run on\n"
    )


def test_a_run_is_taken_back_once(chatport: Command, project: Path) -> None:
    write(Plan(project, (ported(project),)))
    assert chatport("undo").code == 0
    result = chatport("undo", str(project))
    assert result.code == 2
    assert result.err == f"chatport: error: .chatport: {NONE_LEFT}\n"
    result = chatport("undo", "--run", "other")
    assert result.err == f"chatport: error: .chatport: there is no run other here; {NONE_LEFT}\n"


def test_a_file_that_was_edited_is_not_overwritten(chatport: Command, project: Path) -> None:
    run = write(Plan(project, (ported(project),)))
    (project / "a.py").write_text("mine\n")
    result = chatport("undo")
    assert result.code == 2
    assert result.err == f"chatport: error: a.py: was changed after run {run}; restore it by hand\n"
