"""The examples print what they say, and what a user writes is typed without a cast."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "client"

PRINTED = {
    "typed_answer.py": "42\n",
    "streamed_answer.py": "Hello stream\n",
    "prompt_template.py": "Explain Go interfaces in one sentence.\n",
    "recovered_tools.py": "Saved.\ntool executions: 1\nobserved model calls: 3\n",
}


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_prints_what_it_says(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name], capture_output=True, text=True, check=True
    )
    assert (run.stdout, run.stderr) == (PRINTED[name], "")


def test_the_examples_and_the_types_users_see_are_clean() -> None:
    run = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--no-error-summary"),
            *("--cache-dir", os.devnull, EXAMPLES, Path(__file__).with_name("typing_cases.py")),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert run.stdout == ""
    assert run.returncode == 0, run.stderr
