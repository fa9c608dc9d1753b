"""Who reaches what: from where a name can be read, and what outlives a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations

from chatport.port.packs.schema import ModelCalls
from chatport.port.program.containers import GROWS
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode, ScopeKind
from chatport.port.program.values import External, Made
from chatport.port.rules.base import Site
from chatport.port.rules.copies import copied_classes
from chatport.port.rules.neighbours import Neighbours
from chatport.port.rules.sureness import stands_in

DISPLAYS = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.IfExp, ast.BoolOp, ast.Await)
"""Expressions that hold, or are, one of their parts."""


class Reach(Neighbours):
    """Questions about scopes and functions of a workspace, besides those about its modules."""

    # -- self

    @cached_property
    def _copied(self) -> set[ast.ClassDef]:
        return copied_classes(self.workspace)

    def by_self(self, module: Module, configures: list[Site], users: list[Site]) -> bool:
        """Whether all these sites are in methods that have ``self``, and each class that makes
        calls is configured by a method of its own or of a class it inherits from, and none of
        their objects is copied."""
        owners = {self._method(module, site.node)[0] for site in configures}
        if any(owner is None or has_slots(owner) for owner in owners):
            return False
        ancestors = self.workspace.flow.ancestors
        if any(owners & {cls, *ancestors.get(cls, ())} for cls in self._copied):
            return False
        for site in users:
            of_user = self._method(module, site.node)[0]
            if of_user is None or not owners & {of_user, *ancestors.get(of_user, ())}:
                return False
        return True

    def _method(
        self, module: Module, node: ast.AST
    ) -> tuple[ast.ClassDef | None, FunctionNode | None]:
        """The class and the method around a node, when the method has ``self``."""
        scope = module.scopes.around.get(node)
        while scope is not None and scope.parent is not None:
            function = scope.node
            if scope.parent.kind is ScopeKind.CLASS and isinstance(
                function, ast.FunctionDef | ast.AsyncFunctionDef
            ):
                decorators = {getattr(d, "id", "") for d in function.decorator_list}
                plain = function.args.args and not decorators & {"staticmethod", "classmethod"}
                owner = scope.parent.node
                assert isinstance(owner, ast.ClassDef)
                return (owner, function) if plain else (None, None)
            scope = scope.parent
        return None, None

    def self_name(self, module: Module, node: ast.AST) -> str:
        """What the method around `node` calls its instance."""
        _, function = self._method(module, node)
        assert function is not None
        return function.args.args[0].arg

    # -- functions

    def stays_inside(
        self, module: Module, functions: list[FunctionNode | None], users: list[Site]
    ) -> bool:
        """Whether every user is inside one of `functions` and nothing it makes gets out."""
        for user in users:
            around = [f for f in functions if f is not None and stands_in(module, user.node, (f,))]
            if not around:
                return False
            if user.call is not None and self.outlives(module, user.call, around[0]):
                return False
        return True

    def outlives(
        self,
        module: Module,
        call: ast.Call,
        function: FunctionNode | None = None,
        *,
        pauses: bool = False,
    ) -> bool:
        """Whether what a call makes is bound to its client and is held, returned or yielded
        beyond `function` (the one the call is in when None). With `pauses`, also whether it is
        iterated in a loop that others may run in between."""
        if self._runs_on(module, call):
            return True
        function = function or module.function(call)
        for node in self._bound_nodes(call):
            if node not in module.parents:
                return True
            if function is not None and module.function(node) is not function:
                return True  # beyond it, or in a function inside that may be kept
            if function is None and node is not call:
                return True  # what a module holds is there to its end
            parent = module.parents[node]
            if isinstance(parent, ast.Lambda) or is_put_away(module, node):
                return True
            if isinstance(parent, ast.comprehension) and _is_lazy(module, parent):
                return True
            if pauses and isinstance(parent, ast.For | ast.AsyncFor) and _pauses(parent):
                return True
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                return True
        return call in self.workspace.flow.leaked

    def _runs_on(self, module: Module, call: ast.Call) -> bool:
        """Whether a call goes on behind the statement it is in: in a thread, or as a coroutine
        that is given back without having been awaited."""
        site = self.workspace.by_node.get(call)
        if site is None or isinstance(module.parents[call], ast.Await):
            return False
        if site.runner is not None:
            return True
        return self.is_coroutine(site) and _is_given_back(module, call)

    def several_loops(self) -> bool:
        """Whether event loops are started one after another: each would need its own client."""
        found = 0
        for call, module in self.workspace.flow.module_of.items():
            if not isinstance(call, ast.Call) or External("asyncio.run") not in (
                self.workspace.values(call.func)
            ):
                continue
            around = module.function(call)
            again = around is not None and self.may_run_again(around)
            found += 2 if again or self.in_loop(module, call) else 1
        return found > 1

    def is_coroutine(self, site: Site) -> bool:
        """Whether a call gives a coroutine."""
        calls = self.workspace.surface.change(ModelCalls)
        rewrite = calls.params.rewrites.get(site.member or "") if calls is not None else None
        return rewrite is not None and rewrite.coroutine

    def _bound_nodes(self, call: ast.Call) -> list[ast.AST]:
        """The expressions that may hold what a call makes, when that needs its client."""
        surface, streams = self.workspace.surface, self.workspace.streams
        values = self.workspace.values(call)
        made = [atom for atom in values if isinstance(atom, Made) and atom.site is call]
        return [
            node
            for atom in made
            if atom.type in surface.pack.match.bound_to_client or call in streams
            for node in (call, *self.workspace.holders.get(atom, ()))
        ]

    def is_inside(self, functions: Sequence[ast.AST], user: Site) -> bool:
        """Whether a call stands in one of some functions."""
        return stands_in(user.module, user.node, functions)

    def binds(self, user: Site) -> bool:
        """Whether what a call makes goes on needing the client it was made with."""
        return user.call is not None and bool(self._bound_nodes(user.call))

    def has_older_model(self, user: Site, configures: Sequence[Site]) -> bool:
        """Whether one of the configurations may run between the making of the model that a call
        is made on and the call."""
        here = user.module.function(user.node)
        for maker in self._makers(user):
            if maker not in user.module.parents or user.module.function(maker) is not here:
                return True
            for site in configures:
                if user.module.function(site.node) is not here:
                    continue
                between = _place(maker) < _place(site.node) < _place(user.node)
                if between or self._turns_under(user.module, site.node, maker):
                    return True
        return False

    def _turns_under(self, module: Module, node: ast.AST, maker: ast.AST) -> bool:
        """Whether a node is in a loop that `maker` is not in, and does not only come behind."""
        return any(
            isinstance(loop, ast.For | ast.AsyncFor | ast.While)
            and not stands_in(module, maker, (loop,))
            and (_place(maker) < _place(loop) or self.in_loop(module, loop))
            for loop in _above(module, node)
        )

    def keeps_first_key(
        self, user: Site, configures: Sequence[Site], *, of_instance: bool = False
    ) -> bool:
        """Whether the model a call is made on may have been used before a configuration ran
        again: it is made elsewhere than where that happens, or each object has one; the latter is
        no matter with `of_instance`, where each object has its client as well."""
        if not of_instance and any(map(_is_of_object, self._holding(user))):
            return True
        here = user.module.function(user.node)
        beside = {site.module.function(site.node) for site in configures} | {here}
        return any(
            maker not in user.module.parents or user.module.function(maker) not in beside
            for maker in self._makers(user)
        )

    def _holding(self, user: Site) -> Iterator[ast.AST]:
        return (node for owner in user.owners for node in self.workspace.holders.get(owner, ()))

    def _makers(self, user: Site) -> list[ast.AST]:
        return [owner.site for owner in user.owners]

    def is_held(self, user: Site) -> bool:
        """Whether what a call makes needs its client and is kept in more than a plain name."""
        if user.call is None:
            return False
        nodes = self._bound_nodes(user.call)
        plain = all(isinstance(node, ast.Name) or node is user.call for node in nodes)
        parent = user.module.parents[user.call]
        kept = isinstance(parent, ast.List | ast.Tuple | ast.Dict | ast.comprehension | ast.Call)
        return bool(nodes) and (not plain or kept or user.call in self.workspace.flow.leaked)

    def in_loop(self, module: Module, node: ast.AST) -> bool:
        """Whether a node stands in a loop of the body it is in."""
        loops = ast.For | ast.AsyncFor | ast.While | ast.comprehension
        return any(isinstance(above, loops) for above in _above(module, node))

    def may_overlap(self, function: FunctionNode) -> bool:
        """Whether somebody unseen, as a server or a thread, may run a function, or one that calls
        it, while an earlier run goes on."""
        flow, seen, todo = self.workspace.flow, {function}, [function]
        while todo:
            here = todo.pop()
            if flow.fact("exposed", here):
                return True
            for call in flow.calls.get(here, []):
                around = flow.module_of[call].function(call)
                if around is not None and around not in seen:
                    seen.add(around)
                    todo.append(around)
        return False

    def may_run_again(self, function: FunctionNode, *, of_instance: bool = False) -> bool:
        """Whether a function may run more than once: called from several places, from a loop, or
        by somebody unseen. With `of_instance`, more than once for one object."""
        flow, here, seen = self.workspace.flow, function, set[FunctionNode]()
        while not (of_instance and getattr(here, "name", "") == "__init__"):
            calls = flow.calls.get(here, [])
            if len(calls) != 1 or flow.fact("exposed", here) or here in seen:
                return True  # a function that is called by what it calls is among them
            seen.add(here)
            module = flow.module_of[calls[0]]
            around = module.function(calls[0])
            if self.in_loop(module, calls[0]):
                return True
            if around is None:
                return False
            here = around
        return False

    def first_statement(self, function: FunctionNode) -> ast.stmt | None:
        """The first statement after the docstring, when it has a line of its own."""
        if isinstance(function, ast.Lambda):
            return None
        body = function.body
        docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        first = body[1] if docstring and len(body) > 1 else body[0]
        return first if first.lineno > function.lineno else None

    def exclusive(self, module: Module, sites: list[Site]) -> bool:
        """Whether at most one of the sites runs: each pair is in two branches of one ``if`` or
        ``try``."""
        return all(
            in_two_branches(module, one.node, two.node) for one, two in combinations(sites, 2)
        )

    def name_of_nothing(self, site: Site) -> str | None:
        """The name a configuration's value, which is None, is bound to where nobody reads it and
        nothing else has that name."""
        statement = site.module.parents[site.call] if site.call is not None else None
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target, scopes = statement.targets[0], site.module.scopes
        variable = scopes.variable.get(target)
        if not isinstance(target, ast.Name) or variable is None or variable.loads:
            return None
        alone = sum(target.id in scope.variables for scope in scopes.of.values()) == 1
        stores = {site.module.statement(store) for store in variable.stores}
        imported = any(
            alias.name == target.id
            for module in self.workspace.modules
            for alias in module.scopes.variable
            if isinstance(alias, ast.alias)
        )
        return target.id if alone and stores == {statement} and not imported else None


def is_put_away(module: Module, node: ast.AST) -> bool:
    """Whether what an expression holds, alone or among others, is given back, or put into
    something that is more than a plain name."""
    around = module.parents[node]
    while isinstance(around, DISPLAYS):
        node, around = around, module.parents[around]
    if isinstance(around, ast.Return | ast.Yield):
        return True
    if isinstance(around, ast.Call):
        grows = isinstance(around.func, ast.Attribute) and around.func.attr in GROWS
        return grows and node is not around.func
    targets: list[ast.expr] = []
    if isinstance(around, ast.Assign | ast.AnnAssign):
        targets = around.targets if isinstance(around, ast.Assign) else [around.target]
    return any(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)


def _is_given_back(module: Module, node: ast.AST) -> bool:
    """Whether an expression is returned or yielded, or the value of a lambda, before anything
    awaits it."""
    while not isinstance(node, ast.stmt):
        node = module.parents[node]
        if isinstance(node, ast.Await):
            return False
        if isinstance(node, ast.Lambda | ast.Yield):
            return True
    return isinstance(node, ast.Return)


def _pauses(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether the function waits somewhere in a loop, with the loop's stream open."""
    if isinstance(loop, ast.AsyncFor):
        return True
    parts = [part for statement in loop.body for part in ast.walk(statement)]
    return any(isinstance(part, ast.Yield | ast.YieldFrom | ast.Await) for part in parts)


def _is_lazy(module: Module, part: ast.comprehension) -> bool:
    """Whether a comprehension is a generator that somebody consumes later."""
    whole = module.parents[part]
    consumed = isinstance(module.parents[whole], ast.Call)
    return isinstance(whole, ast.GeneratorExp) and not consumed


def has_slots(owner: ast.ClassDef) -> bool:
    """Whether objects of a class take no attribute that it does not list."""
    listed = any(
        isinstance(target, ast.Name) and target.id == "__slots__"
        for statement in owner.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
    )
    return listed or any(
        keyword.arg in {"frozen", "slots"}
        for decorator in owner.decorator_list
        if isinstance(decorator, ast.Call)
        for keyword in decorator.keywords
    )


def _is_of_object(node: ast.AST) -> bool:
    """Whether ``self`` is given an attribute."""
    stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    return stored and getattr(getattr(node, "value", None), "id", "") == "self"


def _place(node: ast.AST) -> tuple[int, int]:
    return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def _above(module: Module, node: ast.AST) -> Iterator[ast.AST]:
    """The nodes a node hangs on, up to the function or module it is in."""
    around = module.function(node)
    while node in module.parents and node is not around:
        node = module.parents[node]
        yield node


def in_two_branches(module: Module, one: ast.AST, two: ast.AST) -> bool:
    def path(node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
        steps = []
        while node in module.parents:
            parent = module.parents[node]
            steps.append((parent, node))
            node = parent
        return steps

    branches = dict(path(two))
    for parent, child in path(one):
        if parent in branches:
            other = branches[parent]
            if isinstance(parent, ast.If):
                return (child in parent.body) != (other in parent.body)
            return False
    return False
