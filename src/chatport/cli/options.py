"""What the commands that plan have in common: options, the plan itself, where a report goes."""

# ruff: noqa: PTH123
from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from typing import NamedTuple

from chatport.cli.exits import UsageError
from chatport.cli.meant import meant, one_of
from chatport.port.report.forms import FORMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import TextIO

    from chatport.port.baseline import Entry
    from chatport.port.config import Config
    from chatport.port.findings import FilePlan, Finding, Plan
    from chatport.port.planner import Left
    from chatport.port.source.discover import Discovery


def add_planning(parser: argparse.ArgumentParser) -> None:
    """Add the options that `Planned` reads. None of them has a default of its own: what is not
    said here may be said in pyproject.toml."""
    add_paths(parser)
    parser.usage = f"{parser.prog} [OPTION ...] [PATH ...]"
    parser.add_argument("--format", **one_of(*FORMS), metavar="FORM", help=", ".join(FORMS))
    parser.add_argument("--output", metavar="FILE", help="write the report there, not to stdout")
    for option, metavar, text in (
        ("--only", "CODE", "show only findings with this code"),
        ("--select", "RULE", "show only findings of this rule"),
        ("--skip", "NAME", "report no such code, port no such rule"),
        ("--exclude", "PATTERN", "leave such files and folders as they are"),
    ):
        parser.add_argument(option, action="append", metavar=metavar, help=f"{text}; repeatable")
    parser.add_argument(
        "--atomic",
        **one_of("repo", "file", "site"),
        metavar="HOW",
        help="when something is refused: repo, file (default), site",
    )
    parser.add_argument(
        "--baseline", metavar="FILE", help="accept the findings in it: only new ones count"
    )


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Add the files and folders to plan."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders (default: the current folder)"
    )


class Settings(NamedTuple):
    """What the command line and the configuration say together."""

    config: Config
    paths: tuple[str, ...]
    folder: Path
    """Where the patterns of the configuration start."""
    baseline: Path | None
    discovery: Discovery | None = None
    """The files under the paths, where they have been listed already."""


def settings(arguments: argparse.Namespace) -> Settings:
    """The options of a command over those in pyproject.toml; raises `UsageError`."""
    from pathlib import Path

    import msgspec

    from chatport.port.config import Config, ConfigError, load_config
    from chatport.port.here import seen_from_here

    try:
        config, folder = load_config(_first_path(arguments))
    except ConfigError as error:
        raise UsageError(str(error)) from error
    said = {
        field.name: tuple(value) if isinstance(value, list) else value
        for field in msgspec.structs.fields(Config)
        if (value := getattr(arguments, field.name, None)) and field.name != "paths"
    }
    # What the configuration names starts at its folder, what the command line names does here.
    patterns = Path.cwd() if "exclude" in said else folder
    seen = seen_from_here(folder)
    paths = tuple(arguments.paths) or tuple(seen(path) for path in config.paths) or (".",)
    if config.output is not None:
        config = msgspec.structs.replace(config, output=seen(config.output))
    config = msgspec.structs.replace(config, **said)
    places = {
        name: f"--{name}" if name in said else f"pyproject.toml: [tool.chatport] {name}"
        for name in ("only", "select", "skip")
    }
    _check_names(config, places)
    baseline = config.baseline
    if baseline is not None and "baseline" not in said:
        baseline = seen(baseline)
    discovery = getattr(arguments, "discovery", None)
    return Settings(
        config, paths, patterns, Path(baseline) if baseline is not None else None, discovery
    )


def _first_path(arguments: argparse.Namespace) -> str:
    paths = (*arguments.paths, getattr(arguments, "stdin_filename", None))
    return next((path for path in paths if path), ".")


def _check_names(config: Config, places: Mapping[str, str]) -> None:
    if not (config.only or config.select or config.skip):
        return
    from chatport.port.codes import CODES
    from chatport.port.packs.load import rules

    listed = "chatport explain lists the codes"
    for option, names, known, otherwise in (
        ("only", config.only, {*CODES}, listed),
        ("select", config.select, rules(), f"there are: {', '.join(sorted(rules()))}"),
        ("skip", config.skip, {*CODES} | rules(), listed),
    ):
        for name in names:
            if name not in known:
                close = meant(name, known, otherwise)
                raise UsageError(f"{places[option]}: there is no {name}; {close}")


def planned(
    given: Settings,
    *,
    ignore_baseline: bool = False,
    grouped: bool = False,
    left: Left | None = None,
) -> Plan:
    """The plan for the paths, with a progress bar when it takes long; `grouped` and `left` are as
    for `chatport.port.planner.plan`."""
    from chatport.cli.progress import Progress
    from chatport.port.planner import plan

    baseline = None if ignore_baseline else baseline_of(given)
    with Progress(sys.stderr) as progress, _collecting_between(progress) as told:
        return plan(
            given.paths,
            progress=told,
            config=given.config,
            folder=given.folder,
            baseline=baseline,
            grouped=grouped,
            left=left,
            discovery=given.discovery,
        )


@contextmanager
def _collecting_between(
    progress: Callable[[int, int], None],
) -> Iterator[Callable[[int, int], None]]:
    """Trees and values live until their program is planned: to look for cycles among them any
    sooner would find none, and take a quarter of the time. They go before the next one, whose
    objects then lie where those lay: that saves more than it costs."""

    def told(done: int, every: int) -> None:
        gc.collect(0)  # whatever was made since the last time, and nothing older
        progress(done, every)

    was_enabled = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        yield told
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()


def baseline_of(given: Settings) -> Counter[Entry] | None:
    """The findings that are accepted; raises `UsageError` when the file is no baseline."""
    if given.baseline is None:
        return None
    from chatport.port.baseline import BaselineError, load

    try:
        return load(given.baseline)
    except BaselineError as error:
        raise UsageError(str(error)) from error


def narrowed(plan: Plan, config: Config) -> Plan:
    """The plan with only the findings asked for, and only the files that have one."""
    if config.skip:
        from chatport.port.accepted import without_refusals

        plan = without_refusals(plan, lambda finding: finding.code in config.skip)
    if not config.only and not config.select:
        return plan
    from dataclasses import replace

    def asked_for(finding: Finding) -> bool:
        codes = {finding.code, *finding.warnings}
        return (not config.only or not codes.isdisjoint(config.only)) and (
            not config.select or finding.rule in config.select
        )

    def narrow(files: tuple[FilePlan, ...]) -> tuple[FilePlan, ...]:
        kept = (replace(file, findings=tuple(filter(asked_for, file.findings))) for file in files)
        return tuple(file for file in kept if file.findings)

    return replace(plan, files=narrow(plan.files), manifests=narrow(plan.manifests))


@contextmanager
def opened(output: str | None, option: str = "--output") -> Iterator[TextIO]:
    """Where the report goes; raises `UsageError` when the file of the option cannot be written."""
    if output is None:
        yield sys.stdout
        return
    try:
        with open(output, "w", encoding="utf-8", errors="backslashreplace") as file:
            yield file
    except OSError as error:
        raise UsageError(
            f"{output}: cannot be written ({error.strerror}); choose another {option}"
        ) from error
