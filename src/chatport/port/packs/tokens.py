"""The byte strings that tell a file worth parsing, read without reading the packs.

Most repositories hold none of them, and then nothing else of a pack is needed: a TOML parser and
the schema would take longer to import than a thousand files take to search.
"""

# ruff: noqa: PTH112, PTH118, PTH120, PTH123, PTH208
from __future__ import annotations

import os

_LINE = "tokens = ["


def tokens() -> tuple[bytes, ...]:
    """The tokens of every bundled pack, sorted."""
    packs = os.path.dirname(__file__)
    found: set[str] = set()
    for pack in os.listdir(packs):
        folder = os.path.join(packs, pack)
        for part in os.listdir(folder) if os.path.isdir(folder) else ():
            if part.endswith(".toml"):
                with open(os.path.join(folder, part), encoding="utf-8") as file:
                    found.update(*map(_tokens, file))
    return tuple(token.encode() for token in sorted(found))


def _tokens(line: str) -> list[str]:
    if not line.startswith(_LINE):
        return []
    items = line.removeprefix(_LINE).partition("]")[0].split(",")
    return [item.strip().strip('"') for item in items]
