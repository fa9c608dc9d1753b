"""The values a plan is made of: findings, errors, files, the plan itself.

Everything here is frozen and plain, so that reports, the command line and other programs can
read a plan without knowing how it was made.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from chatport.port.journal import RunId
    from chatport.port.matching import Change

CONSEQUENCES = frozenset(
    {"file_withheld", "depends_on_refused", "repository_withheld", "needed_by_refused"}
)
"""Codes of what is held back because something else is."""


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
    COMMENT = "comment"
    """A marker of our own whose use is gone."""


class Status(StrEnum):
    """What becomes of a file."""

    CLEAN = "clean"
    PORTED = "ported"
    PARTLY = "partly"
    """With --atomic site: what is refused stays on the legacy SDK, beside what is ported."""
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of a file: 1-based lines, 1-based columns in characters, end exclusive. In a
    notebook also the cell it is in, and the line there, both from 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    cell: int | None = None
    cell_line: int | None = None

    @property
    def shown(self) -> str:
        """For people: ``line:column``, in a notebook ``cell 2, line 3``."""
        if self.cell is not None:
            return self.where
        return f"{self.line}:{self.column}"

    @property
    def where(self) -> str:
        """In a sentence: ``line 3``, in a notebook ``cell 2, line 3``."""
        if self.cell is not None:
            return f"cell {self.cell}, line {self.cell_line}"
        return f"line {self.line}"


@dataclass(frozen=True, slots=True)
class Cause:
    """Where the refusal is that another one follows from; it may be in another file."""

    path: str
    place: Place

    def shown_from(self, path: str, seen: Callable[[str], str] = str) -> str:
        """For people who are looking at the file `path`; `seen` is how they call a file."""
        if self.path == path:
            return self.place.where
        return f"{seen(self.path)}, {self.place.where}"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Whole lines that give way to others. `line` is the first of them, counted from 1; in a
    notebook the lines of the code cells are counted, one cell behind the other. `where` says it
    for people."""

    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a person may write where nothing is proven, and what to look at before; it is shown
    and never written."""

    hunks: tuple[Hunk, ...]
    check: str

    def lines(self) -> Iterator[tuple[str, str]]:
        """The lines with ``-`` where they go and ``+`` where they come; with ``@`` the place of
        what follows, where there are several."""
        for hunk in self.hunks:
            if len(self.hunks) > 1:
                yield "@", f"@ {hunk.where} @@"
            yield from (("-", line) for line in hunk.old)
            yield from (("+", line) for line in hunk.new)

    def diff(self) -> str:
        """The same as text."""
        return "\n".join(f"{mark}{line}" for mark, line in self.lines())


@dataclass(frozen=True, slots=True)
class Finding:
    """One use of the legacy SDK.

    `code` and `message` are set exactly when the verdict is not `auto`. `suggestion` is what a
    person may write instead, where something is refused for itself. `cause` names the first
    refusal when this one only follows from it.
    """

    path: str
    place: Place
    symbol: str
    kind: Kind
    verdict: Verdict
    code: str | None = None
    message: str | None = None
    suggestion: Suggestion | None = None
    warnings: tuple[str, ...] = ()
    rule: str | None = None
    cause: Cause | None = None
    group: str | None = None
    """What it goes together with has the same; only where that was asked for."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that the project has accepted, and how: by a comment (then with the reason it
    gives) or by its baseline."""

    finding: Finding
    by: Literal["comment", "baseline"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be read or understood: where, and what to do about it."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence about a file that is no finding: what else names the old SDK, say. `where` is the
    line, in a notebook the cell and its line, and empty for the file as a whole."""

    path: str
    message: str
    where: str = ""

    def __str__(self) -> str:
        return self.shown_as(self.path)

    def shown_as(self, path: str) -> str:
        """The place and the sentence, for people who know the file by that path."""
        return f"{path}:{self.where}: {self.message}" if self.where else f"{path}: {self.message}"


@dataclass(frozen=True, slots=True)
class FilePlan:
    """One file of the plan. `after` is None when nothing in it changes.

    Files of one `unit` are ported together or not at all; it is the first path among them.
    """

    path: str
    status: Status
    findings: tuple[Finding, ...]
    before: bytes
    after: bytes | None = None
    encoding: str = "utf-8"
    unit: str = ""

    def lines(self) -> tuple[list[bytes], list[bytes]]:
        """The lines before and after, as a patch has them: they end at a line feed only."""
        after = self.before if self.after is None else self.after
        return io.BytesIO(self.before).readlines(), io.BytesIO(after).readlines()

    def changes(self) -> list[Change]:
        """Which lines give way to which."""
        from chatport.port.matching import changes  # here, because most plans change nothing

        return list(changes(*self.lines()))

    def patch(self, context: int = 3, only: Iterable[Change] | None = None) -> bytes:
        """The change as `git apply` takes it, in the file's bytes; empty when there is none. With
        `only`, for people, some of the changes."""
        if self.after is None:
            return b""
        return b"".join(_patch_lines(self, context, self.changes() if only is None else only))

    def diff(self, context: int = 3) -> str:
        """The same for people: decoded as the file is."""
        return self.patch(context).decode(self.encoding, "replace")


@dataclass(frozen=True, slots=True)
class Manifests:
    """What is to be done about the declared dependencies of a repository."""

    files: list[FilePlan] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be written to a tree, and why; nothing has been written yet.

    `files` holds the files with findings and `manifests` the dependency declarations, both by
    path. `scanned` counts every file that was read. What the project has accepted is in `accepted`
    and not among the findings.
    """

    root: Path
    files: tuple[FilePlan, ...] = ()
    manifests: tuple[FilePlan, ...] = ()
    errors: tuple[Problem, ...] = ()
    scanned: int = 0
    packs: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    documentation: str = ""
    """Where the documentation is served; empty when nobody has said."""

    def page_of(self, code: str) -> str | None:
        """The address of the page on a code, when it is known where the pages are."""
        if not self.documentation:
            return None
        return f"{self.documentation.rstrip('/')}/codes/{code}.html"

    def findings(self) -> Iterator[Finding]:
        """Every finding, files first, in the order of path and place."""
        for file in (*self.files, *self.manifests):
            yield from file.findings

    def changes(self) -> Iterator[FilePlan]:
        """The files and manifests that would be written."""
        return (file for file in (*self.files, *self.manifests) if file.after is not None)

    def patch(self) -> bytes:
        """The whole change as `git apply` takes it."""
        return b"".join(file.patch() for file in self.changes())

    def diff(self) -> str:
        """The whole change as one unified diff, for people."""
        return "".join(file.diff() for file in self.changes())

    def write(self, *, allow_dirty: bool = False) -> RunId:
        """Make the change: all files or none. Returns the name of the run, for `undo`.

        As `chatport.port.write`, which says what it raises.
        """
        from chatport.port.writer import write  # here, because most plans are only read

        return write(self, allow_dirty=allow_dirty)


def _patch_lines(file: FilePlan, context: int, chosen: Iterable[Change]) -> Iterator[bytes]:
    from chatport.port.matching import hunks

    old, new = file.lines()
    path, found = file.path, list(hunks(chosen, context))
    if found:
        yield b"--- " + _patch_name(f"a/{path}") + b"\n"
        yield b"+++ " + _patch_name(f"b/{path}") + b"\n"
    for hunk in found:
        first, last = hunk[0], hunk[-1]
        above = min(context, first.start)
        below = min(context, len(old) - last.end)
        yield b"@@ -%s +%s @@\n" % (
            _patch_range(first.start - above, last.end + below),
            _patch_range(first.new_start - above, last.new_end + below),
        )
        line = first.start - above
        for change in hunk:
            yield from _patch_side(b" ", old[line : change.start])
            yield from _patch_side(b"-", old[change.start : change.end])
            yield from _patch_side(b"+", new[change.new_start : change.new_end])
            line = change.end
        yield from _patch_side(b" ", old[line : line + below])


def _patch_range(start: int, end: int) -> bytes:
    """Lines as a hunk's heading counts them; of none, the line in front is named."""
    if end - start == 1:
        return b"%d" % (start + 1)
    return b"%d,%d" % (start + 1 if end > start else start, end - start)


def _patch_side(mark: bytes, lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield mark + line
        if not line.endswith(b"\n"):
            yield b"\n\\ No newline at end of file\n"


_ESCAPES = {ord("\n"): rb"\n", ord("\t"): rb"\t", ord('"'): rb"\"", ord("\\"): rb"\\"}


def _patch_name(path: str) -> bytes:
    """A file name as git writes it: quoted when it holds anything out of the ordinary."""
    name = os.fsencode(path)
    if name.isascii() and path.isprintable() and not {'"', "\\"} & set(path):
        # A tab ends a name that could otherwise seem to end at its blank.
        return name + b"\t" if b" " in name else name
    quoted = (
        _ESCAPES.get(byte, bytes([byte]) if 32 <= byte < 127 else b"\\%03o" % byte) for byte in name
    )
    return b'"' + b"".join(quoted) + b'"'
