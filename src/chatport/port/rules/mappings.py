"""Mappings that are written down: displays, and calls of ``dict`` and of what is as good as it."""

from __future__ import annotations

import ast
from typing import TypeAlias

from chatport.port.program.values import External
from chatport.port.rules.base import Workspace
from chatport.port.rules.portable import is_pure

Written: TypeAlias = ast.Dict | ast.Call


def as_mapping(workspace: Workspace, node: ast.AST) -> Written | None:
    """The node where it is a display or a call that makes a mapping of its keywords."""
    if isinstance(node, ast.Dict):
        return node
    written = isinstance(node, ast.Call) and not node.args and bool(node.keywords)
    return node if written and isinstance(node, ast.Call) and is_made(workspace, node) else None


def is_made(workspace: Workspace, node: ast.AST) -> bool:
    """Whether a call makes a mapping, of whatever it is given."""
    return isinstance(node, ast.Call) and all(
        isinstance(atom, External) and workspace.surface.is_mapping_class(atom.name)
        for atom in workspace.values(node.func)
    )


def pairs_of(node: Written) -> list[tuple[str, ast.expr]] | None:
    """The keys and values of a mapping; None where a key is not written down, or where one that is
    written twice had a value first that does something."""
    if isinstance(node, ast.Call):
        written = [(keyword.arg, keyword.value) for keyword in node.keywords]
    else:
        keys = [str(key.value) if isinstance(key, ast.Constant) else None for key in node.keys]
        written = list(zip(keys, node.values, strict=True))
    lasting = dict(written)
    dropped = [value for key, value in written if lasting[key] is not value]
    if None in lasting or not all(map(is_pure, dropped)):
        return None
    return [(key, value) for key, value in lasting.items() if key is not None]


def keys_of(node: Written) -> set[str] | None:
    """The keys of a mapping; None where one is not written down."""
    pairs = pairs_of(node)
    return {key for key, _ in pairs} if pairs is not None else None
