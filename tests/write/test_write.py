"""A plan is written whole or not at all, and a run can be taken back."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chatport.port import bounded, journal
from chatport.port.findings import FilePlan, Plan, Status
from chatport.port.journal import NONE_LEFT
from chatport.port.writer import RunId, WriteError, undo, write

BEFORE = {"a.py": b"import old\r\n", "sub/b.py": b"\xef\xbb\xbfold()\n", "sub/deep/c.py": b""}
AFTER = {"a.py": b"import new\r\n", "sub/b.py": b"\xef\xbb\xbfnew()\n", "sub/deep/c.py": b"x"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name, data in BEFORE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def plan(root: Path) -> Plan:
    files = tuple(
        FilePlan(name, Status.PORTED, (), BEFORE[name], AFTER[name]) for name in sorted(BEFORE)
    )
    clean = FilePlan("clean.py", Status.CLEAN, (), b"untouched")
    return Plan(root, (*files, clean))


def content(root: Path) -> dict[str, bytes]:
    """Every file but the journal's."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".git", ".chatport"} & set(path.relative_to(root).parts)
    }


def said(error: pytest.ExceptionInfo[WriteError]) -> dict[str, str]:
    return {problem.path: problem.message for problem in error.value.problems}


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def commit(root: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "all")


# --- the ordinary way ------------------------------------------------------------------------


def test_a_written_plan_can_be_taken_back(root: Path) -> None:
    run = write(plan(root))
    assert content(root) == AFTER
    undone = undo(root)
    assert undone.run == run
    assert undone.restored == tuple(sorted(BEFORE))
    assert content(root) == BEFORE


@pytest.mark.parametrize("name", ["é 漢.py", "new\nline.py", os.fsdecode(b"\xff.py")])
def test_unusual_names_are_written_and_taken_back(root: Path, name: str) -> None:
    (root / name).write_bytes(b"old")
    write(Plan(root, (FilePlan(name, Status.PORTED, (), b"old", b"new"),)))
    assert (root / name).read_bytes() == b"new"
    assert undo(root).restored == (name,)
    assert (root / name).read_bytes() == b"old"


def test_the_mode_is_kept(root: Path) -> None:
    (root / "a.py").chmod(0o751)
    write(plan(root))
    assert stat.S_IMODE((root / "a.py").stat().st_mode) == 0o751
    undo(root)
    assert stat.S_IMODE((root / "a.py").stat().st_mode) == 0o751


def test_the_journal_ignores_itself(root: Path) -> None:
    commit(root)
    write(plan(root))
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True
    )
    assert ".chatport" not in status.stdout


def test_runs_are_undone_last_first_or_by_name(root: Path) -> None:
    first = write(plan(root))
    later = Plan(root, (FilePlan("a.py", Status.PORTED, (), AFTER["a.py"], b"third\n"),))
    second = write(later)
    assert second > first
    assert undo(root).run == second
    assert content(root) == AFTER
    assert undo(root, first).run == first
    assert content(root) == BEFORE


def test_old_runs_are_forgotten(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_KEPT", 2)
    made = []
    for number in range(4):
        data = (root / "a.py").read_bytes()
        new = FilePlan("a.py", Status.PORTED, (), data, b"%d" % number)
        made.append(write(Plan(root, (new,))))
    with bounded.Bounded(root) as tree:
        assert journal.runs(tree) == made[2:]


def test_a_plan_without_changes_is_a_mistake_of_the_caller(root: Path) -> None:
    with pytest.raises(ValueError, match="changes nothing"):
        write(Plan(root))


# --- what is refused -------------------------------------------------------------------------


def test_a_file_that_changed_since_it_was_planned_is_refused(root: Path) -> None:
    (root / "sub/b.py").write_bytes(b"edited\n")
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert said(error) == {"sub/b.py": "changed since it was planned; run again"}
    assert content(root) == {**BEFORE, "sub/b.py": b"edited\n"}
    assert not (root / ".chatport").exists()


def test_a_file_that_changes_while_others_are_written_is_left_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = bounded.Bounded.replace

    def edit_another(tree: bounded.Bounded, path: str, by: str) -> None:
        replace(tree, path, by)
        if path == "a.py":
            (root / "sub/b.py").write_bytes(b"edited\n")

    monkeypatch.setattr(bounded.Bounded, "replace", edit_another)
    with pytest.raises(WriteError, match=r"sub/b.py: changed since it was planned"):
        write(plan(root))
    assert content(root) == {**BEFORE, "sub/b.py": b"edited\n"}


def test_links_are_refused(root: Path) -> None:
    outside = root.parent / "outside"
    (root / "sub").rename(outside)
    (root / "sub").symlink_to(outside)
    (root / "a.py").rename(outside / "a.py")
    (root / "a.py").symlink_to(outside / "a.py")
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert set(said(error)) == set(BEFORE)
    assert all("is a link, which is never followed" in why for why in said(error).values())
    assert (outside / "b.py").read_bytes() == BEFORE["sub/b.py"]
    assert (outside / "a.py").read_bytes() == BEFORE["a.py"]


@pytest.mark.parametrize("path", ["../x.py", "/etc/x.py", "a/../../x.py", "./a.py", "", "a//b"])
def test_a_path_out_of_the_root_is_refused(root: Path, path: str) -> None:
    with pytest.raises(WriteError) as error:
        write(Plan(root, (FilePlan(path, Status.PORTED, (), b"", b"x"),)))
    assert "the path leaves the root" in said(error)[path]


def test_a_read_only_file_is_refused(root: Path) -> None:
    (root / "a.py").chmod(0o444)
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert said(error) == {"a.py": "is read-only; make it writable, or leave it out of the paths"}
    assert content(root) == BEFORE


def test_a_file_that_is_gone_or_no_file_is_refused(root: Path) -> None:
    (root / "a.py").unlink()
    (root / "sub/b.py").unlink()
    os.mkfifo(root / "sub/b.py")
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert "it is gone" in said(error)["a.py"]
    assert "not a regular file" in said(error)["sub/b.py"]


def test_a_journal_folder_that_is_a_link_is_refused(root: Path) -> None:
    (root / ".chatport").symlink_to(root.parent)
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert set(said(error)) == {".chatport"}
    assert content(root) == BEFORE


# --- git -------------------------------------------------------------------------------------


def test_a_clean_work_tree_is_written(root: Path) -> None:
    commit(root)
    (root / "notes.txt").write_text("untracked, and not ours to change")
    write(plan(root))
    assert (root / "a.py").read_bytes() == AFTER["a.py"]


@pytest.mark.parametrize("staged", [False, True])
def test_uncommitted_changes_are_refused(root: Path, staged: bool) -> None:
    (root / "other é.txt").write_text("1")
    commit(root)
    (root / "other é.txt").write_text("2")
    if staged:
        git(root, "add", ".")
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert said(error) == {
        "other é.txt": "has uncommitted changes; commit or stash them, or say --allow-dirty"
    }
    write(plan(root), allow_dirty=True)
    assert (root / "a.py").read_bytes() == AFTER["a.py"]


def test_many_uncommitted_changes_are_not_all_named(root: Path) -> None:
    for number in range(20):
        (root / f"x{number:02}.txt").write_text("1")
    commit(root)
    for number in range(20):
        (root / f"x{number:02}.txt").write_text("2")
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert list(said(error)) == [*(f"x{number:02}.txt" for number in range(10)), "."]
    assert said(error)["."].startswith("10 more files are so; commit them, or say --allow-dirty")


def test_where_git_does_not_answer_nothing_is_taken_for_committed(root: Path) -> None:
    (root / ".git").mkdir()
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert said(error)["."].startswith("git does not say what is committed here; see what git ")
    write(plan(root), allow_dirty=True)
    assert (root / "a.py").read_bytes() == AFTER["a.py"]


def test_an_untracked_file_is_not_changed(root: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", "a.py", "sub/b.py")
    git(root, "commit", "-qm", "some")
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert said(error) == {
        "sub/deep/c.py": "is not tracked by git; add and commit it, or say --allow-dirty"
    }


def test_a_root_below_the_top_of_the_work_tree_counts_its_own_files(root: Path) -> None:
    (root.parent / "elsewhere.txt").write_text("1")
    commit(root.parent)
    (root.parent / "elsewhere.txt").write_text("2")
    (root / "sub/b.py").write_text("2")
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert set(said(error)) == {"sub/b.py"}


def test_asking_git_runs_no_program_of_the_repository(root: Path) -> None:
    program = root.parent / "program"
    program.write_text(f"#!/bin/sh\ntouch {root.parent}/ran\ncat\n")
    program.chmod(0o755)
    (root / ".gitattributes").write_text("*.py filter=bad=er\n")
    commit(root)
    for key in ("core.fsmonitor", "filter.bad=er.clean", "filter.bad=er.process"):
        git(root, "config", key, str(program))
    git(root, "config", "filter.bad=er.required", "true")
    for name, data in BEFORE.items():
        (root / name).unlink()
        (root / name).write_bytes(data)
    write(plan(root), allow_dirty=False)
    assert not (root.parent / "ran").exists()


# --- undo ------------------------------------------------------------------------------------


def test_undo_restores_nothing_when_a_file_was_changed_after_the_run(root: Path) -> None:
    run = write(plan(root))
    (root / "a.py").write_bytes(b"mine\n")
    with pytest.raises(WriteError) as error:
        undo(root)
    assert said(error) == {"a.py": f"was changed after run {run}; restore it by hand"}
    assert content(root) == {**AFTER, "a.py": b"mine\n"}


def test_undo_without_a_run_says_so(root: Path) -> None:
    with pytest.raises(WriteError, match="no run is left to take back"):
        undo(root)
    with pytest.raises(WriteError, match="there is no run x here; no run is left"):
        undo(root, RunId("x"))
    with pytest.raises(WriteError, match=r"there is no run \.\./\.\. here"):
        undo(root, RunId("../.."))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("journal.json", b"{", "is damaged"),
        ("journal.json", b'{"version":1,"files":[],"more":1}', "is damaged"),
        ("journal.json", b'{"version":2,"files":[]}', "has version 2"),
        ("before/0", b"other", "holds other bytes"),
    ],
)
def test_a_damaged_journal_is_refused(root: Path, name: str, data: bytes, message: str) -> None:
    run = write(plan(root))
    (root / ".chatport/runs" / run / name).write_bytes(data)
    with pytest.raises(WriteError, match=message):
        undo(root)
    assert content(root) == AFTER


def test_a_forged_journal_cannot_reach_out_of_the_root(root: Path) -> None:
    outside = root.parent / "outside.py"
    outside.write_bytes(b"theirs")
    run = write(plan(root))
    path = root / ".chatport/runs" / run / "journal.json"
    forged = journal.Entry("../outside.py", journal.digest(b"x"), journal.digest(b"theirs"))
    path.write_bytes(msgspec.json.encode(journal.Journal(1, (forged,))))
    with pytest.raises(WriteError, match="the path leaves the root"):
        undo(root)
    assert outside.read_bytes() == b"theirs"


# --- faults ----------------------------------------------------------------------------------

NEEDS_SPACE = ("open", "fsync", "replace", "mkdir", "fchmod")
KILLED = (*NEEDS_SPACE, "unlink", "fdopen")


class Faulty:
    """The `os` module, in which one call fails; a killed process makes no call after that."""

    def __init__(self, at: int, error: BaseException, *, killed: bool) -> None:
        self._left = at
        self._error = error
        self._killed = killed
        self.happened = False

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in (KILLED if self._killed else NEEDS_SPACE):
            return real

        def call(*arguments: Any, **keywords: Any) -> Any:
            if name == "open" and not self._killed and not arguments[1] & os.O_CREAT:
                return real(*arguments, **keywords)
            self._left -= 1
            if self._left == 0 or (self._killed and self._left < 0):
                self.happened = True
                raise type(self._error)(*self._error.args)  # anew, or its traceback would grow
            return real(*arguments, **keywords)

        return call


def fault_points(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, *, killed: bool
) -> Iterator[Faulty]:
    """One faulty `os` after the other, until the fault comes after the last call."""
    monkeypatch.setattr(os, "fsync", lambda _: None)  # thousands of them take long
    for at in range(1, 1000):
        faulty = Faulty(at, error, killed=killed)
        monkeypatch.setattr(bounded, "os", faulty)
        yield faulty
        monkeypatch.setattr(bounded, "os", os)
        if not faulty.happened:
            return


def attempt(root: Path) -> BaseException | None:
    try:
        write(plan(root))
    except (WriteError, KeyboardInterrupt) as error:
        return error
    return None


def take_back(root: Path) -> str:
    try:
        undo(root)
    except WriteError as error:
        return str(error)
    return ""


def test_a_full_disk_leaves_everything_as_it_was(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    failures = []
    for _ in fault_points(monkeypatch, full, killed=False):
        error = attempt(root)
        monkeypatch.setattr(bounded, "os", os)
        assert content(root) == (AFTER if error is None else BEFORE)
        assert ("no run is left" in take_back(root)) == (error is not None)
        failures += [] if error is None else [error]
    assert len(failures) > 25
    assert all("No space left on device" in str(error) for error in failures)
    assert all(isinstance(error, WriteError) and error.left == () for error in failures)


def test_a_run_that_is_cut_short_can_be_taken_back(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_short = 0
    for _ in fault_points(monkeypatch, KeyboardInterrupt(), killed=True):
        cut_short += attempt(root) is not None
        monkeypatch.setattr(bounded, "os", os)
        found = content(root)
        assert all(found[name] in (BEFORE[name], AFTER[name]) for name in BEFORE)
        assert take_back(root) in ("", NO_RUN)
        assert content(root) == BEFORE
        shutil.rmtree(root / ".chatport", ignore_errors=True)
    assert cut_short > 30


NO_RUN = f".chatport: {NONE_LEFT}"


class Pressing:
    """The module `os`, where Ctrl-C is pressed whenever a file is put in its place."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def replace(self, *arguments: Any, **keywords: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        os.replace(*arguments, **keywords)  # noqa: PTH105 - beside a folder that is open


def test_ctrl_c_while_files_are_written_is_told_of_when_all_are(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "os", Pressing())
    with pytest.raises(KeyboardInterrupt):
        write(plan(root))
    monkeypatch.setattr(bounded, "os", os)
    assert content(root) == AFTER
    assert take_back(root) == ""
    assert content(root) == BEFORE


def test_what_cannot_be_put_back_is_said_and_the_journal_stays(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = bounded.Bounded.replace

    def only_once(tree: bounded.Bounded, path: str, by: str) -> None:
        if (root / "a.py").read_bytes() != BEFORE["a.py"]:
            raise OSError(errno.EROFS, "Read-only file system")
        replace(tree, path, by)

    monkeypatch.setattr(bounded.Bounded, "replace", only_once)
    with pytest.raises(WriteError) as error:
        write(plan(root))
    assert error.value.left == ("a.py",)
    assert "try chatport undo" in said(error)["a.py"]
    monkeypatch.undo()
    assert undo(root).restored == ("a.py",)
    assert content(root) == BEFORE
