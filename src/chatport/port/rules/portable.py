"""Whether an expression may be evaluated somewhere else than where the author put it."""

from __future__ import annotations

import ast

from chatport.port.program.modules import Module
from chatport.port.program.scopes import Variable

_PARTS = (
    ast.Constant,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.UnaryOp,
    ast.BinOp,
    ast.operator,
    ast.unaryop,
    ast.expr_context,
)


def is_portable(module: Module, node: ast.expr, target_module: Module, target: ast.AST) -> bool:
    """Whether `node` means the same at `target`: constants, and names bound once that `target`
    sees too. Nothing with an effect, and nothing that is evaluated anew, is portable."""
    todo: list[ast.AST] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Name):
            if module is not target_module or not _is_stable(module, part, target):
                return False
        elif isinstance(part, ast.Attribute):
            if not _is_module_member(module, part) or module is not target_module:
                return False
            todo.append(part.value)
        elif isinstance(part, _PARTS):
            todo.extend(ast.iter_child_nodes(part))
        else:
            return False
    return True


def is_pure(node: ast.expr) -> bool:
    """Whether evaluating an expression has no effect and asks nobody."""
    effects = (ast.Call, ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
    return not any(isinstance(part, effects) for part in ast.walk(node))


def is_written_none(node: ast.expr) -> bool:
    """Whether an argument is ``None`` as it stands: a parameter that only defaults to it may be
    given something by a caller nobody sees."""
    return isinstance(node, ast.Constant) and node.value is None


def constant_of(module: Module, node: ast.expr) -> ast.Constant | None:
    """The literal an expression is, or the one a name was bound to once."""
    if isinstance(node, ast.Constant):
        return node
    variable = module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    if variable is None or variable.is_parameter or not is_bound_once(module, variable):
        return None
    statement = module.statement(variable.stores[0])
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return value if isinstance(value, ast.Constant) else None


def _is_stable(module: Module, name: ast.Name, target: ast.AST) -> bool:
    variable = module.scopes.variable.get(name)
    scope = module.scopes.around.get(target)
    if scope is None:
        return False
    seen = scope.lookup(name.id)
    if variable is None:
        return seen is None
    return seen is variable and is_bound_once(module, variable)


def is_bound_once(module: Module, variable: Variable) -> bool:
    """Whether a variable holds one value for as long as its scope lives."""
    if len(variable.stores) != 1 or variable.foreign_stores:
        return False
    return not _in_loop(module, variable)


def _in_loop(module: Module, variable: Variable) -> bool:
    node = variable.stores[0]
    while node is not variable.scope.node:
        node = module.parents[node]
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            return True
    return False


def _is_module_member(module: Module, node: ast.Attribute) -> bool:
    """``settings.NAME`` where ``settings`` is an imported module or a class of this one."""
    base: ast.expr = node
    while isinstance(base, ast.Attribute):
        base = base.value
    variable = module.scopes.variable.get(base)
    return variable is not None and all(
        isinstance(store, ast.alias | ast.ClassDef) for store in variable.stores
    )
