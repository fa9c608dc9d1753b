"""`chatport check`: every use of a legacy SDK, and what can be ported; writes nothing."""

from __future__ import annotations

import sys

from chatport.cli.exits import CLEAN, FAILED, FOUND
from chatport.cli.options import add_planning, narrowed, opened, planned

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_planning(parser)


def run(arguments: argparse.Namespace) -> int:
    """Report the plan; `FOUND` when there is any finding."""
    plan = narrowed(planned(arguments), arguments)
    with opened(arguments) as out:
        if arguments.format == "json":
            from chatport.port.report import json

            out.write(json.render(plan))
        else:
            from chatport.port.report import console

            console.findings(plan, out, lambda _: True)
            console.problems(plan.errors, sys.stderr)
            console.closing(plan, out, console.Outcome())
    if plan.errors:
        return FAILED
    return FOUND if any(plan.findings()) else CLEAN
