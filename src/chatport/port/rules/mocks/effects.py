"""What a stand-in does when it is called."""

from __future__ import annotations

import ast
import builtins

from chatport.port.packs.schema import Exceptions
from chatport.port.program.values import External
from chatport.port.rules.base import Workspace

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def is_error(workspace: Workspace, node: ast.expr) -> bool:
    """Whether an expression is an exception, or a class of them."""
    named = node.func if isinstance(node, ast.Call) else node
    if not isinstance(named, ast.Name | ast.Attribute):
        return False
    last = named.attr if isinstance(named, ast.Attribute) else named.id
    known = getattr(builtins, last, None)
    if isinstance(known, type) and issubclass(known, BaseException):
        return True
    values = workspace.values(named)
    change = workspace.surface.change(Exceptions)
    modules = change.params.modules if change is not None else ()
    if any(isinstance(atom, External) and atom.name.startswith(modules) for atom in values):
        return True
    return last.endswith(("Error", "Exception")) and bool(values)


def ignores_arguments(function: Function) -> bool:
    """Whether a function does not read what it is called with."""
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    given += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    names = {argument.arg for argument in given}
    return not any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(function))


def takes_anything(function: ast.AST) -> bool:
    """Whether a function answers alike to whatever it is called with: ``*args, **kwargs`` that it
    does not read."""
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return False
    arguments = function.args
    named = arguments.posonlyargs or arguments.args or arguments.kwonlyargs
    open_ended = arguments.vararg is not None and arguments.kwarg is not None
    return not named and open_ended and ignores_arguments(function)
