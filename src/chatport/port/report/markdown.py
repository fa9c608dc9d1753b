"""The report for a pull request's description: short, with the details folded away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from chatport.port.codes import CODES
from chatport.port.findings import Finding, Plan, Status
from chatport.port.report.escape import on_one_line, visible
from chatport.port.report.summary import Summary, refusals

SHOWN = 50
"""So many places are listed of each kind: a description has room for 65,536 characters."""


def render(plan: Plan) -> str:
    """The plan in GitHub's Markdown; every text that is not ours stands in a code span."""
    blocks = [*_head(plan), *_held_back(plan), *_minded(plan), *_ported(plan), *_errors(plan)]
    return "\n\n".join(blocks) + "\n"


def _head(plan: Plan) -> Iterator[str]:
    summary = Summary.of(plan)
    yield "## Port by chatport"
    if not summary.findings and not plan.errors:
        yield f"{summary.files} files read; none uses an SDK to be ported from."
        return
    partly = f"{summary.partly} in part, " if summary.partly else ""
    yield (
        f"**{summary.ported} of {summary.legacy_files} files ported**, {partly}"
        f"{summary.refused} held back; of {summary.findings} uses {summary.auto} are ported, "
        f"{summary.review} are to review and {summary.unsupported} have no counterpart."
    )
    if summary.accepted:
        yield f"{summary.accepted} uses are accepted by a comment or the baseline."
    yield from (f"- {_text(str(note))}" for note in plan.notes)


def _held_back(plan: Plan) -> Iterator[str]:
    causes = [one for one in plan.findings() if one.code is not None and one.cause is None]
    if not causes:
        return
    yield "### To do by hand"
    for name, count in refusals(plan):
        code = CODES.get(name)
        lines = [_text(code.message), "", f"*{_text(code.remedy)}*", ""] if code else []
        found = [one for one in causes if one.code == name]
        lines += [f"<{page}>", ""] if (page := plan.page_of(name)) and code else []
        lines += _listed([_place(one) for one in found])
        yield _folded(f"<code>{name}</code> ({count})", lines)


def _minded(plan: Plan) -> Iterator[str]:
    found = sorted((code, one.path) for one in plan.findings() for code in one.warnings)
    if not found:
        return
    yield "### To keep in mind"
    for name, places in groupby(found, key=lambda pair: pair[0]):
        paths = sorted({path for _, path in places})
        code = CODES.get(name)
        lines = [_text(code.message), "", f"*{_text(code.remedy)}*", ""] if code else []
        lines += _listed([f"- {_span(path)}" for path in paths])
        yield _folded(f"<code>{name}</code> ({_files(len(paths))})", lines)


def _ported(plan: Plan) -> Iterator[str]:
    files = [
        one
        for one in (*plan.files, *plan.manifests)
        if one.status in {Status.PORTED, Status.PARTLY}
    ]
    if files:
        lines = _listed([f"- {_span(file.path)}" for file in files])
        yield _folded(f"Ported: {_files(len(files))}", lines)


def _errors(plan: Plan) -> Iterator[str]:
    if plan.errors:
        lines = [f"- {_span(one.path)}: {_text(one.message)}" for one in plan.errors]
        yield _folded(f"Could not be read: {_files(len(plan.errors))}", _listed(lines))


def _place(finding: Finding) -> str:
    place = finding.place
    where = f"{finding.path}:{place.line if place.cell is None else place.shown}"
    text = f"- {_span(where)} {_span(finding.symbol)}"
    if finding.suggestion is None:
        return text
    lines = visible(finding.suggestion.diff()).splitlines()
    fence = _fence(lines)
    code = "\n".join(f"  {line}" for line in (f"{fence}diff", *lines, fence))
    return f"{text}: {_text(finding.suggestion.check)}\n{code}"


def _listed(lines: Sequence[str]) -> list[str]:
    more = len(lines) - SHOWN
    return [*lines[:SHOWN], f"- and {more} more"] if more > 0 else list(lines)


def _folded(title: str, lines: Iterable[str]) -> str:
    # Without the empty lines what is inside would not be read as Markdown.
    return "\n".join(["<details>", f"<summary>{title}</summary>", "", *lines, "", "</details>"])


def _files(number: int) -> str:
    return f"{number} file" if number == 1 else f"{number} files"


def _span(text: str) -> str:
    """A code span, in which nothing has a meaning; its fence is longer than what is inside."""
    text = on_one_line(text)
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _fence(lines: Iterable[str]) -> str:
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    return "`" * max(3, longest + 1)


def _text(text: str) -> str:
    """A sentence: what could be a tag, a link, a mention or emphasis is written out."""
    return re.sub(r"([\\`*_{}\[\]<>#|~@])", r"\\\1", on_one_line(text))
