"""The pages of the providers: their blocks run and print what they say, their tables are true."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from chatport.providers import errors
from chatport.providers.anthropic.words import STOP_REASONS
from chatport.providers.gemini.words import CONFIG_EXTENSIONS, FINISH_REASONS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    DOCS / "providers" / "gemini.md",
    DOCS / "providers" / "anthropic.md",
    DOCS / "testing-anthropic-server.md",
]
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_and_prints_what_it_says(page: Path) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    printed = ""
    for number, (kind, block) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8"))):
        if kind == "text":
            assert printed == block, f"block {number}"
            printed = ""
            continue
        assert printed == "", f"block {number} follows one whose output is not shown"
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(block, f"{page.name}, block {number}", "exec"), names)
        printed = output.getvalue()
    assert printed == ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_errors_a_page_names_exist(page: Path) -> None:
    named = set(re.findall(r"`(\w+Error)`", page.read_text(encoding="utf-8")))
    assert named - {"UnsupportedError"} <= set(vars(errors))


@pytest.mark.parametrize(
    ("page", "reasons"), [(PAGES[0], FINISH_REASONS), (PAGES[1], STOP_REASONS)]
)
def test_the_table_of_ends_is_the_whole_table(page: Path, reasons: dict[str, str]) -> None:
    rows = re.findall(
        r"^\| (`[^|]*`) \| `(\w+)`.* \|$", page.read_text(encoding="utf-8"), re.MULTILINE
    )
    told = {word: reason for words, reason in rows for word in re.findall(r"`(\w+)`", words)}
    assert {word: told.get(word) for word in reasons} == dict(reasons)


def test_the_settings_a_page_names_are_where_it_says() -> None:
    named = re.search(r"where it belongs \((.*?) …\)", PAGES[0].read_text(encoding="utf-8"))
    assert named is not None
    assert set(re.findall(r"`(\w+)`", named[1])) <= set(CONFIG_EXTENSIONS)
