"""What a project has accepted, by a comment or by its baseline: it is planned, and not reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from chatport.port.baseline import Entry, entry
from chatport.port.codes import CODES
from chatport.port.comments import MARK, Ignore, LogicalLines, ignores
from chatport.port.findings import Accepted, FilePlan, Finding, Place, Plan
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

    def narrow(files: tuple[FilePlan, ...]) -> Iterator[FilePlan]:
        for file in files:
            comments = _Comments.of(file)
            kept = []
            for finding in _causes_first(file.findings):
                one = comments.judge(finding)
                known = entry(file, one) if left else None
                if one.code is not None and (reason := comments.reason(one)) is not None:
                    accepted.append(Accepted(one, "comment", reason))
                elif known is not None and left[known] > 0:
                    left[known] -= 1
                    accepted.append(Accepted(one, "baseline"))
                else:
                    kept.append(one)
            notes.extend(comments.notes(file.path))
            kept.sort(key=lambda one: (one.place, one.symbol))
            if kept or file.after is not None:
                yield replace(file, findings=tuple(kept))

    files, manifests = tuple(narrow(plan.files)), tuple(narrow(plan.manifests))
    accepted.sort(key=lambda one: (one.finding.path, one.finding.place, one.finding.symbol))
    return replace(
        plan, files=files, manifests=manifests, accepted=tuple(accepted), notes=tuple(notes)
    )


def without_refusals(plan: Plan, hidden: Callable[[Finding], bool]) -> Plan:
    """The plan without the refusals that are not to be reported, nor what follows from them."""

    def narrow(files: tuple[FilePlan, ...]) -> Iterator[FilePlan]:
        for file in files:
            gone = {one.place for one in file.findings if one.code is not None and hidden(one)}
            kept = tuple(
                one for one in file.findings if one.place not in gone and one.cause not in gone
            )
            if kept or file.after is not None:
                yield replace(file, findings=kept)

    return replace(plan, files=tuple(narrow(plan.files)), manifests=tuple(narrow(plan.manifests)))


def _causes_first(findings: tuple[Finding, ...]) -> list[Finding]:
    return sorted(findings, key=lambda finding: finding.cause is not None)


@dataclass(slots=True)
class _Comments:
    """The comments of one file that accept something, and what they have accepted so far."""

    source: SourceFile | None = None
    lines: LogicalLines | None = None
    found: tuple[Ignore, ...] = ()
    used: set[Ignore] = field(default_factory=set)
    places: dict[Place, str] = field(default_factory=dict)
    """Refusals that were accepted, with the reason: what follows from them is accepted too."""

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

    def reason(self, finding: Finding) -> str | None:
        """Why a refusal is accepted; None when it is not."""
        assert finding.code is not None
        reason = self._reason(finding, finding.code)
        if reason is None and finding.cause is not None:
            return self.places.get(finding.cause)
        if reason is not None:
            self.places[finding.place] = reason
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

    def notes(self, path: str) -> Iterator[str]:
        for one in self.found:
            if one not in self.used:
                yield f"{path}:{one.where}: this comment ignores nothing: {_why(one)}"


def _why(one: Ignore) -> str:
    if not one.codes:
        return "it names no code; write # chatport: ignore[code] reason"
    unknown = [code for code in one.codes if code not in CODES]
    if unknown:
        return f"there is no code {unknown[0]}; chatport explain lists them"
    if not one.reason:
        return "it gives no reason; write # chatport: ignore[code] reason"
    return "no finding of that code is there; take it out"
