"""`chatport undo`: take back what `fix --write` wrote."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chatport.cli.exits import CLEAN, FAILED, UsageError

if TYPE_CHECKING:
    import argparse

EXAMPLE = "chatport undo"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="a folder of the run (default: .)"
    )
    parser.add_argument("--run", help="the run to take back (default: the last one)")


def run(arguments: argparse.Namespace) -> int:
    """Restore the files of a run, or none of them."""
    from chatport.port.journal import FOLDER, RunId
    from chatport.port.report.console import problems
    from chatport.port.report.escape import on_one_line
    from chatport.port.writer import WriteError, undo

    start = Path(arguments.path).resolve()
    root = next((up for up in (start, *start.parents) if (up / FOLDER).is_dir()), None)
    if root is None:
        raise UsageError(
            f"there is no {FOLDER} folder in {start} or above it, so nothing was written there"
        )
    try:
        undone = undo(root, None if arguments.run is None else RunId(arguments.run))
    except WriteError as error:
        problems(error.problems, sys.stderr)
        return FAILED
    for path in undone.restored:
        print(f"restored {on_one_line(path)}")
    print(f"Run {undone.run} is taken back.")
    return CLEAN
