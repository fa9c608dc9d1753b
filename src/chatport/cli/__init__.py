"""The command line: one module a command; argument parsing and exit codes only."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Entry point of the ``chatport`` command."""
    if sys.argv[1:] == ["--version"]:  # the modules of a command would cost more than the answer
        from chatport import __version__

        try:
            print(f"chatport {__version__}", flush=True)
        except OSError:  # nobody reads it, or there is no room for it
            os._exit(2)
        return
    from chatport.cli.app import run

    try:
        code = run(sys.argv[1:])
    except SystemExit as end:  # how argparse ends behind --help
        code = end.code if isinstance(end.code, int) else 0
    _leave(code)


def _leave(code: int) -> None:
    """End the process. After a plan nothing is open, and to free a million small objects one by one
    would take as long as all of its imports: the system takes them back at once."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # nobody reads it, or there is no room; Python would try again and end with 120
        os._exit(code)
    planned = sys.argv[1:2] in (["check"], ["fix"])
    if planned and sys.getprofile() is None and sys.gettrace() is None:
        os._exit(code)
    sys.exit(code)
