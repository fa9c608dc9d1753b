"""A repository that nobody vouches for: what its files and its git configuration may not do."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from chatport.cli.app import run
from chatport.port import journal
from chatport.port.config import ConfigError, load_config
from chatport.port.findings import FilePlan, Plan, Status
from chatport.port.source import git as asking
from chatport.port.source.configured import find
from chatport.port.source.small import MAX_BYTES, read_small
from chatport.port.writer import WriteError, undo, write

PROGRAM = (
    "import google.generativeai as genai\n"
    'genai.configure(api_key="K")\n'
    'print(genai.GenerativeModel("m").generate_content("q").text)\n'
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "app.py").write_text(PROGRAM)
    monkeypatch.chdir(root)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    return root


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(root: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", "-f", ".")
    git(root, "commit", "-qm", "all")


# --- what git would run ---------------------------------------------------------------------


def test_a_repository_that_lacks_objects_fetches_none(root: Path) -> None:
    """A partial clone names, for its missing objects, a remote and the program that serves it."""
    commit(root)
    tree = git(root, "rev-parse", "HEAD^{tree}")
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"file://{root.parent}/nothing",
        "remote.origin.uploadpack": f"touch {root.parent}/ran; false",
        "protocol.file.allow": "always",
    }.items():
        git(root, "config", key, value)
    (root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    (root / ".git/index").unlink()
    asking.state(str(root))
    run(["fix", "--write", "--allow-dirty", "."])
    assert not (root.parent / "ran").exists()


@pytest.mark.parametrize("protocol", ["file", "ext", "ssh", "git", "http"])
def test_no_protocol_is_spoken_whatever_the_repository_allows(root: Path, protocol: str) -> None:
    commit(root)
    git(root, "config", f"protocol.{protocol}.allow", "always")
    git(root, "config", "core.sshCommand", f"touch {root.parent}/ran #")
    address = {"file": f"file://{root}", "ext": f"ext::touch {root.parent}/ran"}
    code, _, errors = asking.ask(
        str(root), "ls-remote", address.get(protocol, f"{protocol}://127.0.0.1:1/x")
    )
    assert code != 0
    assert "not allowed" in errors
    assert not (root.parent / "ran").exists()


# --- a journal that came with the repository -------------------------------------------------


def forge(root: Path, path: str, found: bytes, wanted: bytes) -> None:
    folder = root / journal.FOLDER / "runs" / "99991231T000000.000-ffffff"
    (folder / "before").mkdir(parents=True)
    (folder / "before/0").write_bytes(wanted)
    entry = journal.Entry(path, journal.digest(wanted), journal.digest(found))
    (folder / "journal.json").write_bytes(msgspec.json.encode(journal.Journal(1, (entry,))))


@pytest.mark.parametrize("path", [".git/config", ".GIT/config", "sub/.git/hooks/pre-commit"])
def test_a_journal_puts_nothing_where_git_looks_for_programs(root: Path, path: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(b"[core]\n")
    forge(root, path, b"[core]\n", b"[core]\n\tfsmonitor = touch ran\n")
    with pytest.raises(WriteError, match="the path is git's own"):
        undo(root)
    assert target.read_bytes() == b"[core]\n"


def test_a_journal_that_git_has_is_not_believed(root: Path) -> None:
    forge(root, "app.py", PROGRAM.encode(), b"import os\n")
    commit(root)
    with pytest.raises(WriteError, match="the journal is part of the repository"):
        undo(root)
    assert (root / "app.py").read_text() == PROGRAM


def test_a_plan_writes_nothing_where_git_looks_for_programs(root: Path) -> None:
    (root / ".git/hooks").mkdir(parents=True)
    (root / ".git/hooks/pre-commit").write_bytes(b"old")
    change = FilePlan(".git/hooks/pre-commit", Status.PORTED, (), b"old", b"new")
    with pytest.raises(WriteError, match="the path is git's own"):
        write(Plan(root, (change,)), allow_dirty=True)
    with pytest.raises(WriteError, match="git does not say"):
        write(Plan(root, (change,)))


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b'{"version": 1e999}', b'{"version":1,"files":5}']
)
def test_a_journal_that_is_none_is_named(root: Path, data: bytes) -> None:
    forge(root, "app.py", b"", b"")
    (root / journal.FOLDER / "runs/99991231T000000.000-ffffff/journal.json").write_bytes(data)
    with pytest.raises(WriteError, match="is damaged"):
        undo(root)


# --- a configuration that came with the repository ----------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        'output = "/tmp/report.json"',
        'output = "../report.json"',
        'output = "link/report.json"',
        'output = ".git/config"',
        'output = ".Git/hooks/pre-commit"',
        'baseline = "../elsewhere.json"',
        'baseline = "link"',
        'paths = [".."]',
        'paths = ["src", "/etc"]',
        'paths = ["link"]',
        'paths = ["a\\u0000b"]',
    ],
)
def test_a_configuration_names_files_of_its_own_folder_only(root: Path, line: str) -> None:
    (root / "link").symlink_to(root.parent)
    (root / "pyproject.toml").write_text(f"[tool.chatport]\n{line}\n")
    with pytest.raises(ConfigError, match=r"pyproject.toml:2: .*(leads out of|no null byte)"):
        load_config(root)
    assert run(["check", "--update-baseline", "."]) == 2
    assert sorted(path.name for path in root.parent.iterdir()) == ["project"]


def test_a_report_goes_where_the_configuration_is(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "pyproject.toml").write_text('[tool.chatport]\noutput = "port.json"\nformat = "json"\n')
    (root / "sub").mkdir()
    monkeypatch.chdir(root / "sub")
    assert run(["check", str(root)]) == 1
    assert json.loads((root / "port.json").read_text())["summary"]["legacy_files"] == 1


@pytest.mark.parametrize("name", ["pyproject.toml", "ruff.toml", ".ruff.toml"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "deep", "huge number", "long"])
def test_a_configuration_that_is_none_keeps_nobody_waiting(
    root: Path, name: str, kind: str
) -> None:
    path = root / name
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case "deep":
            path.write_text("[tool.chatport]\npaths = " + "[" * 5000 + "]" * 5000)
        case "huge number":
            path.write_text("[tool.chatport]\npaths = " + "9" * 5000)
        case _:
            path.write_bytes(b"#" * (MAX_BYTES + 1))
    code = run(["check", "."])
    is_read = name == "pyproject.toml" and kind in {"deep", "huge number"}
    assert code == (2 if is_read else 1)


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pyproject.toml")
    assert find(str(tmp_path)) is None
    with pytest.raises(OSError, match="not a regular file"):
        read_small(tmp_path / "pyproject.toml")
