"""Asks a warm process for the plans of repositories; one such process for each thread."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import weakref
from typing import Final

import msgspec

from chatport.port.fleet.survey import READY, Job, Limits, Outcome

GRACE_SECONDS: Final = 30.0
"""What the warm process may take beyond the limit of a job before it is taken for broken."""

_own = threading.local()
_all: weakref.WeakSet[Nursery] = weakref.WeakSet()
_dismissed = threading.Event()
"""Nobody waits for any plan: a process that is started in that moment has nothing to do."""


class NurseryError(Exception):
    """The process that plans does not start; what it said of it is on the error stream."""


def survey_apart(source: str, limits: Limits) -> Outcome:
    """Plan one repository in isolation, by the warm process of this thread.

    What a repository does to the processes is told as an outcome. Raises `NurseryError` when there
    is no process to begin with.
    """
    if _dismissed.is_set():
        return Outcome(None, "nobody waits for it any more")
    nursery: Nursery | None = getattr(_own, "nursery", None)
    if nursery is None:
        nursery = _own.nursery = Nursery()
    return nursery.ask(source, limits)


def engage() -> None:
    """Let processes be started, again."""
    _dismissed.clear()


def dismiss() -> None:
    """End the warm processes of all threads, with the forks that they wait for; until `engage`
    there are no new ones."""
    _dismissed.set()
    for nursery in list(_all):
        nursery.let_go()


class Nursery:
    """One warm process, started when it is needed. It ends with the program, or when let go."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        _all.add(self)

    def let_go(self) -> None:
        """Tell the process that nobody waits for it any more; also while another thread does."""
        process = self._process
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()

    def ask(self, source: str, limits: Limits) -> Outcome:
        """The outcome of one repository."""
        job = msgspec.json.encode(Job(source, limits)) + b"\n"
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        last_resort = threading.Timer(limits.seconds + GRACE_SECONDS, process.kill)
        last_resort.daemon = True
        last_resort.start()
        try:
            process.stdin.write(job)
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError):  # it has died, or was let go
            line = b""
        finally:
            last_resort.cancel()
        if not line.endswith(b"\n"):
            self.close()
            return Outcome(None, "the process that planned it died; ask again with --retry")
        return msgspec.json.decode(line, type=Outcome)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        try:
            process.wait(timeout=5)  # its input has ended, so it ends by itself
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __del__(self) -> None:
        self.close()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "chatport.port.fleet.warm"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the one who asks
            )
            if _dismissed.is_set():  # it was not there to be told
                self.let_go()
            assert self._process.stdout is not None
            if self._process.stdout.readline() != READY:
                self.close()
                raise NurseryError("the process that plans repositories does not start")
        return self._process
