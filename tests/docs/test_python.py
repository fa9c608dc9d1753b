"""Every example of docs/python.md runs, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import chatport.port
from tests.cli.test_interactive import PROGRAM

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app.py").write_text(PROGRAM)
    (tmp_path / "old.py").write_text(
        PROGRAM + "genai.GenerativeModel('m').start_chat().history.append(1)\n"
    )
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "python.md", "exec"), names)
    out = capsys.readouterr().out
    assert "app.py ported\nold.py refused\n" in out
    assert "+from google import genai\n" in out
    assert "old.py:5:1 history_write The history of a chat is changed in a way" in out
    assert "and taken back: ('app.py',)" in out
    assert "['google.generativeai']" in out
    assert (tmp_path / "app.py").read_text() == PROGRAM


def test_every_name_that_is_imported_is_of_the_face() -> None:
    found = re.findall(r"^from chatport\.port import (.+)$", "\n".join(BLOCKS), re.MULTILINE)
    names = {name.strip() for line in found for name in line.split(",")}
    assert names <= set(chatport.port.__all__)
    assert {"plan", "undo", "Config", "load_config", "plan_text", "Verdict"} <= names


def test_the_table_names_every_field_of_a_finding() -> None:
    fields = chatport.port.Finding.__dataclass_fields__
    rows = "\n".join(re.findall(r"^\| (`.+?) \|", PAGE, re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", rows)) == set(fields)
