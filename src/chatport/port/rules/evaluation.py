"""What runs when a statement runs: whether a part of it always does, and does so first."""

from __future__ import annotations

import ast
from collections.abc import Collection

from chatport.port.program.modules import Module
from chatport.port.program.scopes import COMPREHENSIONS, FUNCTIONS

SIMPLE = ast.Assign | ast.AnnAssign | ast.Return | ast.Expr | ast.AugAssign
"""Statements that evaluate one expression."""


def runs_always(module: Module, statement: ast.stmt, node: ast.AST) -> bool:
    """Whether evaluating the statement evaluates the node, first of all that may be skipped."""
    child, here = node, module.parents[node]
    while here is not statement:
        first = (
            here.values[0]
            if isinstance(here, ast.BoolOp)
            else (here.test if isinstance(here, ast.IfExp) else None)
        )
        skipped = isinstance(here, ast.BoolOp | ast.IfExp) and child is not first
        if skipped or isinstance(here, (ast.Lambda, ast.comprehension, *COMPREHENSIONS)):
            return False
        child, here = here, module.parents[here]
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


def given_values(module: Module, name: ast.Name) -> list[ast.expr]:
    """The expressions a name is assigned as they stand, the default of a parameter among them;
    what it gets otherwise is left out."""
    variable = module.scopes.variable.get(name)
    stores = variable.stores if variable is not None else []
    plain = [
        p for p in map(module.parents.get, stores) if isinstance(p, ast.Assign | ast.AnnAssign)
    ]
    defaults = [default_of(module, store) for store in stores if isinstance(store, ast.arg)]
    return [value for value in (*(p.value for p in plain), *defaults) if value is not None]


def default_of(module: Module, parameter: ast.arg) -> ast.expr | None:
    """What a parameter is when no call gives it."""
    arguments = module.parents[parameter]
    assert isinstance(arguments, ast.arguments)
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip(reversed(plain), reversed(arguments.defaults), strict=False))
    named = dict(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    return defaults.get(parameter) or named.get(parameter)


def only_value(module: Module, name: ast.Name) -> ast.expr | None:
    """The expression a name was given, where it is bound once and to that."""
    variable = module.scopes.variable.get(name)
    if variable is None or len(variable.stores) != 1 or variable.foreign_stores:
        return None
    if variable.is_parameter:
        return None
    return next(iter(given_values(module, name)), None)


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


def is_never_evaluated(module: Module, node: ast.AST) -> bool:
    """Whether a node is part of an annotation that is only there to be read: one of a variable in a
    function, or any where the module says so."""
    child, here = node, module.parents[node]
    while not isinstance(here, ast.stmt | ast.arg):
        child, here = here, module.parents[here]
    if not isinstance(here, ast.AnnAssign | ast.arg | ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    says = here.annotation if isinstance(here, ast.AnnAssign | ast.arg) else here.returns
    scope = module.scopes.around.get(here)
    local = isinstance(here, ast.AnnAssign) and isinstance(getattr(scope, "node", None), FUNCTIONS)
    return child is says and (local or _is_deferred(module))


def _is_deferred(module: Module) -> bool:
    """Whether a module leaves its annotations as text."""
    return any(
        isinstance(statement, ast.ImportFrom)
        and statement.module == "__future__"
        and any(alias.name == "annotations" for alias in statement.names)
        for statement in module.tree.body
    )


def was_tested(module: Module, node: ast.AST, wanted: Collection[str]) -> bool:
    """Whether one of the expressions in `wanted` was tested on the way to a node: by an ``and``
    before it or by the ``if`` it stands under."""
    child, here = node, module.parents.get(node)
    while here is not None:
        if _was_left(here, child, wanted):
            return True
        if isinstance(here, FUNCTIONS):
            return False
        for test in _tests_before(here, child):
            parts = test.values if isinstance(test, ast.BoolOp) else [test]
            both = not isinstance(test, ast.BoolOp) or isinstance(test.op, ast.And)
            if both and any(_granted(part) in wanted for part in parts):
                return True
        child, here = here, module.parents.get(here)
    return False


def _granted(test: ast.expr) -> str:
    """What is there where a test holds: the expression, or the list it finds something in."""
    within = isinstance(test, ast.Compare) and [type(op) for op in test.ops] == [ast.In]
    return ast.unparse(test.comparators[0] if isinstance(test, ast.Compare) and within else test)


def _was_left(here: ast.AST, child: ast.AST, wanted: Collection[str]) -> bool:
    """Whether a statement above `child`, in the same block, leaves when something wanted is
    missing: ``if not x: return``. Nothing may be bound anew in between."""
    blocks = [value for _, value in ast.iter_fields(here) if isinstance(value, list)]
    block = next((block for block in blocks if any(part is child for part in block)), [])
    heads = {text.partition(".")[0] for text in wanted}
    for statement in reversed(block[: next((i for i, s in enumerate(block) if s is child), 0)]):
        if isinstance(statement, ast.If) and not statement.orelse and _leaves(statement.body):
            test = statement.test
            either = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or)
            parts = test.values if either and isinstance(test, ast.BoolOp) else [test]
            if any(_denied(part) in wanted for part in parts):
                return True
        bound = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and _is_store(n)}
        attributes = any(isinstance(n, ast.Attribute) and _is_store(n) for n in ast.walk(statement))
        if bound & heads or attributes:
            return False
    return False


def _denied(test: ast.expr) -> str:
    """The expression a test says is missing."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return ast.unparse(test.operand)
    is_none = isinstance(test, ast.Compare) and ast.unparse(test).endswith(" is None")
    return ast.unparse(test.left) if is_none and isinstance(test, ast.Compare) else ""


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def _is_store(node: ast.Name | ast.Attribute) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _tests_before(here: ast.AST, child: ast.AST) -> list[ast.expr]:
    """What held, in the construct `here`, when its part `child` is evaluated."""
    if isinstance(here, ast.BoolOp) and isinstance(here.op, ast.And):
        return here.values[: next(i for i, value in enumerate(here.values) if value is child)]
    if isinstance(here, ast.If | ast.While) and any(child is part for part in here.body):
        return [here.test]
    if isinstance(here, COMPREHENSIONS) and not isinstance(child, ast.comprehension):
        return [test for part in here.generators for test in part.ifs]
    return [here.test] if isinstance(here, ast.IfExp) and child is here.body else []
