"""Keeps an executor busy with what waits in a ledger, and the ledger up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from itertools import islice

from chatport.port.fleet.ledger import Counts, Ledger
from chatport.port.fleet.nursery import NurseryError, dismiss, engage, survey_apart
from chatport.port.fleet.survey import Limits, Outcome


class DriveError(Exception):
    """The executor has let go of what it was given; the ledger has the rest."""


AHEAD = 4
"""Repositories that are given out for each worker: enough to be busy, and little to hold."""


def drive(
    ledger: Ledger,
    executor: Executor,
    workers: int,
    limits: Limits,
    progress: Callable[[Counts], None],
) -> None:
    """Plan what waits in the ledger; `progress` hears of each step.

    Whatever ends it early, the repositories that were given out go on waiting in the ledger.
    Raises `NurseryError` when no repository can be planned at all, and `DriveError` when the
    executor gives up.
    """
    waiting = ledger.waiting()
    given: dict[Future[Outcome], int] = {}
    try:
        while True:
            for number, source in islice(waiting, workers * AHEAD - len(given)):
                given[executor.submit(survey_apart, source, limits)] = number
            if not given:
                return
            done, _ = wait(given, return_when=FIRST_COMPLETED)
            ledger.record([(given.pop(future), _outcome(future)) for future in done])
            progress(ledger.counts())
    finally:
        for future in given:
            future.cancel()


def _outcome(future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except NurseryError:
        raise
    except CancelledError as error:
        raise DriveError("the cluster let go of its work; run the same command to go on") from error
    except Exception as error:  # of the cluster: it has lost a worker too often, say
        return Outcome(None, f"the worker was lost ({type(error).__name__}); ask with --retry")


@contextmanager
def on_this_machine(workers: int) -> Iterator[Executor]:
    """An executor whose threads have a process each that plans."""
    engage()
    executor = ThreadPoolExecutor(workers)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        dismiss()
