"""The code quality report of GitLab: what it needs of an issue, and fingerprints of their own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from chatport.port.findings import FilePlan, Plan, Status
from chatport.port.report.gitlab import render
from tests.report.plans import CALL, PLAN


def test_every_finding_is_an_issue() -> None:
    issues = json.loads(render(PLAN))
    assert [(one["location"]["path"], one["severity"]) for one in issues] == [
        ("app/bot.py", "minor"),
        ("app/bot.py", "minor"),
        ("app/é.py", "major"),
        ("app/é.py", "major"),
        ("app/é.py", "critical"),
        ("requirements.txt", "minor"),
    ]
    assert issues[2]["check_name"] == "tools_not_known"
    assert issues[2]["location"]["lines"] == {"begin": 3}
    assert "Which tools the model may call" in issues[2]["description"]


def test_two_of_a_kind_have_fingerprints_of_their_own() -> None:
    def fingerprints(before: bytes) -> list[str]:
        places = (replace(CALL.place, line=1), replace(CALL.place, line=2))
        findings = tuple(replace(CALL, place=place) for place in places)
        file = FilePlan("app/bot.py", Status.REFUSED, findings, before)
        issues = json.loads(render(Plan(Path("/p"), (file,))))
        return [one["fingerprint"] for one in issues]

    first = fingerprints(b"call()\ncall()\n")
    assert len(set(first)) == 2
    assert fingerprints(b"  call()\n  call()\n") == first


def test_an_empty_plan_is_an_empty_list() -> None:
    assert json.loads(render(Plan(Path("/p")))) == []
