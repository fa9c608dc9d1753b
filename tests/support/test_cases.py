"""The loader of the graded cases, and what must hold for every case before an engine sees it."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from chatport.port.findings import Kind, Status, Verdict
from tests.support.cases import CORPUS, Case, load_case, load_cases, materialise

CASES = load_cases()

GRADES = """
title = "one file"
rows = ["D3"]
execute = "nothing to run"

[[files]]
path = "app.py"
status = "ported"
findings = [
  { line = 1, symbol = "google.generativeai", kind = "import", verdict = "auto" },
]
"""


def write_case(folder: Path, grades: str = GRADES, **files: str) -> Path:
    folder.mkdir()
    (folder / "expected.toml").write_text(grades)
    for name, text in files.items():
        (folder / f"{name.replace('_', '.')}").write_text(text)
    return folder


def test_a_case_is_read_as_two_complete_trees(tmp_path: Path) -> None:
    folder = write_case(tmp_path / "c", app_before_py="old", app_after_py="new", notes_txt="same")
    case = load_case(folder)
    assert case.before == {"app.py": b"old", "notes.txt": b"same"}
    assert case.after == {"app.py": b"new", "notes.txt": b"same"}
    assert case.ported
    assert case.entry == "app.py"
    assert not case.executed
    assert case.file("app.py").findings[0].symbol == "google.generativeai"


@pytest.mark.parametrize("side", ["before", "after"])
def test_materialise_writes_the_names_without_the_side(tmp_path: Path, side: str) -> None:
    case = load_case(write_case(tmp_path / "c", app_before_py="before", app_after_py="after"))
    root = materialise(case, tmp_path / "out", side)  # type: ignore[arg-type]
    assert [p.name for p in root.iterdir()] == ["app.py"]
    assert (root / "app.py").read_text() == side


@pytest.mark.parametrize(
    ("grades", "complaint"),
    [
        (GRADES.replace('"app.py"', '"gone.py"'), "gone.py is graded but there is no such file"),
        (GRADES.replace("ported", "refused"), "app.py is refused, its files differ"),
        (GRADES.replace('"auto"', '"review"'), "app.py:1 has verdict review and code None"),
    ],
)
def test_grades_that_contradict_the_files_are_refused(
    tmp_path: Path, grades: str, complaint: str
) -> None:
    folder = write_case(tmp_path / "c", grades, app_before_py="old", app_after_py="new")
    with pytest.raises(ValueError, match=complaint):
        load_case(folder)


def test_case_names_are_unique() -> None:
    assert [name for name, count in Counter(c.name for c in CASES).items() if count > 1] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_grades_use_the_closed_vocabulary(case: Case) -> None:
    for graded in case.files:
        assert graded.status in set(Status)
        assert list(graded.findings) == sorted(graded.findings, key=lambda grade: grade.line)
        verdicts = {grade.verdict for grade in graded.findings}
        assert verdicts <= set(Verdict)
        assert {grade.kind for grade in graded.findings} <= set(Kind)
        assert (graded.status == "clean") == (not graded.findings)
        assert (verdicts - {"auto"} == set()) == (graded.status != "refused")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_both_sides_parse(case: Case) -> None:
    for tree in (case.before, case.after):
        for path, data in tree.items():
            if path.endswith(".py"):
                assert ast.parse(data, path) is not None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_ported_module_no_longer_names_the_legacy_package(case: Case) -> None:
    for graded in case.files:
        if graded.status == "ported" and graded.path.endswith(".py"):
            assert b"google.generativeai" not in case.after[graded.path]


@pytest.mark.parametrize(
    "row", ["end", "open", *(f"D{number}" for number in range(1, 15) if number != 12)]
)
def test_every_row_of_the_requirements_has_a_case(row: str) -> None:
    assert [case.name for case in CASES if row in case.rows]


def test_the_corpus_has_programs_of_every_common_shape_and_nearly_all_are_run() -> None:
    """By how often real programs have them: bots, pages, services, classes, tests, streams, JSON,
    functions, embeddings, pictures."""
    programs = [case for case in CASES if case.folder.parent == CORPUS]
    assert len(programs) >= 60
    assert sum(case.executed for case in programs) >= len(programs) - 1
    assert all(case.ported for case in programs)
