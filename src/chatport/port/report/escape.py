"""Text from other people's files, made harmless for a terminal."""

from __future__ import annotations

import re

# Control characters could move the cursor or recolour the screen, and marks of direction show
# code in another order than it has. Half a surrogate pair is how Python holds a byte of a file
# name that is no text.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """The text with what could deceive a terminal written as `\\xNN` or `\\uNNNN`.

    Line feeds and tabs stay; use `on_one_line` where they may not.
    """
    return _UNSAFE.sub(
        lambda match: match.group().encode("unicode_escape", "surrogatepass").decode(), text
    )


def on_one_line(text: str) -> str:
    """As `visible`, with line feeds and tabs written out too."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")
