"""`chatport fix`: the ported code as a diff, or written."""

from __future__ import annotations

import sys

from chatport.cli.exits import CLEAN, FAILED, FOUND, UsageError
from chatport.cli.options import Settings, add_planning, narrowed, opened, planned, settings
from chatport.port.report.forms import CONSOLE, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import TextIO

    from chatport.port.findings import Finding, Plan, Problem

EXAMPLE = "chatport fix . --write"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_planning(parser)
    parser.add_argument("--write", action="store_true", help="change the files")
    for option, text in (
        ("--interactive", "ask about each change, as git add -p does; then write"),
        ("--commit", "write, and commit what belongs together at a time"),
        ("--allow-dirty", "write although git has uncommitted changes"),
        ("--annotate", "leave a comment at every use that is refused"),
    ):
        parser.add_argument(option, action="store_true", help=text)
    parser.add_argument(
        "--check-target",
        metavar="SDK",
        help="first bind the new code: genai1, genai2, genai3, PYTHON",
    )


def run(arguments: argparse.Namespace) -> int:
    """Show the diff, or write it; `FOUND` when something is held back."""
    given = settings(arguments)
    writes = arguments.write or arguments.interactive or arguments.commit
    if writes and (given.config.only or given.config.select):
        raise UsageError(
            "--only and --select choose what is shown, and a file is ported whole or not at all; "
            "with --write name the files instead"
        )
    if arguments.commit and arguments.allow_dirty:
        raise UsageError("--commit is never made on a dirty tree; leave --allow-dirty out")
    plan = narrowed(planned(given, grouped=arguments.interactive), given.config)
    if arguments.commit:
        _demand_git(plan)
    is_whole = True
    if arguments.interactive and any(plan.changes()):
        plan, is_whole = _reviewed(plan, given)
    if arguments.check_target:
        from chatport.cli.target import misfits

        if found := misfits(plan, arguments.check_target):
            return _failed(found, plan)
    with opened(given.config.output) as out:  # first, so that nothing is written without a report
        run_id = None
        if writes and any(plan.changes()):
            from chatport.port.writer import WriteError, write

            try:
                run_id = write(plan, allow_dirty=arguments.allow_dirty)
            except WriteError as error:
                return _failed(error.problems, plan)
        if run_id is not None and arguments.commit:
            _commit(plan)
        _report(plan, given.config.format, writes, run_id, out)
    if plan.errors:
        return FAILED
    return CLEAN if is_whole and all(map(_is_ported, plan.findings())) else FOUND


def _failed(found: tuple[Problem, ...], plan: Plan) -> int:
    from chatport.port.report.console import problems

    problems(found, plan.root, sys.stderr)
    return FAILED


def _reviewed(plan: Plan, given: Settings) -> tuple[Plan, bool]:
    """The plan with what is accepted, change by change, and whether that is all of it."""
    import glob
    import os

    from msgspec.structs import replace

    from chatport.cli.interactive import Rejected, reviewed
    from chatport.port.planner import Left

    def again(rejected: Rejected) -> Plan:
        paths = (os.path.relpath(plan.root / path, given.folder) for path in rejected.manifests)
        patterns = tuple("/" + glob.escape(path.replace(os.sep, "/")) for path in paths)
        config = replace(given.config, exclude=(*given.config.exclude, *patterns))
        left = Left(rejected.uses, rejected.split)
        return narrowed(planned(given._replace(config=config), left=left), config)

    return reviewed(plan, again)


def _demand_git(plan: Plan) -> None:
    from chatport.port.source import git

    if git.state(str(plan.root)) is None:
        raise UsageError(f"--commit needs git, and git status fails in {plan.root}; use --write")


def _commit(plan: Plan) -> None:
    from chatport.port.commits import CommitError, commit

    try:
        count = commit(plan)
    except CommitError as error:
        raise UsageError(str(error)) from error
    print(f"{count} {'commit' if count == 1 else 'commits'} made.", file=sys.stderr)


def _report(plan: Plan, form: str, written: bool, run_id: str | None, out: TextIO) -> None:
    if form != CONSOLE:
        out.write(render(plan, form))
        return
    from chatport.port.report import console

    if not written:
        console.diff(plan, out)
    # All but the diff goes to the error stream, so that what is piped is a patch.
    console.findings(plan, sys.stderr, lambda one: not _is_ported(one) or bool(one.warnings))
    console.problems(plan.errors, plan.root, sys.stderr)
    console.closing(plan, sys.stderr, console.Outcome(fixing=True, run=run_id))


def _is_ported(finding: Finding) -> bool:
    return finding.code is None
