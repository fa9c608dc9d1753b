"""The progress bar comes late, and only where there is somebody to see it."""

from __future__ import annotations

import io
import time

import pytest

from chatport.cli.progress import PATIENCE, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    return now


@pytest.mark.parametrize(
    ("stream", "seconds", "shown"),
    [
        (Terminal(), PATIENCE - 0.1, False),
        (Terminal(), PATIENCE + 0.1, True),
        (io.StringIO(), PATIENCE + 0.1, False),
    ],
)
def test_a_bar_is_shown_after_a_while_on_a_terminal(
    clock: list[float], stream: io.StringIO, seconds: float, shown: bool
) -> None:
    with Progress(stream) as progress:
        progress(1, 10)
        assert stream.getvalue() == ""
        clock[0] += seconds
        progress(5, 10)
    assert ("Planning" in stream.getvalue()) == shown
