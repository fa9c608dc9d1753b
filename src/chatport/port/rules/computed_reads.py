"""Attributes of legacy objects that are read by a name the program computes, or all at once.

``getattr(answer, name)`` and ``vars(answer)`` may find anything; the call that made the object is
refused, because what they find afterwards is something else, or nothing. Names that are written
down are for `named_reads`.
"""

from __future__ import annotations

import ast

from chatport.port.packs.schema import MemberReads
from chatport.port.program.values import External, Made
from chatport.port.rules.base import Workspace

BY_NAME = {"builtins.getattr", "builtins.hasattr"}
ALL = {"builtins.vars", "builtins.dir"}


def refuse_computed_reads(workspace: Workspace, change: MemberReads) -> None:
    """Refuse the makers of objects that are read so."""
    for module in workspace.modules:
        for node in module.nodes(ast.Call):
            called = {a.name for a in workspace.values(node.func) if isinstance(a, External)}
            if node.args and (called & ALL or (called & BY_NAME and not _is_written(node))):
                _refuse(workspace, node, change)


def _is_written(node: ast.Call) -> bool:
    name = node.args[1] if len(node.args) > 1 else None
    return isinstance(name, ast.Constant) and isinstance(name.value, str)


def _refuse(workspace: Workspace, node: ast.Call, change: MemberReads) -> None:
    for atom in workspace.values(node.args[0]):
        maker = workspace.by_node.get(atom.site) if isinstance(atom, Made) else None
        if maker is not None and isinstance(atom, Made) and atom.type in change.types:
            maker.refuse("dynamic_reference", f"`{ast.unparse(node)[:60]}`")
