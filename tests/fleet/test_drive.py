"""What is given to an executor, and what becomes of it when the executor fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from chatport.port.fleet.drive import AHEAD, DriveError, drive
from chatport.port.fleet.ledger import Counts, Ledger
from chatport.port.fleet.nursery import NurseryError
from chatport.port.fleet.survey import Limits, Outcome

Answer = Callable[[str], Outcome]


class ByHand(Executor):
    """Answers one question whenever nobody can go on without; notes how many wait."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.most = 0
        self.asked: list[str] = []
        self._open: list[tuple[Future[Any], str]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = _Waited(self._step)
        self.asked.append(args[0])
        self._open.append((future, args[0]))
        self.most = max(self.most, len(self._open))
        return future

    def _step(self) -> None:
        future, source = self._open.pop()
        try:
            future.set_result(self.answer(source))
        except BaseException as error:
            future.set_exception(error)


class _Waited(Future[Any]):
    """A future whose executor makes a step when its state is asked for and it has none."""

    def __init__(self, step: Callable[[], None]) -> None:
        super().__init__()
        self.step = step


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "fleet.sqlite", "chatport 1") as one:
        one.add(f"r{number}" for number in range(50))
        yield one


@pytest.fixture
def stepping(monkeypatch: pytest.MonkeyPatch) -> None:
    """`wait` lets the executor answer one question, the one it was given last."""

    def wait(futures: Any, return_when: str) -> tuple[set[Any], set[Any]]:
        done = {one for one in futures if one.done()}
        if not done:
            next(iter(futures)).step()
            done = {one for one in futures if one.done()}
        return done, set(futures) - done

    monkeypatch.setattr("chatport.port.fleet.drive.wait", wait)


def failed(source: str) -> Outcome:
    return Outcome(None, f"{source} failed")


@pytest.mark.usefixtures("stepping")
def test_little_is_given_out_at_a_time(ledger: Ledger) -> None:
    executor, told = ByHand(failed), list[Counts]()
    drive(ledger, executor, 3, Limits(), told.append)
    assert executor.most == 3 * AHEAD
    assert sorted(executor.asked) == sorted(f"r{number}" for number in range(50))
    assert told[-1] == Counts(0, 0, 50, 0)
    assert [one.failed for one in told] == sorted(one.failed for one in told)


@pytest.mark.usefixtures("stepping")
def test_a_worker_that_is_lost_is_a_failure_of_one(ledger: Ledger) -> None:
    def answer(source: str) -> Outcome:
        if source == "r7":
            raise ConnectionError("gone")
        return failed(source)

    drive(ledger, ByHand(answer), 2, Limits(), lambda _: None)
    errors = dict(ledger.query("SELECT source, error FROM repository").fetchall())
    assert "the worker was lost (ConnectionError)" in errors["r7"]
    assert errors["r8"] == "r8 failed"


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (NurseryError("no process"), NurseryError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
@pytest.mark.usefixtures("stepping")
def test_what_ends_a_run_leaves_the_rest_waiting(
    raised: BaseException, told: type[BaseException], ledger: Ledger
) -> None:
    answered: list[str] = []

    def answer(source: str) -> Outcome:
        if len(answered) == 5:
            raise raised
        answered.append(source)
        return failed(source)

    with pytest.raises(told):
        drive(ledger, ByHand(answer), 2, Limits(), lambda _: None)
    assert ledger.counts() == Counts(45, 0, 5, 0)
    drive(ledger, ByHand(failed), 2, Limits(), lambda _: None)
    assert ledger.counts() == Counts(0, 0, 50, 0)


@pytest.mark.usefixtures("stepping")
def test_an_executor_that_lets_go_ends_the_run(ledger: Ledger) -> None:
    class LetsGo(ByHand):
        def _step(self) -> None:
            future, _ = self._open.pop()
            future.cancel()
            future.set_running_or_notify_cancel()

    with pytest.raises(DriveError, match="go on"):
        drive(ledger, LetsGo(failed), 2, Limits(), lambda _: None)
    assert ledger.counts().waiting == 50
