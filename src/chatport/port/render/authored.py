"""How the author laid a construct out: on which lines, and with which comments."""

from __future__ import annotations

import ast

from msgspec import Struct

from chatport.port.render.draft import Draft
from chatport.port.render.layout import Element, Text
from chatport.port.source.text import Node


def is_broken(draft: Draft, node: ast.expr) -> bool:
    """Whether the author put the elements of a call or a display on lines of their own."""
    source = draft.source
    start, end = source.span(node)
    parts: list[Node] = []
    if isinstance(node, ast.Call):
        start = source.span(node.func.value if isinstance(node.func, ast.Attribute) else node.func)[
            1
        ]
        parts = [*node.args, *node.keywords]
    elif isinstance(node, ast.Dict):
        parts = [*(key for key in node.keys if key is not None), *node.values]
    elif isinstance(node, ast.List | ast.Tuple):
        parts = [*node.elts]
    for first, last in [*sorted(source.span(part) for part in parts), (end, end)]:
        gap = source.text[start:first]
        if "\n" in gap or "\r" in gap:
            return first != end or len(parts) == 0
        start = last
    return False


class Notes(Struct, frozen=True):
    """The comments of a bracketed construct: by element, behind its opening, before its end."""

    elements: tuple[Element, ...]
    opening: str = ""
    closing: tuple[str, ...] = ()


def commented(draft: Draft, start: int, end: int, nodes: list[Node]) -> Notes:
    """The comments between `start` and `end` that stand outside of `nodes`: behind an element on
    its line, otherwise above the next one. The draft notes that they go along."""
    source = draft.source
    spans = [source.span(node) for node in nodes]
    before: list[list[str]] = [[] for _ in nodes]
    after: list[str] = ["" for _ in nodes]
    opening, closing = "", []
    for offset, text in source.comments(start, end):
        if any(first <= offset < last for first, last in spans):
            continue
        draft.noted.add(offset)
        index = next((i for i, (first, _) in enumerate(spans) if first > offset), len(nodes))
        since = spans[index - 1][1] if index else start
        same_line = "\n" not in source.text[since:offset] and "\r" not in source.text[since:offset]
        if same_line and index:
            after[index - 1] = text
        elif same_line:
            opening = text
        elif index < len(nodes):
            before[index].append(text)
        else:
            closing.append(text)
    elements = (Element(Text(""), "", tuple(b), a) for b, a in zip(before, after, strict=True))
    return Notes(tuple(elements), opening, tuple(closing))
