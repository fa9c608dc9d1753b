"""What a code is, and what an example of it is."""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """One code: what was found, why it matters, and what to do next."""

    name: str
    message: str
    why: str
    remedy: str
    warning: bool = False
    """Rides on an `auto` finding instead of refusing."""
    check: str = ""
    """What a person looks at before taking a suggestion; `remedy` where that says it."""


class Example(NamedTuple):
    """A smallest example of a code.

    `before` is what is found. `after` is what a person writes instead or, for a warning, what
    chatport writes. `file` is where such lines stand. `not_run` says why the two cannot be
    executed, `differs` in what their requests differ on purpose; both are empty otherwise.
    """

    before: str
    after: str
    file: str = "app.py"
    not_run: str = ""
    differs: str = ""
