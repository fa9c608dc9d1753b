"""Functions among the tools: how they are declared, and how they are called by themselves."""

from __future__ import annotations

import ast

from chatport.port.program.calls import TRANSPARENT
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.values import Atom, Bound, Container, Function, Shape
from chatport.port.rules.base import RefusedError, Site, Workspace

CODE = "afc_semantics_differ"
_NUMBERS = {"int", "float"}
_TAKEN = {"str", "bool", *_NUMBERS}
_GIVEN = {*_TAKEN, "None", "list", "List"}
_CALCULATE = {"abs", "int", "float", "min", "max", "sum"}
_BINDING = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr
_LISTS = ast.List | ast.ListComp


def check_declared(atom: Atom) -> None:
    """Raise `RefusedError` for a function the new SDK cannot describe: it wants to know of what
    type each parameter is."""
    node = _node(atom)
    if node is None:
        return
    for decorator in getattr(node, "decorator_list", []):
        if _last_name(decorator) not in TRANSPARENT:
            raise RefusedError(
                CODE, f"what `{ast.unparse(decorator)}` makes of `{_called(node)}` is not known"
            )
    if node.args.vararg is not None or node.args.kwarg is not None:
        raise RefusedError(CODE, "a function that takes any number of arguments is a tool here")
    for arg in _taken(node):
        if arg.annotation is None:
            raise RefusedError(
                CODE,
                f"the parameter `{arg.arg}` of `{_called(node)}` has no "
                "annotation, without which the new SDK does not take a function",
            )


def check_called(workspace: Workspace, site: Site, atom: Atom) -> None:
    """Raise `RefusedError` for a function that is called by itself and whose arguments or results
    are passed on in another form. A mapping legacy sent as it was; the new SDK wraps it."""
    node = _node(atom)
    if not isinstance(node, ast.FunctionDef):
        raise RefusedError(CODE, "what is called by itself here is no plain function")
    annotations = [_named(arg.annotation) for arg in _taken(node)]
    if not set(annotations) <= _TAKEN:
        raise RefusedError(CODE, f"`{node.name}` takes more than text and numbers")
    if not _gives_plainly(workspace, node):
        raise RefusedError(
            CODE,
            f"`{node.name}` may give a mapping back; legacy told the model what is in it, and the "
            "new SDK wraps it as a result",
        )
    if any(isinstance(part, ast.Raise) for part in ast.walk(node)):
        raise RefusedError(
            CODE, f"what `{node.name}` raises reached the program; the new SDK tells it the model"
        )
    numbers = {arg.arg for arg in _taken(node) if _named(arg.annotation) in _NUMBERS}
    if _shows(node, numbers):
        raise RefusedError(
            CODE,
            f"`{node.name}` shows numbers, which legacy gave as 3.0 and the new SDK gives as 3",
        )
    if numbers:
        site.warn("function_arguments_typed")
    site.warn("function_failures_told")


def _shows(node: ast.FunctionDef, numbers: set[str]) -> bool:
    """Whether a number that is passed may become part of a text or go to other code; whole numbers
    are other objects on each side, and calculate to the same."""
    known = set(numbers)
    parts = [part for statement in node.body for part in ast.walk(statement)]
    for _ in parts if numbers else ():
        before = len(known)
        for part in parts:
            value = getattr(part, "value", None)
            if isinstance(part, _BINDING) and isinstance(value, ast.expr) and _reads(value, known):
                known |= {n.id for n in ast.walk(part) if isinstance(n, ast.Name) and _is_store(n)}
        if len(known) == before:
            break
    return any(
        (
            isinstance(part, ast.JoinedStr | ast.Call | ast.For | ast.AsyncFor | ast.comprehension)
            and not _calculates(part)
            and _reads(part, known)
        )
        or (isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod) and _reads(part, known))
        for part in parts
    )


def _reads(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression reads one of some names, but as a whole number."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "int":
        return False
    if isinstance(node, ast.Name):
        return node.id in names and not _is_store(node)
    inner = ast.iter_child_nodes(node)
    if isinstance(node, ast.For | ast.AsyncFor):
        inner = iter([node.iter])
    return any(_reads(child, names) for child in inner)


def _calculates(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in _CALCULATE


def _is_store(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _gives_plainly(workspace: Workspace, node: ast.FunctionDef) -> bool:
    """Whether no mapping is given back."""
    if node.returns is not None:
        return _named(node.returns) in _GIVEN
    returned = workspace.flow.fact("returns", node)
    return all(
        isinstance(atom, Shape) or (isinstance(atom, Container) and isinstance(atom.node, _LISTS))
        for atom in returned
    )


def _named(annotation: ast.expr | None) -> str:
    """The name of an annotation's class; ``list`` of ``list[str]``."""
    if isinstance(annotation, ast.Constant):
        return annotation.value if isinstance(annotation.value, str) else str(annotation.value)
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    return annotation.id if isinstance(annotation, ast.Name) else ""


def _called(node: FunctionNode) -> str:
    return getattr(node, "name", "lambda")


def _last_name(decorator: ast.expr) -> str:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def _node(atom: Atom) -> FunctionNode | None:
    if isinstance(atom, Function):
        return atom.node
    return atom.function if isinstance(atom, Bound) else None


def _taken(node: FunctionNode) -> list[ast.arg]:
    """The parameters a call may fill, without the receiver of a method."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [arg for arg in every if arg.arg not in {"self", "cls"}]
