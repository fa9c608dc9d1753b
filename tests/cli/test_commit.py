"""`fix --commit`: one commit for what belongs together, never on a dirty tree, nothing is run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from chatport.port.commits import commits
from chatport.port.planner import plan
from tests.cli.conftest import Command
from tests.cli.test_interactive import PROGRAM, SHARED, USER


def git(root: Path, *words: str) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    done = subprocess.run(
        ["git", *identity, *words], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.fixture
def repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files that belong together, one that does not, and requirements."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ada@example.org")
    (project / "a.py").unlink()
    (project / "shared.py").write_text(SHARED)
    (project / "user.py").write_text(USER)
    (project / "other.py").write_text(PROGRAM)
    (project / "requirements.txt").write_text("google-generativeai==0.8.5\n")
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "start")
    return project


def history(root: Path) -> list[tuple[str, set[str]]]:
    """Subject and files of each commit after the first, oldest first."""
    found = []
    for name in git(root, "rev-list", "--reverse", "HEAD").split()[1:]:
        subject = git(root, "show", "-s", "--format=%s", name).strip()
        found.append((subject, set(git(root, "show", "--format=", "--name-only", name).split())))
    return found


def test_what_belongs_together_is_one_commit(chatport: Command, repository: Path) -> None:
    result = chatport("fix", "--commit")
    assert result.code == 0
    assert result.err.startswith("3 commits made.\n")
    assert history(repository) == [
        ("Port other.py from google-generativeai to google-genai", {"other.py"}),
        ("Port 2 files from google-generativeai to google-genai", {"shared.py", "user.py"}),
        ("Port requirements.txt from google-generativeai to google-genai", {"requirements.txt"}),
    ]
    assert git(repository, "status", "--porcelain") == ""


def test_a_message_says_what_and_why_and_what_to_mind(repository: Path) -> None:
    (first, *_) = commits(plan([repository], root=repository))
    assert first.paths == ("other.py",)
    assert first.message == (
        "Port other.py from google-generativeai to google-genai\n\n"
        "google-generativeai is not maintained any more.\n\n"
        "- other.py: 4 uses\n\n"
        "Mind: Reading the text of an answer without text gives None; legacy raised ValueError.\n"
        "(other.py:4, as numbered before)\n"
    )


def test_one_unit_takes_the_requirements_with_it(repository: Path) -> None:
    (repository / "other.py").unlink()
    (only,) = commits(plan([repository], root=repository))
    assert only.paths == ("shared.py", "user.py", "requirements.txt")


@pytest.mark.parametrize("how", ["changed", "staged"])
def test_a_dirty_tree_is_refused(chatport: Command, repository: Path, how: str) -> None:
    (repository / "notes.txt").write_text("mine\n")
    git(repository, "add", "notes.txt")
    if how == "changed":
        git(repository, "commit", "-qm", "notes")
        (repository / "notes.txt").write_text("more\n")
    result = chatport("fix", "--commit")
    assert result.code == 2
    assert "notes.txt: has uncommitted changes" in result.err
    assert "generativeai" in (repository / "other.py").read_text()


def test_a_dirty_tree_is_not_to_be_allowed(chatport: Command, repository: Path) -> None:
    result = chatport("fix", "--commit", "--allow-dirty")
    assert result.code == 2
    assert "never made on a dirty tree" in result.err


def test_without_git_there_is_nothing_to_commit_to(chatport: Command, project: Path) -> None:
    (project / "a.py").write_text(PROGRAM)
    result = chatport("fix", "--commit")
    assert result.code == 2
    assert "--commit needs git, and git status fails in" in result.err
    assert (project / "a.py").read_text() == PROGRAM


def test_hooks_and_signing_programs_of_the_repository_are_not_run(
    chatport: Command, repository: Path, tmp_path: Path
) -> None:
    witness = tmp_path / "witness"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {witness}\n")
    script.chmod(0o755)
    for hook in ("pre-commit", "commit-msg", "post-commit", "prepare-commit-msg"):
        (repository / ".git" / "hooks" / hook).symlink_to(script)
    git(repository, "config", "commit.gpgSign", "true")
    git(repository, "config", "gpg.program", str(script))
    git(repository, "config", "filter.evil.clean", str(script))
    git(repository, "config", "core.editor", str(script))
    (repository / ".git" / "info" / "attributes").write_text("*.py filter=evil\n")
    assert chatport("fix", "--commit").code == 0
    assert len(history(repository)) == 3
    assert not witness.exists()


def test_a_commit_that_fails_says_what_is_left_to_do(
    chatport: Command, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "")
    monkeypatch.setenv("HOME", str(repository))
    result = chatport("fix", "--commit")
    assert result.code == 2
    assert "all files are written, and 0 of 3 commits made" in result.err
    assert "commit the rest by hand" in result.err
    assert "generativeai" not in (repository / "other.py").read_text()
