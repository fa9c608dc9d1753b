"""The plan of one repository as values that travel: between processes, and into the ledger."""

from __future__ import annotations

from pathlib import Path

import msgspec

from chatport.port.config import Config, read
from chatport.port.findings import CONSEQUENCES, FilePlan, Plan
from chatport.port.planner import plan
from chatport.port.report.escape import on_one_line, visible
from chatport.port.report.summary import Summary
from chatport.port.source.git import git

READY = b"ready\n"
"""What a warm process says once it can be asked."""


class Limits(msgspec.Struct, frozen=True):
    """Bounds of one repository: seconds from start to end, cloning included, and bytes of memory
    for its plan, where the system tells how much a process holds."""

    seconds: float = 600.0
    memory: int = 4 << 30


class Job(msgspec.Struct, frozen=True):
    """One repository to plan: a folder or a remote of git."""

    source: str
    limits: Limits


class File(msgspec.Struct, frozen=True):
    """A file or manifest with findings."""

    path: str
    status: str
    uses: int


class Use(msgspec.Struct, frozen=True):
    """One finding. `follows` is set when it is held back only because of another one."""

    path: str
    line: int
    column: int
    symbol: str
    verdict: str
    code: str | None
    message: str | None
    follows: bool


class Survey(msgspec.Struct, frozen=True):
    """What a repository's plan comes to. Every text has been made visible, as for a terminal.

    `revision` is the commit that was looked at, empty where there is none; `problems` are files
    that could not be read; `patch` is what `git apply` takes.
    """

    revision: str
    summary: Summary
    files: tuple[File, ...]
    uses: tuple[Use, ...]
    problems: tuple[str, ...]
    patch: bytes


class Outcome(msgspec.Struct, frozen=True):
    """What became of one repository: either `survey`, or `error` as a sentence.

    `seconds` from start to end; `cpu_seconds` of all its processes, git's too; `peak_bytes` is the
    most memory one of them held.
    """

    survey: Survey | None
    error: str | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


def survey(root: Path) -> Survey:
    """Plan the repository in a folder; nothing is written.

    Of its own configuration only what it leaves out is heeded: a path could lead anywhere. Raises
    `ConfigError` when that is no configuration, and `NotADirectoryError`.
    """
    if not root.is_dir():
        raise NotADirectoryError(f"there is no folder {on_one_line(str(root))}")
    own = root / "pyproject.toml"
    config = read(own) if own.is_file() else Config()
    made = plan(
        [root],
        root=root,
        config=Config(exclude=config.exclude, skip=config.skip),
        folder=root,
    )
    return surveyed(made, _revision(root))


def surveyed(made: Plan, revision: str) -> Survey:
    """A plan in short."""
    planned = (*made.files, *made.manifests)
    return Survey(
        revision=revision,
        summary=Summary.of(made),
        files=tuple(_file(file) for file in planned if file.findings),
        uses=tuple(
            Use(
                on_one_line(one.path),
                one.place.line,
                one.place.column,
                on_one_line(one.symbol),
                one.verdict.value,
                one.code,
                None if one.message is None else visible(one.message),
                one.cause is not None or one.code in CONSEQUENCES,
            )
            for one in made.findings()
        ),
        problems=tuple(
            f"{on_one_line(problem.path)}: {visible(problem.message)}" for problem in made.errors
        ),
        patch=made.patch(),
    )


def _file(file: FilePlan) -> File:
    return File(on_one_line(file.path), file.status.value, len(file.findings))


def _revision(root: Path) -> str:
    found = git(str(root), "rev-parse", "--verify", "--quiet", "HEAD")
    return "" if found is None else found[0].decode("ascii", "replace").strip()
