"""What a project has accepted, by a comment or by its baseline: it is planned, and not reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from msgspec import Struct, field

from chatport.port.baseline import Entry, entry
from chatport.port.codes import CODES
from chatport.port.comments import MARK, Ignore, LogicalLines, ignores
from chatport.port.findings import Accepted, Cause, FilePlan, Finding, Note, Plan
from chatport.port.source.discover import PROGRAM_SUFFIXES
from chatport.port.source.errors import SourceError
from chatport.port.source.text import SourceFile


def without_accepted(plan: Plan, baseline: Counter[Entry]) -> Plan:
    """The plan with what is accepted moved from its findings to `accepted`.

    A finding that only follows from an accepted one goes with it. Files that are left without
    findings and without a change go too. Comments that accept nothing are named in the notes.
    """
    left = Counter(baseline)
    accepted: list[Accepted] = []
    notes = list(plan.notes)

    judged = [(file, _Comments.of(file)) for file in (*plan.files, *plan.manifests)]
    reasons: dict[Cause, str] = {}
    kept: dict[str, list[Finding]] = {file.path: [] for file, _ in judged}
    # What follows from something is looked at when that has been, in whichever file it is.
    for follows in (False, True):
        for file, comments in judged:
            for finding in file.findings:
                if (finding.cause is not None) is not follows:
                    continue
                one = comments.judge(finding)
                known = entry(file, one) if left else None
                reason = comments.reason(one, reasons) if one.code is not None else None
                if reason is not None:
                    accepted.append(Accepted(one, "comment", reason))
                elif known is not None and left[known] > 0:
                    left[known] -= 1
                    accepted.append(Accepted(one, "baseline"))
                else:
                    kept[file.path].append(one)
    for file, comments in judged:
        notes.extend(comments.notes(file.path))

    def narrow(files: tuple[FilePlan, ...]) -> Iterator[FilePlan]:
        for file in files:
            rest = sorted(kept[file.path], key=lambda one: (one.place, one.symbol))
            if rest or file.after is not None:
                yield replace(file, findings=tuple(rest))

    files, manifests = tuple(narrow(plan.files)), tuple(narrow(plan.manifests))
    accepted.sort(key=lambda one: (one.finding.path, one.finding.place, one.finding.symbol))
    return replace(
        plan, files=files, manifests=manifests, accepted=tuple(accepted), notes=tuple(notes)
    )


def without_refusals(plan: Plan, hidden: Callable[[Finding], bool]) -> Plan:
    """The plan without the refusals that are not to be reported, nor what follows from them."""

    gone = {
        Cause(one.path, one.place)
        for one in plan.findings()
        if one.code is not None and hidden(one)
    }

    def narrow(files: tuple[FilePlan, ...]) -> Iterator[FilePlan]:
        for file in files:
            kept = tuple(
                one
                for one in file.findings
                if Cause(one.path, one.place) not in gone and one.cause not in gone
            )
            if kept or file.after is not None:
                yield replace(file, findings=kept)

    return replace(plan, files=tuple(narrow(plan.files)), manifests=tuple(narrow(plan.manifests)))


class _Comments(Struct):
    """The comments of one file that accept something, and what they have accepted so far."""

    source: SourceFile | None = None
    lines: LogicalLines | None = None
    found: tuple[Ignore, ...] = ()
    used: set[Ignore] = field(default_factory=set)

    @classmethod
    def of(cls, file: FilePlan) -> _Comments:
        if MARK not in file.before or not file.path.endswith(PROGRAM_SUFFIXES):
            return cls()
        try:
            source = SourceFile.read(file.path, file.before)
            lines = LogicalLines(source.text)
            return cls(source, lines, tuple(ignores(source, lines)))
        except SourceError:
            return cls()

    def judge(self, finding: Finding) -> Finding:
        """The finding without the warnings that are accepted."""
        kept = tuple(code for code in finding.warnings if self._reason(finding, code) is None)
        return replace(finding, warnings=kept) if kept != finding.warnings else finding

    def reason(self, finding: Finding, reasons: dict[Cause, str]) -> str | None:
        """Why a refusal is accepted; None when it is not. `reasons` are those of the refusals that
        were: what follows from them is accepted too."""
        assert finding.code is not None
        reason = self._reason(finding, finding.code)
        if reason is None and finding.cause is not None:
            return reasons.get(finding.cause)
        if reason is not None:
            reasons[Cause(finding.path, finding.place)] = reason
        return reason

    def _reason(self, finding: Finding, code: str) -> str | None:
        for one in self.found:
            if one.reason and code in one.codes and self._covers(one, finding):
                self.used.add(one)
                return one.reason
        return None

    def _covers(self, one: Ignore, finding: Finding) -> bool:
        if one.covered is None:
            return True
        assert self.source is not None
        assert self.lines is not None
        return one.covered == self.lines.of(self.source.line_of(finding.place))

    def notes(self, path: str) -> Iterator[Note]:
        for one in self.found:
            if one not in self.used:
                yield Note(path, f"this comment ignores nothing: {_why(one)}", one.where)


def _why(one: Ignore) -> str:
    if not one.codes:
        return "it names no code; write # chatport: ignore[code] reason"
    unknown = [code for code in one.codes if code not in CODES]
    if unknown:
        return f"there is no code {unknown[0]}; chatport explain lists them"
    if not one.reason:
        return "it gives no reason; write # chatport: ignore[code] reason"
    return "no finding of that code is there; take it out"
