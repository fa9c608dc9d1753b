"""`chatport prove`: run the code before and after its port, and show that both ask the same."""

from __future__ import annotations

import sys

from chatport.cli.exits import CLEAN, FAILED, FOUND, UsageError
from chatport.cli.meant import one_of, positive
from chatport.cli.options import add_paths, opened, planned, settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from chatport.port.findings import Plan
    from chatport.port.prove.proof import Proof, Settings

EXAMPLE = "chatport prove . -- python main.py --short"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command. What follows `--` is a command to run, not a path."""
    parser.usage = "chatport prove [OPTION ...] [PATH ...] [-- COMMAND ...]"
    add_paths(parser)
    parser.add_argument("--driver", metavar="FILE", help="run this script in both trees")
    parser.add_argument(
        "--init", action="store_true", help="write a commented driver to fill in, and stop"
    )
    parser.add_argument(
        "--target",
        **one_of("genai1", "genai2", "genai3"),
        default="genai3",
        metavar="SDK",
        help="genai1, genai2, genai3 (default): its major version",
    )
    parser.add_argument(
        "--legacy-python", metavar="EXE", help="an interpreter that has google-generativeai"
    )
    parser.add_argument("--new-python", metavar="EXE", help="an interpreter that has google-genai")
    parser.add_argument(
        "--seconds",
        type=positive(float),
        default=30.0,
        metavar="N",
        help="limit of each run (default: 30)",
    )
    parser.add_argument(
        "--answer",
        action="append",
        metavar="TEXT",
        help="type this when the program asks; repeatable, in order",
    )
    parser.add_argument(
        "--any-version", action="store_true", help="do not compare the version of the API"
    )
    parser.add_argument(
        "--format",
        **one_of("console", "json", "html"),
        default="console",
        metavar="FORM",
        help="console, json, html (the page, with the proof)",
    )
    parser.add_argument("--output", metavar="FILE", help="write the report there, not to stdout")
    parser.set_defaults(command_line=None)
    _split_at_dashes(parser)


def _split_at_dashes(parser: argparse.ArgumentParser) -> None:
    """argparse would take what follows `--` for paths."""
    plain: Any = parser.parse_known_args

    def parse_known_args(args: Sequence[str], namespace: Any = None) -> Any:
        words = list(args)
        cut = words.index("--") if "--" in words else len(words)
        parsed, rest = plain(words[:cut], namespace)
        parsed.command_line = tuple(words[cut + 1 :]) or None
        return parsed, rest

    parser.parse_known_args = parse_known_args  # type: ignore[method-assign,assignment]


def run(arguments: argparse.Namespace) -> int:
    """Prove the plan for the paths; `FOUND` unless something is the same and nothing differs, or
    nothing uses the old SDK."""
    if arguments.init:
        return _write_driver()
    from chatport.cli.progress import Progress
    from chatport.port.prove.proof import ProofError, prove

    wanted = _settings(arguments)
    plan = _plan(arguments)
    if not any(plan.changes()):
        print(
            "chatport: there is nothing to prove: nothing here can be ported or was",
            file=sys.stderr,
        )
        if plan.errors:
            return FAILED
        return FOUND if any(plan.findings()) else CLEAN
    _check_both(plan, arguments)
    try:
        with Progress(sys.stderr) as progress:
            proof = prove(plan, wanted, progress, progress.say)
    except ProofError as problem:
        raise UsageError(str(problem)) from problem
    _report(proof, plan, arguments)
    if plan.errors:
        return FAILED
    return CLEAN if proof.verdict == "same" else FOUND


def _check_both(plan: Plan, arguments: argparse.Namespace) -> None:
    """A program that goes on using the old SDK beside the new one needs an interpreter for that."""
    partly = next((file.path for file in plan.changes() if file.status == "partly"), None)
    if partly is not None and not arguments.new_python:
        raise UsageError(
            f"{partly} will live on both SDKs; name an interpreter that has both with --new-python"
        )


def _plan(arguments: argparse.Namespace) -> Plan:
    """What can be ported; when that is nothing, what the last `fix --write` has ported."""
    from msgspec.structs import replace

    from chatport.port.journal import JournalError
    from chatport.port.prove.rewound import last_run
    from chatport.port.report.console import problems

    given = settings(arguments)
    plan = planned(given._replace(config=replace(given.config, annotate=False)))
    problems(plan.errors, plan.root, sys.stderr)
    if any(plan.changes()):
        return plan
    try:
        found = last_run(plan.root)
    except JournalError as error:
        raise UsageError(str(error)) from error
    if found is None:
        return plan
    print(f"chatport: nothing left to port; proving run {found[0]} of fix", file=sys.stderr)
    return found[1]


def _settings(arguments: argparse.Namespace) -> Settings:
    from pathlib import Path

    from chatport.port.prove.compare import Expectation
    from chatport.port.prove.proof import Settings
    from chatport.port.prove.running import Limits

    if arguments.driver and arguments.command_line:
        raise UsageError("--driver and a command after -- exclude one another; give one of them")
    if arguments.driver and not Path(arguments.driver).is_file():
        raise UsageError(f"{arguments.driver}: there is no such file; --init writes one")

    def path(text: str | None) -> Path | None:
        return Path(text) if text else None

    return Settings(
        command=arguments.command_line,
        driver=path(arguments.driver),
        legacy_python=path(arguments.legacy_python),
        new_python=path(arguments.new_python),
        target=arguments.target,
        limits=Limits(seconds=arguments.seconds),
        expect=Expectation(version=not arguments.any_version),
        typed=tuple(arguments.answer) if arguments.answer else None,
    )


def _report(proof: Proof, plan: Plan, arguments: argparse.Namespace) -> None:
    from chatport.port.prove import report

    with opened(arguments.output) as out:
        if arguments.format == "json":
            out.write(report.render_json(proof))
        elif arguments.format == "html":
            out.write(report.render_html(proof, plan))
        else:
            report.render(proof, out)


def _write_driver() -> int:
    from pathlib import Path

    from chatport.port.prove.proof import DRIVER, DRIVER_TEXT

    target = Path(DRIVER)
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(DRIVER_TEXT)
    except FileExistsError:
        raise UsageError(f"{DRIVER}: is there already; edit it, or delete it first") from None
    except OSError as error:
        raise UsageError(
            f"{DRIVER}: cannot be written ({error.strerror}); stand in a folder of yours"
        ) from error
    print(f"Wrote {DRIVER}. Fill it in, then: chatport prove --driver {DRIVER}")
    return CLEAN
