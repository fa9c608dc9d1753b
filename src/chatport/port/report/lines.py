"""The text of a file before and after, in the lines that findings count."""

from __future__ import annotations

import re

from chatport.port.findings import FilePlan

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def split(text: str) -> list[str]:
    """The lines of a text with their ends; only what ends a line for Python does so here."""
    return _LINE.findall(text)


def sides(file: FilePlan) -> tuple[list[str], list[str]]:
    """The lines of a file before and after; the same twice when nothing changes."""
    old = split(decoded(file, file.before))
    return old, old if file.after is None else split(decoded(file, file.after))


def decoded(file: FilePlan, data: bytes) -> str:
    """Bytes of a file as text; what is no text is shown as a replacement character."""
    text = data.decode(file.encoding, "replace")
    return text.removeprefix("\ufeff")
