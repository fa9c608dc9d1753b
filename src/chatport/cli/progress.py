"""A progress bar on the error stream of a terminal, once something takes longer than a second."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    import rich.progress

PATIENCE = 1.0
"""Seconds to wait before there is a bar."""


class Bar:
    """A bar on `stream` that ends with the `with` statement it is used in, once it is there."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar: rich.progress.Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


class Progress(Bar):
    """Call it with the number of files done and of all files; use it in a `with` statement."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._start = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        if not self._stream.isatty() or time.monotonic() - self._start < PATIENCE:
            return
        if self._bar is None:
            self._bar = self._open(total)
        self._bar.update(self._bar.task_ids[0], completed=done, total=total)

    def say(self, what: str) -> None:
        """A sentence about what takes long now, also where there is no terminal."""
        print(f"chatport: {what} ...", file=self._stream, flush=True)

    def _open(self, total: int) -> rich.progress.Progress:
        import rich.progress
        from rich.console import Console

        bar = rich.progress.Progress(console=Console(file=self._stream), transient=True)
        bar.add_task("Planning", total=total)
        bar.start()
        return bar
