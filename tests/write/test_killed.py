"""A run that is killed, or whose disk fails, at any of its steps: nothing is half, nothing lost."""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chatport.port import bounded, journal
from chatport.port.findings import Plan
from chatport.port.writer import WriteError, undo, write
from tests.write.test_write import AFTER, BEFORE, NO_RUN, attempt, content, plan, root, take_back

__all__ = ["root"]

STEPS = frozenset({"open", "mkdir", "fchmod", "fdopen", "fsync", "replace", "unlink", "fstat"})
"""Calls of the system by which a file or folder is made, filled, moved or removed."""


class Killing:
    """The `os` module of a process that is killed before or after one of its steps."""

    def __init__(self, at: int, *, after: bool) -> None:
        self.left = at
        self._after = after

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in STEPS:
            return real

        def call(*arguments: Any, **keywords: Any) -> Any:
            self.left -= 1
            if self.left == 0 and not self._after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = None if name == "fsync" else real(*arguments, **keywords)
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return call


def killed(do: Callable[[], object], at: int, *, after: bool) -> bool:
    """Do something in a process of its own, which is killed; False when it had ended before."""
    child = os.fork()
    if child == 0:
        try:
            bounded.os = Killing(at, after=after)  # type: ignore[assignment]
            do()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def every_step(do: Callable[[], object], reset: Callable[[], None]) -> Iterator[int]:
    """Kill before and after the first step, the second, until the last is behind it."""
    for at in range(1, 1000):
        alive = 0
        for after in (False, True):
            reset()
            if killed(do, at, after=after):
                yield at
            else:
                alive += 1
        if alive == 2:
            return


def fresh(root: Path) -> None:
    shutil.rmtree(root)
    for name, data in BEFORE.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def whole(root: Path) -> bool:
    """Whether each file has all its old or all its new bytes."""
    return all((root / name).read_bytes() in (BEFORE[name], AFTER[name]) for name in BEFORE)


def left_to_do(root: Path) -> Plan:
    """The plan that a run makes of what it finds: files that have their new bytes are done."""
    changes = [one for one in plan(root).files if one.path in BEFORE]
    return Plan(root, tuple(c for c in changes if (root / c.path).read_bytes() == BEFORE[c.path]))


def test_undo_restores_what_a_killed_run_left(root: Path) -> None:
    count = 0
    for _ in every_step(lambda: write(plan(root)), lambda: fresh(root)):
        count += 1
        assert whole(root)
        assert take_back(root) in ("", NO_RUN)
        assert content(root) == BEFORE
    assert count > 60


def test_a_second_run_finishes_what_a_killed_one_began(root: Path) -> None:
    count = 0
    for _ in every_step(lambda: write(plan(root)), lambda: fresh(root)):
        count += 1
        todo = left_to_do(root)
        if todo.files:
            write(todo)
            assert kept(root) == runs(root)
        assert content(root) == AFTER
    assert count > 60


def test_an_undo_that_is_killed_can_be_made_again(root: Path) -> None:
    def reset() -> None:
        fresh(root)
        write(plan(root))

    count = 0
    for _ in every_step(lambda: undo(root), reset):
        count += 1
        assert whole(root)
        if content(root) != BEFORE:
            undo(root)
        assert content(root) == BEFORE
    assert count > 30


def kept(root: Path) -> list[str]:
    return sorted(path.name for path in (root / journal.FOLDER / "runs").iterdir())


def runs(root: Path) -> list[str]:
    with bounded.Bounded(root) as tree:
        return list(journal.runs(tree))


# --- failures ----------------------------------------------------------------------------------


class Failing(Killing):
    """The `os` module, in which one step fails once."""

    def __init__(self, at: int, error: int) -> None:
        super().__init__(at, after=False)
        self._error = error

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in STEPS:
            return real

        def call(*arguments: Any, **keywords: Any) -> Any:
            self.left -= 1
            if self.left == 0:
                raise OSError(self._error, os.strerror(self._error))
            return None if name == "fsync" else real(*arguments, **keywords)

        return call


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EACCES, errno.EIO, errno.EMFILE])
def test_a_disk_that_fails_at_any_step_changes_nothing_or_all(
    root: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    failures = 0
    for at in range(1, 1000):
        fresh(root)
        failing = Failing(at, error)
        monkeypatch.setattr(bounded, "os", failing)
        problem = attempt(root)
        failures += problem is not None
        assert problem is None or os.strerror(error) in str(problem)
        monkeypatch.setattr(bounded, "os", os)
        assert content(root) in (BEFORE, AFTER)
        if failing.left > 0:
            break
    assert failures > 25


def test_one_writer_at_a_time(root: Path) -> None:
    with bounded.Bounded(root) as tree:
        tree.lock()
        with pytest.raises(WriteError, match="another run of chatport is writing here"):
            write(plan(root))
        with pytest.raises(WriteError, match="another run of chatport is writing here"):
            undo(root)
    write(plan(root))
    assert content(root) == AFTER
