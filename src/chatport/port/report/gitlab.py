"""The report as GitLab's Code Quality artifact, which shows in merge requests.

https://docs.gitlab.com/ci/testing/code_quality/
"""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import Any

from chatport.port.baseline import Entry, entry
from chatport.port.findings import FilePlan, Finding, Plan, Verdict

_SEVERITIES = {Verdict.AUTO: "minor", Verdict.REVIEW: "major", Verdict.UNSUPPORTED: "critical"}


def render(plan: Plan) -> str:
    """Every finding of a plan, as a list of issues."""
    seen: Counter[Entry] = Counter()
    issues = [
        _issue(file, finding, seen)
        for file in (*plan.files, *plan.manifests)
        for finding in file.findings
    ]
    return json.dumps(issues, indent=2) + "\n"


def _issue(file: FilePlan, finding: Finding, seen: Counter[Entry]) -> dict[str, Any]:
    # Two issues of one fingerprint would be shown as one, so the second of its kind says so.
    known = entry(file, finding)
    seen[known] += 1
    whole = "\0".join((known.path, known.symbol, known.line, str(seen[known])))
    where = "" if finding.place.cell is None else f"{finding.place.where}: "
    return {
        "description": f"{where}{finding.symbol}: {finding.message or 'can be ported.'}",
        "check_name": finding.code or "portable_use",
        "fingerprint": sha256(whole.encode("utf-8", "surrogatepass")).hexdigest(),
        "severity": _SEVERITIES[finding.verdict],
        "location": {"path": finding.path, "lines": {"begin": finding.place.line}},
    }
