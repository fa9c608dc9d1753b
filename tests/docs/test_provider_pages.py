"""The programs on the pages about providers print what the pages say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SHOWN = [
    (name, program, printed)
    for name in ("providers/transports.md", "testing-openai-server.md")
    for program, printed in re.findall(
        r"^```python\n((?:(?!^```).)*)^```\n\nprints\n\n```\n(.*?)^```$",
        (DOCS / name).read_text(),
        re.MULTILINE | re.DOTALL,
    )
]


def test_both_pages_show_a_program() -> None:
    assert len(SHOWN) == 2


@pytest.mark.parametrize(("name", "program", "printed"), SHOWN, ids=[row[0] for row in SHOWN])
def test_a_program_prints_what_the_page_says(name: str, program: str, printed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert run.stdout == printed


@pytest.mark.parametrize("page", sorted(DOCS.glob("providers/*.md")), ids=lambda page: page.name)
def test_the_pages_they_link_to_are_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).is_file()] == []
