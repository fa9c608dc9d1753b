"""Which conversation a call belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from chatport.client.errors import InvalidHistoryError

current: ContextVar[str | None] = ContextVar("chatport_conversation", default=None)
"""The conversation that is entered; None outside of any."""


@contextmanager
def conversation(id: str) -> Iterator[None]:  # noqa: A002
    """Calls made, and streams read, inside the block belong to this conversation.

    `history` keeps it and `trace` tells it. Of blocks inside one another the innermost counts.
    Raises `InvalidHistoryError` for an id that is no text, or blank.
    """
    token = current.set(checked_conversation(id))
    try:
        yield
    finally:
        current.reset(token)


def checked_conversation(id: str) -> str:  # noqa: A002
    """The id; anything but a text with something in it is an `InvalidHistoryError`."""
    if not isinstance(id, str) or not id.strip():
        raise InvalidHistoryError(
            f"{id!r} is no id: it is a text that is not blank", "conversation"
        )
    return id
