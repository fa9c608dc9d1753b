"""Fields that were empty and are None now: where nothing must be there to go on, that is kept.

A loop over no parts ran no round, a sum added nothing. ``x or []`` and ``x or 0`` say so.
"""

from __future__ import annotations

import ast

from chatport.port.program.modules import Module
from chatport.port.program.values import External
from chatport.port.rules.base import Workspace
from chatport.port.rules.evaluation import was_tested

TAKES_MANY = {
    f"builtins.{name}"
    for name in ("len", "list", "tuple", "set", "sorted", "enumerate", "any", "all", "sum", "iter")
}
TAKES_NUMBER = {f"builtins.{name}" for name in ("int", "float", "max", "min", "abs", "round")}
ARITHMETIC = ast.Add | ast.Sub | ast.Mult | ast.Div | ast.FloorDiv | ast.Pow
ORDER = ast.Lt | ast.LtE | ast.Gt | ast.GtE


def emptied(workspace: Workspace, module: Module, node: ast.Attribute, empty: str) -> str:
    """How a read that needs the empty value is written, with ``{}`` for the attribute; empty when
    None goes as well, or when it was tested."""
    if was_tested(module, node, {ast.unparse(node)}):
        return ""
    parent = module.parents[node]
    bare, bracketed = f"{{}} or {empty}", f"({{}} or {empty})"
    if empty == "[]":
        if isinstance(parent, ast.For | ast.AsyncFor | ast.comprehension) and parent.iter is node:
            return bare
        if isinstance(parent, ast.Compare) and isinstance(parent.ops[-1], ast.In | ast.NotIn):
            return bracketed if parent.comparators[-1] is node else ""
        return bare if _is_taken(workspace, parent, node, TAKES_MANY) else ""
    if isinstance(parent, ast.BinOp):
        return bracketed if isinstance(parent.op, ARITHMETIC) else ""
    if isinstance(parent, ast.AugAssign):
        return bare if parent.value is node and isinstance(parent.op, ARITHMETIC) else ""
    if isinstance(parent, ast.Compare):
        return bracketed if any(isinstance(op, ORDER) for op in parent.ops) else ""
    return bare if _is_taken(workspace, parent, node, TAKES_NUMBER) else ""


def _is_taken(workspace: Workspace, parent: ast.AST, node: ast.AST, names: set[str]) -> bool:
    if not isinstance(parent, ast.Call) or node not in parent.args:
        return False
    called = {a.name for a in workspace.values(parent.func) if isinstance(a, External)}
    return bool(called & names)
