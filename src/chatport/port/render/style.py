"""How a project writes code: the line length it declares, the quotes and indentation it uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chatport.port.render.layout import Style
from chatport.port.source.small import read_small

DEFAULT_WIDTH = 88

_QUOTED = re.compile(
    r"""
    (?P<other> \#[^\n]*
    | \"{3} (?: [^"\\]++ | \\. | "(?!"") )*+ \"{3}
    | '{3}  (?: [^'\\]++ | \\. | '(?!'') )*+ '{3} )
    | "(?: [^"\\\n]++ | \\. )*+"
    | '(?: [^'\\\n]++ | \\. )*+'
    """,
    re.VERBOSE | re.DOTALL,
)
"""Comments and texts: `other` but for those in one quote, which say what a project prefers. To
split the whole file into tokens would cost more than to parse it."""


def width_of(root: Path) -> int:
    """The line length in ``pyproject.toml`` or ``ruff.toml``; 88 where none is declared."""
    for name, keys in (
        ("pyproject.toml", (("tool", "ruff", "line-length"), ("tool", "black", "line-length"))),
        ("ruff.toml", (("line-length",),)),
        (".ruff.toml", (("line-length",),)),
    ):
        document = _read(root / name)
        for path in keys:
            value: Any = document
            for key in path:
                value = value.get(key) if isinstance(value, Mapping) else None
            if isinstance(value, int) and 40 <= value <= 320:
                return value
    return DEFAULT_WIDTH


def _read(path: Path) -> dict[str, Any]:
    try:
        text = read_small(path).decode()
    except (OSError, ValueError):
        return {}
    import tomllib  # here, because many trees that are read have no such file

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def style_of(text: str, width: int) -> Style:
    """The style of one file."""
    text = re.sub(r"\r\n?", "\n", text)
    quotes = [found.group()[0] for found in _QUOTED.finditer(text) if not found["other"]]
    indent = re.search(
        r"^[^\S\n]*(?:def|class|if|for|while|with|try|async)\b[^\n]*:[^\n]*\n([ \t]+)",
        text,
        re.MULTILINE,
    )
    unit = "\t" if indent is not None and indent.group(1).startswith("\t") else "    "
    return Style(width, unit, "'" if quotes.count("'") * 2 > len(quotes) else '"')
