"""`check --stdin-filename`: the text in an editor, among the files it stands with."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.test_interactive import PROGRAM, SHARED, USER


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, chatport: Command) -> Command:
    """Checks a text as if it stood in a file."""

    def run(text: str, *words: str) -> object:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return chatport("check", "--stdin-filename", *words)

    return run  # type: ignore[return-value]


def test_the_text_counts_and_not_the_disk(check: Command, project: Path) -> None:
    (project / "a.py").write_text(PROGRAM)
    assert check("x = 1\n", "a.py").code == 0
    (project / "a.py").write_text("x = 1\n")
    result = check(PROGRAM, "a.py")
    assert result.code == 1
    assert result.out.startswith("a.py:1:8: auto google.generativeai\n")
    assert (project / "a.py").read_text() == "x = 1\n"


def test_only_that_file_is_reported(check: Command, project: Path) -> None:
    for name in ("a.py", "b.py"):
        (project / name).write_text(PROGRAM)
    document = json.loads(check(PROGRAM, "b.py", "--format", "json").out)
    assert [file["path"] for file in document["files"]] == ["b.py"]
    assert document["summary"]["files"] == 1


def test_the_other_files_are_minded(check: Command, project: Path) -> None:
    (project / "shared.py").write_text(SHARED)
    result = check(USER, "user.py")
    assert "user.py:3:7: auto google.generativeai.GenerativeModel.generate_content" in result.out


def test_the_file_need_not_exist(check: Command, project: Path) -> None:
    assert "new/deep/c.py:1:8: auto" in check(PROGRAM, "new/deep/c.py").out


def test_a_text_that_is_no_python_is_an_error(check: Command, project: Path) -> None:
    result = check("import google.generativeai (\n", "a.py")
    assert result.code == 2
    assert result.err.startswith("chatport: error: a.py: line 1:")


def test_a_link_is_not_followed(check: Command, project: Path) -> None:
    (project / "link.py").symlink_to("/etc/hostname")
    assert check(PROGRAM, "link.py").out.startswith("link.py:1:8: auto")


def test_paths_are_not_wanted_beside_it(check: Command, project: Path) -> None:
    result = check(PROGRAM, "a.py", "b.py")
    assert result.code == 2
    assert "leave the paths out" in result.err


def test_the_configuration_of_the_file_counts(check: Command, project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "pyproject.toml").write_text('[tool.chatport]\nformat = "json"\n')
    assert json.loads(check(PROGRAM, "sub/a.py").out)["version"] == 1
