"""What runs when a statement runs: whether a part of it always does, and does so first."""

from __future__ import annotations

import ast

from chatport.port.program.modules import Module

SIMPLE = ast.Assign | ast.AnnAssign | ast.Return | ast.Expr | ast.AugAssign
"""Statements that evaluate one expression."""


def runs_always(module: Module, statement: ast.stmt, node: ast.AST) -> bool:
    """Whether evaluating the statement evaluates the node, first of all that may be skipped."""
    here = module.parents[node]
    while here is not statement:
        if isinstance(here, ast.BoolOp | ast.IfExp | ast.Lambda | ast.comprehension | ast.ListComp):
            return False
        here = module.parents[here]
    return True


def is_first(module: Module, statement: ast.stmt, node: ast.AST) -> bool:
    """Whether evaluating a statement does nothing before it evaluates `node`: names are read."""
    child, here = node, module.parents[node]
    while child is not statement:
        for sibling in _evaluated_before(here, child):
            if not is_inert(sibling):
                return False
        child, here = here, module.parents.get(here, here)
    return True


def _evaluated_before(here: ast.AST, child: ast.AST) -> list[ast.AST]:
    """The parts of a node that are evaluated before one of them."""
    if isinstance(here, ast.Assign | ast.AnnAssign):
        return []
    parts = list(ast.iter_child_nodes(here))
    if isinstance(here, ast.Dict):
        parts = [p for pair in zip(here.keys, here.values, strict=True) for p in pair if p]
    return parts[: next(i for i, part in enumerate(parts) if part is child)]


def is_inert(node: ast.AST) -> bool:
    """Whether evaluating an expression only reads names, their attributes and items."""
    if isinstance(node, ast.Attribute):
        return is_inert(node.value)
    if isinstance(
        node,
        ast.Subscript
        | ast.Slice
        | ast.FormattedValue
        | ast.JoinedStr
        | ast.keyword
        | ast.UnaryOp
        | ast.BinOp,
    ):
        return all(map(is_inert, ast.iter_child_nodes(node)))
    return isinstance(node, ast.Name | ast.Constant | ast.expr_context | ast.operator | ast.unaryop)
