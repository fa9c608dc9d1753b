"""The tables of a bundled pack as Python keeps them: always what the file says."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from chatport.port.packs import load
from chatport.port.packs.compiled import Part

TEXT = 'title = "one"\n[table]\nlist = [1, 2.5, true, "\\u00e9"]\n'


class Reader:
    """Parses, and counts how often it was asked to."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, path: Path) -> dict[str, Any]:
        self.times += 1
        return tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    path = tmp_path / "1-names.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_file_is_parsed_once_and_each_reader_gets_values_of_its_own(part: Path) -> None:
    reader = Reader()
    first, second = Part(part, reader).tables(), Part(part, reader).tables()
    assert first == second == tomllib.loads(TEXT)
    assert reader.times == 1
    first["table"]["list"].clear()
    assert Part(part, reader).tables() == second


def test_a_file_that_changes_is_parsed_again(part: Path) -> None:
    reader = Reader()
    Part(part, reader).tables()
    part.write_text(TEXT.replace("one", "another"), encoding="utf-8")
    assert Part(part, reader).tables()["title"] == "another"


def test_where_nothing_can_be_written_it_is_parsed_each_time(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    reader = Reader()
    assert [Part(part, reader).tables()["title"] for _ in range(2)] == ["one", "one"]
    assert reader.times == 2
    (part.parent / "__pycache__").write_text("a file where the folder would be")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert Part(part, reader).tables()["title"] == "one"


def test_what_python_keeps_is_not_believed_when_it_is_damaged(part: Path) -> None:
    reader = Reader()
    Part(part, reader).tables()
    [kept] = (part.parent / "__pycache__").iterdir()
    kept.write_bytes(kept.read_bytes()[:10])
    assert Part(part, reader).tables() == tomllib.loads(TEXT)


@pytest.mark.parametrize("name", load.names())
def test_a_bundled_pack_is_what_its_files_say(name: str) -> None:
    folder = Path(load.__file__).parent / name
    assert load.bundled(name) == load.read(folder)
