"""What a plan comes to, in numbers."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from chatport.port.findings import CONSEQUENCES, Plan, Status, Verdict


class Summary(Struct, frozen=True):
    """The numbers every report gives, under the names they have in JSON.

    `files` counts what was read and `legacy_files` those with findings, both without manifests;
    `ported` (whole), `partly` and
    `refused` are among the latter. Findings in manifests count as findings. What is
    `accepted`, by a comment or by the baseline, is not among the findings.
    """

    files: int
    legacy_files: int
    ported: int
    partly: int
    refused: int
    findings: int
    auto: int
    review: int
    unsupported: int
    accepted: int

    @classmethod
    def of(cls, plan: Plan) -> Summary:
        """Count a plan."""
        statuses = Counter(file.status for file in plan.files)
        verdicts = Counter(finding.verdict for finding in plan.findings())
        return cls(
            files=plan.scanned,
            legacy_files=sum(bool(file.findings) for file in plan.files),
            ported=statuses[Status.PORTED],
            partly=statuses[Status.PARTLY],
            refused=statuses[Status.REFUSED],
            findings=verdicts.total(),
            auto=verdicts[Verdict.AUTO],
            review=verdicts[Verdict.REVIEW],
            unsupported=verdicts[Verdict.UNSUPPORTED],
            accepted=len(plan.accepted),
        )


def refusals(plan: Plan) -> list[tuple[str, int]]:
    """How often each code withholds something, causes before what follows from them and the most
    frequent first."""
    counts = Counter(
        finding.code
        for finding in plan.findings()
        if finding.code is not None and finding.cause is None
    )
    return sorted(counts.items(), key=lambda item: (item[0] in CONSEQUENCES, -item[1], item[0]))
