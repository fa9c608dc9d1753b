"""How a command ends."""

from __future__ import annotations

CLEAN, FOUND, FAILED = 0, 1, 2
"""Exit codes: nothing left to do, something found or held back, could not run as asked."""


class UsageError(Exception):
    """The command cannot be run as asked; the message says why and what to do."""
