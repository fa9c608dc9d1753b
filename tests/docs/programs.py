"""Makes a program of an example: with the lines that bind the names it takes for granted."""

from __future__ import annotations

import ast

from docs.generate_codes import PRELUDES, Sdk


def complete(example: str, sdk: Sdk) -> str:
    """The example below the lines that bind what it reads and does not bind itself."""
    lines = PRELUDES[sdk]
    wanted = _names(example, ast.Load) - _bound(example)
    if sdk == "legacy" and "configure(" not in example:
        wanted.add("configured")
    needed: set[str] = set()
    while wanted:
        needed |= wanted
        read = {name for one in wanted if one in lines for name in _names(lines[one], ast.Load)}
        wanted = read - needed - _bound(example)
    chosen = [line for name, line in lines.items() if name in needed]
    return "\n".join([*chosen, example.strip("\n"), ""])


def _bound(source: str) -> set[str]:
    imported = {
        node.asname or node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.alias)
    }
    return _names(source, ast.Store) | imported


def _names(source: str, context: type[ast.expr_context]) -> set[str]:
    return {
        node.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Name) and isinstance(node.ctx, context)
    }
