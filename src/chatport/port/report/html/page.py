"""What the page shows, as plain values: every text is made visible here, and escaped later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from chatport.port.codes import CODES, Code, Example, examples
from chatport.port.findings import Cause, FilePlan, Finding, Plan, Status, Suggestion, Verdict
from chatport.port.report.escape import on_one_line, visible
from chatport.port.report.html.bars import Bar, bar
from chatport.port.report.html.rows import Gap, Row, rows
from chatport.port.report.lines import Cells, Shown, shown
from chatport.port.report.summary import Summary

OPEN_FILES = 25
OPEN_ROWS = 2_000
"""With more files than this, or more lines in them, they are folded at first."""

SHOWN_BARS = 12

WORDS = {
    Verdict.AUTO: "can be ported",
    Verdict.REVIEW: "to review",
    Verdict.UNSUPPORTED: "no counterpart",
}
STATUSES = {
    Status.PORTED: "ported",
    Status.PARTLY: "ported in part",
    Status.REFUSED: "held back",
    Status.CLEAN: "as it is",
}


@dataclass(frozen=True, slots=True)
class Proven:
    """What a proof has shown of one file: the verdict of the run, and how far it reached."""

    verdict: str
    rewritten: int
    executed: int
    never: str = ""
    """Rewritten lines that did not run, as ranges."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to read at a line: a refusal with its reason, or what to mind of a port."""

    verdict: str
    word: str
    line: int
    symbol: str
    code: str
    message: str
    suggestion: tuple[tuple[str, str], ...] = ()
    """Lines with what becomes of them: ``old``, ``new``, or ``place``."""
    check: str = ""
    anchor: str = ""
    """What the page calls it, where others may follow from it."""
    cause: str = ""
    """Where the refusal is that this one follows from."""
    link: str = ""
    """What the page calls that one, when it has it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Where the lines of another cell of a notebook begin."""

    cell: int


@dataclass(frozen=True, slots=True)
class Table:
    """The lines of a file that matter, with its notes at their lines."""

    both: bool
    """There is a new side."""
    rows: tuple[Row | Gap | Note | Heading, ...]


@dataclass(frozen=True, slots=True)
class File:
    """One file of the page."""

    anchor: str
    path: str
    folder: str
    status: str
    word: str
    verdicts: tuple[str, ...]
    codes: tuple[str, ...]
    uses: int
    refusals: int
    table: Table
    proven: Proven | None


@dataclass(frozen=True, slots=True)
class CodePage:
    """What a code means; the page has one section for each that occurs."""

    code: Code
    count: int
    example: Example | None
    address: str | None = None
    """Where the documentation has it, when that is known."""


@dataclass(frozen=True, slots=True)
class AcceptedUse:
    """A use the project has accepted."""

    where: str
    code: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page."""

    name: str
    summary: Summary
    whole: tuple[Bar, ...]
    by_code: tuple[Bar, ...]
    by_folder: tuple[Bar, ...]
    files: tuple[File, ...]
    codes: tuple[CodePage, ...]
    folders: tuple[str, ...]
    accepted: tuple[AcceptedUse, ...]
    errors: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    opened: bool


def page(plan: Plan, proven: Mapping[str, Proven]) -> Page:
    """The page of a plan."""
    summary = Summary.of(plan)
    planned = [one for one in (*plan.files, *plan.manifests) if one.findings or one.after]
    anchors = _anchors(planned)
    files = tuple(
        _file(one, number, proven.get(one.path), anchors) for number, one in enumerate(planned, 1)
    )
    return Page(
        name=on_one_line(plan.root.name or str(plan.root)),
        summary=summary,
        whole=tuple(_whole(summary)),
        by_code=_by_code(plan),
        by_folder=_by_folder(files),
        files=files,
        codes=tuple(_codes(plan)),
        folders=tuple(sorted({above for file in files for above in _upward(file.folder)})),
        accepted=tuple(
            AcceptedUse(
                on_one_line(f"{one.finding.path}, {one.finding.place.where}"),
                on_one_line(one.finding.code or ""),
                one.by,
                visible(one.reason),
            )
            for one in plan.accepted
        ),
        errors=tuple((on_one_line(one.path), visible(one.message)) for one in plan.errors),
        notes=tuple(visible(str(note)) for note in plan.notes),
        opened=len(files) <= OPEN_FILES
        and sum(len(file.table.rows) for file in files) <= OPEN_ROWS,
    )


def _anchors(files: Iterable[FilePlan]) -> dict[Cause, str]:
    """A name for each refusal that others may follow from."""
    anchors: dict[Cause, str] = {}
    for number, file in enumerate(files, 1):
        for one in file.findings:
            if one.code is not None and one.cause is None:
                name = f"refusal-{number}-{len(anchors) + 1}"
                anchors.setdefault(Cause(one.path, one.place), name)
    return anchors


def _file(file: FilePlan, number: int, proven: Proven | None, anchors: Mapping[Cause, str]) -> File:
    path = on_one_line(file.path)
    codes = {
        on_one_line(code) for one in file.findings for code in (one.code, *one.warnings) if code
    }
    return File(
        anchor=f"file-{number}",
        path=path,
        folder=path.rpartition("/")[0] or ".",
        status=file.status.value,
        word=STATUSES[file.status],
        verdicts=tuple(sorted({one.verdict.value for one in file.findings})),
        codes=tuple(sorted(codes)),
        uses=len(file.findings),
        refusals=sum(one.code is not None and one.cause is None for one in file.findings),
        table=_table(file, anchors),
        proven=proven,
    )


def _table(file: FilePlan, anchors: Mapping[Cause, str]) -> Table:
    text = shown(file)
    notes: dict[int, list[Note]] = {}
    for note in _notes(file.findings, text, anchors):
        notes.setdefault(min(note.line, max(len(text.old), 1)), []).append(note)
    lines: list[Row | Gap | Note | Heading] = []
    cell = None
    said: list[Note] = []
    for row in rows(text.old, text.new, frozenset(notes)):
        if not isinstance(row, Row) or row.old_number is not None:
            lines += said  # behind all the new lines that stand for the old one
            said = []
        here = _in_cells(row, text.cells) if isinstance(row, Row) else None
        if here is not None and here[0] != cell:
            cell = here[0]
            lines.append(Heading(cell))
        lines.append(row if here is None else here[1])
        if isinstance(row, Row) and row.old_number is not None:
            said = notes.pop(row.old_number, [])
    lines += [*said, *(note for left in notes.values() for note in left)]
    return Table(file.after is not None, tuple(lines))


def _in_cells(row: Row, cells: tuple[Cells, Cells] | None) -> tuple[int, Row] | None:
    """The cell a row is in, and the row with the lines counted there; None in a plain file."""
    if cells is None:
        return None
    old = cells[0].at(row.old_number) if row.old_number is not None else None
    new = cells[1].at(row.new_number) if row.new_number is not None else None
    (cell, _) = old or new or (0, 0)
    numbers = (old and old[1], new and new[1])
    return cell, replace(row, old_number=numbers[0], new_number=numbers[1])


def _notes(
    findings: Iterable[Finding], text: Shown, anchors: Mapping[Cause, str]
) -> Iterator[Note]:
    """What there is to read: refusals in full, consequences in short, a warning once a line."""
    minded = set()
    named = set()
    for one in findings:
        line, symbol = text.line_of(one.place), on_one_line(one.symbol)
        if one.code is not None:
            anchor = "" if one.cause is not None else anchors[Cause(one.path, one.place)]
            yield Note(
                one.verdict.value,
                WORDS[one.verdict],
                line,
                symbol,
                on_one_line(one.code),
                visible(one.message or ""),
                tuple(_suggested(one.suggestion)) if one.suggestion else (),
                visible(one.suggestion.check) if one.suggestion else "",
                "" if anchor in named else anchor,
                on_one_line(one.cause.shown_from(one.path)) if one.cause is not None else "",
                anchors.get(one.cause, "") if one.cause is not None else "",
            )
            named.add(anchor)
        for code in one.warnings:
            if (line, code) not in minded:
                minded.add((line, code))
                name = on_one_line(code)
                message = CODES[code].message if code in CODES else name
                yield Note("auto", "mind", line, symbol, name, message)


def _suggested(suggestion: Suggestion) -> Iterator[tuple[str, str]]:
    kinds = {"-": "old", "+": "new", "@": "place"}
    for mark, line in suggestion.lines():
        yield kinds[mark], f"{mark}{on_one_line(line)}"


def _codes(plan: Plan) -> Iterator[CodePage]:
    counts = Counter(
        code for one in plan.findings() for code in (one.code, *one.warnings) if code is not None
    )
    known = examples()
    for name in sorted(counts):
        code = CODES.get(name) or Code(on_one_line(name), on_one_line(name), "", "")
        yield CodePage(
            code, counts[name], known.get(name), plan.page_of(name) if name in CODES else None
        )


# --- the picture -----------------------------------------------------------------------------


def _whole(summary: Summary) -> Iterator[Bar]:
    yield bar(
        "files",
        (
            ("ported", "ported", summary.ported),
            ("partly", "ported in part", summary.partly),
            ("refused", "held back", summary.refused),
        ),
        summary.ported + summary.partly + summary.refused,
    )
    yield bar(
        "uses",
        (
            ("auto", WORDS[Verdict.AUTO], summary.auto),
            ("review", WORDS[Verdict.REVIEW], summary.review),
            ("unsupported", WORDS[Verdict.UNSUPPORTED], summary.unsupported),
        ),
        summary.findings,
    )


def _by_code(plan: Plan) -> tuple[Bar, ...]:
    """How often each code holds something back of its own accord."""
    counts = Counter(
        (one.code, one.verdict.value)
        for one in plan.findings()
        if one.code is not None and one.cause is None
    )
    totals: Counter[str] = Counter()
    for (code, _), count in counts.items():
        totals[code] += count
    most = max(totals.values(), default=0)
    return tuple(
        bar(
            on_one_line(code),
            [
                (verdict.value, WORDS[verdict], counts[code, verdict.value])
                for verdict in (Verdict.REVIEW, Verdict.UNSUPPORTED)
            ],
            most,
            on_one_line(code),
        )
        for code, _ in sorted(totals.items(), key=lambda item: (-item[1], item[0]))[:SHOWN_BARS]
    )


def _by_folder(files: tuple[File, ...]) -> tuple[Bar, ...]:
    """How many files of each folder are ported and held back, for the folders with the most.

    Where there are too many folders, what is below one of the top level counts as that.
    """
    folders = {file.folder: file.folder for file in files}
    if len(folders) > SHOWN_BARS:
        folders = {folder: folder.partition("/")[0] for folder in folders}
    counts = Counter((folders[file.folder], file.status) for file in files)
    totals = Counter(folders[file.folder] for file in files)
    most = max(totals.values(), default=0)
    return tuple(
        bar(
            folder,
            [
                (status.value, STATUSES[status], counts[folder, status.value])
                for status in (Status.PORTED, Status.PARTLY, Status.REFUSED)
            ],
            most,
            folder,
        )
        for folder, _ in sorted(totals.items(), key=lambda item: (-item[1], item[0]))[:SHOWN_BARS]
    )


def _upward(folder: str) -> Iterator[str]:
    """A folder and those above it."""
    parts = folder.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
