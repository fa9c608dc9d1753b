"""Whether something runs on every way through a body, and through those that call its function.

What a function does behind a test is done in some of its runs only, unless the test asks whether
an earlier run has done it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.rules.base import Workspace

EXITS = frozenset({"sys.exit", "exit", "quit", "os._exit", "st.stop"})
"""Calls behind which nothing runs."""
OFTEN = ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler | ast.match_case
"""What runs a block any number of times."""


class Sure:
    """Questions about some places of which it is enough that one runs."""

    def __init__(self, workspace: Workspace, places: Iterable[tuple[Module, ast.AST]]) -> None:
        self.workspace = workspace
        self.places: list[tuple[Module, ast.AST]] = list(places)
        self._calls: list[tuple[Module, ast.Call]] | None = None

    def runs(self, module: Module, node: ast.AST) -> bool:
        """Whether a place runs with the program, as far as its callers are seen."""
        flow, seen = self.workspace.flow, set[FunctionNode]()
        todo = [(module, node)]
        while todo:
            there, place = todo.pop()
            if not self.is_passed(there, place):
                continue
            function = there.function(place)
            if function is None or flow.fact("exposed", function) or not flow.calls.get(function):
                return True
            if function not in seen:
                seen.add(function)
                todo += [(flow.module_of[call], call) for call in flow.calls[function]]
        return False

    def has_run(self, module: Module, node: ast.AST) -> bool:
        """Whether one of the places has run in a function called above `node`, in the same body."""
        here = module.function(node)
        return any(
            there is module
            and module.function(call) is here
            and call.lineno <= getattr(node, "lineno", 0)
            and all(
                stands_in(module, node, block) or self._is_certain(there, call, owner, block)
                for owner, block in blocks(module, call)
            )
            for there, call in self._calls_of_sure()
        )

    def _calls_of_sure(self) -> list[tuple[Module, ast.Call]]:
        """The calls of functions in which one of the places has run when they are done."""
        if self._calls is None:
            flow, seen = self.workspace.flow, set[FunctionNode]()
            self._calls, todo = [], list(self.places)
            while todo:
                module, node = todo.pop()
                function = module.function(node)
                if function is None or function in seen or not self.is_passed(module, node):
                    continue
                seen.add(function)
                calls = [(flow.module_of[call], call) for call in flow.calls.get(function, [])]
                self._calls += calls
                todo += calls
        return self._calls

    def is_passed(self, module: Module, node: ast.AST) -> bool:
        """Whether the body around a place has run it when it is done, now or in an earlier run."""
        if not all(
            self._is_certain(module, node, owner, block) for owner, block in blocks(module, node)
        ):
            return False
        function = module.function(node)
        return not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) or not any(
            isinstance(other, ast.Return)
            and module.function(other) is function
            and (other.lineno < getattr(node, "lineno", 0) or _is_beside(module, other, node))
            and not self._is_instead(module, other, node)
            for other in ast.walk(function)
        )

    def _is_instead(self, module: Module, other: ast.Return, node: ast.AST) -> bool:
        """Whether a function that is left above a place has run it before, or another one now."""
        parent = module.parents[other]
        if isinstance(parent, ast.If) and _asks_for_what_is_set(module, parent, node):
            return True
        return any(
            there is module
            and place is not node
            and module.function(place) is module.function(other)
            and all(stands_in(module, other, block) for _, block in blocks(module, place))
            for there, place in self.places
        )

    def _is_certain(
        self, module: Module, node: ast.AST, owner: ast.AST, block: Sequence[ast.stmt]
    ) -> bool:
        """Whether a block around a place runs on every way that goes on behind its statement."""
        if isinstance(owner, ast.If):
            other = owner.orelse if block is owner.body else owner.body
            return (
                leaves(other)
                or is_main_guard(owner)
                or any(stands_in(module, place, other) for _, place in self.places)
                or _asks_for_what_is_set(module, owner, node)
            )
        return not isinstance(owner, OFTEN)


def _asks_for_what_is_set(module: Module, test: ast.If, node: ast.AST) -> bool:
    """Whether a test is about names that are set where a place stands, or behind it."""
    asked = {
        ast.unparse(part)
        for part in ast.walk(test.test)
        if isinstance(part, ast.Name | ast.Attribute)
        and not isinstance(module.parents[part], ast.Attribute)
    }
    around = module.function(node) or module.tree
    line = getattr(node, "lineno", 0)
    return bool(asked) and asked <= {
        ast.unparse(part)
        for part in ast.walk(around)
        if isinstance(part, ast.Name | ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and part.lineno >= line
    }


def _is_beside(module: Module, other: ast.AST, node: ast.AST) -> bool:
    """Whether one stands in the other branch of a test around a node."""
    return any(
        isinstance(owner, ast.If)
        and stands_in(module, other, owner.orelse if block is owner.body else owner.body)
        for owner, block in blocks(module, node)
    )


def blocks(module: Module, node: ast.AST) -> Iterator[tuple[ast.AST, Sequence[ast.stmt]]]:
    """The blocks around a node up to its function or module, each with what it belongs to."""
    child: ast.AST = module.statement(node)
    while child in module.parents:
        owner = module.parents[child]
        for name in ("body", "orelse", "finalbody", "handlers"):
            block = getattr(owner, name, [])
            if isinstance(block, list) and child in block and name != "handlers":
                yield owner, block
        if isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
            return
        child = owner


def is_above(one: ast.AST, other: ast.AST) -> bool:
    """Whether an expression stands above another one, or is it."""
    if not isinstance(one, ast.expr) or not isinstance(other, ast.expr):
        return False
    return (one.lineno, one.col_offset) <= (other.lineno, other.col_offset)


def stands_in(module: Module, node: ast.AST, block: Sequence[ast.AST]) -> bool:
    """Whether a node is in one of some others, or is one."""
    here: ast.AST | None = node
    while here is not None:
        if here in block:
            return True
        here = module.parents.get(here)
    return False


def leaves(block: Sequence[ast.stmt]) -> bool:
    """Whether nothing goes on behind a block."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return ast.unparse(last.value.func) in EXITS
    if isinstance(last, ast.If):
        return leaves(last.body) and leaves(last.orelse)
    return isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break)


def is_main_guard(node: ast.If) -> bool:
    """``if __name__ == "__main__"``: what stands there runs in the program as a whole."""
    return "__name__" in {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
