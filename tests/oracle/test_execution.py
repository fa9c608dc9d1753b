"""Every graded case is run: as it is found on the legacy SDK, as it should become on google-genai.

A case that is not run says why in its `expected.toml`, and once more in `not_executed.toml` here,
so that nothing falls out of the proof unseen.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from chatport.port.prove.compare import compare
from chatport.port.prove.pair import PairResult
from chatport.port.prove.running import How, Program, Run, Worker
from tests.support.cases import load_cases, materialise

Workers = Callable[[str], Worker]

CASES = {case.name: case for case in load_cases()}
EXECUTED = [name for name, case in CASES.items() if case.executed]
PORTED = [name for name in EXECUTED if CASES[name].ported]
REFUSED = [name for name in EXECUTED if not CASES[name].ported]
LISTED = Path(__file__).parent / "not_executed.toml"


@cache
def as_found(legacy: Worker, name: str) -> Run:
    """The run of a case as it is found; one for all versions it is compared with."""
    with tempfile.TemporaryDirectory() as folder:
        tree = materialise(CASES[name], Path(folder), "before")
        return legacy.run(Program(tree, path=CASES[name].entry))


def test_the_cases_that_are_not_run_are_listed_with_the_reason() -> None:
    listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))
    left_out = {name: case.why_not_executed for name, case in CASES.items() if not case.executed}
    assert listed == left_out


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
@pytest.mark.parametrize("name", PORTED)
def test_the_port_sends_what_the_program_sent(
    worker: Workers, tmp_path: Path, name: str, environment: str
) -> None:
    case = CASES[name]
    before = as_found(worker("legacy"), name)
    tree = materialise(case, tmp_path, "after")
    after = worker(environment).run(Program(tree, path=case.entry))
    result = PairResult(before, after, compare(before, after))
    assert result.same, result.explain()


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_a_program_that_works(worker: Workers, name: str) -> None:
    run = as_found(worker("legacy"), name)
    assert run.how is How.RETURNED, run.stderr
    assert run.exchanges
