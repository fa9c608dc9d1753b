"""Options in pyproject.toml and on the command line: which one counts, and from where they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chatport.port.findings import Plan
from tests.cli.conftest import Command, Engine

PROGRAM = """\
import google.generativeai as genai

genai.configure(api_key="k")
print(genai.GenerativeModel("m").generate_content("x").text)
"""


def configure(project: Path, *lines: str) -> None:
    (project / "pyproject.toml").write_text("\n".join(["[tool.chatport]", *lines, ""]))


def test_the_command_line_has_the_last_word(
    chatport: Command, engine: Engine, project: Path
) -> None:
    engine(Plan(project))
    configure(project, 'format = "json"')
    assert json.loads(chatport("check").out)["version"] == 1
    assert chatport("check", "--format", "console").out.endswith("ported from.\n")


def test_paths_of_the_configuration_start_at_its_folder(
    chatport: Command, engine: Engine, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(project, 'paths = ["a.py"]')
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    calls = engine(Plan(project))
    chatport("check")
    chatport("check", "x")
    assert [call["paths"] for call in calls] == [("../a.py",), ("x",)]


@pytest.mark.parametrize("command", ["check", "fix", "prove"])
def test_a_fault_of_the_configuration_is_named(
    chatport: Command, project: Path, command: str
) -> None:
    configure(project, "formt = 1")
    result = chatport(command)
    assert result.code == 2
    assert "chatport: error: pyproject.toml:2: [tool.chatport] has no option formt" in result.err


def test_a_baseline_is_made_and_heeded(chatport: Command, project: Path) -> None:
    (project / "a.py").write_text(PROGRAM)
    words = ("--baseline", "base.json")
    assert chatport("check", *words, "--update-baseline").out == (
        "Wrote base.json: 4 findings are accepted.\n"
    )
    result = chatport("check", *words)
    assert (result.code, result.out) == (0, "4 uses accepted by a comment or the baseline.\n")
    configure(project, 'baseline = "base.json"')
    assert chatport("check").code == 0
    (project / "a.py").write_text(PROGRAM + "genai.list_models()\n")
    assert chatport("check").code == 1


def test_a_baseline_that_is_missing_is_an_error(chatport: Command, project: Path) -> None:
    result = chatport("check", "--baseline", "none.json")
    assert result.code == 2
    assert "none.json: cannot be read" in result.err
    assert "none.json --update-baseline writes it anew" in result.err


def test_updating_wants_a_file(chatport: Command, project: Path) -> None:
    result = chatport("check", "--update-baseline")
    assert result.code == 2
    assert "say --baseline FILE as well" in result.err


def test_excluded_files_are_passed_over(chatport: Command, project: Path) -> None:
    (project / "a.py").write_text(PROGRAM)
    assert chatport("check", "--exclude", "a.py").code == 0
    assert chatport("fix", "--exclude", "b.py").code == 0
    assert chatport("check").code == 1


def test_annotating_writes_markers(chatport: Command, project: Path) -> None:
    path = project / "a.py"
    path.write_text(PROGRAM + "genai.GenerativeModel('m').start_chat().history.append(1)\n")
    assert chatport("fix", "--annotate", "--write").code == 1
    assert path.read_text().count("# chatport: review[history_write]") == 1
    assert chatport("fix", "--annotate", "--write").code == 1
    assert path.read_text().count("# chatport: review[history_write]") == 1
