"""`fix --interactive`: what is asked, what an answer does, and what is written at the end."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command

PROGRAM = """\
import google.generativeai as genai

genai.configure(api_key="k")
print(genai.GenerativeModel("m").generate_content("x").text)
"""
SHARED = """\
import google.generativeai as genai

genai.configure(api_key="k")
model = genai.GenerativeModel("m")
"""
USER = 'from shared import model\n\nprint(model.generate_content("x").text)\n'


@pytest.fixture
def files(project: Path) -> Path:
    for name in ("a.py", "b.py", "c.py"):
        (project / name).write_text(PROGRAM)
    return project


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, chatport: Command) -> Command:
    """Runs `fix --interactive` with these answers typed."""

    def run(*typed: str) -> object:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{one}\n" for one in typed)))
        return chatport("fix", "--interactive")

    return run  # type: ignore[return-value]


def ported(root: Path) -> set[str]:
    return {path.name for path in root.glob("*.py") if "generativeai" not in path.read_text()}


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("yyy", {"a.py", "b.py", "c.py"}),
        ("nny", {"c.py"}),
        ("yny", {"a.py", "c.py"}),
        ("a", {"a.py", "b.py", "c.py"}),
        ("na", {"b.py", "c.py"}),
        ("ys", {"a.py"}),
        ("nnn", set()),
        ("s", set()),
        ("?xY\ny\ny", {"a.py", "b.py", "c.py"}),
    ],
)
def test_what_is_accepted_is_written(
    answers: Command, files: Path, typed: str, written: set[str]
) -> None:
    result = answers(*typed)
    assert ported(files) == written
    assert result.code == 0
    assert "[1/3] Write a.py? [y,n,e,a,s,q,?]" in result.out


@pytest.mark.parametrize("typed", [("y", "y", "q"), ("y",), ()])
def test_to_quit_or_to_say_nothing_writes_nothing(
    answers: Command, files: Path, typed: tuple[str, ...]
) -> None:
    result = answers(*typed)
    assert result.code == 2
    assert "nothing is written" in result.err
    assert ported(files) == set()


def test_a_diff_and_what_to_mind_is_shown_first(answers: Command, files: Path) -> None:
    out = answers("q").out
    assert out.index("-import google.generativeai as genai") < out.index("mind: ")
    assert out.index("mind: response_text_may_be_none") < out.index("Write a.py?")


def test_keys_are_told(answers: Command, files: Path) -> None:
    assert "n: leave this file as it is, and what is only ported with it" in answers("?", "q").out


@pytest.mark.parametrize(("typed", "left"), [("nyn", "a.py, c.py"), ("s", "a.py, b.py, c.py")])
def test_the_numbers_name_what_was_left(
    answers: Command, files: Path, typed: str, left: str
) -> None:
    assert f"Left as you said, and not counted: {left}." in answers(*typed).err


def test_what_is_only_ported_with_a_file_that_was_left_stays_too(
    answers: Command, project: Path
) -> None:
    (project / "shared.py").write_text(SHARED)
    (project / "user.py").write_text(USER)
    (project / "other.py").write_text(PROGRAM)
    (project / "a.py").unlink()
    result = answers("y", "n", "y")
    assert ported(project) - {"user.py"} == {"other.py"}
    assert "user.py stays too: it is only ported together with a file you left." in result.out
    assert (project / "user.py").read_text() == USER


def test_requirements_follow_what_is_written(answers: Command, files: Path) -> None:
    (files / "requirements.txt").write_text("google-generativeai==0.8.5\n")
    answers("y", "n", "y", "y")
    text = (files / "requirements.txt").read_text()
    assert "google-generativeai==0.8.5\n" in text
    assert "google-genai" in text


def editor(folder: Path, body: str) -> str:
    script = folder / "editor.sh"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return str(script)


def test_the_new_text_can_be_edited(
    answers: Command, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor(tmp_path, 'echo "# mine" >> "$1"'))
    result = answers("e", "n", "n")
    assert result.code == 0
    assert (files / "a.py").read_text().endswith("# mine\n")
    assert ported(files) == {"a.py"}


def test_an_edit_that_does_not_compile_is_refused(
    answers: Command, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor(tmp_path, 'echo "def (" >> "$1"'))
    result = answers("e", "y", "n", "n")
    assert "This cannot be written: the output does not compile" in result.out
    assert "def (" not in (files / "a.py").read_text()
    assert ported(files) == {"a.py"}, "y writes what was planned"


def test_an_editor_that_fails_changes_nothing(
    answers: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "/no/such/editor")
    result = answers("e", "n", "n", "n")
    assert "The editor /no/such/editor cannot be started" in result.out
    assert ported(files) == set()
