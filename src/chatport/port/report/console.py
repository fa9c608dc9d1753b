"""The report for people: tables and a coloured diff on a terminal, plain lines elsewhere.

rich is imported only for a terminal; where output is piped, every finding is one line that starts
with `path:line:column:`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TextIO

from msgspec import Struct

from chatport.port.codes import CODES
from chatport.port.findings import FilePlan, Finding, Plan, Problem, Status, Verdict
from chatport.port.here import seen_from_here
from chatport.port.report.escape import on_one_line, visible
from chatport.port.report.summary import Summary, refusals
from chatport.port.report.words import ERROR, nothing_found

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console, RenderableType

Seen = Callable[[str], str]
"""How a person calls a file of the plan."""

_SHOWN_CODES = 3
_STYLES = {
    Verdict.AUTO: "green",
    Verdict.REVIEW: "yellow",
    Verdict.UNSUPPORTED: "red",
}
_STATUS_STYLES = {Status.PORTED: "green", Status.PARTLY: "yellow", Status.REFUSED: "yellow"}
_DIFF_STYLES = {"+++": "bold", "---": "bold", "@@": "cyan", "+": "green", "-": "red"}


class Outcome(Struct, frozen=True):
    """What the command did with the plan, for the last lines: the run when it was written."""

    fixing: bool = False
    run: str | None = None


def findings(plan: Plan, out: TextIO, chosen: Callable[[Finding], bool]) -> None:
    """The findings that are chosen, file by file."""
    seen = seen_from_here(plan.root)
    for file in (*plan.files, *plan.manifests):
        shown = [finding for finding in file.findings if chosen(finding)]
        if not shown:
            continue
        if out.isatty():
            _print(out, _heading(file, seen), _table(shown, seen), "")
        else:
            out.writelines(line + "\n" for line in _lines(file, shown, seen))


def diff(plan: Plan, out: TextIO) -> None:
    """The whole change: coloured on a terminal, otherwise the bytes of a patch."""
    if out.isatty():
        excerpt(plan.diff(), out)
    elif (binary := getattr(out, "buffer", None)) is not None:
        out.flush()
        binary.write(plan.patch())
    else:
        out.write(plan.diff())


def excerpt(text: str, out: TextIO) -> None:
    """Lines of a diff, for people to read."""
    lines = (line.removesuffix("\r") for line in text.split("\n")[:-1])
    if out.isatty():
        console = _console(out)
        for line in lines:
            console.print(_coloured(line), soft_wrap=True)
    else:
        out.writelines(f"{visible(line)}\n" for line in lines)


def problems(of: tuple[Problem, ...], root: Path, out: TextIO) -> None:
    """One line for each file that could not be read or written."""
    seen = seen_from_here(root)
    lines = [
        f"{ERROR}{on_one_line(seen(problem.path))}: {visible(problem.message)}" for problem in of
    ]
    if out.isatty():
        _print(out, *lines, style="red")
    else:
        out.writelines(f"{line}\n" for line in lines)


def closing(plan: Plan, out: TextIO, outcome: Outcome) -> None:
    """Notes of the plan, the numbers in a sentence or two, and a hint what to do next."""
    seen = seen_from_here(plan.root)
    lines = [visible(note.shown_as(seen(note.path))) for note in plan.notes]
    lines += _sentences(plan, outcome)
    if out.isatty():
        _print(out, *lines)
    else:
        out.writelines(line + "\n" for line in lines)


# --- words -----------------------------------------------------------------------------------


def _sentences(plan: Plan, outcome: Outcome) -> Iterator[str]:
    summary, codes = Summary.of(plan), refusals(plan)
    if plan.errors:
        yield f"{_count(len(plan.errors), 'file')} could not be read; see the errors."
    if summary.accepted:
        yield f"{_count(summary.accepted, 'use')} accepted by a comment or the baseline."
    if not summary.findings and summary.accepted:
        return
    if not summary.findings:
        yield nothing_found(summary.files)
        return
    ported = "ported" if outcome.run else "can be ported"
    yield (
        f"{_count(summary.files, 'file')} read, {summary.legacy_files} with legacy code, "
        f"{_count(summary.findings, 'use')}: {summary.auto} {ported}, "
        f"{summary.review} to review, {summary.unsupported} without counterpart."
    )
    partly = f"{summary.partly} in part, " if summary.partly else ""
    yield f"{_count(summary.ported, 'file')} {ported} whole, {partly}{summary.refused} held back."
    if codes:
        shown = ", ".join(f"{code} ({count})" for code, count in codes[:_SHOWN_CODES])
        others = len(codes) - _SHOWN_CODES
        yield f"Held back by: {shown}" + (f" and {_count(others, 'other')}." if others > 0 else ".")
    lead = "Next: "
    for step in _next_steps(summary, codes, outcome):
        yield lead + step
        lead = " " * len(lead)


def _next_steps(summary: Summary, codes: list[tuple[str, int]], outcome: Outcome) -> Iterator[str]:
    if outcome.run is not None:
        yield f"run your tests; chatport undo takes run {outcome.run} back."
    elif (summary.ported or summary.partly) and outcome.fixing:
        yield "chatport fix --write makes these changes."
    elif summary.ported or summary.partly:
        yield "chatport fix shows the change, chatport fix --write makes it."
    codes = [code for code in codes if code[0] != "left_out"]  # whoever left it knows why
    if codes:
        yield f"chatport explain {codes[0][0]} says what to do by hand."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _reason(finding: Finding, seen: Seen) -> str:
    """Why it is refused: the code with its message, or the place of the first refusal."""
    if finding.code is None:
        return ""
    if finding.cause is not None:
        cause = finding.cause.shown_from(finding.path, seen)
        return f"{finding.code}: follows from {on_one_line(cause)}"
    return f"{finding.code}: {visible(finding.message or '')}"


def _advice(finding: Finding) -> Iterator[str]:
    """What a person would write, and what to keep in mind of what was written, line by line."""
    if finding.suggestion is not None:
        first, *rest = visible(finding.suggestion.diff()).splitlines()
        yield f"write: {first}"
        yield from (f"       {line}" for line in rest)
        yield f"check: {visible(finding.suggestion.check.removeprefix('Check '))}"
    for warning in finding.warnings:
        known = CODES.get(warning)
        yield f"mind: {warning}" + (f": {known.message}" if known else "")


# --- plain -----------------------------------------------------------------------------------


def _lines(file: FilePlan, chosen: list[Finding], seen: Seen) -> Iterator[str]:
    path = on_one_line(seen(file.path))
    for finding in chosen:
        place = f"{path}:{finding.place.shown}"
        reason = f": {_reason(finding, seen)}" if finding.code else ""
        yield f"{place}: {finding.verdict} {on_one_line(finding.symbol)}{reason}"
        yield from (f"    {line}" for line in _advice(finding))


# --- on a terminal ---------------------------------------------------------------------------


def _console(out: TextIO) -> Console:
    from rich.console import Console

    return Console(
        file=out,
        # With NO_COLOR rich would still print bold and dim.
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        highlight=False,
        markup=False,
        emoji=False,
    )


def _print(out: TextIO, *parts: RenderableType, style: str | None = None) -> None:
    console = _console(out)
    for part in parts:
        console.print(part, style=style)


def _heading(file: FilePlan, seen: Seen) -> RenderableType:
    from rich.text import Text

    colour = _STATUS_STYLES.get(file.status, "")
    return Text.assemble((on_one_line(seen(file.path)), "bold"), "  ", (file.status.value, colour))


def _table(chosen: list[Finding], seen: Seen) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True, style="dim")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in chosen:
        table.add_row(
            finding.place.shown,
            Text(finding.verdict.value, style=_STYLES[finding.verdict]),
            Text.assemble(
                (on_one_line(finding.symbol), "cyan"),
                (f"  {_reason(finding, seen)}" if finding.cause is not None else "", "dim"),
            ),
        )
        reason = _reason(finding, seen) if finding.cause is None else ""
        for line in filter(None, (reason, *_advice(finding))):
            table.add_row("", "", Text(line))
    return table


def _coloured(line: str) -> RenderableType:
    from rich.text import Text

    styles = (style for start, style in _DIFF_STYLES.items() if line.startswith(start))
    return Text(visible(line), style=next(styles, ""))
