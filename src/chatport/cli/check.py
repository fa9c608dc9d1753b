"""`chatport check`: every use of a legacy SDK, and what can be ported; writes nothing."""

from __future__ import annotations

import sys

from chatport.cli.exits import CLEAN, FAILED, FOUND, UsageError
from chatport.cli.options import (
    Settings,
    add_planning,
    baseline_of,
    narrowed,
    opened,
    planned,
    settings,
)
from chatport.port.report.forms import CONSOLE, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from chatport.port.findings import Plan

EXAMPLE = "chatport check src --format sarif --output chatport.sarif"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_planning(parser)
    parser.add_argument(
        "--stdin-filename",
        metavar="FILE",
        help="read this file from stdin, and report only on it",
    )
    parser.add_argument(
        "--update-baseline",
        action="store_true",
        help="accept all that is found: write it to --baseline",
    )


def run(arguments: argparse.Namespace) -> int:
    """Report the plan; `FOUND` when there is any finding."""
    given = settings(arguments)
    if arguments.update_baseline:
        return _update_baseline(given)
    if arguments.stdin_filename is None:
        plan = planned(given)
    else:
        plan = _planned_from_stdin(given, arguments)
    plan = narrowed(plan, given.config)
    with opened(given.config.output) as out:
        if given.config.format != CONSOLE:
            out.write(render(plan, given.config.format))
        else:
            from chatport.port.report import console

            console.findings(plan, out, lambda _: True)
            console.problems(plan.errors, plan.root, sys.stderr)
            console.closing(plan, out, console.Outcome())
    if plan.errors:
        return FAILED
    return FOUND if any(plan.findings()) else CLEAN


def _planned_from_stdin(given: Settings, arguments: argparse.Namespace) -> Plan:
    """The plan of a file as an editor has it, among the files it stands with."""
    from chatport.port.editing import plan_text

    if arguments.paths:
        raise UsageError("--stdin-filename is the one file to report on; leave the paths out")
    return plan_text(
        arguments.stdin_filename,
        sys.stdin.buffer.read(),
        config=given.config,
        folder=given.folder,
        baseline=baseline_of(given),
    )


def _update_baseline(given: Settings) -> int:
    from chatport.port import baseline

    if given.baseline is None:
        raise UsageError("--update-baseline needs the file: say --baseline FILE as well")
    plan = planned(given, ignore_baseline=True)
    with opened(str(given.baseline), "--baseline") as out:
        out.write(baseline.render(plan))
    count = sum(1 for _ in plan.findings())
    print(f"Wrote {given.config.baseline}: {count} findings are accepted.")
    return FAILED if plan.errors else CLEAN
