"""A place that is named can be opened from where the command was run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from chatport.port.here import seen_from_here
from tests.cli.conftest import Command
from tests.cli.test_interactive import PROGRAM

COMMENT = "# chatport: ignore[history_write] the old front end goes"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a folder beside the working one, with what every kind of line speaks of."""
    root = tmp_path / "älter shop"
    (root / "app").mkdir(parents=True)
    (root / "app" / "main.py").write_text(f"{PROGRAM}{COMMENT}\n")
    (root / "app" / "broken.py").write_text("import google.generativeai as genai (\n")
    (root / "requirements.txt").write_text("google-generativeai\n")
    (root / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    return root


def places(text: str) -> set[str]:
    """The paths that lines of a report begin with."""
    lines = (line.removeprefix("chatport: error: ") for line in text.splitlines())
    return {line.partition(":")[0] for line in lines if ":" in line and line[:1].strip()}


@pytest.mark.parametrize("folder", [".", "älter shop", "älter shop/app", "älter shop/here"])
@pytest.mark.parametrize("with_git", [False, True])
def test_every_place_can_be_opened(
    chatport: Command,
    shop: Path,
    monkeypatch: pytest.MonkeyPatch,
    folder: str,
    with_git: bool,
) -> None:
    if with_git:
        subprocess.run(["git", "init", "-q", shop], check=True)
    monkeypatch.chdir(folder)
    result = chatport("check", str(shop), str(shop / "gone.py"))
    assert result.code == 2
    named = places(result.err) | {
        line.partition(":")[0] for line in result.out.splitlines() if ".py:" in line
    }
    assert {Path(name).resolve().relative_to(shop).as_posix() for name in named} == {
        "app/main.py",
        "app/broken.py",
        "gone.py",
    }
    assert "main.py:5: this comment ignores nothing" in result.out


def test_what_is_taken_back_can_be_opened(chatport: Command, shop: Path) -> None:
    assert chatport("fix", str(shop), "--write").code == 2
    result = chatport("undo", "älter shop")
    assert result.code == 0
    assert "restored älter shop/app/main.py\n" in result.out
    result = chatport("undo", "älter shop")
    assert result.err.startswith("chatport: error: älter shop/.chatport: no run is left")


@pytest.mark.parametrize(
    ("root", "path", "seen"),
    [
        ("/home/ada/project", "a.py", "a.py"),
        ("/home/ada/project/app", "a.py", "app/a.py"),
        ("/home/ada", "other/a.py", "../other/a.py"),
        ("/tmp/x", "a.py", "/tmp/x/a.py"),
        ("/home/ada/project", "/etc/a.py", "/etc/a.py"),
        ("/home/ada/project", "/home/ada/a.py", "../a.py"),
        ("app", "a.py", "app/a.py"),
    ],
)
def test_a_path_is_as_short_as_it_can_be(
    monkeypatch: pytest.MonkeyPatch, root: str, path: str, seen: str
) -> None:
    monkeypatch.setattr("os.getcwd", lambda: "/home/ada/project")
    assert seen_from_here(Path(root))(path) == seen
