"""Programs that do the same in another order, with other names or in two files are ported alike."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chatport.port.findings import FilePlan, Finding
from chatport.port.prove.compare import compare
from chatport.port.prove.pair import PairResult
from chatport.port.prove.running import Program, Worker
from tests.port.test_metamorphic import changed, single, verdicts
from tests.port.test_properties import BY_NAME, CASES, Files, as_found, planned, written
from tests.prove.workers import worker
from tests.support import rearrangements
from tests.support.cases import Case

__all__ = ["worker"]

SINGLE = [case for case in CASES if single(case)]
FOLLOWS = {"file_withheld", "depends_on_refused"}


def told(plans: dict[str, FilePlan]) -> Counter[tuple[str, str, str | None]]:
    """The verdicts, wherever they stand."""
    return Counter((one.symbol, one.verdict, one.code) for one in _findings(plans))


def causes(plans: dict[str, FilePlan]) -> Counter[tuple[str, str]]:
    """The refusals, without those that follow from them in the same file or another."""
    return Counter(
        (one.symbol, one.code)
        for one in _findings(plans)
        if one.code is not None and one.code not in FOLLOWS and one.cause is None
    )


def _findings(plans: dict[str, FilePlan]) -> Iterator[Finding]:
    for plan in plans.values():
        yield from plan.findings


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case.name)
def test_the_names_of_variables_decide_nothing(case: Case) -> None:
    files = changed(case, rearrangements.other_names)
    if files is not None:
        assert verdicts(planned(files)) == verdicts(as_found(case))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_quotes_of_strings_decide_nothing(case: Case) -> None:
    files = changed(case, rearrangements.other_quotes)
    if files is None:
        return
    before, after = as_found(case), planned(files)
    assert verdicts(after) == verdicts(before)
    for path, plan in before.items():
        if plan.after is not None and case.name not in SHOWS_ITS_SOURCE:
            assert _tree(after[path]) == _tree(plan)


SHOWS_ITS_SOURCE = {"layout_fstring_that_shows_its_source": "f'{x=}' prints its own quotes"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_order_of_functions_decides_nothing(case: Case) -> None:
    files = changed(case, rearrangements.functions_turned_round)
    if files is not None:
        assert told(planned(files)) == told(as_found(case))


def split(case: Case) -> Files | None:
    (path,) = [path for path in case.before if path.endswith(".py")]
    try:
        parts = rearrangements.split_in_two(case.before[path].decode())
    except (SyntaxError, ValueError):
        return None
    if parts is None:
        return None
    first, second = parts
    return dict(case.before) | {"first.py": first.encode(), path: second.encode()}


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case.name)
def test_a_module_split_in_two_is_ported_as_the_whole(case: Case) -> None:
    files = split(case)
    if files is not None and case.name not in DECIDED_BY_THE_SPLIT:
        assert causes(planned(files)) == causes(as_found(case))


DECIDED_BY_THE_SPLIT = {
    "client_configured_after_the_chat": "a module of its own may make the client on first use",
    "d03_message_over_a_named_configuration": "a configuration is not restated in another module",
    "d04_safety_name_that_survives": "a name of the old SDK is handed on to another module",
    "d08_chat_with_functions_and_no_flag": "functions are not restated in another module",
    "d08_functions_are_called_when_enabled": "what a chat calls is not told in another module",
    "d08_mode_of_a_helper": "a configuration is not restated in another module",
    "trap_stream_flag_in_a_constant": "a constant of another module may be set from outside",
}
"""Cases whose halves are ported otherwise, with what decides: all but the first are refused."""


def test_many_cases_are_rearranged() -> None:
    """The properties above say nothing of a case that no change fits."""
    counts = {
        "names": sum(_differs(case, rearrangements.other_names) for case in SINGLE),
        "quotes": sum(_differs(case, rearrangements.other_quotes) for case in CASES),
        "order": sum(_differs(case, rearrangements.functions_turned_round) for case in CASES),
        "split": sum(split(case) is not None for case in SINGLE),
    }
    assert min(counts.values()) > 20, counts


# --- the proof still holds ---------------------------------------------------------------------

PROVEN = ["chat_history_read", "model_returned_by_a_helper", "d02_chained_constructor"]
CHANGES: dict[str, Callable[[Case], Files | None]] = {
    "names": lambda case: changed(case, rearrangements.other_names),
    "quotes": lambda case: changed(case, rearrangements.other_quotes),
    "order": lambda case: changed(case, rearrangements.functions_turned_round),
    "split": split,
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", PROVEN)
def test_what_was_rearranged_asks_the_same_after_the_port(
    worker: Callable[[str], Worker], tmp_path: Path, name: str, change: str
) -> None:
    case = BY_NAME[name]
    files = CHANGES[change](case) or dict(case.before)
    runs = []
    for side, tree in (("legacy", files), ("genai3", written(files, planned(files)))):
        for path, data in tree.items():
            (tmp_path / side / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / side / path).write_bytes(data)
        runs.append(worker(side).run(Program(tmp_path / side, path=case.entry)))
    result = PairResult(*runs, compare(*runs))
    assert result.same, result.explain()


def _differs(case: Case, change: Callable[[str], str]) -> bool:
    files = changed(case, change)
    return files is not None and files != dict(case.before)


def _tree(plan: FilePlan) -> str:
    assert plan.after is not None
    return ast.dump(ast.parse(plan.after))
