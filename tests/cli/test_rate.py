"""How far a long run is, as a person is told."""

from __future__ import annotations

import io
import time

import pytest

from chatport.cli.rate import EVERY, Rate
from tests.cli.test_progress import Terminal


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("done", "seconds", "said"),
    [
        (60, 30.0, "60 of 1000, 0 failed, 2 a second, 8 min left"),
        (970, 31.0, "970 of 1000, 0 failed, 31.3 a second, 1 s left"),
        (1, 1000.0, "1 of 1000, 0 failed, 0.001 a second, 12 days left"),
        (10, 100.0, "10 of 1000, 0 failed, 0.1 a second, 3 h left"),
        (0, 31.0, "0 of 1000, 0 failed, 0 a second"),
    ],
)
def test_a_log_gets_a_line_now_and_then(
    done: int, seconds: float, said: str, clock: list[float]
) -> None:
    stream = io.StringIO()
    with Rate(stream, 1000, 0) as rate:
        clock[0] += 1.0
        rate(1, 0)
        clock[0] = 100.0 + seconds
        rate(done, 0)
        clock[0] += EVERY / 2
        rate(done, 0)
    assert stream.getvalue() == f"chatport: {said}\n"


def test_what_an_earlier_run_did_does_not_count_for_the_rate(clock: list[float]) -> None:
    stream = io.StringIO()
    with Rate(stream, 1000, 900) as rate:
        clock[0] += 50.0
        rate(950, 7)
    assert stream.getvalue() == "chatport: 950 of 1000, 7 failed, 1 a second, 50 s left\n"


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with Rate(stream, 1000, 0) as rate:
        rate(500, 3)
        assert rate._bar is not None
        rate._bar.refresh()
    assert "500/1000" in stream.getvalue()
    assert "3 failed" in stream.getvalue()
