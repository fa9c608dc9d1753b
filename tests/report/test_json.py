"""The report for machines has the documented form and is the same every time."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

from chatport.port.findings import FilePlan, Plan, Problem, Status
from chatport.port.report.json import render
from tests.report.plans import PLAN


def test_every_finding_is_in_it() -> None:
    document = json.loads(render(PLAN))
    assert list(document) == ["version", "summary", "files", "manifests", "errors"]
    assert document["version"] == 1
    assert document["summary"] == {
        "files": 12,
        "legacy_files": 2,
        "ported": 1,
        "partly": 0,
        "refused": 1,
        "findings": 6,
        "auto": 3,
        "review": 2,
        "unsupported": 1,
        "accepted": 0,
    }
    assert [(file["path"], file["status"]) for file in document["files"]] == [
        ("app/bot.py", "ported"),
        ("app/é.py", "refused"),
    ]
    assert document["files"][1]["findings"][0] == {
        "line": 3,
        "column": 9,
        "end_line": 3,
        "end_column": 30,
        "symbol": "Model",
        "kind": "call",
        "verdict": "review",
        "code": "tools_not_known",
        "message": "Which tools the model may call is not known here.",
        "suggestion": "-Model.send(f)\n+client.send(\n+    tools=[f],\n+)",
        "check": "Check the tools.",
        "warnings": [],
        "cause": None,
    }
    assert document["files"][1]["findings"][1]["cause"] == {
        "path": "app/é.py",
        "line": 3,
        "column": 9,
        "end_line": 3,
        "end_column": 30,
    }
    assert document["files"][0]["findings"][0]["warnings"] == ["text_may_be_none"]
    assert document["files"][0]["findings"][0]["code"] is None
    assert [file["path"] for file in document["manifests"]] == ["requirements.txt"]
    assert document["errors"] == [
        {"path": "old.py", "message": "line 2: this is Python 2 (invalid syntax)"}
    ]


def test_the_order_of_the_plan_makes_no_difference() -> None:
    first, second = PLAN.files
    turned = replace(second, findings=second.findings[::-1])
    errors = (Problem("z.py", "a"), *PLAN.errors)
    assert render(replace(PLAN, files=(turned, first), errors=errors)) == render(
        replace(PLAN, errors=errors[::-1])
    )


def test_an_empty_plan_has_the_same_form() -> None:
    document = json.loads(render(Plan(Path("/project"), scanned=3)))
    assert document["summary"]["files"] == 3
    assert document["files"] == document["manifests"] == document["errors"] == []


def test_a_name_that_is_no_text_survives() -> None:
    name = os.fsdecode(b"\xff\x1b.py")
    text = render(Plan(Path("/project"), (FilePlan(name, Status.CLEAN, (), b""),)))
    assert text.isascii()
    assert "\x1b" not in text
    assert os.fsencode(json.loads(text)["files"][0]["path"]) == b"\xff\x1b.py"
