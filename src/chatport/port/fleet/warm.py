"""The process that plans repositories, each in a fork of itself; it is run as a module.

It has loaded the engine once, so that a fork costs milliseconds; and whatever a repository does to
its fork, by its size or by a mistake of ours, the next one starts afresh. Jobs come as lines of
JSON on the standard input, outcomes go as lines of JSON to the standard output, one at a time. When
the input ends, a fork that still runs is ended too: nobody waits for it.
"""

from __future__ import annotations

import gc
import os
import resource
import select
import signal
import sys
import tempfile
import time
from enum import Enum, auto
from pathlib import Path

import msgspec

from chatport.port.config import ConfigError
from chatport.port.fleet.checkout import CheckoutError, clone
from chatport.port.fleet.sources import is_remote
from chatport.port.fleet.survey import READY, Job, Outcome, survey
from chatport.port.report.escape import on_one_line

_INPUT, _OUTPUT, _ERRORS = 0, 1, 2
_EXAMPLE = 'import google.generativeai as genai\ngenai.GenerativeModel("m").generate_content("q")\n'
_MEGABYTE = 1 << 20
_LOOK_AGAIN = 0.05
"""Seconds between two looks at the memory a fork holds."""


class Exceeded(Enum):
    """The limits of a repository."""

    TIME = auto()
    MEMORY = auto()


class GoneError(Exception):
    """Whoever gave the job is not there any more."""


def main() -> int:
    """Plan what is asked for until the input ends; returns the exit code."""
    _load_everything()
    try:
        _write(_OUTPUT, READY)
        while (line := _line()) is not None:
            outcome = _apart(msgspec.json.decode(line, type=Job))
            _write(_OUTPUT, msgspec.json.encode(outcome) + b"\n")
    except (GoneError, BrokenPipeError):
        pass
    return 0


def _load_everything() -> None:
    """Plan a small program, which imports what planning needs; a fork has it then."""
    with tempfile.TemporaryDirectory(prefix="chatport-warm-") as folder:
        (Path(folder) / "example.py").write_text(_EXAMPLE)
        survey(Path(folder))
    gc.collect()
    gc.freeze()  # else a fork's first collection would copy every page


def _line() -> bytes | None:
    """The next line of the input; None when it has ended. Nothing follows a job before its
    outcome, so that whole lines come."""
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(_INPUT, 1 << 16)
        if not piece:
            return None
        line += piece
    return line


def _apart(job: Job) -> Outcome:
    """Plan a repository in a fork, within its limits; raises `GoneError`."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="chatport-fleet-", ignore_cleanup_errors=True) as room:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            _be_the_fork(job, Path(room), writing)
        os.close(writing)
        try:
            said = _heard(reading, child, start + job.limits.seconds, job.limits.memory)
        finally:
            os.close(reading)
            _end(child)
            _, status, usage = os.wait4(child, 0)
    match said:
        case Exceeded.TIME:
            outcome = Outcome(None, f"it took longer than {job.limits.seconds:g} seconds")
        case Exceeded.MEMORY:
            needs = f"its plan needs more than {job.limits.memory // _MEGABYTE} MB of memory"
            outcome = Outcome(None, needs)
        case b"":
            outcome = Outcome(None, _how_it_died(os.waitstatus_to_exitcode(status)))
        case _:
            outcome = msgspec.json.decode(said, type=Outcome)
    return msgspec.structs.replace(
        outcome,
        seconds=round(time.monotonic() - start, 4),
        cpu_seconds=round(usage.ru_utime + usage.ru_stime, 4),
        peak_bytes=usage.ru_maxrss * 1024,
    )


def _heard(reading: int, child: int, until: float, memory: int) -> bytes | Exceeded:
    """All that a fork says, or the limit that it exceeds before. Raises `GoneError`."""
    pieces: list[bytes] = []
    while True:
        left = until - time.monotonic()
        if left <= 0:
            return Exceeded.TIME
        ready = select.select([reading, _INPUT], [], [], min(left, _LOOK_AGAIN))[0]
        if _INPUT in ready:  # no job comes now: the input has ended
            raise GoneError
        if reading in ready:
            piece = os.read(reading, 1 << 16)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
        elif _held(child) > memory:
            return Exceeded.MEMORY


def _held(process: int) -> int:
    """The bytes of memory a process holds; 0 where the system does not tell.

    A limit of the system's would not do: Python's parser raises the same error for a program that
    is nested too deep, and the file alone would be told.
    """
    try:
        words = Path(f"/proc/{process}/statm").read_bytes().split()
    except OSError:
        return 0
    return int(words[1]) * resource.getpagesize()


def _end(child: int) -> None:
    """End the fork with all that it has started."""
    for kill in (os.killpg, os.kill):  # it may not have come to have a group of its own
        try:
            kill(child, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _how_it_died(code: int) -> str:
    if code == -signal.SIGKILL:
        return "its process was killed, perhaps because the machine has no memory left"
    return f"its process died with {code}; this is a mistake in chatport"


def _be_the_fork(job: Job, room: Path, writing: int) -> None:
    """Plan, tell, and end without a trace of the process this is a copy of."""
    code = 1
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, _INPUT)
        os.dup2(nothing, _OUTPUT)
        os.dup2(nothing, _ERRORS)  # where Python warns of the code it reads
        gc.disable()  # what a plan is made of lives until it is made
        _write(writing, msgspec.json.encode(_planned(job, room)))
        code = 0
    finally:
        os._exit(code)


def _planned(job: Job, room: Path) -> Outcome:
    try:
        root = Path(job.source)
        if is_remote(job.source):
            root = room / "clone"
            clone(job.source, root)
        return Outcome(survey(root))
    except (CheckoutError, ConfigError) as error:
        return Outcome(None, on_one_line(str(error)))
    except NotADirectoryError as error:
        return Outcome(None, str(error))
    except Exception as error:
        what = on_one_line(f"{type(error).__name__}: {error}")
        return Outcome(None, f"{what}; this is a mistake in chatport")


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


if __name__ == "__main__":
    sys.exit(main())
