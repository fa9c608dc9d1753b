"""The byte strings that tell a file worth parsing, read without reading the packs.

Most repositories hold none of them, and then nothing else of a pack is needed: a TOML parser and
the schema would take longer to import than a thousand files take to search.
"""

# ruff: noqa: PTH118, PTH120, PTH123, PTH208
from __future__ import annotations

import os
import re

_TOKENS = re.compile(r"^tokens\s*=\s*\[(.*?)\]", re.DOTALL | re.MULTILINE)
_STRING = re.compile(r'"([^"\\]*)"')


def tokens() -> tuple[bytes, ...]:
    """The tokens of every bundled pack, sorted."""
    folder = os.path.dirname(__file__)
    found = set()
    for name in os.listdir(folder):
        if name.endswith(".toml"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for table in _TOKENS.finditer(file.read()):
                    found.update(_STRING.findall(table[1]))
    return tuple(token.encode() for token in sorted(found))
