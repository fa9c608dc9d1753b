"""Over all graded cases: nearly every refusal suggests something, at its place, that compiles."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from chatport.port import plan
from chatport.port.findings import CONSEQUENCES, FilePlan, Finding, Suggestion
from chatport.port.report.lines import shown
from chatport.port.source.discover import PROGRAM_SUFFIXES
from chatport.port.suggest.advice import Advice
from tests.support.cases import Case, load_cases, materialise

CASES = {case.name: case for case in load_cases()}
REFUSING = [
    name
    for name, case in CASES.items()
    if any(grade.code for file in case.files for grade in file.findings)
]
LEAST = 0.95
"""Of the refusals; the rest are a place for somebody's own idea."""

ELSEWHERE = {"error_class_changed"}
"""What is to be changed is the handler around the use."""


def planned(case: Case, root: Path) -> list[FilePlan]:
    materialise(case, root)
    made = plan([root], root=root)
    return [*made.files, *made.manifests]


def refusals(files: list[FilePlan]) -> Iterator[tuple[FilePlan, Finding]]:
    """What is refused for itself."""
    for file in files:
        for one in file.findings:
            if one.code and one.cause is None and one.code not in {*CONSEQUENCES, "left_out"}:
                yield file, one


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[FilePlan, Finding]]:
    roots = ((CASES[name], tmp_path_factory.mktemp("case")) for name in REFUSING)
    return [pair for case, root in roots for pair in refusals(planned(case, root))]


def test_nearly_every_refusal_suggests_something(found: list[tuple[FilePlan, Finding]]) -> None:
    every = Counter(one.code for _, one in found)
    said = Counter(one.code for _, one in found if one.suggestion)
    table = {code: (said[code], count) for code, count in every.items() if said[code] < count}
    assert said.total() >= LEAST * every.total(), table
    assert said.keys() == every.keys(), table


def test_a_suggestion_stands_at_the_place_of_its_refusal(
    found: list[tuple[FilePlan, Finding]],
) -> None:
    for file, one in found:
        if one.suggestion is None:
            continue
        text = shown(file)
        for hunk in one.suggestion.hunks:
            end = hunk.line - 1 + len(hunk.old)
            assert [line.rstrip("\r\n") for line in text.old[hunk.line - 1 : end]] == [*hunk.old]
        start, lines = text.line_of(one.place), one.place.end_line - one.place.line
        near = range(start - 1, start + lines + 2)
        hunks = one.suggestion.hunks
        here = [h for h in hunks if h.line in near or h.line <= start < h.line + len(h.old)]
        assert here or one.code in ELSEWHERE


def test_a_file_with_a_suggestion_taken_compiles(found: list[tuple[FilePlan, Finding]]) -> None:
    for file, one in found:
        if one.suggestion is not None and file.path.endswith(PROGRAM_SUFFIXES):
            lines = shown(file).old
            assert ast.parse("".join(taken(lines, one.suggestion)))


def taken(lines: list[str], suggestion: Suggestion) -> list[str]:
    """The lines of a file with those of a suggestion in their place."""
    made = list(lines)
    for hunk in reversed(suggestion.hunks):
        made[hunk.line - 1 : hunk.line - 1 + len(hunk.old)] = [f"{line}\n" for line in hunk.new]
    return made


def test_every_suggestion_says_what_to_check(found: list[tuple[FilePlan, Finding]]) -> None:
    for _, one in found:
        if one.suggestion is not None:
            assert one.suggestion.check.startswith("Check ")
            assert one.suggestion.check.endswith(".")


def test_the_rules_do_not_break_where_premises_are_waived(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Advice] = []
    init = Advice.__init__

    def remember(self: Advice, *arguments: object) -> None:
        init(self, *arguments)  # type: ignore[arg-type]
        made.append(self)

    monkeypatch.setattr(Advice, "__init__", remember)
    for name in REFUSING:
        planned(CASES[name], tmp_path_factory.mktemp("case"))
    assert made
    assert [fault for advice in made for fault in advice.faults] == []
