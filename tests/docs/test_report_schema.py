"""The published schema of the JSON report describes real reports, and all of what is in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from chatport.port.findings import Kind, Plan, Status, Verdict
from chatport.port.planner import plan
from chatport.port.report.json import render
from tests.report.plans import PLAN
from tests.support.cases import load_cases, materialise

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs" / "report.schema.json").read_text(encoding="utf-8")
)
CASES = {case.name: case for case in load_cases()}


def closed(schema: Any) -> Any:
    """The schema that allows no field it does not name: a report must not have one either."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if made.get("type") == "object":
        made["additionalProperties"] = False
    return made


VALIDATOR = jsonschema_rs.validator_for(closed(SCHEMA))


def faults(made: Plan) -> list[str]:
    document = json.loads(render(made))
    return [f"{fault.instance_path}: {fault.message}" for fault in VALIDATOR.iter_errors(document)]


@pytest.mark.parametrize("made", [PLAN, Plan(Path("/project"), scanned=3)], ids=["full", "empty"])
def test_a_plan_fits_it(made: Plan) -> None:
    assert faults(made) == []


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith(("d0", "manifest_"))])
def test_the_reports_of_graded_cases_fit_it(name: str, tmp_path: Path) -> None:
    materialise(CASES[name], tmp_path)
    assert faults(plan([tmp_path], root=tmp_path)) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"line": 0}, "0 is less than the minimum of 1"),
        ({"verdict": "maybe"}, '"maybe" is not one of'),
        ({"code": "usage_unmapped"}, "null was expected"),
    ],
)
def test_a_report_that_is_wrong_does_not_fit(change: dict[str, Any], message: str) -> None:
    document = json.loads(render(PLAN))
    document["files"][0]["findings"][0] |= change
    assert any(message in fault.message for fault in VALIDATOR.iter_errors(document))


def test_its_words_are_those_of_the_program() -> None:
    finding = SCHEMA["$defs"]["finding"]["properties"]
    assert finding["kind"]["enum"] == [kind.value for kind in Kind]
    assert finding["verdict"]["enum"] == [verdict.value for verdict in Verdict]
    statuses = SCHEMA["$defs"]["file"]["properties"]["status"]["enum"]
    assert statuses == [status.value for status in Status]
