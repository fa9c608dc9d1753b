"""The values a plan is made of: findings, errors, files, the plan itself.

Everything here is frozen and plain, so that reports, the command line and other programs can
read a plan without knowing how it was made.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class Verdict(StrEnum):
    """What the plan does with a finding."""

    AUTO = "auto"
    """Rewritten: proven to send the same request."""
    REVIEW = "review"
    """Refused: a person must look."""
    UNSUPPORTED = "unsupported"
    """Refused: the new SDK has no counterpart."""


class Kind(StrEnum):
    """Which form a use of the legacy SDK has."""

    IMPORT = "import"
    CALL = "call"
    METHOD_CALL = "method_call"
    ATTRIBUTE = "attribute"
    TYPE = "type"
    STRING = "string"
    MANIFEST = "manifest"


class Status(StrEnum):
    """What becomes of a file."""

    CLEAN = "clean"
    PORTED = "ported"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of a file: 1-based lines, 1-based columns in characters, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One use of the legacy SDK.

    `code` and `message` are set exactly when the verdict is not `auto`. `suggestion` is the code
    a person would write here, when it can be said. `cause` names the place of the first refusal
    when this one only follows from it.
    """

    path: str
    place: Place
    symbol: str
    kind: Kind
    verdict: Verdict
    code: str | None = None
    message: str | None = None
    suggestion: str | None = None
    warnings: tuple[str, ...] = ()
    rule: str | None = None
    cause: Place | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be read or understood: where, and what to do about it."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class FilePlan:
    """One file of the plan. `after` is None when nothing in it changes."""

    path: str
    status: Status
    findings: tuple[Finding, ...]
    before: bytes
    after: bytes | None = None
    encoding: str = "utf-8"

    def diff(self, context: int = 3) -> str:
        """The change as a unified diff with `a/` and `b/` paths; empty when there is none."""
        if self.after is None:
            return ""
        return "".join(
            _diff_lines(
                self.path,
                self.before.decode(self.encoding, "replace"),
                self.after.decode(self.encoding, "replace"),
                context,
            )
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be written to a tree, and why; nothing has been written yet.

    `files` holds the files with findings and `manifests` the dependency declarations, both by
    path. `scanned` counts every file that was read.
    """

    root: Path
    files: tuple[FilePlan, ...] = ()
    manifests: tuple[FilePlan, ...] = ()
    errors: tuple[Problem, ...] = ()
    scanned: int = 0
    packs: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def findings(self) -> Iterator[Finding]:
        """Every finding, files first, in the order of path and place."""
        for file in (*self.files, *self.manifests):
            yield from file.findings

    def changes(self) -> Iterator[FilePlan]:
        """The files and manifests that would be written."""
        return (file for file in (*self.files, *self.manifests) if file.after is not None)

    def diff(self) -> str:
        """The whole change as one unified diff."""
        return "".join(file.diff() for file in self.changes())


def _diff_lines(path: str, before: str, after: str, context: int) -> Iterator[str]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for line in difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", n=context):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
