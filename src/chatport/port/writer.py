"""Writing a plan, and taking a run back: all of it or nothing.

Every new file is on the disk, beside the one it replaces, before the first is replaced. What can
go wrong (a full disk, a read-only folder, a file changed meanwhile) goes wrong before that.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from chatport.port import journal
from chatport.port.bounded import Bounded
from chatport.port.findings import Plan, Problem
from chatport.port.held import interrupts_held
from chatport.port.journal import RunId
from chatport.port.source import git

__all__ = ["RunId", "Undone", "WriteError", "undo", "write"]


_SHOWN = 10
"""Of the files that git could not bring back, so many are named."""


class WriteError(Exception):
    """Nothing was written, or everything was put back; `problems` says why, file by file.

    `left` names the files for which putting back failed too; then the journal is kept.
    """

    def __init__(self, problems: Sequence[Problem], left: Sequence[str] = ()) -> None:
        super().__init__("; ".join(f"{problem.path}: {problem.message}" for problem in problems))
        self.problems: tuple[Problem, ...] = tuple(problems)
        self.left: tuple[str, ...] = tuple(left)


@dataclass(frozen=True, slots=True)
class Undone:
    """A run that was taken back, and the files that have their old bytes again."""

    run: RunId
    restored: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    path: str
    before: bytes
    after: bytes


def write(plan: Plan, *, allow_dirty: bool = False) -> RunId:
    """Write the changes of a plan and return the run's name, for `undo`.

    Raises `WriteError` when the git work tree has uncommitted changes (unless `allow_dirty`), or
    when a file changed since it was planned, is a link or read-only, or cannot be written; and
    `ValueError` when the plan changes nothing.
    """
    changes = [
        _Change(file.path, file.before, file.after)
        for file in plan.changes()
        if file.after is not None
    ]
    if not changes:
        raise ValueError("the plan changes nothing")
    if not allow_dirty and (problems := _uncommitted(plan.root, changes)):
        raise WriteError(problems)
    with _locked(plan.root) as tree:
        _sweep(tree)
        run = journal.new_run()
        abouts = _check(tree, changes)
        try:
            journal.record(tree, run, [(one.path, one.before, one.after) for one in changes])
        except OSError as error:
            raise WriteError([_failed(journal.FOLDER, error)]) from error
        try:
            _replace_all(tree, run, changes, abouts)
        except WriteError as error:
            if not error.left:
                with suppress(OSError):
                    journal.forget(tree, run)
            raise
        with suppress(OSError):  # all is written; the next run tidies up
            journal.forget_old(tree)
    return run


def undo(root: Path, run: RunId | None = None) -> Undone:
    """Take back a run, by default the last one: put the old bytes where the new ones still are.

    Raises `WriteError` when a file was changed after the run, and then restores none; and when the
    journal came with the repository, where anybody could have written it.
    """
    with _locked(root) as tree:
        if message := _foreign_journal(root):
            raise WriteError([Problem(journal.FOLDER, message)])
        try:
            run = _last_run(tree) if run is None else run
            reverse = _reverse(tree, run)
        except journal.JournalError as error:
            raise WriteError([Problem(journal.FOLDER, str(error))]) from error
        except OSError as error:
            raise WriteError([_failed(journal.FOLDER, error)]) from error
        changes = list(reverse)
        _replace_all(tree, run, changes, list(reverse.values()))
        with suppress(OSError):  # all is restored; undoing it once more does nothing
            journal.forget(tree, run)
    return Undone(run, tuple(change.path for change in changes))


def _reverse(tree: Bounded, run: RunId) -> dict[_Change, os.stat_result]:
    """The changes that take a run back; files that have their old bytes already are left out."""
    reverse, problems = {}, []
    for number, entry in enumerate(journal.load(tree, run).files):
        try:
            tree.remove(_temporary(entry.path, run))  # left behind when the run was cut short
            data, about = tree.read(entry.path)
        except OSError as error:
            problems.append(_failed(entry.path, error))
            continue
        if journal.digest(data) == entry.after:
            before = journal.snapshot(tree, run, number, entry.before)
            reverse[_Change(entry.path, data, before)] = about
        elif journal.digest(data) != entry.before:
            problems.append(Problem(entry.path, f"was changed after run {run}; restore it by hand"))
    if problems:
        raise WriteError(problems)
    return reverse


def _foreign_journal(root: Path) -> str | None:
    """Why the journal is not to be believed: it ignores itself, so git cannot have it from us."""
    tracked = git.git(str(root), "ls-files", "-z", "--", journal.FOLDER)
    if tracked is None or not tracked[0]:
        return None
    return "the journal is part of the repository, so no run of yours wrote it; delete it"


@contextmanager
def _locked(root: Path) -> Iterator[Bounded]:
    try:
        tree = Bounded(root)
    except OSError as error:
        raise WriteError([_failed(str(root), error)]) from error
    with tree, interrupts_held():
        try:
            tree.lock()
        except BlockingIOError as error:
            busy = "another run of chatport is writing here; wait until it has ended"
            raise WriteError([Problem(str(root), busy)]) from error
        yield tree


def _sweep(tree: Bounded) -> None:
    """Delete what a run that was killed left behind: it writes no more."""
    with suppress(OSError, journal.JournalError):
        journal.forget_begun(tree)
        for run in journal.runs(tree)[-1:]:
            for entry in journal.load(tree, run).files:
                tree.remove(_temporary(entry.path, run))


def _last_run(tree: Bounded) -> RunId:
    runs = journal.runs(tree)
    if not runs:
        raise journal.JournalError(journal.NONE_LEFT)
    return runs[-1]


# --- before ----------------------------------------------------------------------------------


def _uncommitted(root: Path, changes: Sequence[_Change]) -> list[Problem]:
    """What git could not bring back: tracked files with changes, and untracked ones we change."""
    state = git.state(str(root))
    remedy = "or say --allow-dirty"
    if state is None:
        if git.top_level(str(root)) is None:
            return []
        said = f"git does not say what is committed here; see what git status says, {remedy}"
        return [Problem(".", said)]
    problems = [
        Problem(path, f"has uncommitted changes; commit or stash them, {remedy}")
        for path in state.changed
    ]
    problems += [
        Problem(change.path, f"is not tracked by git; add and commit it, {remedy}")
        for change in changes
        if change.path not in state.tracked
    ]
    if (more := len(problems) - _SHOWN) > 1:
        problems[_SHOWN:] = [Problem(".", f"{more} more files are so; commit them, {remedy}")]
    return problems


def _check(tree: Bounded, changes: Sequence[_Change]) -> list[os.stat_result]:
    abouts, problems = [], []
    for change in changes:
        try:
            abouts.append(_check_one(tree, change))
        except OSError as error:
            problems.append(_failed(change.path, error))
        except WriteError as error:
            problems += error.problems
    if problems:
        raise WriteError(problems)
    return abouts


def _check_one(tree: Bounded, change: _Change) -> os.stat_result:
    data, about = tree.read(change.path)
    if data != change.before:
        raise WriteError([Problem(change.path, "changed since it was planned; run again")])
    if not about.st_mode & 0o222:
        raise WriteError(
            [Problem(change.path, "is read-only; make it writable, or leave it out of the paths")]
        )
    return about


# --- the writing itself ----------------------------------------------------------------------


def _replace_all(
    tree: Bounded, run: RunId, changes: Sequence[_Change], abouts: Sequence[os.stat_result]
) -> None:
    """Stage every change, then put each in place; on failure put everything back."""
    staged: list[str] = []
    begun: list[tuple[_Change, os.stat_result]] = []
    path = ""
    try:
        for change, about in zip(changes, abouts, strict=True):
            path = change.path
            tree.create(_temporary(path, run), change.after, about)
            staged.append(_temporary(path, run))
        for change, about in zip(changes, abouts, strict=True):
            path = change.path
            _check_one(tree, change)
            begun.append((change, about))
            tree.replace(path, by=_temporary(path, run))
    except OSError as error:
        raise _undone(tree, run, begun, [_failed(path, error)]) from error
    except WriteError as error:
        raise _undone(tree, run, begun, error.problems) from error
    finally:
        for name in staged:
            with suppress(OSError):
                tree.remove(name)


def _undone(
    tree: Bounded,
    run: RunId,
    begun: Sequence[tuple[_Change, os.stat_result]],
    problems: Sequence[Problem],
) -> WriteError:
    """Put back what was replaced so far; the error says what went wrong and what was left."""
    left = []
    for change, about in reversed(begun):
        try:
            if tree.read(change.path)[0] == change.after:
                tree.create(_temporary(change.path, run), change.before, about)
                tree.replace(change.path, by=_temporary(change.path, run))
        except OSError as error:
            reason = f"was written and could not be put back ({error.strerror}); try chatport undo"
            left.append(Problem(change.path, reason))
    return WriteError([*problems, *left], [problem.path for problem in left])


def _temporary(path: str, run: RunId) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}.{name[:60]}.{run}.tmp"


_REMEDIES = {
    errno.ENOSPC: "free some space and run again",
    errno.EDQUOT: "free some space and run again",
    errno.EACCES: "make the file and its folder writable, or leave it out of the paths",
    errno.EPERM: "make the file and its folder writable, or leave it out of the paths",
    errno.EROFS: "the disk is read-only; work on a copy",
    errno.ENOENT: "it is gone; run again",
    errno.ELOOP: "it is a link, which is never followed; name the file it leads to",
    errno.ENOTDIR: "a folder above it is a link, which is never followed",
}


def _failed(path: str, error: OSError) -> Problem:
    remedy = _REMEDIES.get(error.errno or 0, "correct that and run again")
    return Problem(path, f"cannot be written ({error.strerror}); {remedy}")
