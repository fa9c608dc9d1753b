"""The command line: one module a command; argument parsing and exit codes only."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of the ``chatport`` command."""
    from chatport.cli.app import run

    sys.exit(run(sys.argv[1:]))
