"""How far a long run is: a bar on a terminal, and now and then a line in a log."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self, TextIO

from chatport.cli.progress import Bar

if TYPE_CHECKING:
    import rich.progress

EVERY = 30.0
"""Seconds between two lines where there is no terminal."""


class Rate(Bar):
    """Call it with how many are done of the total it was made with, and how many of these failed;
    use it in a `with` statement.

    The rate, and the time left by it, are those of this run: what was `done` before does not count.
    """

    def __init__(self, stream: TextIO, total: int, done: int) -> None:
        super().__init__(stream)
        self._total = total
        self._before = done
        self._start = self._told = time.monotonic()

    def __call__(self, done: int, failed: int) -> None:
        if self._bar is not None:
            said = self._words(done, failed)
            self._bar.update(self._bar.task_ids[0], completed=done, said=said)
        elif time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            said = f"chatport: {done} of {self._total}, {self._words(done, failed)}"
            print(said, file=self._stream, flush=True)

    def _words(self, done: int, failed: int) -> str:
        elapsed = time.monotonic() - self._start
        rate = (done - self._before) / elapsed if elapsed else 0.0
        left = f", {_span((self._total - done) / rate)} left" if rate else ""
        return f"{failed} failed, {rate:.3g} a second{left}"

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._bar = self._open()
        return self

    def _open(self) -> rich.progress.Progress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[said]}"),
            console=Console(file=self._stream),
            transient=True,
        )
        bar.add_task("", total=self._total, completed=self._before, said="")
        bar.start()
        return bar


def _span(seconds: float) -> str:
    """A time to wait, in the units a person would use."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    hours = seconds / 3600
    return f"{hours:.0f} h" if hours < 48 else f"{hours / 24:.0f} days"
