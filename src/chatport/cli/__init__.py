"""The command line: one module a command; argument parsing and exit codes only."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of the ``chatport`` command."""
    if sys.argv[1:] == ["--version"]:  # the modules of a command would cost more than the answer
        from chatport import __version__

        print(f"chatport {__version__}")
        return
    from chatport.cli.app import run

    sys.exit(run(sys.argv[1:]))
