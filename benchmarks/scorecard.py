"""How much of real repositories is ported, and what holds of what is.

    make scorecard DIR=folder-of-repositories

Each folder in DIR is a repository. For each: its legacy files and how many are ported, what refused
the others, the time it took; of the ported files: whether they compile, whether a type checker
finds more in them than before, whether their calls bind to the installed google-genai; and, of the
entry points that can be run at all, how many are proven to send the same. A table on stdout, and
all of it as JSON with `--json FILE`.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chatport.port import plan
from chatport.port.findings import FilePlan, Plan, Status
from chatport.port.prove.environments import Environment, UnusableEnvironmentError, ensure
from chatport.port.prove.proof import ProofError, Settings, prove
from chatport.port.prove.signatures import check_plan
from chatport.port.prove.trees import TooLargeError, copies

CONSEQUENCES = {"file_withheld", "depends_on_refused", "repository_withheld"}
TARGET = "genai3"


@dataclass(slots=True)
class Proven:
    """The entry points of a repository that were run on both sides."""

    same: int = 0
    different: int = 0
    not_run: int = 0
    why: str = ""
    """Why nothing was run."""


@dataclass(slots=True)
class Row:
    """One repository."""

    name: str
    files: int = 0
    ported: int = 0
    codes: dict[str, int] = field(default_factory=dict)
    """First causes only: code -> refused uses."""
    unread: list[str] = field(default_factory=list)
    wall: float = 0.0
    cpu: float = 0.0
    broken: list[str] = field(default_factory=list)
    """Ported files that do not compile."""
    misfits: list[str] = field(default_factory=list)
    """Places that do not bind to the installed google-genai."""
    worse: dict[str, int] | None = None
    """Ported file -> how many more errors the type checker has; None where it was not asked."""
    proven: Proven | None = None

    @property
    def whole(self) -> bool:
        return self.files > 0 and self.ported == self.files


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is measured besides the plan."""

    target: Environment | None = None
    legacy: Environment | None = None
    types: bool = False
    proof: bool = False
    seconds: float = 20.0


def measure(folder: Path, wanted: Wanted) -> Row:
    """Everything about one repository; its files are only read."""
    row = Row(folder.name)
    wall, cpu = time.perf_counter(), time.process_time()
    made = plan([folder], root=folder)
    row.wall = round(time.perf_counter() - wall, 3)
    row.cpu = round(time.process_time() - cpu, 3)
    files = [file for file in made.files if file.findings]
    row.files = len(files)
    row.ported = sum(file.status is Status.PORTED for file in files)
    row.codes = dict(sorted(_codes(files).items()))
    row.unread = [problem.path for problem in made.errors]
    if row.ported:
        _check(row, made, wanted)
    return row


def _codes(files: Sequence[FilePlan]) -> Counter[str]:
    return Counter(
        finding.code
        for file in files
        for finding in file.findings
        if finding.code and finding.code not in CONSEQUENCES and finding.cause is None
    )


def _check(row: Row, made: Plan, wanted: Wanted) -> None:
    changes = [one for one in made.changes() if one.path.endswith(".py")]
    row.broken = [one.path for one in changes if not _compiles(one)]
    if wanted.target is not None:
        checked = check_plan(made, wanted.target)
        row.misfits = [f"{one.path}:{one.line}: {one.message}" for one in checked.misfits]
    if wanted.types and wanted.target is not None and wanted.legacy is not None:
        row.worse = _worse(made, [one.path for one in changes], wanted.legacy, wanted.target)
    if wanted.proof:
        row.proven = _prove(made, wanted)


def _compiles(file: FilePlan) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(file.after or b"", file.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _worse(
    made: Plan, paths: Sequence[str], legacy: Environment, target: Environment
) -> dict[str, int] | None:
    """Files in which the type checker finds more after the port, each side with its SDK."""
    with tempfile.TemporaryDirectory(prefix="chatport-types-") as scratch:
        try:
            trees = copies(made, Path(scratch).resolve())
        except TooLargeError:
            return None
        before, after = (
            _errors(tree, paths, environment)
            for tree, environment in zip(trees, (legacy, target), strict=True)
        )
    return {path: after[path] - before[path] for path in paths if after[path] > before[path]}


def _errors(tree: Path, paths: Sequence[str], environment: Environment) -> Counter[str]:
    """Errors of mypy by file, where a library that is not installed is none."""
    command = [sys.executable, "-m", "mypy", "--python-executable", str(environment.python)]
    command += ["--ignore-missing-imports", "--follow-imports=silent", "--no-incremental"]
    command += ["--no-error-summary", "--check-untyped-defs", "--explicit-package-bases"]
    done = subprocess.run(
        [*command, *paths], cwd=tree, capture_output=True, text=True, check=False, timeout=600
    )
    return Counter(re.findall(r"(?m)^(.+?):\d+: error:", done.stdout))


def _prove(made: Plan, wanted: Wanted) -> Proven:
    from chatport.port.prove.running import Limits

    found = Proven()
    try:
        proof = prove(made, Settings(target=TARGET, limits=Limits(seconds=wanted.seconds)))
    except ProofError as problem:
        found.why = str(problem)
        return found
    said = Counter(str(entry.comparison.verdict) for entry in proof.entries)
    found.same, found.different = said["same"], said["different"]
    found.not_run = said["not run"]
    return found


# --- for people and machines ---------------------------------------------------------------------


def table(rows: Sequence[Row], without: Sequence[str] = ()) -> Iterator[str]:
    """The rows, and what they come to."""
    width = max([len(row.name) for row in rows] + [10])
    yield f"{'repository':{width}}  files   whole  CPU s  compiles  binds  types  proven"
    for row in rows:
        yield f"{row.name:{width}}  {row.ported:>2}/{row.files:<3}  {_mark(row.whole):5}  " + (
            f"{row.cpu:5.2f}  {_mark(not row.broken):8}  {_mark(not row.misfits):5}  "
            f"{_types(row):5}  {_proven(row)}"
            if row.ported
            else f"{row.cpu:5.2f}"
        )
    yield ""
    yield from _totals(rows)
    if without:
        rest = [row for row in rows if not any(name in row.name for name in without)]
        yield f"without {', '.join(without)}:"
        yield from _totals(rest)
    yield f"time                 {sum(row.wall for row in rows):.1f} s, "
    yield f"                     {sum(row.cpu for row in rows):.1f} s of CPU"
    codes: Counter[str] = Counter()
    for row in rows:
        codes.update(row.codes)
    yield "refused, by the code of the first cause:"
    for code, number in codes.most_common():
        yield f"  {number:4}  {code}"


def _totals(rows: Sequence[Row]) -> Iterator[str]:
    legacy = [row for row in rows if row.files]
    files, ported = sum(row.files for row in rows), sum(row.ported for row in rows)
    whole = sum(row.whole for row in legacy)
    yield f"files ported         {ported} of {files} ({_share(ported, files)})"
    yield f"repositories whole   {whole} of {len(legacy)} ({_share(whole, len(legacy))})"


def _mark(good: bool) -> str:
    return "yes" if good else "NO"


def _types(row: Row) -> str:
    return "-" if row.worse is None else f"+{sum(row.worse.values())}" if row.worse else "same"


def _proven(row: Row) -> str:
    if row.proven is None:
        return "-"
    said = [f"{row.proven.same} same"]
    said += [f"{row.proven.different} DIFFERENT"] if row.proven.different else []
    said += [f"{row.proven.not_run} not run"] if row.proven.not_run else []
    return ", ".join(said)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "none"


def document(rows: Sequence[Row], wanted: Wanted) -> dict[str, Any]:
    """The JSON form."""
    sdks = [one for one in (wanted.legacy, wanted.target) if one is not None]
    return {
        "version": 1,
        "date": datetime.now(UTC).date().isoformat(),
        "sdks": [f"{one.name} {one.version}" for one in sdks],
        "repositories": [{**asdict(row), "whole": row.whole} for row in rows],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="How much of real repositories is ported.")
    parser.add_argument("folder", type=Path, help="a folder of repositories")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there too")
    parser.add_argument("--only", metavar="TEXT", default="", help="repositories named like this")
    parser.add_argument(
        "--without",
        metavar="TEXT",
        action="append",
        default=[],
        help="say the totals once more without repositories named like this; may be repeated",
    )
    parser.add_argument("--no-types", action="store_true", help="do not run the type checker")
    parser.add_argument("--prove", action="store_true", help="run what can be run (minutes)")
    parser.add_argument("--plan-only", action="store_true", help="no environments, nothing run")
    parser.add_argument("--seconds", type=float, default=20.0, help="limit of each run")
    given = parser.parse_args(arguments)
    wanted = Wanted()
    if not given.plan_only:
        try:
            target, legacy = ensure(TARGET), ensure("legacy")
        except UnusableEnvironmentError as problem:
            print(f"scorecard: {problem}", file=sys.stderr)
            return 2
        wanted = Wanted(target, legacy, not given.no_types, given.prove, given.seconds)
    rows = []
    for folder in sorted(path for path in given.folder.iterdir() if path.is_dir()):
        if given.only.lower() in folder.name.lower():
            rows.append(measure(folder, wanted))
            print(f"\r{len(rows)} {folder.name[:60]:60}", end="", file=sys.stderr, flush=True)
    print("\r" + " " * 70, end="\r", file=sys.stderr)
    print("\n".join(table(rows, given.without)))
    if given.json is not None:
        given.json.write_text(json.dumps(document(rows, wanted), indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
