"""Which errors of a model are worth another try: what `retry` and `fallback` go by."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from chatport.chat.cancellation import CallCancelledError

RetryOn: TypeAlias = "type[Exception] | tuple[type[Exception], ...] | Callable[[Exception], bool]"
"""Errors by class, or by a function that decides."""

_STATUSES = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


def is_transient(error: Exception) -> bool:
    """Whether another try may succeed.

    An error says so itself with ``retryable``, or by its HTTP ``status``. Of the others, lost
    connections and timeouts are transient; nothing else is.
    """
    if isinstance(error, CallCancelledError):
        return False
    said = getattr(error, "retryable", None)
    if said is not None:
        return bool(said)
    status = getattr(error, "status", None)
    if isinstance(status, int):
        return status in _STATUSES
    return isinstance(error, (ConnectionError, TimeoutError))


def decider(on: RetryOn) -> Callable[[Exception], bool]:
    """The function that decides."""
    if isinstance(on, (type, tuple)):
        classes = on
        return lambda error: isinstance(error, classes)
    return on
