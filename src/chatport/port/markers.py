"""Marker comments: what a person must still look at, said where it stands.

    # chatport: review[history_write] google.generativeai.ChatSession.history
    chat.history.append(turn)

There is one for each refusal that is a cause and not a consequence. They are written anew each
time, so that none is ever doubled, and go when their file is ported. A marker names the symbol,
and with it the word that makes a file worth reading: one that was forgotten is still found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from chatport.port.comments import MARK, LogicalLines, stands_alone
from chatport.port.findings import CONSEQUENCES, FilePlan, Finding, Kind, Status, Verdict
from chatport.port.matching import changes, split
from chatport.port.source.discover import PROGRAM_SUFFIXES
from chatport.port.source.edits import Edit, apply
from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile

RULE = "markers"
_MARKER = re.compile(r"# chatport: (?:review|unsupported)\[(\w+)\] ")


def marked(
    files: Iterable[FilePlan], candidates: Sequence[tuple[str, bytes]], *, annotate: bool
) -> list[FilePlan]:
    """The files with stale markers taken out and, when asked, the refused ones marked.

    `candidates` are all files that may hold a marker, also those without a finding.
    """
    plans = {file.path: file for file in files}
    for path, data in candidates:
        if not path.endswith(PROGRAM_SUFFIXES):
            continue
        file = plans.get(path) or FilePlan(path, Status.CLEAN, (), data)
        refused = file.status in {Status.REFUSED, Status.PARTLY}
        wanted = annotate and refused
        if not wanted and MARK not in data:
            continue
        made = _annotated(file) if refused else _without(file)
        if refused and not annotate:
            made = file
        if path in plans or made.findings:
            plans[path] = made
    return sorted(plans.values(), key=lambda file: file.path)


def _without(file: FilePlan) -> FilePlan:
    """A file that is not refused, without its markers; each is a finding."""
    try:
        source = SourceFile.read(file.path, file.before)
        found = tuple(_finding(source, offset, text) for offset, text in _markers(source))
        output = SourceFile.read(file.path, file.after) if file.after is not None else source
        after = apply(output, (_removal(output, offset) for offset, _ in _markers(output)))
    except SourceError:
        return file  # whoever planned it has said so
    if not found:
        return file
    findings = tuple(sorted((*file.findings, *found), key=lambda one: (one.place, one.symbol)))
    return replace(file, status=Status.PORTED, findings=findings, after=after)


def _annotated(file: FilePlan) -> FilePlan:
    """A file with the markers of its refusals, and no others."""
    try:
        source = SourceFile.read(file.path, file.before)
        output = SourceFile.read(file.path, file.after) if file.after is not None else source
        edits = [_removal(output, offset) for offset, _ in _markers(output)]
        edits += _insertions(source, output, file.findings)
        after = apply(output, edits)
    except SourceError:
        return file
    return replace(file, after=after if after != file.before else None)


def _insertions(
    source: SourceFile, output: SourceFile, findings: Iterable[Finding]
) -> Iterator[Edit]:
    """The markers of what is refused in `source`, above the same lines of `output`."""
    lines = LogicalLines(source.text)
    moved = list(changes(split(source.text), split(output.text)))
    for finding in findings:
        if finding.code is None or finding.cause is not None or finding.code in CONSEQUENCES:
            continue
        line = lines.of(source.line_of(finding.place))
        line += sum(one.grows_by for one in moved if one.end < line)
        start = output.offset_of_line(line)
        text = f"# chatport: {finding.verdict}[{finding.code}] {finding.symbol}\n"
        yield Edit(start, start, output.indent_at(start) + text)


def _markers(source: SourceFile) -> Iterator[tuple[int, str]]:
    for offset, text in source.comments(0, len(source.text)):
        if _MARKER.match(text) and stands_alone(source, offset):
            yield offset, text


def _removal(source: SourceFile, offset: int) -> Edit:
    start = source.line_start(offset)
    line = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?").match(source.text, start)
    assert line is not None
    return Edit(start, line.end(), "")


def _finding(source: SourceFile, offset: int, text: str) -> Finding:
    place = source.place(offset, offset + len(text))
    symbol = text.rpartition(" ")[2]
    return Finding(source.path, place, symbol, Kind.COMMENT, Verdict.AUTO, rule=RULE)
