"""Sentences that are said with and without a plan at hand."""

from __future__ import annotations

ERROR = "chatport: error: "
"""How every line begins that says what could not be done; what follows names the place first."""


def nothing_found(files: int) -> str:
    """What is said of a tree without legacy code."""
    return f"{files} {'file' if files == 1 else 'files'} read; none uses an SDK to be ported from."
