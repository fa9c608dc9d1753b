"""Whatever a repository does to the processes, it is told, and the next one is planned."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from chatport.port.fleet.nursery import Nursery, NurseryError, dismiss, engage, survey_apart
from chatport.port.fleet.survey import READY, Job, Limits
from tests.fleet.repositories import LEGACY, committed, repository

FREE = Limits(120.0)


@pytest.fixture(scope="module", autouse=True)
def engaged() -> Iterator[None]:
    engage()
    yield
    engage()


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    one = Nursery()
    yield one
    one.close()


@pytest.fixture
def silent() -> Iterator[str]:
    """A remote that takes the question and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"git://127.0.0.1:{server.getsockname()[1]}/shop.git"


def works(nursery: Nursery, folder: Path) -> bool:
    outcome = nursery.ask(str(repository(folder, a=LEGACY)), FREE)
    return outcome.survey is not None and outcome.survey.summary.ported == 1


def test_a_folder_is_planned_and_measured(nursery: Nursery, tmp_path: Path) -> None:
    outcome = nursery.ask(str(repository(tmp_path / "r", a=LEGACY)), FREE)
    assert outcome.error is None
    assert outcome.survey is not None
    assert outcome.survey.summary.ported == 1
    assert outcome.seconds > 0
    assert outcome.cpu_seconds > 0
    assert outcome.peak_bytes > 1 << 20


def test_a_remote_is_cloned_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = tmp_path / "rooms"
    rooms.mkdir()
    monkeypatch.setenv("TMPDIR", str(rooms))
    one = Nursery()
    outcome = one.ask(committed(repository(tmp_path / "r", a=LEGACY)), FREE)
    one.close()
    assert outcome.survey is not None
    assert outcome.survey.revision
    assert list(rooms.iterdir()) == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("/nowhere/at/all", "there is no folder /nowhere/at/all"),
        ("file:///nowhere/at/all", "git could not clone it"),
    ],
)
def test_what_is_not_there_is_told(source: str, said: str, nursery: Nursery) -> None:
    outcome = nursery.ask(source, FREE)
    assert outcome.survey is None
    assert said in (outcome.error or "")


def test_one_that_takes_too_long_is_ended_with_all_it_started(
    nursery: Nursery, silent: str, tmp_path: Path
) -> None:
    outcome = nursery.ask(silent, Limits(1.5))
    assert outcome.error == "it took longer than 1.5 seconds"
    assert silent not in running()
    assert works(nursery, tmp_path / "next")


def test_one_that_needs_too_much_memory_is_told(nursery: Nursery, tmp_path: Path) -> None:
    large = repository(tmp_path / "large", a=LEGACY + "x = [0]\n" * 200_000)
    outcome = nursery.ask(str(large), Limits(120.0, memory=60 << 20))
    assert outcome.error == "its plan needs more than 60 MB of memory"
    assert works(nursery, tmp_path / "next")


def test_a_process_that_dies_is_told_and_replaced(silent: str, tmp_path: Path) -> None:
    one = Nursery()
    assert works(one, tmp_path / "first")
    process = one._started()
    process.kill()
    process.wait()
    assert works(one, tmp_path / "next")
    one.close()


def test_when_nobody_waits_any_more_everything_ends(silent: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "chatport.port.fleet.warm"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == READY
    process.stdin.write(msgspec.json.encode(Job(silent, FREE)) + b"\n")
    process.stdin.flush()
    until = time.monotonic() + 30
    while silent not in running() and time.monotonic() < until:
        time.sleep(0.02)
    process.stdin.close()
    assert process.wait(30) == 0
    assert silent not in running()
    process.stdout.close()


def test_who_asks_when_all_are_dismissed_waits_for_nothing(silent: str) -> None:
    early = Nursery()
    dismiss()
    try:
        assert early.ask(silent, FREE).survey is None
        assert survey_apart(silent, FREE).error == "nobody waits for it any more"
        assert silent not in running()
    finally:
        engage()
        early.close()


def test_a_fork_that_is_killed_is_told(nursery: Nursery, silent: str, tmp_path: Path) -> None:
    killer = subprocess.Popen(
        ["sh", "-c", f"until pkill -9 -f -x 'git .* {silent} .*'; do sleep 0.05; done"]
    )
    outcome = nursery.ask(silent, FREE)
    killer.wait()
    assert "git could not clone it: it ended with -9" in (outcome.error or "")
    assert works(nursery, tmp_path / "next")


def test_where_no_process_starts_nothing_is_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    with pytest.raises(NurseryError, match="does not start"):
        Nursery().ask("/nowhere", FREE)


def test_each_thread_has_a_process_of_its_own(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    roots = [str(repository(tmp_path / f"r{number}", a=LEGACY)) for number in range(4)]
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(survey_apart, roots, [FREE] * 4))
    assert all(outcome.survey for outcome in outcomes)


def running() -> str:
    """The command lines of all processes."""
    lines = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                lines.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except (OSError, UnicodeDecodeError):
                continue
    return "\n".join(lines)
