"""`chatport fix`: the ported code as a diff, or written."""

from __future__ import annotations

import sys

from chatport.cli.exits import CLEAN, FAILED, FOUND, UsageError
from chatport.cli.options import add_planning, narrowed, opened, planned, settings
from chatport.port.report.forms import CONSOLE, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import TextIO

    from chatport.port.findings import Finding, Plan


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_planning(parser)
    parser.add_argument("--write", action="store_true", help="change the files")
    parser.add_argument(
        "--allow-dirty", action="store_true", help="write although git has uncommitted changes"
    )
    parser.add_argument(
        "--annotate",
        action="store_true",
        help="leave a comment with the code at every use that is refused",
    )
    parser.add_argument(
        "--check-target",
        metavar="TARGET",
        help="bind the new code against an installed google-genai first: genai1, genai2, genai3, "
        "or an interpreter that has it",
    )


def run(arguments: argparse.Namespace) -> int:
    """Show the diff, or write it; `FOUND` when something is held back."""
    given = settings(arguments)
    if arguments.write and (given.config.only or given.config.select):
        raise UsageError(
            "--only and --select choose what is shown, and a file is ported whole or not at all; "
            "with --write name the files instead"
        )
    plan = narrowed(planned(given), given.config)
    if arguments.check_target:
        from chatport.cli.target import misfits
        from chatport.port.report.console import problems

        if found := misfits(plan, arguments.check_target):
            problems(found, sys.stderr)
            return FAILED
    with opened(given.config.output) as out:  # first, so that nothing is written without a report
        run_id = None
        if arguments.write and any(plan.changes()):
            from chatport.port.report.console import problems
            from chatport.port.writer import WriteError, write

            try:
                run_id = write(plan, allow_dirty=arguments.allow_dirty)
            except WriteError as error:
                problems(error.problems, sys.stderr)
                return FAILED
        _report(plan, given.config.format, arguments.write, run_id, out)
    if plan.errors:
        return FAILED
    return CLEAN if all(map(_is_ported, plan.findings())) else FOUND


def _report(plan: Plan, form: str, written: bool, run_id: str | None, out: TextIO) -> None:
    if form != CONSOLE:
        out.write(render(plan, form))
        return
    from chatport.port.report import console

    if not written:
        console.diff(plan, out)
    # All but the diff goes to the error stream, so that what is piped is a patch.
    console.findings(plan, sys.stderr, lambda one: not _is_ported(one) or bool(one.warnings))
    console.problems(plan.errors, sys.stderr)
    console.closing(plan, sys.stderr, console.Outcome(fixing=True, run=run_id))


def _is_ported(finding: Finding) -> bool:
    return finding.code is None
