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
from chatport.port.rules.sureness import (
    OFTEN,
    Sure,
    blocks,
    is_above,
    is_main_guard,
    leaves,
    stands_in,
)


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
        self.sure: Sure = Sure(workspace, [(module, site.node) for site in configures])
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
        skipped = self._is_skipped_at_import(user) or self._is_skipped_by_functions(user)
        return Late.PERHAPS if skipped else None

    def _in_one_body(self, user: Site, near: list[Site]) -> Late | None:
        """The same for a call in a body that configures."""
        if any(self._has_run(site, user.node) for site in near):
            return None
        here = self.module.function(user.node)
        makers = [node for node in self._makers(user) if self.module.function(node) is here]
        if makers and all(any(self._has_run(s, m) for s in near) for m in makers):
            return None
        return Late.PERHAPS if any(is_above(site.node, user.node) for site in near) else Late.BEFORE

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

    def _is_skipped_by_functions(self, user: Site) -> bool:
        """Whether the functions that configure, or what calls them, do so only where a test holds,
        and a call elsewhere may run all the same."""
        if len(self._in(None)) == len(self.configures):
            return False
        if any(self.sure.runs(self.module, site.node) for site in self.configures):
            return False
        if self._is_of_configured(user) or self._are_made_behind(user):
            return False
        return not self.is_led(user)

    def _is_of_configured(self, user: Site) -> bool:
        """Whether a call is in a method of a class that configures whenever an object is made."""
        owner = user.module.class_of(user.node)
        classes = {owner, *self.workspace.flow.ancestors.get(owner, ())} if owner else set()
        return any(
            self.module.class_of(site.node) in classes
            and getattr(self.module.function(site.node), "name", "") == "__init__"
            and self.sure.is_passed(self.module, site.node)
            for site in self.configures
        )

    def _are_made_behind(self, user: Site) -> bool:
        """Whether what a call is made on only comes to be where the SDK has been configured."""
        makers = self._makers(user)
        return bool(makers) and all(
            maker in self.module.parents
            and any(self._has_run(site, maker) for site in self._in(self.module.function(maker)))
            for maker in makers
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
            if self.sure.has_run(module, node) or any(
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
        return is_above(site.node, node) and all(
            stands_in(self.module, node, block) or self._is_certain(owner, block)
            for owner, block in blocks(self.module, site.node)
        )

    def _is_unconditional(self, site: Site) -> bool:
        return all(
            self._is_certain(owner, block) for owner, block in blocks(self.module, site.node)
        )

    def _is_certain(self, owner: ast.AST, block: Sequence[ast.stmt]) -> bool:
        """Whether a block runs on every way that goes on behind its statement."""
        if isinstance(owner, ast.If):
            other = owner.orelse if block is owner.body else owner.body
            return leaves(other) or is_main_guard(owner) or self._makes_one(other)
        return not isinstance(owner, OFTEN)

    def _makes_one(self, block: Sequence[ast.stmt]) -> bool:
        return any(stands_in(self.module, site.node, block) for site in self.configures)

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
