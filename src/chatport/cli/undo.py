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
    from chatport.port.here import seen_from_here
    from chatport.port.journal import FOLDER, RunId
    from chatport.port.report.console import problems
    from chatport.port.report.escape import on_one_line
    from chatport.port.writer import WriteError, undo

    start = Path(arguments.path).resolve()
    root = next((up for up in (start, *start.parents) if (up / FOLDER).is_dir()), None)
    if root is None:
        raise UsageError(
            f"{arguments.path}: there is no {FOLDER} there or above it, so fix --write has written "
            "nothing there; name the folder it was run on"
        )
    try:
        undone = undo(root, None if arguments.run is None else RunId(arguments.run))
    except WriteError as error:
        problems(error.problems, root, sys.stderr)
        return FAILED
    seen = seen_from_here(root)
    for path in undone.restored:
        print(f"restored {on_one_line(seen(path))}")
    print(f"Run {undone.run} is taken back.")
    return CLEAN
