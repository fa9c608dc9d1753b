"""How emitted calls and lists are laid out.

A sequence stands on one line when the source did, nothing in it is broken, and it fits; otherwise
one element a line with a trailing comma, which formatters leave as it is.
"""

from __future__ import annotations

import io
import tokenize
from typing import TypeAlias

from msgspec import Struct


class Style(Struct, frozen=True):
    """How the project writes code."""

    width: int = 88
    indent: str = "    "
    quote: str = '"'

    def string(self, value: str) -> str:
        """`value` as a literal in the project's quotes."""
        text = repr(value)
        if text[0] == self.quote or self.quote in value or "\\" in text:
            return text
        return self.quote + text[1:-1] + self.quote


class Text(Struct, frozen=True):
    """Code carried as it is; `base` is the indentation of the line it came from."""

    code: str
    base: str = ""


class Sequence(Struct, frozen=True):
    """An opening, elements between commas, a closing: a call, a list, a dict."""

    opening: str
    elements: tuple[Element, ...]
    closing: str
    explode: bool = False
    """Keep one element a line, as the source had it."""
    note: str = ""
    """The comment behind the opening."""
    last: tuple[str, ...] = ()
    """Comments on lines of their own before the closing."""


Value: TypeAlias = Text | Sequence


class Element(Struct, frozen=True):
    """One element: what stands before its value (``name=``), and its comments."""

    value: Value
    prefix: str = ""
    before: tuple[str, ...] = ()
    """Comments on lines of their own above it."""
    after: str = ""
    """The comment behind it."""


PLAIN = Element(Text(""))
"""An element without comments; a base to `replace`."""


def call(
    function: str,
    elements: tuple[Element, ...],
    *,
    explode: bool = False,
    note: str = "",
    last: tuple[str, ...] = (),
) -> Sequence:
    return Sequence(function + "(", elements, ")", explode, note, last)


def keyword(name: str, value: Value | str) -> Element:
    return Element(Text(value) if isinstance(value, str) else value, f"{name}=")


def render(value: Value, style: Style, indent: str, column: int, tail: int = 0) -> str:
    """`value` as code, its first line starting at `column` of a line indented by `indent`, with
    `tail` columns of other code behind its last line."""
    if isinstance(value, Text):
        return shift(value.code, value.base, indent)
    flat = one_line(value)
    if flat is not None and column + len(flat) + tail <= style.width:
        return flat
    if not value.elements:
        return value.opening + value.closing
    inner = indent + style.indent
    lines = [f"{value.opening}  {value.note}" if value.note else value.opening]
    for element in value.elements:
        lines += [inner + comment for comment in element.before]
        start = inner + element.prefix
        code = render(element.value, style, inner, len(start), 1)
        lines.append(f"{start}{code},{'  ' + element.after if element.after else ''}")
    lines += [inner + comment for comment in value.last]
    return "\n".join([*lines, indent + value.closing])


def one_line(value: Value) -> str | None:
    """`value` on one line; None when it must not or cannot be."""
    if isinstance(value, Text):
        return None if "\n" in value.code else value.code
    if value.explode or value.note or value.last:
        return None
    parts = []
    for element in value.elements:
        code = one_line(element.value)
        if code is None or element.before or element.after:
            return None
        parts.append(element.prefix + code)
    return value.opening + ", ".join(parts) + value.closing


def shift(code: str, base: str, indent: str) -> str:
    """Move the lines of `code` after the first from indentation `base` to `indent`.

    Lines that begin inside a string stay: their white space is data.
    """
    if "\n" not in code or base == indent:
        return code
    inside = _lines_inside_strings(code)
    lines = code.split("\n")
    for index in range(1, len(lines)):
        if index in inside or not lines[index].startswith(base) or not lines[index].strip():
            continue
        lines[index] = indent + lines[index][len(base) :]
    return "\n".join(lines)


def _lines_inside_strings(code: str) -> set[int]:
    """The 0-based lines of `code` that begin inside a string literal."""
    inside: set[int] = set()
    starts: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(f"({code})").readline):
            name = tokenize.tok_name[token.type]
            if name in {"FSTRING_START", "TSTRING_START"}:
                starts.append(token.start[0])
            elif name in {"FSTRING_END", "TSTRING_END"}:
                inside.update(range(starts.pop(), token.end[0]))
            elif name == "STRING":
                inside.update(range(token.start[0], token.end[0]))
    except (tokenize.TokenError, SyntaxError):
        return set(range(code.count("\n") + 1))
    return inside
