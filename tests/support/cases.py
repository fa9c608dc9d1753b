"""Reads the hand-graded cases under `tests/fixtures/scan` and `tests/corpus`.

`tests/fixtures/README.md` describes their layout. Nothing here knows the engine: a case is two
trees of bytes (as found, and as it should become) and the grades in `expected.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

TESTS = Path(__file__).resolve().parent.parent
SCAN = TESTS / "fixtures" / "scan"
CORPUS = TESTS / "corpus"

GRADES = "expected.toml"

Side = Literal["before", "after"]


@dataclass(frozen=True, slots=True, order=True)
class Grade:
    """One finding as graded by hand. `line` is 1-based; `code` is None exactly for `auto`."""

    line: int
    symbol: str
    kind: str
    verdict: str
    code: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GradedFile:
    """What should become of one file: `ported`, `refused` or `clean`, and its findings."""

    path: str
    status: str
    findings: tuple[Grade, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Every warning of the file, in the order of the findings."""
        return tuple(warning for grade in self.findings for warning in grade.warnings)


@dataclass(frozen=True, slots=True)
class Case:
    """A small repository with its grades.

    `before` and `after` map paths to bytes. A file that stays as it is stands in both, so each is
    a complete tree. `why_not_executed` is None when the program is to be run on both SDKs, and
    `entry` is the script to run then.
    """

    name: str
    folder: Path
    title: str
    rows: tuple[str, ...]
    files: tuple[GradedFile, ...]
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    entry: str
    why_not_executed: str | None = None

    @property
    def executed(self) -> bool:
        """Whether the program is run on the legacy SDK and, when ported, on the new one."""
        return self.why_not_executed is None

    @property
    def ported(self) -> bool:
        """Whether anything in the case changes."""
        return self.before != self.after

    def file(self, path: str) -> GradedFile:
        """The grades of one file. Raises KeyError when it has none."""
        for graded in self.files:
            if graded.path == path:
                return graded
        raise KeyError(path)


def load_case(folder: Path) -> Case:
    """Read one case. Raises ValueError naming the folder when its grades do not fit its files."""
    grades = tomllib.loads((folder / GRADES).read_text(encoding="utf-8"))
    before, after = _trees(folder)
    files = tuple(_graded_file(row) for row in grades["files"])
    entry = grades.get("entry") or next(f.path for f in files if f.path.endswith(".py"))
    execute = grades["execute"]
    case = Case(
        name=folder.name,
        folder=folder,
        title=grades["title"],
        rows=tuple(grades["rows"]),
        files=files,
        before=before,
        after=after,
        entry=entry,
        why_not_executed=None if execute is True else execute,
    )
    _check(case)
    return case


def load_cases(*rooms: Path) -> list[Case]:
    """Every case of the rooms (default: all), sorted by name within a room."""
    return [
        load_case(grades.parent)
        for room in rooms or (SCAN, CORPUS)
        for grades in sorted(room.glob(f"*/{GRADES}"))
    ]


def materialise(case: Case, target: Path, side: Side = "before") -> Path:
    """Write one side of a case into `target` (made when missing) and return it."""
    for path, data in (case.before if side == "before" else case.after).items():
        destination = target / path
        destination.parent.mkdir(parents=True, exist_ok=True)
        destination.write_bytes(data)
    return target


def _trees(folder: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Split the files of a case into the tree as found and the tree as it should become."""
    plain: dict[str, bytes] = {}
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    for source in sorted(folder.rglob("*")):
        path = source.relative_to(folder).as_posix()
        if not source.is_file() or path == GRADES or "__pycache__" in source.parts:
            continue
        if ".before." in source.name:
            before[path.replace(".before.", ".")] = source.read_bytes()
        elif ".after." in source.name:
            after[path.replace(".after.", ".")] = source.read_bytes()
        else:
            plain[path] = source.read_bytes()
    return plain | before, plain | before | after


def _graded_file(row: Mapping[str, Any]) -> GradedFile:
    findings = (
        Grade(
            line=grade["line"],
            symbol=grade["symbol"],
            kind=grade["kind"],
            verdict=grade["verdict"],
            code=grade.get("code"),
            warnings=tuple(grade.get("warnings", ())),
        )
        for grade in row["findings"]
    )
    return GradedFile(path=row["path"], status=row["status"], findings=tuple(findings))


def _check(case: Case) -> None:
    """Refuse grades that contradict the files beside them."""
    for graded in case.files:
        if graded.path not in case.before:
            raise ValueError(f"{case.folder}: {graded.path} is graded but there is no such file")
        changes = case.before[graded.path] != case.after[graded.path]
        if changes != (graded.status == "ported"):
            raise ValueError(f"{case.folder}: {graded.path} is {graded.status}, its files differ")
        for grade in graded.findings:
            if (grade.code is None) != (grade.verdict == "auto"):
                raise ValueError(
                    f"{case.folder}: {graded.path}:{grade.line} has verdict {grade.verdict} "
                    f"and code {grade.code}"
                )
    if case.entry not in case.before:
        raise ValueError(f"{case.folder}: no file {case.entry} to run")
