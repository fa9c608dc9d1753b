"""The tests in graded cases pass as they are found, on the legacy SDK, and as they should become,
on google-genai: whatever they put in the place of an SDK is called."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.prove.running import How, Program, Run, Worker
from tests.support.cases import Case, Side, load_cases, materialise

Workers = Callable[[str], Worker]

RUNNER = Path(__file__).parent / "run_tests.py"
CASES = {
    case.name: case
    for case in load_cases()
    if any(Path(path).name.startswith("test_") for path in case.before)
}
LEFT = [
    name
    for name, case in CASES.items()
    if any(f.status == "refused" and Path(f.path).name.startswith("test_") for f in case.files)
]
PORTED = [name for name, case in CASES.items() if case.ported and name not in LEFT]


def run_tests(worker: Worker, case: Case, side: Side, folder: Path) -> Run:
    tree = materialise(case, folder, side)
    shutil.copy(RUNNER, tree / RUNNER.name)
    return worker.run(Program(tree, path=RUNNER.name))


@pytest.mark.parametrize("name", CASES)
def test_the_tests_pass_as_they_are_found(worker: Workers, tmp_path: Path, name: str) -> None:
    run = run_tests(worker("legacy"), CASES[name], "before", tmp_path)
    assert run.how is How.RETURNED, run.stderr
    assert "passed" in run.stdout
    assert "failed" not in run.stdout, run.stderr


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
@pytest.mark.parametrize("name", PORTED)
def test_the_tests_pass_as_they_should_become(
    worker: Workers, tmp_path: Path, name: str, environment: str
) -> None:
    case = CASES[name]
    before = run_tests(worker("legacy"), case, "before", tmp_path / "before")
    after = run_tests(worker(environment), case, "after", tmp_path / "after")
    assert after.stdout == before.stdout, after.stderr
    assert not after.exchanges


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
@pytest.mark.parametrize("name", [name for name in LEFT if CASES[name].ported])
def test_a_test_that_is_left_beside_its_ported_program_does_not_pass_for_nothing(
    worker: Workers, tmp_path: Path, name: str, environment: str
) -> None:
    run = run_tests(worker(environment), CASES[name], "after", tmp_path)
    assert "passed" not in run.stdout
