"""Scopes and the variables in them: which binding each name of a module means.

The rules are those of the language reference, section 4.2: class bodies are invisible to the
functions inside them, the first iterable of a comprehension belongs to the scope around it, and a
walrus in a comprehension binds outside of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct, field

from chatport.port.source.trees import FIELDS, children

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


_OPENING = {*FUNCTIONS, ast.ClassDef, *COMPREHENSIONS, ast.NamedExpr}
_BINDING = {
    *(ast.alias, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
    *(ast.Global, ast.Nonlocal),
}


class ScopeKind(Enum):
    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    COMPREHENSION = "comprehension"


class Variable(Struct, eq=False):
    """One name in one scope. `stores` and `loads` are the nodes that bind and read it."""

    name: str
    scope: Scope
    stores: list[ast.AST] = field(default_factory=list)
    loads: list[ast.Name] = field(default_factory=list)
    foreign_stores: bool = False
    """Bound from another scope by ``global`` or ``nonlocal``."""
    captured: bool = False
    """Read or bound from another scope."""

    @property
    def is_parameter(self) -> bool:
        return any(isinstance(store, ast.arg) for store in self.stores)


class Scope(Struct, eq=False):
    kind: ScopeKind
    node: ast.AST
    parent: Scope | None
    variables: dict[str, Variable] = field(default_factory=dict)
    forwarded: dict[str, Scope | None] = field(default_factory=dict)
    """Names declared ``global`` (module scope) or ``nonlocal`` (None until resolved)."""

    def function(self) -> Scope:
        """The scope a walrus in this one binds in."""
        scope = self
        while scope.kind is ScopeKind.COMPREHENSION and scope.parent is not None:
            scope = scope.parent
        return scope

    def own(self, name: str) -> Variable:
        variable = self.variables.get(name)
        if variable is None:
            variable = self.variables[name] = Variable(name, self)
        return variable

    def lookup(self, name: str) -> Variable | None:
        """The variable `name` means when read here; None for a builtin."""
        if name in self.forwarded:
            target = self.forwarded[name]
            return target.own(name) if target is not None else None
        if name in self.variables:
            return self.variables[name]
        scope = self.parent
        while scope is not None:
            if scope.kind is not ScopeKind.CLASS:
                if name in scope.forwarded:
                    return scope.lookup(name)
                if name in scope.variables:
                    return scope.variables[name]
            scope = scope.parent
        return None


class ScopeTable(Struct, dict=True):
    """All scopes of a module. `of` maps a scope-making node to its scope, `variable` a name node
    (or any binding node: argument, alias, definition, handler, pattern) to its variable."""

    module: Scope
    of: dict[ast.AST, Scope]
    variable: dict[ast.AST, Variable]
    around: dict[ast.AST, Scope]
    """The scope a statement or name stands in."""
    unbound: list[ast.Name] = field(default_factory=list)
    """Names that are read and that the module binds nowhere."""

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name bound anywhere in the module."""
        return frozenset(name for scope in self.of.values() for name in scope.variables)


def build(tree: ast.Module) -> ScopeTable:
    """The scope table of a parsed module."""
    builder = _Builder(tree)
    builder.bind_all(tree)
    builder.resolve_all()
    return builder.table


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Every parameter, in the order of the signature."""
    extra = [arg for arg in (arguments.vararg, arguments.kwarg) if arg is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


class _Builder:
    def __init__(self, tree: ast.Module) -> None:
        module = Scope(ScopeKind.MODULE, tree, None)
        self.table = ScopeTable(module, {tree: module}, {}, {})
        self._reads: list[tuple[Scope, ast.Name]] = []
        self._nonlocals: list[tuple[Scope, str, ast.AST | None]] = []

    def bind_all(self, tree: ast.Module) -> None:
        """Walk with an explicit stack: depth of the tree must not become depth of our stack."""
        path: list[tuple[Scope, list[ast.AST]]] = [(self.table.module, [*reversed(tree.body)])]
        around = self.table.around
        while path:
            scope, todo = path.pop()
            while todo:
                node = todo.pop()
                around[node] = scope
                # Most nodes bind nothing and open no scope: what is done for them is felt.
                kind = type(node)
                if isinstance(node, ast.Name):
                    self._name(node, scope)
                elif kind in _OPENING:
                    path.append((scope, todo))
                    inside = [
                        (inner, [*reversed(nodes)]) for inner, nodes in self._open(node, scope)
                    ]
                    path.extend(reversed(inside))
                    break
                elif FIELDS[kind] or kind in _BINDING:
                    if kind in _BINDING:
                        self._binding_node(node, scope)
                    todo.extend(reversed(children(node)))

    def _open(self, node: ast.AST, scope: Scope) -> Iterator[tuple[Scope, list[ast.AST]]]:
        """What is inside a node that opens a scope or binds in another one, by scopes, in order."""
        if isinstance(node, FUNCTIONS):
            yield from self._function(node, scope)
        elif isinstance(node, ast.ClassDef):
            yield from self._class(node, scope)
        elif isinstance(node, COMPREHENSIONS):
            yield from self._comprehension(node, scope)
        elif isinstance(node, ast.NamedExpr):
            self._bind(node.target.id, node.target, scope.function())
            self.table.around[node.target] = scope
            yield scope, [node.value]

    def _name(self, node: ast.Name, scope: Scope) -> None:
        if isinstance(node.ctx, ast.Load):
            self._reads.append((scope, node))
        else:
            self._bind(node.id, node, scope)

    def _binding_node(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.alias):
            if node.name != "*":
                self._bind(node.asname or node.name.partition(".")[0], node, scope)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            self._bind(node.name, node, scope)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self._bind(node.rest, node, scope)
        elif isinstance(node, ast.Global):
            for name in node.names:
                scope.forwarded[name] = self.table.module
        elif isinstance(node, ast.Nonlocal):
            for name in node.names:
                scope.forwarded[name] = None
                self._nonlocals.append((scope, name, None))

    def _function(self, node: FunctionNode, scope: Scope) -> Iterator[tuple[Scope, list[ast.AST]]]:
        inner = self.table.of[node] = Scope(ScopeKind.FUNCTION, node, scope)
        arguments = node.args
        outside: list[ast.AST] = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        if not isinstance(node, ast.Lambda):
            self._bind(node.name, node, scope)
            outside += [*node.decorator_list, *([node.returns] if node.returns else [])]
        for arg in parameters(arguments):
            self._bind(arg.arg, arg, inner)
            self.table.around[arg] = inner
            if arg.annotation is not None:
                outside.append(arg.annotation)
        yield scope, outside
        yield inner, [node.body] if isinstance(node, ast.Lambda) else [*node.body]

    def _class(self, node: ast.ClassDef, scope: Scope) -> Iterator[tuple[Scope, list[ast.AST]]]:
        inner = self.table.of[node] = Scope(ScopeKind.CLASS, node, scope)
        self._bind(node.name, node, scope)
        yield scope, [*node.decorator_list, *node.bases, *node.keywords]
        yield inner, [*node.body]

    def _comprehension(
        self, node: Comprehension, scope: Scope
    ) -> Iterator[tuple[Scope, list[ast.AST]]]:
        inner = self.table.of[node] = Scope(ScopeKind.COMPREHENSION, node, scope)
        first = node.generators[0]
        yield scope, [first.iter]
        inside: list[ast.AST] = []
        for generator in node.generators:
            inside.append(generator.target)
            if generator is not first:
                inside.append(generator.iter)
            inside += generator.ifs
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        yield inner, [*inside, *made]

    def _bind(self, name: str, node: ast.AST, scope: Scope) -> None:
        if name not in scope.forwarded:
            self._store(scope.own(name), node)
        elif (target := scope.forwarded[name]) is not None:
            self._store_from_outside(target.own(name), node)
        else:  # nonlocal: the enclosing function may bind the name further down
            self._nonlocals.append((scope, name, node))

    def _store(self, variable: Variable, node: ast.AST) -> None:
        self.table.variable[node] = variable
        variable.stores.append(node)

    def _store_from_outside(self, variable: Variable, node: ast.AST) -> None:
        variable.foreign_stores = variable.captured = True
        self._store(variable, node)

    def resolve_all(self) -> None:
        for scope, name, node in self._nonlocals:
            target = scope.forwarded[name] or _enclosing_function(scope, name)
            scope.forwarded[name] = target
            if node is not None:
                self._store_from_outside(target.own(name), node)
        for scope, read in self._reads:
            variable = scope.lookup(read.id)
            if variable is None:
                self.table.unbound.append(read)
                continue
            self.table.variable[read] = variable
            variable.loads.append(read)
            if variable.scope is not scope:
                variable.captured = True


def _enclosing_function(scope: Scope, name: str) -> Scope:
    outer = scope.parent
    while outer is not None and outer.parent is not None:
        if outer.kind is ScopeKind.FUNCTION and name in outer.variables:
            return outer
        outer = outer.parent
    return outer or scope
