"""Mappings that are written down: displays, and calls of ``dict`` and of what is as good as it."""

from __future__ import annotations

import ast
from typing import TypeAlias

from chatport.port.program.values import External
from chatport.port.rules.base import Workspace

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
    """The keys and values of a mapping; None where a key is not written down."""
    if isinstance(node, ast.Call):
        named = [(keyword.arg, keyword.value) for keyword in node.keywords]
        return [(key, value) for key, value in named if key] if all(k for k, _ in named) else None
    keys = [str(key.value) if isinstance(key, ast.Constant) else None for key in node.keys]
    pairs = list(zip(keys, node.values, strict=True))
    return [(key, value) for key, value in pairs if key is not None] if None not in keys else None


def keys_of(node: Written) -> set[str] | None:
    """The keys of a mapping; None where one is not written down, or is there twice."""
    pairs = pairs_of(node)
    keys = {key for key, _ in pairs or ()}
    return keys if pairs is not None and len(keys) == len(pairs) else None
