"""What the commands that plan have in common: options, the plan itself, where a report goes."""

# ruff: noqa: PTH123
from __future__ import annotations

import sys
from contextlib import contextmanager

from chatport.cli.exits import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import TextIO

    from chatport.port.findings import Plan


def add_planning(parser: argparse.ArgumentParser) -> None:
    """Add the options that `planned`, `narrowed` and `opened` read."""
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="files and folders (default: .)"
    )
    parser.add_argument(
        "--format", choices=("console", "json"), default="console", help="form of the report"
    )
    parser.add_argument("--output", metavar="FILE", help="write the report there, not to stdout")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="CODE",
        help="show only findings with this code (may be repeated)",
    )
    parser.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="RULE",
        help="show only findings of this rule (may be repeated)",
    )


def planned(arguments: argparse.Namespace) -> Plan:
    """The plan for the paths, with a progress bar when it takes long."""
    from chatport.cli.progress import Progress
    from chatport.port.planner import plan

    with Progress(sys.stderr) as progress:
        return plan(arguments.paths, progress=progress)


def narrowed(plan: Plan, arguments: argparse.Namespace) -> Plan:
    """The plan with only the findings asked for, and only the files that have one."""
    if not arguments.only and not arguments.select:
        return plan
    from dataclasses import replace

    from chatport.port.findings import FilePlan, Finding

    def asked_for(finding: Finding) -> bool:
        codes = {finding.code, *finding.warnings}
        return (not arguments.only or not codes.isdisjoint(arguments.only)) and (
            not arguments.select or finding.rule in arguments.select
        )

    def narrow(files: tuple[FilePlan, ...]) -> tuple[FilePlan, ...]:
        kept = (replace(file, findings=tuple(filter(asked_for, file.findings))) for file in files)
        return tuple(file for file in kept if file.findings)

    return replace(plan, files=narrow(plan.files), manifests=narrow(plan.manifests))


@contextmanager
def opened(arguments: argparse.Namespace) -> Iterator[TextIO]:
    """Where the report goes; raises `UsageError` when the file cannot be written."""
    if arguments.output is None:
        yield sys.stdout
        return
    try:
        with open(arguments.output, "w", encoding="utf-8", errors="backslashreplace") as file:
            yield file
    except OSError as error:
        raise UsageError(
            f"{arguments.output}: cannot be written ({error.strerror}); choose another --output"
        ) from error
