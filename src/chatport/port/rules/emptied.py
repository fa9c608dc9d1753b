"""Fields that were empty and are None now: where nothing must be there to go on, that is kept.

A loop over no parts ran no round, a sum added nothing, and an empty list shows itself. ``x or []``
and ``x or 0`` say so.
"""

from __future__ import annotations

import ast

from chatport.port.program.modules import Module
from chatport.port.program.scopes import COMPREHENSIONS
from chatport.port.program.values import External
from chatport.port.render.strings import prints_source
from chatport.port.rules.base import Workspace
from chatport.port.rules.evaluation import was_tested
from chatport.port.rules.shown import is_shown

TAKES_MANY = {
    f"builtins.{name}"
    for name in ("len", "list", "tuple", "set", "sorted", "enumerate", "any", "all", "sum", "iter")
}
TAKES_NUMBER = {f"builtins.{name}" for name in ("int", "float", "max", "min", "abs", "round")}
ARITHMETIC = ast.Add | ast.Sub | ast.Mult | ast.Div | ast.FloorDiv | ast.Pow
ORDER = ast.Lt | ast.LtE | ast.Gt | ast.GtE
LIST, TEXT = "[]", '""'


def emptied(workspace: Workspace, module: Module, node: ast.expr, empty: str) -> str:
    """How a read that needs the empty value is written, with ``{}`` for the attribute; empty when
    None goes as well, or when it was tested."""
    if was_tested(module, node, {ast.unparse(node)}):
        return ""
    place = _chosen_at(module, node)
    form = _in_place(workspace, module, place, empty)
    if not form and empty == LIST and _is_needed_by_name(workspace, module, place):
        form = f"{{}} or {empty}"
    chosen = form and place is not node and not form.startswith("(")
    return f"({form})" if chosen else form


def _chosen_at(module: Module, node: ast.expr) -> ast.expr:
    """The expression that a node is when a condition chooses it; else the node itself."""
    parent = module.parents[node]
    if isinstance(parent, ast.IfExp) and parent.test is not node:
        return _chosen_at(module, parent)
    return node


def _in_place(workspace: Workspace, module: Module, node: ast.expr, empty: str) -> str:
    """The form in the place where the node stands."""
    parent = module.parents[node]
    bare, bracketed = f"{{}} or {empty}", f"({{}} or {empty})"
    if empty == LIST:
        if isinstance(parent, ast.For | ast.AsyncFor | ast.comprehension) and parent.iter is node:
            return bare
        if isinstance(parent, ast.Compare) and isinstance(parent.ops[-1], ast.In | ast.NotIn):
            return bracketed if parent.comparators[-1] is node else ""
        if is_shown(workspace, parent, node):
            if isinstance(parent, ast.FormattedValue) and prints_source(module.source, node):
                return ""
            return bracketed if isinstance(parent, ast.BinOp) else bare
        return bare if _is_taken(workspace, parent, node, TAKES_MANY) else ""
    if isinstance(parent, ast.BinOp):
        return bracketed if isinstance(parent.op, ARITHMETIC) else ""
    if isinstance(parent, ast.AugAssign):
        return bare if parent.value is node and isinstance(parent.op, ARITHMETIC) else ""
    if empty == TEXT:
        if isinstance(parent, ast.Subscript):
            return bracketed if parent.value is node else ""
        return bare if _is_joined(module, parent, node) else ""
    if isinstance(parent, ast.Compare):
        return bracketed if any(isinstance(op, ORDER) for op in parent.ops) else ""
    return bare if _is_taken(workspace, parent, node, TAKES_NUMBER) else ""


def _is_needed_by_name(workspace: Workspace, module: Module, node: ast.expr) -> bool:
    """Whether a list is given a name that is read where the list must be one."""
    parent = module.parents[node]
    if not (isinstance(parent, ast.Assign | ast.AnnAssign) and parent.value is node):
        return False
    targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
    variables = [module.scopes.variable.get(target) for target in targets]
    return any(
        bool(_in_place(workspace, module, load, LIST)) and not was_tested(module, load, {load.id})
        for variable in variables
        if variable is not None
        for load in variable.loads
        if load in module.parents
    )


def _is_joined(module: Module, parent: ast.AST, node: ast.expr) -> bool:
    """Whether a text is one of those a call of ``join`` puts together."""
    if isinstance(parent, COMPREHENSIONS) and node is getattr(parent, "elt", None):
        call = module.parents[parent]
        return isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "join"
    return False


def _is_taken(workspace: Workspace, parent: ast.AST, node: ast.AST, names: set[str]) -> bool:
    if not isinstance(parent, ast.Call) or node not in parent.args:
        return False
    called = {a.name for a in workspace.values(parent.func) if isinstance(a, External)}
    return bool(called & names)
