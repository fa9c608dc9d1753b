"""Cancellation and deadlines that reach through a call, without a thread and without an argument.

A scope opened around a call is seen by everything the call runs: tools and middleware ask
`checkpoint` between two steps, a transport takes its socket timeouts from `remaining`. Work that
never asks is not interrupted; nothing here can do that to synchronous code. Under asyncio the
task's own cancellation works as everywhere and needs no scope.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar, Token
from math import inf
from typing import TYPE_CHECKING, Self

from chatport.chat.errors import ChatError

if TYPE_CHECKING:
    from chatport.chat.response import Response


class CallCancelledError(ChatError):
    """The call was cancelled through its scope."""


class CallTimeoutError(ChatError, TimeoutError):
    """The call's deadline passed. `response` is the response that came too late, if one did."""

    response: Response | None = None


class CancelScope:
    """When a call is to end: a flag that any thread may set, and perhaps a deadline."""

    _token: Token[CancelScope | None]
    __slots__ = ("_cancelled", "_clock", "_outer", "_seconds", "_token", "deadline")

    def __init__(
        self, seconds: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._cancelled = False
        self._clock = clock
        self._outer = innermost.get()
        self._seconds = seconds
        self.deadline: float = inf if seconds is None else clock() + seconds
        """When it ends, by its clock; infinity when nothing but `cancel` ends it."""

    def cancel(self) -> None:
        """Ask everything inside to stop at its next checkpoint. May be called from any thread."""
        self._cancelled = True

    @property
    def remaining(self) -> float | None:
        """Seconds until the nearest deadline around, never below zero; None without a deadline."""
        outer = None if self._outer is None else self._outer.remaining
        if self.deadline == inf:
            return outer
        own = max(0.0, self.deadline - self._clock())
        return own if outer is None else min(own, outer)

    def check(self) -> None:
        """Raise when this scope, or one around it, has ended.

        `CallCancelledError` or `CallTimeoutError`.
        """
        if self._cancelled:
            raise CallCancelledError("the call was cancelled")
        if self._clock() >= self.deadline:
            raise CallTimeoutError(f"the call took longer than {self._seconds:g} s")
        if self._outer is not None:
            self._outer.check()

    @property
    def seconds(self) -> float | None:
        """The time this scope was given."""
        return self._seconds

    def __enter__(self) -> Self:
        """Make this the scope that `checkpoint` and `remaining` look at."""
        self._token = innermost.set(self)
        return self

    def __exit__(self, *raised: object) -> None:
        innermost.reset(self._token)


innermost: ContextVar[CancelScope | None] = ContextVar("chatport_cancel_scope", default=None)
"""The scope that is entered; who must save time sets it without the methods of the scope."""


def cancellable(
    seconds: float | None = None, *, clock: Callable[[], float] = time.monotonic
) -> CancelScope:
    """A scope inside the current one: ``with cancellable(30) as scope: client.call(request)``.

    Its time counts from now.
    """
    return CancelScope(seconds, clock)


def checkpoint() -> None:
    """Raise when the call this runs in has been cancelled or is past its deadline."""
    scope = innermost.get()
    if scope is not None:
        scope.check()


def remaining() -> float | None:
    """Seconds left to the call this runs in, for a transport's timeouts; None without end."""
    scope = innermost.get()
    return None if scope is None else scope.remaining
