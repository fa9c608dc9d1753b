"""Whether evaluating an expression may run code of the program besides the expression itself.

A function that is named may be called, by whoever gets it; one that is called where it is named
runs there, behind its arguments. An object of the program runs its methods where it is measured,
added, entered or looped over; a generator runs where it is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from chatport.port.program.modules import Module
from chatport.port.program.values import Bound, Class, Container, Function, Instance
from chatport.port.rules.base import Workspace

MAKES = {"__init__", "__new__", "__post_init__", "__init_subclass__", "__class_getitem__"}
"""Run where an object is made, which is a call."""
READS = {"__getattr__", "__getattribute__"}
PROPERTIES = {"property", "cached_property"}


def may_run_own_code(workspace: Workspace, module: Module, node: ast.AST) -> bool:
    """Whether evaluating `node`, without its parts, may run a function of the program."""
    if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), ast.Store):
        return False
    parent = module.parents.get(node)
    read = parent.attr if isinstance(parent, ast.Attribute) else None
    if isinstance(node, ast.Call) and _is_own(workspace, node.func):
        return True
    called = isinstance(parent, ast.Call) and parent.func is node
    if not called and _is_own(workspace, node):
        return True
    for atom in workspace.flow.values.get(node, frozenset()):
        if isinstance(atom, Container) and atom.is_lazy:
            if not isinstance(atom.node, ast.Call):
                return True
            home, given = workspace.find_home(atom.node) or module, atom.node.args
            if any(may_run_own_code(workspace, home, argument) for argument in given):
                return True
        if isinstance(atom, Instance) and _is_run_by(workspace, atom.node, read):
            return True
    return False


def _is_own(workspace: Workspace, node: ast.expr) -> bool:
    """Whether an expression may hold a function or a class of the program."""
    values = workspace.flow.values.get(node, frozenset())
    return any(isinstance(atom, Function | Bound | Class) for atom in values)


def _is_run_by(workspace: Workspace, node: ast.ClassDef, read: str | None) -> bool:
    """Whether reading an attribute of an object, or doing anything else with it, runs a method."""
    for method in _methods(workspace, node, set()):
        special = method.name.startswith("__") and method.name not in MAKES
        if read is None and special and method.name not in READS:
            return True
        if read is not None and (method.name in READS or method.name == read):
            decorators = {ast.unparse(item).rpartition(".")[2] for item in method.decorator_list}
            if method.name in READS or decorators & PROPERTIES:
                return True
    return False


def _methods(
    workspace: Workspace, node: ast.ClassDef, seen: set[ast.ClassDef]
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods of a class and of those it inherits from."""
    if node in seen:
        return
    seen.add(node)
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement
    for base in node.bases:
        for atom in workspace.values(base):
            if isinstance(atom, Class):
                yield from _methods(workspace, atom.node, seen)
