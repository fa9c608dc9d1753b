"""`check` and `fix`: what they print, what they write, how they end."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from chatport.port.findings import Plan, Problem
from tests.cli.conftest import LEGACY, Command, Engine, ported, refused

# --- how they end ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kinds", "check", "fix"),
    [
        ("", 0, 0),
        ("ported", 1, 0),
        ("refused", 1, 1),
        ("ported refused", 1, 1),
        ("ported error", 2, 2),
        ("error", 2, 2),
    ],
)
@pytest.mark.parametrize("form", ["console", "json"])
def test_exit_codes(
    chatport: Command,
    engine: Engine,
    project: Path,
    kinds: str,
    check: int,
    fix: int,
    form: str,
) -> None:
    made = {"ported": ported(project), "refused": refused()}
    files = tuple(made[kind] for kind in kinds.split() if kind in made)
    errors = (Problem("c.py", "line 1: no"),) if "error" in kinds else ()
    engine(Plan(project, files, errors=errors, scanned=3))
    assert chatport("check", "--format", form).code == check
    assert chatport("fix", "--format", form).code == fix


def test_options_reach_the_engine(chatport: Command, engine: Engine, project: Path) -> None:
    calls = engine(Plan(project))
    chatport("check", "a.py", "--format", "json")
    (call,) = calls
    assert call["paths"] == ("a.py",)


# --- check -----------------------------------------------------------------------------------


def test_check_prints_findings_and_errors(chatport: Command, engine: Engine, project: Path) -> None:
    engine(Plan(project, (refused(),), errors=(Problem("c.py", "line 1: no"),), scanned=3))
    result = chatport("check")
    assert result.out.startswith(
        "b.py:2:1: review Model: tools_not_known: The tools are not known here.\n"
    )
    assert result.err == "chatport: error: c.py: line 1: no\n"


def test_check_writes_nothing(chatport: Command, engine: Engine, project: Path) -> None:
    engine(Plan(project, (ported(project),)))
    chatport("check")
    assert [path.name for path in project.iterdir()] == ["a.py"]
    assert (project / "a.py").read_text() == LEGACY


def test_json_goes_to_a_file_when_asked(chatport: Command, engine: Engine, project: Path) -> None:
    engine(Plan(project, (refused(),), scanned=2))
    result = chatport("check", "--format", "json", "--output", "report.json")
    assert (result.out, result.err) == ("", "")
    assert json.loads((project / "report.json").read_text())["summary"]["review"] == 1


def test_a_report_that_cannot_be_written_is_an_error(
    chatport: Command, engine: Engine, project: Path
) -> None:
    engine(Plan(project))
    result = chatport("check", "--output", "no/such/report")
    assert result.code == 2
    assert result.err == (
        "chatport: error: no/such/report: cannot be written (No such file or directory); "
        "choose another --output\n"
    )


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("--only", "history_write"), {"b.py"}),
        (("--only", "history_write", "--only", "subclassed"), {"b.py", "c.py"}),
        (("--select", "rename_import"), {"a.py"}),
        (("--select", "rename_import", "--only", "subclassed"), set()),
        (("--skip", "history_write"), {"a.py", "c.py"}),
    ],
)
def test_findings_can_be_chosen(
    chatport: Command, engine: Engine, project: Path, words: tuple[str, ...], shown: set[str]
) -> None:
    files = (ported(project), refused("b.py", "history_write"), refused("c.py", "subclassed"))
    engine(Plan(project, files))
    document = json.loads(chatport("check", "--format", "json", *words).out)
    assert {file["path"] for file in document["files"]} == shown
    assert document["summary"]["findings"] == len(shown)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--only", "history_rite"),
            "--only: there is no history_rite; did you mean history_write",
        ),
        (("--select", "model_call"), "--select: there is no model_call; did you mean model_calls"),
        (("--select", "zzz"), "--select: there is no zzz; there are: "),
        (("--skip", "zzz"), "--skip: there is no zzz; chatport explain lists the codes"),
    ],
)
def test_a_name_that_does_not_exist_is_an_error(
    chatport: Command, project: Path, words: tuple[str, ...], message: str
) -> None:
    result = chatport("check", *words)
    assert result.code == 2
    assert message in result.err


# --- fix -------------------------------------------------------------------------------------


def test_fix_prints_a_patch_and_says_the_rest_elsewhere(
    chatport: Command, engine: Engine, project: Path
) -> None:
    engine(Plan(project, (ported(project), refused()), scanned=2))
    result = chatport("fix")
    assert result.out == (
        "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-import google.generativeai\n+import modern\n"
    )
    assert "b.py:2:1: review Model" in result.err
    assert "a.py:1:1" not in result.err
    assert "Next: chatport fix --write makes these changes." in result.err
    assert (project / "a.py").read_text() == LEGACY


def test_fix_writes_and_undo_takes_back(chatport: Command, engine: Engine, project: Path) -> None:
    engine(Plan(project, (ported(project),), scanned=1))
    result = chatport("fix", "--write")
    assert (result.code, result.out) == (0, "")
    assert "1 file ported whole" in result.err
    assert (project / "a.py").read_text() == "import modern\n"
    result = chatport("undo")
    assert result.code == 0
    assert result.out.startswith("restored a.py\nRun ")
    assert (project / "a.py").read_text() == LEGACY


def test_fix_refuses_a_dirty_work_tree(chatport: Command, engine: Engine, project: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    engine(Plan(project, (ported(project),)))
    result = chatport("fix", "--write")
    assert result.code == 2
    assert result.err == (
        "chatport: error: a.py: is not tracked by git; add and commit it, or say --allow-dirty\n"
    )
    assert chatport("fix", "--write", "--allow-dirty").code == 0
    assert (project / "a.py").read_text() == "import modern\n"


def test_fix_refuses_a_file_that_changed_meanwhile(
    chatport: Command, engine: Engine, project: Path
) -> None:
    engine(Plan(project, (ported(project),)))
    (project / "a.py").write_text(LEGACY + "# mine\n")
    result = chatport("fix", "--write")
    assert result.code == 2
    assert result.err == "chatport: error: a.py: changed since it was planned; run again\n"
    assert (project / "a.py").read_text() == LEGACY + "# mine\n"


def test_fix_does_not_write_a_part_of_a_plan(
    chatport: Command, engine: Engine, project: Path
) -> None:
    calls = engine(Plan(project, (ported(project),)))
    result = chatport("fix", "--write", "--only", "subclassed")
    assert result.code == 2
    assert "with --write name the files instead" in result.err
    assert calls == []


def test_fix_writes_nothing_when_its_report_has_no_place(
    chatport: Command, engine: Engine, project: Path
) -> None:
    engine(Plan(project, (ported(project),)))
    assert chatport("fix", "--write", "--output", "no/such/report").code == 2
    assert (project / "a.py").read_text() == LEGACY


def test_fix_with_nothing_to_change_writes_nothing(
    chatport: Command, engine: Engine, project: Path
) -> None:
    engine(Plan(project, (refused(),)))
    assert chatport("fix", "--write").code == 1
    assert not (project / ".chatport").exists()
