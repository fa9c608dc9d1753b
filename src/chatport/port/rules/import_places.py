"""Where the imports of a module stand: the end of them, and what comes first."""

from __future__ import annotations

import ast
import sys

from chatport.port.program.modules import Module


def end_of_imports(module: Module) -> ast.stmt | None:
    """The last statement of the imports a module starts with."""
    last = None
    for statement in module.tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            last = statement
        elif last is not None and not _is_docstring(statement):
            break
    return last


def plain_imports(module: Module) -> list[ast.Import]:
    """The ``import name`` of the standard library among the imports a module starts with."""
    found: list[ast.Import] = []
    for statement in module.tree.body:
        if isinstance(statement, ast.Import) and len(statement.names) == 1:
            (alias,) = statement.names
            if alias.name in sys.stdlib_module_names and alias.asname is None:
                found.append(statement)
        elif not isinstance(statement, ast.ImportFrom) and not _is_docstring(statement):
            break
    return found


def first_code(module: Module) -> ast.stmt:
    """The first import of a module; where it imports nothing, its first statement that runs."""
    code = [statement for statement in module.tree.body if not _is_future(statement)]
    for statement in code:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return statement
    return code[1] if _is_docstring(code[0]) else code[0]


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
