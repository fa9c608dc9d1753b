"""The byte strings that tell a file worth parsing, read without reading the packs.

Most repositories hold none of them, and then nothing else of a pack is needed: a TOML parser and
the schema would take longer to import than a thousand files take to search.
"""

# ruff: noqa: PTH118, PTH120, PTH123, PTH208
from __future__ import annotations

import os

_LINE = "tokens = ["


def tokens() -> tuple[bytes, ...]:
    """The tokens of every bundled pack, sorted."""
    folder = os.path.dirname(__file__)
    found: set[str] = set()
    for name in os.listdir(folder):
        if name.endswith(".toml"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for line in file:
                    if line.startswith(_LINE):
                        items = line.removeprefix(_LINE).partition("]")[0].split(",")
                        found.update(item.strip().strip('"') for item in items)
    return tuple(token.encode() for token in sorted(found))
