"""Programs that do the same get the same verdicts and the same port."""

from __future__ import annotations

import ast

import pytest

from chatport.port.findings import FilePlan
from tests.port.test_properties import CASES, Files, as_found, planned
from tests.support import metamorphoses
from tests.support.cases import Case
from tests.support.metamorphoses import Change

Verdicts = list[tuple[str, str, str, str | None]]

ANYWHERE = [
    metamorphoses.comment_above_every_statement,
    metamorphoses.statement_above_every_statement,
    metamorphoses.call_above_every_statement,
    metamorphoses.parentheses_around_assigned_calls,
]
AROUND = [
    metamorphoses.all_in_a_condition,
    metamorphoses.all_in_a_try,
    metamorphoses.all_in_a_function,
]
DECIDED_BY_PLACE = {
    "client_from_the_environment": "the import runs in a block, and there is no configuration",
    "d10_handler_around_a_lazy_stream": "a function is defined below the imports",
    "model_passed_as_an_argument": "a quoted annotation does not see what a function imports",
    "page_of_saved_chats": "a function is defined below the imports a module starts with",
    "streams_sent_where_they_are_made": "two functions are defined there",
    "streams_waited_for": "a function is defined there",
    "trap_exported_name": "a function exports nothing",
    "trap_history_slices_after_a_stream": "the same function is defined there",
    "trap_read_through_globals": "what a function binds is not among the globals",
}


def single(case: Case) -> bool:
    """Whether the program is one module, whose names nobody else imports."""
    return sum(path.endswith(".py") for path in case.before) == 1


def changed(case: Case, change: Change) -> Files | None:
    """The case with every module changed; None where that is no program any more."""
    files = dict(case.before)
    for path, data in case.before.items():
        if path.endswith(".py"):
            try:
                ast.parse(data)
                files[path] = change(data.decode()).encode()
                compile(files[path], path, "exec")
            except (SyntaxError, ValueError):
                return None
    return files


def verdicts(plans: dict[str, FilePlan]) -> Verdicts:
    return [
        (path, finding.symbol, finding.verdict, finding.code)
        for path, plan in sorted(plans.items())
        for finding in plan.findings
    ]


@pytest.mark.parametrize("change", ANYWHERE, ids=lambda change: change.__name__)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_changes_nothing_decides_nothing(case: Case, change: Change) -> None:
    files = changed(case, change)
    if files is not None:
        assert verdicts(planned(files)) == verdicts(as_found(case))


@pytest.mark.parametrize("change", AROUND, ids=lambda change: change.__name__)
@pytest.mark.parametrize("case", [c for c in CASES if single(c)], ids=lambda case: case.name)
def test_where_the_statements_of_a_module_stand_decides_nothing(case: Case, change: Change) -> None:
    files = changed(case, change)
    if files is not None and case.name not in DECIDED_BY_PLACE:
        assert verdicts(planned(files)) == verdicts(as_found(case))


@pytest.mark.parametrize("end", [b"\r\n", b"\r"], ids=["windows", "bare"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_other_line_ends_give_the_same_port_with_other_line_ends(case: Case, end: bytes) -> None:
    if any(b"\r" in data for data in case.before.values()):
        return
    files = {path: data.replace(b"\n", end) for path, data in case.before.items()}
    before, after = as_found(case), planned(files)
    assert verdicts(after) == verdicts(before)
    for path, plan in before.items():
        if plan.after is not None:
            assert after[path].after == plan.after.replace(b"\n", end)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_comments_stay_and_the_port_is_the_same(case: Case) -> None:
    files = changed(case, metamorphoses.comment_above_every_statement)
    if files is None:
        return
    plans = planned(files)
    for path, plan in as_found(case).items():
        if plan.after is not None:
            after = plans[path].after
            assert after is not None
            assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(plan.after))
