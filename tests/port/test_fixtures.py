"""Every graded case is planned: the bytes it becomes and its findings are compared both ways.

Where the engine and a grade disagree, `known.toml` says in one sentence what is wrong. A case that
is listed there and agrees fails as well, so that the list only holds what is still wrong.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from chatport.port.findings import FilePlan, Plan, Status
from chatport.port.planner import plan
from tests.support.cases import Case, Grade, GradedFile, load_cases, materialise

CASES = {case.name: case for case in load_cases()}
KNOWN: dict[str, str] = tomllib.loads(
    (Path(__file__).parent / "known.toml").read_text(encoding="utf-8")
)
ROWS = [
    pytest.param(name, id=f"{row}-{name}")
    for name, case in CASES.items()
    for row in case.rows or ("other",)
]
END = "chat_async_self"


@pytest.mark.parametrize("name", ROWS)
def test_a_case_is_planned_as_graded(name: str, tmp_path: Path) -> None:
    found = "\n".join(disagreements(CASES[name], planned(CASES[name], tmp_path)))
    if name in KNOWN:
        assert found, f"{name} is planned as graded: take it out of known.toml"
    else:
        assert not found, found


def test_end_the_assistant_is_ported_byte_for_byte_with_its_three_warnings(tmp_path: Path) -> None:
    case = CASES[END]
    (file,) = planned(case, tmp_path).files
    assert file.after == (case.folder / "assistant.after.py").read_bytes()
    warnings = {warning for finding in file.findings for warning in finding.warnings}
    assert len(warnings) == 3
    assert sorted(case.file("assistant.py").warnings) == sorted(
        warning for finding in file.findings for warning in finding.warnings
    )


def test_every_known_disagreement_names_a_case_and_says_why() -> None:
    assert set(KNOWN) <= set(CASES)
    assert all(why.endswith(".") for why in KNOWN.values())


def planned(case: Case, folder: Path) -> Plan:
    root = materialise(case, folder)
    return plan([root], root=root)


def disagreements(case: Case, found: Plan) -> list[str]:
    """In what the plan and the grades differ, a line each."""
    files = {file.path: file for file in (*found.files, *found.manifests)}
    graded = {file.path: file for file in case.files}
    lines = [f"{problem.path}: {problem.message}" for problem in found.errors]
    for path in sorted(files.keys() | graded.keys()):
        lines += _of_file(path, files.get(path), graded.get(path))
    after = dict(case.before) | {
        file.path: file.after for file in found.changes() if file.after is not None
    }
    lines += [f"{path}: bytes differ" for path in case.after if after[path] != case.after[path]]
    return lines


def _of_file(path: str, file: FilePlan | None, graded: GradedFile | None) -> list[str]:
    status = file.status if file is not None else Status.CLEAN
    expected = graded.status if graded is not None else Status.CLEAN
    lines = [] if status == expected else [f"{path} is {status}, graded {expected}"]
    planned = Counter(_grades(file)) if file is not None else Counter()
    wanted = Counter(graded.findings) if graded is not None else Counter()
    lines += [f"{path}: not graded: {grade}" for grade in (planned - wanted).elements()]
    lines += [f"{path}: not found: {grade}" for grade in (wanted - planned).elements()]
    return lines


def _grades(file: FilePlan) -> list[Grade]:
    return [
        Grade(
            line=finding.place.line,
            symbol=finding.symbol,
            kind=finding.kind,
            verdict=finding.verdict,
            code=finding.code,
            warnings=finding.warnings,
        )
        for finding in file.findings
    ]
