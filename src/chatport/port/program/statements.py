"""Transfer functions of statements: how each changes what the variables of a unit hold."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from chatport.port.program.expressions import Expressions
from chatport.port.program.flow import Engine, Environment, is_fixture, join, legacy_name
from chatport.port.program.scopes import FUNCTIONS, Scope, ScopeKind, parameters
from chatport.port.program.values import (
    ANYTHING,
    NONE,
    NOTHING,
    Bound,
    Class,
    Container,
    External,
    Function,
    Instance,
    Made,
    Project,
    Values,
)

MAX_ROUNDS = 4
"""Rounds of a loop body; sets of one variable settle in two, chains of variables in a few more."""


class Interpreter(Expressions):
    """Evaluates one unit. `environment` is None behind a ``return`` or ``raise``."""

    scope: Scope

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._loop_exits: list[list[Environment]] = []

    def run_unit(self) -> None:
        function = self.unit.function
        if function is None:
            self.block(self.unit.module.tree.body)
        elif isinstance(function, ast.Lambda):
            self._enter(function)
            self.engine.grow(self.value(function.body), "returns", function)
        else:
            self._enter(function)
            self.block(function.body)

    def _enter(self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        arguments = function.args
        positional = [*arguments.posonlyargs, *arguments.args]
        if self.unit.owner is not None and positional and not _is_static(function):
            holder = Class if _is_classmethod(function) else Instance
            self.bind(positional[0], frozenset({holder(self.unit.owner)}))
            positional = positional[1:]
        for arg in parameters(arguments):
            if arg in positional or arg in arguments.kwonlyargs:
                self.bind(arg, self.engine.read("parameter", arg))
            elif arg is arguments.vararg or arg is arguments.kwarg:
                self.bind(arg, frozenset({Container(arg)}))

    def declare(self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """What nobody was seen to pass: what the annotation says, or anything. A default alone says
        nothing about a function that only unseen code calls."""
        flow = self.engine.flow
        receivers = {"self", "cls"} if self.unit.owner is not None else set()
        for arg in parameters(function.args):
            if arg.arg in receivers or arg in (function.args.vararg, function.args.kwarg):
                continue
            if not flow.calls.get(function) or not flow.fact("parameter", arg):
                said = self.of_annotation(arg.annotation, arg) or self._of_fixture(function, arg)
                self.engine.grow(said or ANYTHING, "parameter", arg)

    def _of_fixture(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, arg: ast.arg
    ) -> Values:
        """What a test framework passes to a test or a fixture under the name of a fixture."""
        if isinstance(function, ast.Lambda):
            return NOTHING
        if not function.name.startswith("test") and not is_fixture(function):
            return NOTHING
        found = NOTHING
        for given in self.engine.fixtures(arg.arg, self.unit.module):
            values = self.engine.read("returns", given)
            yields = Container(given) in values
            found |= self.items_of(frozenset({Container(given)})) if yields else values
        return found

    # -- blocks and branches

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self.environment is None:
                self.environment = {}  # unreachable code is still code somebody reads
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        _HANDLERS[type(node)](self, node)

    def only_values(self, node: ast.stmt) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)

    def _do_If(self, node: ast.If) -> None:
        self.value(node.test)
        before = self._copy()
        self._narrow(node.test, holds=True)
        self.block(node.body)
        after = self.environment
        self.environment = before
        self._narrow(node.test, holds=False)
        self.block(node.orelse)
        self.environment = join(after, self.environment)

    def _narrow(self, test: ast.expr, *, holds: bool) -> None:
        """A variable that was tested is not None on the way where it is something."""
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, holds = test.operand, not holds
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is holds:
            for value in test.values:
                self._narrow(value, holds=holds)
            return
        if isinstance(test, ast.Compare) and _is_none(test.comparators[0]):
            holds = holds is isinstance(test.ops[0], ast.IsNot | ast.NotEq)
            test = test.left
        if holds and isinstance(test, ast.Name) and self.environment is not None:
            variable = self.unit.module.scopes.variable.get(test)
            if variable in self.environment:
                self.environment[variable] -= {NONE}

    def _do_Expr(self, node: ast.Expr) -> None:
        if External("sys.exit()") in self.value(node.value):
            self.environment = None

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        exits: list[Environment] = []
        self._loop_exits.append(exits)
        start = self._copy()
        for _ in range(MAX_ROUNDS):
            self._loop_head(node)
            self.block(node.body)
            again = join(start, self.environment)
            if again == start:
                break
            start = again or {}
            self.environment = dict(start)
        self._loop_exits.pop()
        self.environment = dict(start)
        self.block(node.orelse)
        for environment in exits:
            self.environment = join(self.environment, environment)

    def _loop_head(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        if isinstance(node, ast.While):
            self.value(node.test)
        else:
            self.assign(node.target, self.items_of(self.value(node.iter)))

    _do_For = _do_AsyncFor = _do_While = _loop

    def _do_Break(self, node: ast.Break) -> None:
        if self._loop_exits and self.environment is not None:
            self._loop_exits[-1].append(self.environment)
        self.environment = None

    _do_Continue = _do_Break

    def _do_Try(self, node: ast.Try | ast.TryStar) -> None:
        before = self._copy()
        seen: Environment = dict(before)
        self.watchers.append(seen)
        self.block(node.body)
        self.watchers.pop()
        self.block(node.orelse)
        after = self.environment
        for handler in node.handlers:
            self.environment = dict(seen)
            if handler.type is not None:
                self.value(handler.type)
            if handler.name:
                self.bind(handler, ANYTHING)
            self.block(handler.body)
            after = join(after, self.environment)
        self.environment = after if after is not None else dict(seen)
        self.block(node.finalbody)
        if after is None:
            self.environment = None

    _do_TryStar = _do_Try

    def _do_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self.value(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, self._entered(value))
        self.block(node.body)

    _do_AsyncWith = _do_With

    def _entered(self, managers: Values) -> Values:
        """What ``with ... as name`` gives: what a generator yields, what ``__enter__`` returns."""
        found: Values = NOTHING
        for atom in managers:
            if isinstance(atom, Container) and isinstance(atom.node, FUNCTIONS):
                found |= self.items_of(frozenset({atom}))
            elif isinstance(atom, Instance):
                enters = self.attribute(frozenset({atom}), "__enter__", atom.node)
                enters |= self.attribute(frozenset({atom}), "__aenter__", atom.node)
                methods = [enter for enter in enters if isinstance(enter, Bound)]
                for method in methods:
                    found |= self.engine.read("returns", method.function)
                found |= NOTHING if methods else frozenset({atom})
            else:
                found |= frozenset({atom})
        return found

    def _do_Match(self, node: ast.Match) -> None:
        self.value(node.subject)
        before = self._copy()
        after: Environment | None = before
        for case in node.cases:
            self.environment = dict(before)
            for part in ast.walk(case.pattern):
                if part in self.unit.module.scopes.variable:
                    self.bind(part, ANYTHING)
                elif isinstance(part, ast.expr):
                    self.value(part)
            if case.guard is not None:
                self.value(case.guard)
            self.block(case.body)
            after = join(after, self.environment)
        self.environment = after

    # -- bindings

    def _do_Assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self.assign(target, value)

    def _do_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.value(node.annotation)
        if node.value is not None:
            default = self.value(node.value)
            # a field of a foreign base class may be given from anywhere
            self.assign(node.target, default | ANYTHING if self._in_foreign_class() else default)
        elif self._in_class() and isinstance(node.target, ast.Name):
            said = self.of_annotation(node.annotation, node.target)
            if self._in_foreign_class() or not self._is_given(node.target.id, said):
                self.assign(node.target, said)

    def _do_AugAssign(self, node: ast.AugAssign) -> None:
        value = self.value(node.value)
        old = self.peek(node.target)
        for atom in old:
            if isinstance(atom, Container):
                self.engine.flow.mutated.add(atom.node)
                self.engine.grow(self.items_of(value), "element", atom.node)
        self.assign(node.target, self.sum_of(old, value))

    def _do_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                for atom in self.value(target.value):
                    if isinstance(atom, Container):
                        self.engine.flow.mutated.add(atom.node)
                self.value(target.slice)
            elif isinstance(target, ast.Attribute):
                self.value(target.value)

    def _do_Return(self, node: ast.Return) -> None:
        value = self.value(node.value) if node.value is not None else frozenset({NONE})
        if self.unit.function is not None:
            self.engine.grow(value, "returns", self.unit.function)
        self.environment = None

    def _do_Raise(self, node: ast.Raise) -> None:
        self.only_values(node)
        self.environment = None

    def _do_Global(self, node: ast.Global) -> None:
        """Only scopes care."""

    _do_Nonlocal = _do_Pass = _do_Global

    # -- definitions and imports

    def _do_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        arguments = node.args
        defaults = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
        for default in defaults:
            self.value(default)
        for arg in parameters(arguments):
            if arg.annotation is not None:
                self.value(arg.annotation)
        if node.returns is not None:
            self.value(node.returns)
        self.take_defaults(node)
        for decorator in node.decorator_list:
            self._decorate(node, self.value(decorator), decorator)
        owner = self._class_scope_node()
        self.engine.add_function(node, owner)
        self.bind(node, frozenset({Function(node)}))

    _do_AsyncFunctionDef = _do_FunctionDef

    def _decorate(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, values: Values, decorator: ast.expr
    ) -> None:
        """Whoever decorates may call a function with anything, and keep what it returns."""
        if self.keeps_callers(decorator):
            return
        if all(isinstance(atom, Function) for atom in values):
            self.expose(node)
        else:
            self.leak(frozenset({Function(node)}))

    def _do_ClassDef(self, node: ast.ClassDef) -> None:
        self.engine.flow.module_of[node] = self.unit.module
        for base in node.bases:
            for atom in self.value(base):
                if isinstance(atom, Class):
                    self.engine.relate(node, atom.node)
                elif isinstance(atom, External):
                    self.engine.grow(frozenset({atom}), "base", node)
        for expression in (*node.decorator_list, *(keyword.value for keyword in node.keywords)):
            self.value(expression)
        outer = self.scope
        self.scope = self.unit.module.scopes.of[node]
        self.block(node.body)
        self.scope = outer
        self.bind(node, frozenset({Class(node)}))

    def _do_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            found = self.engine.layout.find(name, self.unit.module.path)
            values = frozenset({Project(found)}) if found else self._foreign_module(name)
            self.bind(alias, values)

    def _do_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self._import_star(node)
            else:
                self.bind(alias, self.engine.record(alias, self.imported(node, alias.name)))

    def _import_star(self, node: ast.ImportFrom) -> None:
        found: Values = frozenset(Project(path) for path in self._files(node, node.module))
        foreign: Values = frozenset({External(node.module or "")})
        self.engine.grow(found or foreign, "star", self.unit.module.path)

    def imported(self, node: ast.ImportFrom, name: str) -> Values:
        """What ``from node.module import name`` gives."""
        sources = self._files(node, node.module)
        found = NOTHING.union(*(self.exported(source, name) for source in sources))
        if found:
            return found
        dotted = f"{node.module}.{name}" if node.module else name
        submodules = self._files(node, dotted)
        if submodules:
            return frozenset({Project(submodules[0])})
        if sources or node.level:
            return NOTHING if set(sources) & set(self.engine.modules) else ANYTHING
        return self._foreign_module(dotted)

    def _foreign_module(self, name: str) -> Values:
        """Something from outside, under the legacy name where it is a class of the wire format in
        a module that uses the legacy SDK."""
        known = legacy_name(self.engine.surface, self.unit.module, name)
        return frozenset({External(known or name)})

    def _files(self, node: ast.ImportFrom, name: str | None) -> list[str]:
        """The files of the repository a dotted name in an import statement may mean."""
        layout, importer = self.engine.layout, self.unit.module.path
        if node.level:
            found = layout.find_relative(name, node.level, importer)
            return [found] if found is not None else []
        return layout.find_all(name, importer) if name else []

    def _class_scope_node(self) -> ast.ClassDef | None:
        return self.scope.node if isinstance(self.scope.node, ast.ClassDef) else None

    def _in_foreign_class(self) -> bool:
        owner = self.scope.node
        return isinstance(owner, ast.ClassDef) and bool(self.engine.read("base", owner))

    def _is_given(self, name: str, said: Values) -> bool:
        """Whether objects of the SDK that the annotation of an attribute names are seen to be put
        into it, so that the annotation need not speak for them; before all is seen, it waits."""
        kinds = {atom.type for atom in said if isinstance(atom, Made)}
        if not kinds:
            return False
        given = self.engine.read("attribute", self.scope.node, name)
        self.engine.unreached()
        known = {atom.type for atom in given if isinstance(atom, Made)}
        return kinds <= known or not self.engine.declared

    def _in_class(self) -> bool:
        return self.scope.kind is ScopeKind.CLASS

    def _copy(self) -> Environment:
        return dict(self.environment or {})


class _Handlers(dict[type[ast.AST], Callable[[Interpreter, Any], None]]):
    """Kind of statement -> the method that follows it, ``_do_`` and its name."""

    def __missing__(self, kind: type[ast.AST]) -> Callable[[Interpreter, Any], None]:
        name = "_do_" + kind.__name__
        handler: Callable[[Interpreter, Any], None]
        handler = self[kind] = getattr(Interpreter, name, Interpreter.only_values)
        return handler


_HANDLERS = _Handlers()


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_static(node: ast.AST) -> bool:
    return _decorated(node, "staticmethod")


def _is_classmethod(node: ast.AST) -> bool:
    return _decorated(node, "classmethod")


def _decorated(node: ast.AST, name: str) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(isinstance(item, ast.Name) and item.id == name for item in decorators)
