"""The SARIF log has the form of the standard, and its fixes make the change."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chatport.port.findings import Accepted, FilePlan, Plan, Status
from chatport.port.planner import plan
from chatport.port.report.sarif import render
from tests.report.plans import CALL, FOLLOWS, PLAN, REFUSED
from tests.report.sarif_shape import faults
from tests.support.cases import load_cases, materialise

CASES = {case.name: case for case in load_cases()}


def run_of(made: Plan) -> dict[str, Any]:
    log = json.loads(render(made))
    assert faults(log) == []
    run: dict[str, Any] = log["runs"][0]
    return run


def results_of(made: Plan) -> dict[tuple[str, int], dict[str, Any]]:
    """The results by path and line."""
    found = {}
    for result in run_of(made)["results"]:
        place = result["locations"][0]["physicalLocation"]
        found[place["artifactLocation"]["uri"], place["region"]["startLine"]] = result
    return found


def test_every_finding_is_a_result() -> None:
    results = results_of(PLAN)
    assert {place: result["level"] for place, result in results.items()} == {
        ("app/bot.py", 1): "note",
        ("app/bot.py", 7): "note",
        ("app/%C3%A9.py", 3): "warning",
        ("app/%C3%A9.py", 5): "warning",
        ("app/%C3%A9.py", 8): "error",
        ("requirements.txt", 2): "note",
    }
    refused = results["app/%C3%A9.py", 3]
    assert refused["ruleId"] == "tools_not_known"
    assert "Which tools the model may call" in refused["message"]["text"]
    assert "Write instead:\n-Model.send(f)\n+client.send(" in refused["message"]["text"]
    related = results["app/%C3%A9.py", 5]["relatedLocations"][0]
    assert related["physicalLocation"]["region"]["startLine"] == 3


def test_a_rule_is_described_once_and_pointed_to() -> None:
    run = run_of(PLAN)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["portable_use", "surface_gone", "tools_not_known"]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_a_rule_leads_to_its_page_when_it_is_known_where_those_are() -> None:
    finding = replace(REFUSED, code="history_write")
    made = Plan(Path("/p"), (replace(PLAN.files[1], findings=(finding, CALL)),))
    rules = run_of(made)["tool"]["driver"]["rules"]
    assert not any("helpUri" in rule for rule in rules)
    told = run_of(replace(made, documentation="https://docs.example.org/x/"))
    uris = {rule["id"]: rule.get("helpUri") for rule in told["tool"]["driver"]["rules"]}
    assert uris["history_write"] == "https://docs.example.org/x/codes/history_write.html"
    assert uris["portable_use"] is None


def test_what_follows_from_another_file_is_related_to_it() -> None:
    finding = replace(FOLLOWS, path="app/bot.py")
    made = Plan(Path("/p"), (replace(PLAN.files[0], findings=(finding,)),))
    (related,) = run_of(made)["results"][0]["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "app/%C3%A9.py"


def test_errors_and_notes_are_notifications() -> None:
    (invocation,) = run_of(PLAN)["invocations"]
    assert invocation["executionSuccessful"] is False
    error, note = invocation["toolExecutionNotifications"]
    assert (error["level"], note["level"]) == ("error", "note")
    assert error["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "old.py"


def test_what_is_accepted_is_suppressed_with_its_reason() -> None:
    accepted = (Accepted(REFUSED, "comment", "goes soon"), Accepted(FOLLOWS, "baseline"))
    results = run_of(Plan(Path("/project"), accepted=accepted))["results"]
    assert [result["suppressions"] for result in results] == [
        [{"kind": "inSource", "justification": "goes soon"}],
        [{"kind": "external"}],
    ]


def test_a_fingerprint_follows_its_line_and_tells_files_apart() -> None:
    def fingerprints(path: str, before: bytes, line: int) -> dict[str, str]:
        finding = replace(CALL, path=path, place=replace(CALL.place, line=line))
        (result,) = results_of(
            Plan(Path("/p"), (FilePlan(path, Status.REFUSED, (finding,), before),))
        ).values()
        prints: dict[str, str] = result["partialFingerprints"]
        return prints

    first = fingerprints("a.py", b"call()\n", 1)
    assert fingerprints("a.py", b"\n\n  call()\n", 3) == first
    assert fingerprints("b.py", b"call()\n", 1) != first
    assert fingerprints("a.py", b"other()\n", 1) != first


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"a\nx\ny\nc\n"),
        (b"a\r\nb\r\n", b"x\r\na\r\n"),
        (b"a\nb", b"a\nx"),
        (b"a\nb", b"a\n"),
        (b"a\n", b"a\nb\n"),
        (b"a\x0cb\n\x0bc\n", b"a\x0cb\n\x0bx\n"),
        ("é\n𝄞 b\n".encode(), "é\n𝄞 x\n".encode()),
        (b"a\rb\r", b"a\rx\r"),
    ],
)
def test_the_fix_makes_the_change(before: bytes, after: bytes) -> None:
    file = FilePlan("app/bot.py", Status.PORTED, (CALL,), before, after)
    (result,) = results_of(Plan(Path("/p"), (file,))).values()
    assert applied(result["fixes"][0], before.decode()) == after.decode()


def test_only_the_first_finding_of_a_file_carries_its_fix() -> None:
    results = results_of(PLAN)
    assert "fixes" in results["app/bot.py", 1]
    assert "fixes" not in results["app/bot.py", 7]
    assert "fixes" not in results["app/%C3%A9.py", 3]


def test_names_and_texts_that_are_no_text_survive() -> None:
    name = os.fsdecode(b"\xff\x1b #?.py")
    finding = replace(CALL, path=name, symbol="\ud800<b>")
    results = results_of(Plan(Path("/p"), (FilePlan(name, Status.CLEAN, (finding,), b""),)))
    assert list(results) == [("%FF%1B%20%23%3F.py", 7)]


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith(("d0", "manifest_"))])
def test_the_logs_of_graded_cases_have_the_form(name: str, tmp_path: Path) -> None:
    materialise(CASES[name], tmp_path)
    run = run_of(plan([tmp_path], root=tmp_path))
    assert run["invocations"][0]["executionSuccessful"]


def applied(fix: dict[str, Any], text: str) -> str:
    """What an editor makes of a text by the fix."""
    starts = [0]
    for index, character in enumerate(text):
        if character == "\n" or (character == "\r" and text[index + 1 : index + 2] != "\n"):
            starts.append(index + 1)
    (change,) = fix["artifactChanges"]
    for one in reversed(change["replacements"]):
        region = one["deletedRegion"]
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        text = text[:start] + one["insertedContent"]["text"] + text[end:]
    return text
