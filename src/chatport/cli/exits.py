"""How a command ends."""

from __future__ import annotations

CLEAN, FOUND, FAILED = 0, 1, 2
"""Exit codes: nothing left to do, something found or held back, could not run as asked."""


class UsageError(Exception):
    """The command cannot be run as asked; the message says why and what to do."""


class Quit(Exception):  # noqa: N818 - it is no error
    """A person wants no more of it; the message says what that means."""


def complain(message: str) -> None:
    """Print what could not be done; it may quote names and texts of other people's files."""
    import sys
    from contextlib import suppress

    from chatport.port.report.escape import visible
    from chatport.port.report.words import ERROR

    with suppress(OSError):  # there may be no room for it there either
        print(f"{ERROR}{visible(message)}", file=sys.stderr, flush=True)


def demand(command: str, *modules: str, extra: str) -> None:
    """Raise `UsageError` when what an extra installs is not there."""
    from importlib.util import find_spec

    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"{command} needs {' and '.join(missing)}: pip install '.[{extra}]' in a clone"
        )
