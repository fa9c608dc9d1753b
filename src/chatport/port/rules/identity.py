"""Where a program could tell that a model has become a name.

A model was an object of its own: equal to itself only, of its own class, with methods. What stands
in its place is text, or a mapping, and two of those may be equal. So a place that compares models,
asks for their class or keeps them as keys is refused, and so is text of a program that names one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.values import NONE, NOTHING, Bound, Container, External, Function, Made
from chatport.port.rules.base import Workspace

ASKS = {
    f"builtins.{name}"
    for name in (
        *("isinstance", "type", "id", "hash", "hasattr", "callable", "vars", "dir", "len"),
        *("getattr", "iter"),
    )
}
"""Calls whose answer depends on what an object is."""
RUNS = {"builtins.exec", "builtins.eval", "builtins.compile"}


def told_apart(workspace: Workspace, module: Module, node: ast.expr) -> str | None:
    """How the parent of an expression that holds a model tells it apart from a name; None when it
    does not."""
    parent = module.parents[node]
    if isinstance(parent, ast.Compare):
        sides = [parent.left, *parent.comparators]
        others = [side for side in sides if side is not node]
        if all(workspace.values(other) == frozenset({NONE}) for other in others):
            return None
        return f"`{ast.unparse(parent)[:60]}` compares the model"
    if (key := _key(parent, node)) is not None:
        return f"the model is {key}"
    if isinstance(parent, ast.Call) and node in parent.args:
        called = {a.name for a in workspace.values(parent.func) if isinstance(a, External)}
        if called & ASKS:
            return f"`{ast.unparse(parent)[:60]}` asks what the model is"
    return None


def _key(parent: ast.AST, node: ast.expr) -> str | None:
    """Where a value is found again by its hash; None where it is not."""
    match parent:
        case ast.Dict() if node in parent.keys:
            return "a key"
        case ast.DictComp() if parent.key is node:
            return "a key"
        case ast.Subscript() if parent.slice is node:
            return "a key"
        case ast.Set() | ast.SetComp():
            return "an item of a set"
    return None


def models_in(workspace: Workspace, nodes: Iterable[ast.expr]) -> set[ast.AST]:
    """The sites of the legacy objects some expressions hold, or hold in a container."""
    flow = workspace.flow
    values = NOTHING.union(*(flow.values.get(node, NOTHING) for node in nodes))
    for atom in list(values):
        if isinstance(atom, Container):
            values |= flow.fact("element", atom.node) | flow.fact("any item", atom.node)
    return {atom.site for atom in values if isinstance(atom, Made)}


def hashed(workspace: Workspace, module: Module, node: ast.expr) -> str | None:
    """How the parent of an expression wants it hashed; None when it does not."""
    parent = module.parents[node]
    if (key := _key(parent, node)) is not None:
        return f"it is {key}"
    parent = module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if not isinstance(parent, ast.Call) or parent.func is node:
        return None
    called = workspace.values(parent.func)
    callees = [
        atom.node if isinstance(atom, Function) else atom.function
        for atom in called
        if isinstance(atom, Function | Bound)
    ]
    adds = isinstance(parent.func, ast.Attribute) and parent.func.attr == "add" and not callees
    if adds or External("builtins.hash") in called or any(map(_remembers, callees)):
        return f"`{ast.unparse(parent)[:60]}` wants it hashed"
    return None


def _remembers(function: FunctionNode) -> bool:
    """Whether a function keeps its results by its arguments."""
    for decorator in getattr(function, "decorator_list", ()):
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
        if name in {"cache", "lru_cache"}:
            return True
    return False


def named_in_text(
    workspace: Workspace, module: Module, names: Iterable[str]
) -> dict[str, ast.Call]:
    """Names that a program's text, run by ``exec`` or ``eval`` in the module, holds as words."""
    found: dict[str, ast.Call] = {}
    wanted = set(names)
    for node in module.nodes(ast.Call):
        if not node.args:
            continue
        called = {a.name for a in workspace.values(node.func) if isinstance(a, External)}
        if not called & RUNS:
            continue
        for part in ast.walk(node.args[0]):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                words = set(re.findall(r"\w+", part.value))
                found |= dict.fromkeys(sorted(wanted & words), node)
    return found
