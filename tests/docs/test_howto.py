"""The pages under docs/howto say what is so."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from chatport.port.packs.load import parse
from chatport.port.packs.schema import Pack

HOWTO = Path(__file__).parents[2] / "docs" / "howto"


def test_the_pack_it_shows_is_one() -> None:
    text = (HOWTO / "add-a-pack.md").read_text().split("```toml\n")[1].split("```")[0]
    assert parse(text, "oldchat").id == "oldchat-to-newchat"


def test_the_kinds_of_change_it_names_are_those_there_are() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (HOWTO / "add-a-pack.md").read_text(), re.MULTILINE)
    (changes,) = (field.type for field in msgspec.structs.fields(Pack) if field.name == "changes")
    kinds = {kind.__struct_config__.tag for kind in _members(changes)}
    assert set(rows) == kinds


def _members(of: object) -> list[type[msgspec.Struct]]:
    arguments = getattr(of, "__args__", ())
    if isinstance(of, type) and issubclass(of, msgspec.Struct):
        return [of]
    return [member for argument in arguments for member in _members(argument)]
