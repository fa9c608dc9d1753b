"""Every block of the client's pages runs, in order, and prints what the page says."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import stamina

import chatport

PAGES = Path(__file__).parents[2] / "docs"
MINE = (
    "tutorial-client",
    *(f"howto/{page}" for page in ("write-a-middleware", "a-failed-batch", "test-without-a-key")),
    "client/quickstart",
    *(f"client/{page}" for page in ("output", "streaming", "tools", "middleware", "templates")),
    "client/testing",
)
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture
def silent_retries() -> Iterator[None]:
    """Where structlog is installed, stamina prints a line for each retry."""
    stamina.instrumentation.set_on_retry_hooks([])
    yield
    stamina.instrumentation.set_on_retry_hooks(None)


@pytest.mark.usefixtures("silent_retries")
@pytest.mark.parametrize("page", MINE)
def test_a_page_runs_and_prints_what_it_says(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)  # where dataclasses look for their module
    printed = ""
    with stamina.set_testing(True, attempts=10, cap=True):
        for number, (kind, block) in enumerate(BLOCK.findall((PAGES / f"{page}.md").read_text())):
            if kind == "text":
                assert printed.rstrip("\n") == block.rstrip("\n"), f"block {number}"
                printed = ""
                continue
            assert printed == "", f"block {number} follows one whose output is not shown"
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(block, f"{page}.md, block {number}", "exec"), vars(module))
            printed = output.getvalue()
    assert printed == ""


@pytest.mark.parametrize("page", MINE)
def test_the_errors_a_page_names_are_offered(page: str) -> None:
    named = set(re.findall(r"`(\w+Error)`", (PAGES / f"{page}.md").read_text()))
    builtin = {"AssertionError", "CancelledError", "ScriptExhaustedError", "CassetteError"}
    assert named - builtin - {"ReplayedError"} <= set(chatport.__all__)
