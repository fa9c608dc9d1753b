"""docs/commands.md names every command and option there is, and no other; its report is true."""

from __future__ import annotations

import argparse
import json
import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from chatport.cli.app import COMMANDS
from chatport.port.config import Config, read
from chatport.port.planner import plan
from chatport.port.report.json import render

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")


def test_every_command_has_its_section() -> None:
    sections = re.findall(r"^## ([a-z]\w+)$", PAGE, re.MULTILINE)
    assert sections == list(COMMANDS)


def test_the_configuration_on_the_page_names_every_key(tmp_path: Path) -> None:
    block = PAGE.split("```toml\n")[1].split("```")[0]
    (tmp_path / "pyproject.toml").write_text(block)
    assert read(tmp_path / "pyproject.toml").skip == ("embed_batch",)
    keys = {field.encode_name for field in msgspec.structs.fields(Config)}
    assert {key for key in keys if re.search(rf"\b{key}\b", block)} == keys


@pytest.mark.parametrize("command", COMMANDS)
def test_the_options_of_a_command_are_those_on_the_page(command: str) -> None:
    parser = argparse.ArgumentParser(add_help=False)
    import_module(COMMANDS[command][0]).configure(parser)
    options = {option for action in parser._actions for option in action.option_strings}
    rows = re.findall(r"^\| (`-.+?) \|", _section(command), re.MULTILINE)
    assert {
        option for row in rows for option in re.findall(r"(?<![\w-])--?[a-z][\w-]*", row)
    } == options


def test_the_report_on_the_page_is_a_report(tmp_path: Path) -> None:
    program = "import google.generativeai as genai\n\ngenai.configure(api_key='k')\n"
    program += "print(genai.GenerativeModel('m').generate_content('x'))\n"
    (tmp_path / "app.py").write_text(program)
    shown = json.loads(PAGE.split("```json")[1].split("```")[0])
    made = json.loads(render(plan([tmp_path], root=tmp_path)))
    made["files"][0]["findings"] = made["files"][0]["findings"][:1]
    assert shown == made


def _section(command: str) -> str:
    return PAGE.split(f"\n## {command}\n")[1].split("\n## ")[0]
