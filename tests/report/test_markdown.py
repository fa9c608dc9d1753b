"""The description of a pull request: short, folded, and nothing in it is taken for markup."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from chatport.port.findings import FilePlan, Note, Plan, Status
from chatport.port.report.markdown import SHOWN, render
from tests.report.plans import PLAN, REFUSED, suggested

READER = MarkdownIt("commonmark", {"html": True})


def test_it_says_what_was_done_and_what_is_left() -> None:
    text = render(PLAN)
    assert text.startswith(
        "## Port by chatport\n\n**1 of 2 files ported**, 1 held back; of 6 uses 3 are ported, "
        "2 are to review and 1 have no counterpart.\n\n- poetry.lock: names legacy-sdk; lock again."
    )
    assert "<summary><code>tools_not_known</code> (1)</summary>" in text
    assert "- `app/é.py:3` `Model`: Check the tools.\n  ```diff\n  -Model.send(f)\n" in text
    assert "`app/é.py:5`" not in text, "what only follows is left out"
    assert "<summary><code>text_may_be_none</code> (1 file)</summary>" in text
    assert "<summary>Ported: 2 files</summary>" in text
    assert "- `old.py`: line 2: this is Python 2 (invalid syntax)" in text


def test_every_fold_is_closed() -> None:
    text = render(PLAN)
    assert text.count("<details>\n<summary>") == text.count("\n</details>") == 5


def test_a_clean_tree_is_one_sentence() -> None:
    assert render(Plan(Path("/p"), scanned=3)) == (
        "## Port by chatport\n\n3 files read; none uses an SDK to be ported from.\n"
    )


def test_a_long_list_is_cut() -> None:
    findings = tuple(
        replace(REFUSED, place=replace(REFUSED.place, line=line, end_line=line), suggestion=None)
        for line in range(1, SHOWN + 11)
    )
    text = render(Plan(Path("/p"), (FilePlan("a.py", Status.REFUSED, findings, b""),)))
    assert text.count("\n- `app/é.py:") == SHOWN
    assert "\n- and 10 more\n" in text


@pytest.mark.parametrize(
    "hostile",
    [
        "<img src=x onerror=alert(1)>.py",
        "`</details><script>`",
        "```\n</details>",
        "[x](javascript:alert(1))",
        "@somebody #1",
        "``",
        " ` ",
        "| a | b |",
    ],
)
def test_texts_of_a_repository_stay_text(hostile: str) -> None:
    finding = replace(REFUSED, path=hostile, symbol=hostile, suggestion=suggested(hostile, hostile))
    file = FilePlan(hostile, Status.REFUSED, (finding,), b"")
    ported = FilePlan(hostile, Status.PORTED, (replace(finding, code=None),), b"", b"x")
    html = READER.render(render(Plan(Path("/p"), (file, ported), notes=(Note(hostile, hostile),))))
    assert "<img" not in html
    assert "<script" not in html
    assert "<a " not in html
    assert html.count("</details>") == html.count("<details>")
