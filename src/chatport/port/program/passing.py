"""Functions that call one of their parameters with all that comes behind it::

    def patiently(call, *args, **kwargs):
        for attempt in range(3):
            try:
                return call(*args, **kwargs)
            except Exception:
                time.sleep(2**attempt)

Whoever calls such a function calls what it is given, with just those arguments.
"""

from __future__ import annotations

import ast

from chatport.port.program.scopes import FunctionNode


def passes_on(function: FunctionNode) -> int | None:
    """The place of the parameter that a function calls, among those by position, its own object
    included; None where it does anything else with it, with the arguments behind it, or with what
    it gives."""
    arguments = function.args
    rest, named = arguments.vararg, arguments.kwarg
    if isinstance(function, ast.Lambda) or rest is None or named is None:
        return None
    positional = [*arguments.posonlyargs, *arguments.args]
    if not positional or arguments.kwonlyargs:
        return None
    handed = positional[-1].arg
    given_back = _given_back(function)
    calls, reads, named_at_all = 0, 0, 0
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and _is_passed(node, handed, rest.arg, named.arg):
            calls += node in given_back
        elif isinstance(node, ast.Attribute) and _is_name(node.value, handed):
            reads += node.attr == "__name__"
        elif isinstance(node, ast.Name):
            named_at_all += node.id in {handed, rest.arg, named.arg}
    return len(positional) - 1 if calls and named_at_all == 3 * calls + reads else None


def _given_back(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[ast.AST]:
    """The expressions that a function returns as they are, at once or by a name that it does
    nothing else with."""
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    found: set[ast.AST] = {_awaited(node) for node in returned if node is not None}
    for node in ast.walk(function):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and len(node.targets) == 1:
            loads = [
                part
                for part in ast.walk(function)
                if _is_name(part, target.id) and part is not target
            ]
            if all(load in found for load in loads):
                found.add(_awaited(node.value))
    return found


def _awaited(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Await) else node


def names_of(function: FunctionNode) -> frozenset[str]:
    """The names that a function takes for itself."""
    return frozenset(a.arg for a in (*function.args.posonlyargs, *function.args.args))


def _is_passed(call: ast.Call, handed: str, rest: str, named: str) -> bool:
    """``call(*args, **kwargs)``, ``asyncio.to_thread(call, *args, **kwargs)``."""
    arguments = list(call.args)
    if not _is_name(call.func, handed):
        if not (isinstance(call.func, ast.Attribute) and call.func.attr == "to_thread"):
            return False
        if not arguments or not _is_name(arguments.pop(0), handed):
            return False
    return (
        len(arguments) == 1
        and isinstance(arguments[0], ast.Starred)
        and _is_name(arguments[0].value, rest)
        and len(call.keywords) == 1
        and call.keywords[0].arg is None
        and _is_name(call.keywords[0].value, named)
    )


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
