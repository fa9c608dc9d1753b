"""The deadlines of all that is waited for in an event loop, on one timer.

A timer for each call and another for each piece of an answer is what libraries set. They cost more
than the parsing of the answer, and hardly one of them ever rings.
"""

from __future__ import annotations

import asyncio
from math import inf


class Deadlines:
    """Futures with a time, by the loop's clock, at which they end with `TimeoutError`."""

    __slots__ = ("_due", "_loop", "_timer", "_waiting")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: dict[asyncio.Future[None], float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._due = inf

    async def wait(self, waiter: asyncio.Future[None], until: float) -> None:
        """Wait for a future, and no longer than until then."""
        self._waiting[waiter] = until
        if until < self._due:
            self._set(until)
        try:
            await waiter
        finally:
            # The timer stays: it serves whoever waits when it rings.
            del self._waiting[waiter]

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _set(self, due: float) -> None:
        self.close()
        self._timer, self._due = self._loop.call_at(due, self._ring), due

    def _ring(self) -> None:
        due, self._due = self._due, inf
        left = inf
        for waiter, until in self._waiting.items():
            if until > due:
                left = min(left, until)
            elif not waiter.done():
                waiter.set_exception(TimeoutError())
        if left < inf:
            self._set(left)
