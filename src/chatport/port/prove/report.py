"""The report of a proof: for people, and as JSON.

rich is imported only for a terminal. Elsewhere differences are unified diffs, so that a log shows
them as well as a screen.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, TextIO

from chatport.port.findings import Plan
from chatport.port.prove.compare import Difference, Verdict, What
from chatport.port.prove.coverage import FileCoverage, ranges
from chatport.port.prove.proof import EntryProof, Proof
from chatport.port.report.escape import on_one_line, visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

VERSION: Final = 1
"""Of the JSON form; raised when a field changes its meaning or goes."""

_STYLES: Final = {Verdict.SAME: "green", Verdict.DIFFERENT: "red", Verdict.NOT_RUN: "yellow"}


def render_json(proof: Proof) -> str:
    """The whole proof as one JSON document."""
    document = {
        "version": VERSION,
        "verdict": proof.verdict,
        "legacy": {"sdk": "google-generativeai", "version": proof.legacy.version},
        "new": {"sdk": "google-genai", "version": proof.new.version},
        "entries": [_entry(entry) for entry in proof.entries],
        "coverage": {
            "rewritten": proof.rewritten,
            "executed": proof.executed,
            "files": [
                {"path": file.path, "rewritten": file.rewritten, "never": file.never}
                for file in proof.coverage
            ],
        },
        "notes": proof.notes,
    }
    return json.dumps(document, indent=2) + "\n"


def render_html(proof: Proof, plan: Plan) -> str:
    """The page of the plan, with what the proof has shown beside each file."""
    from chatport.port.report import html

    def proven(file: FileCoverage) -> html.Proven:
        ran = not file.rewritten or file.executed
        verdict = proof.verdict if ran else Verdict.NOT_RUN
        never = ranges(file.never) if file.never else ""
        return html.Proven(verdict, len(file.rewritten), file.executed, never)

    return html.render(plan, {file.path: proven(file) for file in proof.coverage})


def _entry(entry: EntryProof) -> dict[str, Any]:
    comparison = entry.comparison
    return {
        "name": entry.name,
        "verdict": comparison.verdict,
        "why": comparison.why or None,
        "requests": comparison.calls,
        "passed_over": comparison.passed_over,
        "notes": comparison.notes,
        "differences": [
            {
                "what": one.what,
                "before": one.before,
                "after": one.after,
                "before_line": one.before_line or None,
                "after_line": one.after_line or None,
            }
            for one in comparison.differences
        ],
    }


def render(proof: Proof, out: TextIO) -> None:
    """The proof for a person: entry by entry, then what was passed over, and how far it reaches."""
    terminal = out.isatty()
    for entry in proof.entries:
        if terminal:
            _print(out, _headline(entry))
        else:
            out.write(f"{_headline_text(entry)}\n")
        out.writelines(f"    mind: {visible(note)}\n" for note in entry.comparison.notes)
        for one in entry.comparison.differences:
            if terminal:
                _print(out, _columns(one))
            else:
                out.writelines(f"    {line}\n" for line in _plain(one))
    for line in closing(proof):
        if terminal:
            _print(out, line)
        else:
            out.write(line + "\n")


def closing(proof: Proof) -> Iterator[str]:
    """The last lines: what was taken for the same, how much was executed, and the verdict."""
    reported = dict.fromkeys(
        reason for entry in proof.entries for reason in entry.comparison.reported
    )
    for reason in reported:
        yield f"Taken for the same: {reason}"
    yield from map(visible, proof.notes)
    if proof.rewritten:
        share = 100 * proof.executed // proof.rewritten
        yield (
            f"{proof.executed} of {proof.rewritten} rewritten lines were executed ({share} %) "
            f"on google-genai {proof.new.version}."
        )
    for file in proof.coverage:
        if file.never:
            yield f"Never executed: {on_one_line(file.path)}:{ranges(file.never)}"
    counts = Counter(entry.comparison.verdict for entry in proof.entries)
    told = ", ".join(f"{counts[one]} {one}" for one in Verdict if counts[one])
    requests = sum(
        entry.comparison.calls
        for entry in proof.entries
        if entry.comparison.verdict is Verdict.SAME
    )
    verb = "is" if requests == 1 else "are"
    yield f"Entry points: {told or 'none found'}; {_requests(requests)} {verb} the same."
    if proof.verdict is Verdict.NOT_RUN:
        yield (
            "Nothing is proven. Next: chatport prove --init writes a driver to fill in; "
            "chatport prove -- COMMAND runs a command of yours."
        )


def _headline_text(entry: EntryProof) -> str:
    comparison = entry.comparison
    said = comparison.why or _requests(comparison.calls)
    return f"{comparison.verdict:<9}  {on_one_line(entry.name)}  ({visible(said)})"


def _requests(number: int) -> str:
    return "1 request" if number == 1 else f"{number} requests"


_TITLES: Final = {
    What.REQUEST: "a request differs",
    What.PRINTED: "they print different things",
    What.RETURNED: "they return different things",
    What.WROTE: "they write different files",
    What.ENDED: "they end differently",
}


def _title(one: Difference) -> str:
    title = _TITLES[one.what]
    if one.what is What.REQUEST and one.before is None:
        title = "only the ported program makes this request"
    elif one.what is What.REQUEST and one.after is None:
        title = "only the legacy program makes this request"
    sent = [place for place in (one.before_line, one.after_line) if place]
    return f"{title} ({' -> '.join(sent)})" if sent else title


def _plain(one: Difference) -> Iterator[str]:
    yield on_one_line(_title(one))
    yield from (f"  {visible(line)}" for line in one.unified().splitlines())


# --- on a terminal -------------------------------------------------------------------------------


def _console(out: TextIO) -> Console:
    from rich.console import Console

    return Console(
        file=out,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        highlight=False,
        markup=False,
        emoji=False,
    )


def _print(out: TextIO, part: RenderableType) -> None:
    _console(out).print(part)


def _headline(entry: EntryProof) -> RenderableType:
    from rich.text import Text

    text = _headline_text(entry)
    verdict = entry.comparison.verdict
    return Text.assemble((text[: len(verdict)], _STYLES[verdict]), text[len(verdict) :])


def _columns(one: Difference) -> RenderableType:
    """The two sides next to each other: the changed lines, and two around them."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=on_one_line(_title(one)), title_justify="left", expand=True)
    table.add_column("legacy", ratio=1, overflow="fold")
    table.add_column("new", ratio=1, overflow="fold")
    rows = list(one.columns())
    for left, right, same in _around(rows):
        style = "dim" if same else ""
        table.add_row(
            Text(visible(left), style=style or "red"), Text(visible(right), style=style or "green")
        )
    return table


def _around(rows: list[tuple[str, str, bool]], context: int = 2) -> Iterator[tuple[str, str, bool]]:
    shown = {
        near
        for index, row in enumerate(rows)
        if not row[2]
        for near in range(index - context, index + context + 1)
    }
    skipped = False
    for index, row in enumerate(rows):
        if index in shown:
            yield row
        elif not skipped:
            yield ("...", "...", True)
        skipped = index not in shown
