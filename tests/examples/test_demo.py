"""`make demo` shows what it says, and says so when a step fails."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chatport.port.findings import Status
from chatport.port.planner import plan

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_assistant_is_ported_whole() -> None:
    ported = plan([EXAMPLES / "assistant"], root=EXAMPLES / "assistant")
    assert ported.errors == ()
    assert {file.path: file.status for file in ported.files} == {
        "desk/conversation.py": Status.PORTED,
        "desk/orders.py": Status.PORTED,
        "desk/reports.py": Status.PORTED,
        "desk/settings.py": Status.PORTED,
    }


def test_the_demonstration_goes_through_and_changes_nothing_here() -> None:
    before = _contents(EXAMPLES / "assistant")
    done = subprocess.run(
        [sys.executable, EXAMPLES / "demo.py"],
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for shown in (
        "[1/6]",
        "4 files can be ported whole, 0 held back.",
        "+client = genai.Client(",
        "Desk: Answer 2: My rear brake squeaks. Is that dangerous?",
        "7 requests are the same.",
    ):
        assert shown in done.stdout + done.stderr
    assert _contents(EXAMPLES / "assistant") == before


def test_a_step_that_fails_ends_the_demonstration(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "assistant"
    program.mkdir()
    (program / "main.py").write_text("import google.generativeai as genai\ngenai.chat()\n")
    demo: dict[str, Any] = runpy.run_path(str(EXAMPLES / "demo.py"))
    demo["main"].__globals__["HERE"] = tmp_path
    assert demo["main"]() == 1
    assert (
        "The demonstration stopped: chatport fix assistant ended with 1." in capfd.readouterr().err
    )


def _contents(folder: Path) -> dict[Path, bytes]:
    return {
        path: path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
