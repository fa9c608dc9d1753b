"""The long-lived process that runs programs one by one, each in a process of its own.

It imports the SDK once; a program then starts as a fork of it, in its own session, with files for
its streams. The supervisor bounds the program's time and output, and ends what it leaves behind.
Jobs come in on stdin and results go out on stdout, one JSON document a line.

    python supervisor.py MODULE...      imports the modules first
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

POLL_SECONDS = 0.005
LARGEST_FILE = 64 * 2**20
"""Bytes a program may write into one file."""
LEAST_MEMORY = 2**30
"""Bytes that each process of a program may use in any case; more where the machine has more."""
_HOST = os.getppid()
_END_WITH_PARENT = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>
_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER of <sys/prctl.h>


def main(modules: list[str]) -> None:
    """Import the modules, say what is missing, and serve jobs until stdin ends."""
    jobs, results = _private_streams()
    # A program must not import from where the supervisor was started.
    sys.path[:] = [entry for entry in sys.path if entry not in {"", os.getcwd()}]
    _tell_kernel(_ADOPT_ORPHANS, 1)
    missing = _import(modules)
    if "google.genai" in modules and not missing:
        # Before the first fork, so that each program has them.
        from chatport_prove_boot import new

        new.warm()
    results.write(json.dumps({"missing": missing}) + "\n")
    results.flush()
    for line in jobs:
        results.write(json.dumps(_serve(json.loads(line))) + "\n")
        results.flush()


def _tell_kernel(option: int, value: int) -> None:
    """Where there is no prctl, orphans of a program that left its group stay."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _private_streams() -> tuple[Any, Any]:
    """Keep our own stdin and stdout to ourselves: programs get others under those numbers."""
    jobs = os.fdopen(os.dup(0), encoding="utf-8")
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return jobs, results


def _import(modules: list[str]) -> list[str]:
    return [problem for name in modules if (problem := _import_problem(name))]


def _import_problem(name: str) -> str:
    try:
        importlib.import_module(name)
    except Exception as error:
        return f"{name}: {error}"
    return ""


def _serve(job: dict[str, Any]) -> dict[str, Any]:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _become(job)
    began = time.monotonic()
    status, stopped = _wait(child, began + job["seconds"], job)
    # Where orphans cannot be adopted, at least those of its own group go with it.
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "stopped": stopped,
        "left": _end_others(),
        "seconds": round(time.monotonic() - began, 3),
    }


def _become(job: dict[str, Any]) -> None:
    """In the child: take the job's streams and limits, and run it. Never returns."""
    try:
        os.setsid()
        _tell_kernel(_END_WITH_PARENT, signal.SIGKILL)
        for number, path, flags in (
            (0, job["stdin"], os.O_RDONLY),
            (1, job["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
            (2, job["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        ):
            opened = os.open(path, flags, 0o644)
            os.dup2(opened, number)
            os.close(opened)
        os.closerange(3, 64)
        _bound(resource.RLIMIT_CORE, 0)
        _bound(resource.RLIMIT_FSIZE, LARGEST_FILE)
        _bound(resource.RLIMIT_DATA, max(LEAST_MEMORY, _memory() // 4))
        if job["command"] is not None:
            os.chdir(job["folder"])
            try:
                os.execvpe(job["command"][0], job["command"], job["environment"])
            except FileNotFoundError:
                raise Exception("there is no " + job["command"][0]) from None
        from chatport_prove_boot import program

        _fresh_streams()
        program.run(job)
    except BaseException as error:
        os.write(2, f"chatport prove: the program did not start: {error}\n".encode())
    finally:
        os._exit(127)


def _bound(limited: int, most: int) -> None:
    _, allowed = resource.getrlimit(limited)
    if allowed != resource.RLIM_INFINITY:
        most = min(most, allowed)
    resource.setrlimit(limited, (most, most))


def _memory() -> int:
    """Bytes of the machine; both programs of a pair run at the same time, and not alone."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _fresh_streams() -> None:
    """The interpreter's stream objects, as a new interpreter makes them for files."""
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))


def _wait(child: int, deadline: float, job: dict[str, Any]) -> tuple[int, str | None]:
    stopped = None
    pause = POLL_SECONDS / 5
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status, stopped
        if stopped is None:
            stopped = _reason_to_stop(deadline, job)
            if stopped is not None:
                _signal(child, signal.SIGKILL)
        time.sleep(pause)
        pause = min(pause * 1.5, POLL_SECONDS)


def _reason_to_stop(deadline: float, job: dict[str, Any]) -> str | None:
    if time.monotonic() > deadline or os.getppid() != _HOST:
        return "time"
    printed = 0
    for stream in ("stdout", "stderr"):
        with contextlib.suppress(OSError):
            printed += Path(job[stream]).stat().st_size
    return "output" if printed > job["output_bytes"] else None


def _signal(child: int, number: int) -> None:
    for send in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            send(child, number)


def _end_others() -> int:
    """End what the program left running: on Linux its orphans are children of this process now."""
    ended = 0
    for _ in range(100):
        left = [number for number in _children() if _kill(number)]
        while True:
            try:
                done, _ = os.waitpid(-1, 0 if left else os.WNOHANG)
            except ChildProcessError:
                break
            if not done:
                break
            ended += 1
        if not left:
            return ended
    return ended


def _kill(number: int) -> bool:
    try:
        os.kill(number, signal.SIGKILL)
    except OSError:
        return False
    return True


def _children() -> Iterator[int]:
    for listing in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            yield from map(int, listing.read_text().split())


if __name__ == "__main__":
    main(sys.argv[1:])
