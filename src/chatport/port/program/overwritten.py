"""Attributes that a constructor sets twice: nobody but the constructor sees the first value.

``self.model = model`` and then ``self.model = Model(self.model)``: what the attribute holds for
everybody else is the second. That is so where both stand in the body of ``__init__`` itself, and
nothing in between gets hold of the object or ends the body.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from chatport.port.program.scopes import FUNCTIONS, FunctionNode

SEES_ALL = {"__setattr__", "__getattr__", "__getattribute__"}
"""Methods that any attribute may run."""
LEAVES = (*FUNCTIONS, ast.ClassDef, ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Delete)
REACHES = {"super", "locals", "vars"}
"""What gets at the object without its name."""


def overwritten(function: FunctionNode, owner: ast.ClassDef) -> Mapping[ast.AST, ast.AST]:
    """The first of two stores, and the reads that see it -> that store."""
    if not isinstance(function, ast.FunctionDef) or function.name != "__init__":
        return {}
    own = {part.name for part in owner.body if isinstance(part, ast.FunctionDef)}
    arguments = [*function.args.posonlyargs, *function.args.args]
    if not arguments or own & SEES_ALL:
        return {}
    found: dict[ast.AST, ast.AST] = {}
    body, name = function.body, arguments[0].arg
    stores = [(place, store) for place, part in enumerate(body) if (store := _store(part, name))]
    for place, store in stores:
        again = next((p for p, s in stores if p > place and s.attr == store.attr), None)
        if again is None or store.attr in own:
            continue
        plain = {s.attr for p, s in stores if p < again} - own
        if all(_is_closed(part, name, plain) for part in body[place + 1 : again + 1]):
            found[store] = store
            reads = _reads(body[place + 1 : again + 1], name, store.attr)
            found |= dict.fromkeys(reads, store)
    return found


def _store(statement: ast.stmt, name: str) -> ast.Attribute | None:
    """The attribute of the object that a statement sets to a value, and nothing else."""
    target: ast.expr | None = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target = statement.target
    ours = isinstance(target, ast.Attribute) and _is_name(target.value, name)
    return target if ours and isinstance(target, ast.Attribute) else None


def _is_closed(part: ast.AST, name: str, plain: set[str]) -> bool:
    """Whether a part only reads and sets attributes of the object, of those it reads the `plain`
    ones, and goes on to what follows."""
    parents = {child: node for node in ast.walk(part) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(part):
        if isinstance(node, LEAVES) or (isinstance(node, ast.Name) and node.id in REACHES):
            return False
        if not _is_name(node, name):
            continue
        around = parents.get(node)
        if not isinstance(around, ast.Attribute):
            return False
        called = parents.get(around)
        if isinstance(around.ctx, ast.Load) and (
            around.attr not in plain or (isinstance(called, ast.Call) and called.func is around)
        ):
            return False
    return True


def _reads(parts: Sequence[ast.AST], name: str, attribute: str) -> list[ast.AST]:
    """Where the attribute of the object is read."""
    return [
        node
        for part in parts
        for node in ast.walk(part)
        if isinstance(node, ast.Attribute)
        and node.attr == attribute
        and _is_name(node.value, name)
        and isinstance(node.ctx, ast.Load)
    ]


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
