"""Whether the client is there when a call needs it.

Legacy was configured at any time before the first request, and from the environment where nobody
did. The client is an object that must have been made: before the call, on every way to it, and
not while the arguments of the call itself are evaluated.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from enum import Enum

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.values import Bound, Class, Function, Made
from chatport.port.rules.base import Site, Workspace

LEAVES = frozenset({"sys.exit", "exit", "quit", "os._exit", "st.stop"})
"""Calls behind which nothing runs."""


class Late(Enum):
    """Why the client may not be there when a call needs it."""

    BEFORE = "a call needs the client before it is made"
    PERHAPS = "a call needs the client where it is not made on every way"
    INSIDE = "it runs while the arguments of the call that needs the client are evaluated"


class Running:
    """The functions of a repository that run a configuration, themselves or through others."""

    def __init__(self, workspace: Workspace, configures: Sequence[Site]) -> None:
        self.workspace = workspace
        self.functions: set[ast.AST] = set()
        todo: list[FunctionNode] = [
            function
            for site in configures
            if (function := site.module.function(site.node)) is not None
        ]
        self.functions.update(todo)
        while todo:
            for call in workspace.flow.calls.get(todo.pop(), []):
                around = workspace.flow.module_of[call].function(call)
                if around is not None and around not in self.functions:
                    self.functions.add(around)
                    todo.append(around)

    def leads_to_one(self, node: ast.AST) -> bool:
        """Whether evaluating an expression itself runs one of them."""
        if isinstance(node, ast.Call):
            return any(f in self.functions for f in self._called(node))
        if isinstance(node, ast.Attribute):  # a property
            return any(
                isinstance(f, ast.FunctionDef) and f.name == node.attr and f.decorator_list
                for f in self.functions
            )
        return False

    def _called(self, call: ast.Call) -> Iterator[ast.AST]:
        for atom in self.workspace.values(call.func):
            if isinstance(atom, Function):
                yield atom.node
            elif isinstance(atom, Bound):
                yield atom.function
            elif isinstance(atom, Class):
                yield from (f for f in atom.node.body if getattr(f, "name", "") == "__init__")


class Timing:
    """When the configurations of one module run, seen from the calls that need the client."""

    def __init__(self, workspace: Workspace, module: Module, configures: Sequence[Site]) -> None:
        self.workspace = workspace
        self.module = module
        self.configures = configures
        self._running: Running = Running(workspace, configures)
        self._leading: dict[Module, list[ast.Call]] = {}
        """The calls of each module that run a configuration."""

    def lateness(self, user: Site) -> Late | None:
        """Why the client may not be there at `user`; None when nothing speaks for that."""
        module = user.module
        if self._always_at_import() and module is not self.module:
            return None
        here = module.function(user.node)
        near = self._in(here) if module is self.module else []
        if near:
            return self._in_one_body(user, near)
        if user.call is not None and self._configures_inside(user.call):
            return Late.INSIDE
        if self._comes_first(module, here) and not self._was_called(module, user.node, here):
            return Late.BEFORE
        return Late.PERHAPS if self._is_skipped_at_import(user) else None

    def _in_one_body(self, user: Site, near: list[Site]) -> Late | None:
        """The same for a call in a body that configures."""
        if any(self._has_run(site, user.node) for site in near):
            return None
        here = self.module.function(user.node)
        makers = [node for node in self._makers(user) if self.module.function(node) is here]
        if makers and all(any(self._has_run(s, m) for s in near) for m in makers):
            return None
        return (
            Late.PERHAPS if any(_is_above(site.node, user.node) for site in near) else Late.BEFORE
        )

    def _is_skipped_at_import(self, user: Site) -> bool:
        """Whether the module configures only where a test holds, and a function calls that may
        run all the same."""
        near = self._in(None)
        if not near or len(near) < len(self.configures) or self._always_at_import():
            return False
        return not any(
            maker in self.module.parents and any(self._has_run(site, maker) for site in near)
            for maker in self._makers(user)
        )

    def _comes_first(self, module: Module, function: FunctionNode | None) -> bool:
        """Whether a body runs before the methods or functions that configure: that of a module,
        or the ``__init__`` of their class."""
        if function is None:
            return not self._in(None)
        owner = module.class_of(function)
        return getattr(function, "name", "") == "__init__" and all(
            self.module.class_of(site.node) is owner for site in self.configures
        )

    def skips(self, user: Site) -> bool:
        """Whether what `user` is called on may have been made where the client was not."""
        for maker in self._makers(user):
            if maker not in self.module.parents:
                continue
            near = self._in(self.module.function(maker))
            certain = [s for s in near if self._has_run(s, maker) or self._is_unconditional(s)]
            if near and not certain:
                return True
            if not near and not any(self._is_unconditional(site) for site in self.configures):
                return True
        return False

    def is_led(self, user: Site) -> bool:
        """Whether every seen way to a call passes a configuration, and nobody unseen calls."""
        flow, seen = self.workspace.flow, set()
        todo: list[tuple[Module, ast.AST]] = [(user.module, user.node)]
        while todo:
            module, node = todo.pop()
            here = module.function(node)
            if self._was_called(module, node, here) or any(
                module is self.module and self._has_run(site, node) for site in self._in(here)
            ):
                continue
            if here is None or flow.fact("exposed", here) or not flow.calls.get(here):
                return False
            if here not in seen:
                seen.add(here)
                todo += [(flow.module_of[call], call) for call in flow.calls[here]]
        return True

    def comes_behind_one(self, user: Site) -> bool:
        """Whether a configuration, or a call that leads to one, stands above a call in its body,
        or above the making of each model it may be called on."""
        places = [maker for maker in self._makers(user) if maker in self.workspace.homes]
        return self._is_behind(user.node) or (bool(places) and all(map(self._is_behind, places)))

    def _is_behind(self, node: ast.AST) -> bool:
        module = self.workspace.home(node)
        here = module.function(node)
        near = self._in(here) if module is self.module else []
        return any(self._has_run(site, node) for site in near) or self._was_called(
            module, node, here
        )

    def _in(self, function: FunctionNode | None) -> list[Site]:
        return [s for s in self.configures if self.module.function(s.node) is function]

    def _always_at_import(self) -> bool:
        return any(self._is_unconditional(site) for site in self._in(None))

    def _makers(self, user: Site) -> list[ast.AST]:
        """The constructors of the model a call is made on."""
        return [owner.site for owner in user.owners if isinstance(owner, Made)]

    # -- order

    def _has_run(self, site: Site, node: ast.AST) -> bool:
        """Whether a configuration in the same body has run, on every way, when `node` does."""
        return _is_above(site.node, node) and all(
            _stands_in(self.module, node, block) or self._is_certain(owner, block)
            for owner, block in _blocks(self.module, site.node)
        )

    def _is_unconditional(self, site: Site) -> bool:
        return all(
            self._is_certain(owner, block) for owner, block in _blocks(self.module, site.node)
        )

    def _is_certain(self, owner: ast.AST, block: Sequence[ast.stmt]) -> bool:
        """Whether a block runs on every way that goes on behind its statement."""
        if isinstance(owner, ast.If):
            other = owner.orelse if block is owner.body else owner.body
            return _leaves(other) or _is_main_guard(owner) or self._makes_one(other)
        return not isinstance(
            owner, ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler | ast.match_case
        )

    def _makes_one(self, block: Sequence[ast.stmt]) -> bool:
        return any(_stands_in(self.module, site.node, block) for site in self.configures)

    def _configures_inside(self, call: ast.Call) -> bool:
        parts: list[ast.AST] = list(ast.iter_child_nodes(call))
        while parts:
            part = parts.pop()
            if self._running.leads_to_one(part) and part not in self.workspace.early:
                return True
            parts += ast.iter_child_nodes(part)
        return False

    def _was_called(self, module: Module, node: ast.AST, body: FunctionNode | None) -> bool:
        """Whether, in a body, something that configures is called above `node`."""
        line = getattr(node, "lineno", 0)
        if module not in self._leading:
            self._leading[module] = [
                other for other in module.nodes(ast.Call) if self._running.leads_to_one(other)
            ]
        return any(
            call.lineno <= line and module.function(call) is body for call in self._leading[module]
        )


def _blocks(module: Module, node: ast.AST) -> Iterator[tuple[ast.AST, Sequence[ast.stmt]]]:
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


def _is_above(one: ast.AST, other: ast.AST) -> bool:
    if not isinstance(one, ast.expr) or not isinstance(other, ast.expr):
        return False
    return (one.lineno, one.col_offset) <= (other.lineno, other.col_offset)


def _stands_in(module: Module, node: ast.AST, block: Sequence[ast.stmt]) -> bool:
    here: ast.AST | None = node
    while here is not None:
        if here in block:
            return True
        here = module.parents.get(here)
    return False


def _leaves(block: Sequence[ast.stmt]) -> bool:
    """Whether nothing goes on behind a block."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return ast.unparse(last.value.func) in LEAVES
    if isinstance(last, ast.If):
        return _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break)


def _is_main_guard(node: ast.If) -> bool:
    """``if __name__ == "__main__"``: what stands there runs in the program as a whole."""
    return "__name__" in {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
