"""`packs` lists what is bundled and checks packs of one's own."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import pytest

from chatport.port.packs.load import bundled, names
from tests.cli.conftest import Command


def test_the_bundled_packs_are_listed(chatport: Command) -> None:
    result = chatport("packs")
    assert result.code == 0
    assert [line.partition(":")[0] for line in result.out.splitlines()] == list(names())


def test_a_pack_is_shown_with_its_changes_and_limits(chatport: Command) -> None:
    pack = bundled(names()[0])
    result = chatport("packs", pack.id)
    assert result.code == 0
    assert all(change.citation in result.out for change in pack.changes)
    assert all(limit in result.out for limit in pack.limitations)


def test_a_pack_with_a_typo_is_an_error_that_names_the_field(
    chatport: Command, tmp_path: Path
) -> None:
    bundled_pack = Path(str(resources.files("chatport.port.packs"))) / names()[0]
    mine = Path(shutil.copytree(bundled_pack, tmp_path / "mine"))
    first = min(mine.iterdir())
    first.write_text(first.read_text().replace("distribution = ", "distributoin = ", 1))
    result = chatport("packs", str(mine))
    assert result.code == 2
    assert result.err.startswith(f"chatport: error: pack {first.name}: from: ")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("no.toml", None, "cannot be read"),
        ("bad.toml", b"x = ", "not TOML"),
        ("bytes.toml", b"\xff", "not UTF-8"),
        ("unknown", None, "there is no such pack"),
    ],
)
def test_a_pack_that_is_none_is_an_error_and_the_others_are_shown(
    chatport: Command, tmp_path: Path, name: str, data: bytes | None, message: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    result = chatport("packs", str(path) if name.endswith(".toml") else name, names()[0])
    assert result.code == 2
    assert result.err.startswith(f"chatport: error: pack {name}: {message}")
    assert result.out.startswith(names()[0])
