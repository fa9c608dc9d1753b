"""On a Dask cluster of several processes, one of which is killed in the middle."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.fleet.repositories import LEGACY, repository
from tests.fleet.test_command import here as here
from tests.fleet.test_command import listed, rows, wait_for

MANY = 40


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's, ended at the end."""
    with subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def scheduler() -> Iterator[str]:
    """The address of a scheduler that listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    words = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    with started("dask_scheduler", *words):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"tcp://{address}"


def worker(scheduler: str) -> tuple[str, ...]:
    return ("dask_worker", scheduler, "--nthreads", "1", "--no-nanny", "--no-dashboard")


def test_a_worker_that_is_killed_loses_nothing(scheduler: str, here: Path) -> None:
    for number in range(MANY):
        repository(here / f"r{number}", a=LEGACY)
    listed(here, *(f"r{number}" for number in range(MANY)))
    with ExitStack() as stack:
        workers = [stack.enter_context(started(*worker(scheduler))) for _ in range(3)]
        command = [sys.executable, "-m", "chatport", "fleet", "repos.txt", "--scheduler", scheduler]
        run = stack.enter_context(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        wait_for(here, 5)
        workers[0].kill()
        assert run.wait(120) == 1
    assert rows(here, "SELECT state, count(*) FROM repository GROUP BY state") == [
        ("planned", MANY)
    ]
    assert rows(here, "SELECT count(*), count(DISTINCT repository) FROM file") == [(MANY, MANY)]
    assert rows(here, "SELECT sum(ported) FROM repository") == [(MANY,)]


def test_a_cluster_without_workers_is_told(scheduler: str, here: Path) -> None:
    repository(here / "r", a=LEGACY)
    listed(here, "r")
    program = (
        "from chatport.port.fleet import cluster\ncluster.SECONDS = 0.5\n"
        "from chatport.cli.app import run\n"
        f"raise SystemExit(run(['fleet', 'repos.txt', '--scheduler', {scheduler!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "has no workers; start one" in done.stderr
    assert "Traceback" not in done.stderr
    assert rows(here, "SELECT state FROM repository") == [("waiting",)]
