"""Transfer functions of calls: who is called with what, and what comes back."""

from __future__ import annotations

import ast
from abc import abstractmethod

from chatport.port.program.flow import Engine, Environment, Unit
from chatport.port.program.passing import passes_on
from chatport.port.program.scopes import FunctionNode, Scope, Variable
from chatport.port.program.threads import Runner, runner
from chatport.port.program.values import (
    ANYTHING,
    BOOL,
    INT,
    NONE,
    NOTHING,
    ON_EACH,
    UNKNOWN,
    Atom,
    Bound,
    Class,
    Container,
    External,
    Function,
    Instance,
    Made,
    Method,
    Shape,
    Values,
)

PASSES_FIRST = frozenset(
    {
        "asyncio.run",
        "asyncio.wait_for",
        "asyncio.create_task",
        "asyncio.ensure_future",
        "asyncio.shield",
        "builtins.list",
        "builtins.tuple",
        "builtins.sorted",
        "builtins.reversed",
        "builtins.iter",
        "builtins.set",
        "collections.deque",
        "concurrent.futures.as_completed",
        "copy.copy",
        "copy.deepcopy",
        "itertools.cycle",
        "typing.cast",
    }
)
"""Calls that give back what they were given (the last positional argument)."""

PICKS_ONE = frozenset({"builtins.next", "builtins.max", "builtins.min", "random.choice"})
"""Calls that give back one element of what they were given."""

HARMLESS = frozenset(
    {
        "builtins.print",
        "builtins.len",
        "builtins.str",
        "builtins.repr",
        "builtins.isinstance",
        "builtins.type",
        "builtins.bool",
        "builtins.id",
        "builtins.hash",
        "builtins.callable",
        "builtins.hasattr",
    }
)
"""Calls that read their arguments and keep none of them."""

CONTAINERS = frozenset({"builtins.list", "builtins.set", "collections.deque"})
"""What makes an empty container when it is called with nothing."""

DRAINS = frozenset({"builtins.tuple", "builtins.sorted"})
"""What reads an iterable to its end and keeps what it gave, besides the containers."""

TRANSPARENT = frozenset(
    {
        "staticmethod",
        "classmethod",
        "property",
        "cached_property",
        "lru_cache",
        "cache",
        "wraps",
        "cache_resource",
        "cache_data",
        "contextmanager",
        "asynccontextmanager",
        "override",
        "abstractmethod",
        "dataclass",
    }
)
"""Decorators known to call what they wrap with just what the caller gave."""


class Calls:
    """The part of the interpreter that follows values through calls."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.unit: Unit = engine.unit
        self.scope: Scope = self.unit.scope
        self.environment: Environment | None = {}
        self.watchers: list[Environment] = []
        self.variables: dict[ast.AST, Variable] = self.unit.module.scopes.variable

    @abstractmethod
    def value(self, node: ast.expr) -> Values: ...

    @abstractmethod
    def attribute(self, owners: Values, name: str, node: ast.AST) -> Values: ...

    @abstractmethod
    def items_of(self, values: Values) -> Values: ...

    @abstractmethod
    def element(self, container: ast.AST, key: object = None) -> Values: ...

    @abstractmethod
    def put(self, container: ast.AST, key: object, values: Values) -> None: ...

    @abstractmethod
    def put_all(self, container: ast.AST, values: Values) -> None: ...

    @abstractmethod
    def _builtin_method(
        self, node: ast.Call, positional: list[Values], named: dict[str | None, Values]
    ) -> Values | None: ...

    @abstractmethod
    def _foreign(self, name: str) -> Values: ...

    def made(self, kind: str, site: ast.AST) -> Atom:
        """A legacy object, or a builtin where the table names one."""
        return Shape(kind) if kind in {"str", "bytes", "int", "float", "bool"} else Made(kind, site)

    def _of_Call(self, node: ast.Call) -> Values:
        function = self.value(node.func)
        positional = [self.value(argument) for argument in node.args]
        if positional and _only_looks_at(node):
            positional[0] = NOTHING
        named = {keyword.arg: self.value(keyword.value) for keyword in node.keywords}
        self.engine.flow.module_of[node] = self.unit.module
        method = self._builtin_method(node, positional, named)
        if method is not None:
            return method
        if len(function) == 1:
            (atom,) = function
            return self._call(atom, node, positional, named)
        found: Values = NOTHING
        for atom in function:
            found |= self._call(atom, node, positional, named)
        return found

    def _call(
        self, atom: Atom, node: ast.Call, positional: list[Values], named: dict[str | None, Values]
    ) -> Values:
        match atom:
            case External(name):
                return self._call_external(name, node, positional, named)
            case Method(owner, name):
                kind = self.engine.surface.makes.get(f"{owner.type}.{name}")
                return frozenset({self.made(kind, node)}) if kind is not None else ANYTHING
            case Function(target):
                return self._call_function(target, node, positional, named)
            case Bound(target, _):
                return self._call_function(target, node, [NOTHING, *positional], named)
            case Class(target):
                return self._instantiate(target, node, positional, named)
            case _:
                for values in (*positional, *named.values()):
                    self.leak(values)
                return ANYTHING if atom == UNKNOWN else NOTHING

    def _call_external(
        self, name: str, node: ast.Call, positional: list[Values], named: dict[str | None, Values]
    ) -> Values:
        name = self.engine.surface.canonical(name)
        kind = self.engine.surface.makes.get(name)
        if kind is not None:
            return frozenset({self.made(kind, node)})
        if name in PASSES_FIRST and positional:
            drains = name in CONTAINERS or name in DRAINS
            return self._drained(node, positional[-1]) if drains else positional[-1]
        if name in CONTAINERS and not node.args:
            return frozenset({Container(node)})
        if name in PICKS_ONE and positional:
            return self.items_of(positional[0]).union(*positional[1:])
        known = self._call_known(name, node, positional, named)
        if known is not None:
            return known
        if name not in HARMLESS:
            for values in (*positional, *named.values()):
                self.leak(values)
        found = self._foreign(f"{name}()")
        if len(positional) > 1 and NONE in found:  # a default instead of None
            return (found - {NONE}) | positional[1]
        return found

    def _drained(self, node: ast.Call, values: Values) -> Values:
        """What a list of `values` is: of what a generator gives a list of its own."""
        lazy = frozenset(atom for atom in values if isinstance(atom, Container) and atom.is_lazy)
        if not lazy:
            return values
        self.put(node, None, self.items_of(lazy))
        return (values - lazy) | {Container(node)}

    def _call_known(
        self, name: str, node: ast.Call, positional: list[Values], named: dict[str | None, Values]
    ) -> Values | None:
        """A call of the standard library whose meaning is known; None for another."""
        if name == "asyncio.gather":
            for index, values in enumerate(positional):
                self.put(node, index, values)
            return frozenset({Container(node)})
        made = self.engine.surface.is_mapping_class(name)
        if made or name in {"types.SimpleNamespace", "collections.defaultdict"}:
            return self._call_dict(node, positional, named)
        if name in {"builtins.enumerate", "builtins.zip"}:
            return self._call_pairs(name, node, positional)
        if name.removeprefix("builtins.") in ON_EACH and len(positional) > 1:
            return self._call_on_each(name, node, positional)
        if name in {"builtins.getattr", "builtins.hasattr", "builtins.vars"} and positional:
            found = self._call_getattr(node, positional)
            return frozenset({BOOL}) if name == "builtins.hasattr" else found
        if name == "builtins.super" and self.unit.owner is not None:
            return frozenset({Instance(self.unit.owner)})
        if name == "dataclasses.field":
            return self._call_field(node, named)
        runs = runner(name)
        if runs is not None and runs.later and positional:
            return self._call_through(positional[0], node, positional[1:], named)
        if runs is not None and len(positional) > runs.callee:
            return self._call_in_thread(runs, node, positional, named)
        return None

    def _call_in_thread(
        self,
        runs: Runner,
        node: ast.Call,
        positional: list[Values],
        named: dict[str | None, Values],
    ) -> Values:
        """What a function gives that is run in a thread; a future holds it."""
        rest, found = positional[runs.callee + 1 :], NOTHING
        for atom in positional[runs.callee]:
            if isinstance(atom, Function | Bound | Class | Method):
                found |= self._call(atom, node, rest, named)
            else:  # a partial is what it gives
                found |= frozenset({atom}) if isinstance(atom, Made) else ANYTHING
        if not runs.future:
            return found
        self.put(node, None, found)
        return frozenset({Container(node)})

    def _call_through(
        self, function: Values, node: ast.Call, rest: list[Values], named: dict[str | None, Values]
    ) -> Values:
        """A call that calls its first argument: the callee is called, the partial *is* it."""
        found: Values = NOTHING
        for atom in function:
            if isinstance(atom, Function | Bound | Class | Method):
                found |= self._call(atom, node, rest, named)
        return found or ANYTHING

    def _call_pairs(self, name: str, node: ast.Call, positional: list[Values]) -> Values:
        columns = [self.items_of(values) for values in positional]
        if name == "builtins.enumerate":
            columns = [frozenset({INT}), *columns[:1]]
        pair = node.func  # any node of its own stands for the pairs
        for index, values in enumerate(columns):
            self.put(pair, index, values)
        self.put(node, None, frozenset({Container(pair)}))
        return frozenset({Container(node)})

    def _call_on_each(self, name: str, node: ast.Call, positional: list[Values]) -> Values:
        """What a function is called on, one by one: ``map`` gives its results, ``filter`` what it
        was called on. A lambda is nobody else's; another function may be called by others too."""
        items = [self.items_of(values) for values in positional[1:]]
        given: Values = NOTHING
        for atom in positional[0]:
            if not (isinstance(atom, Function) and isinstance(atom.node, ast.Lambda)):
                self.leak(frozenset({atom}))
            given |= self._call(atom, node, items, {})
        self.put(node, None, given if name == "builtins.map" else items[0])
        return frozenset({Container(node)})

    def _call_field(self, node: ast.Call, named: dict[str | None, Values]) -> Values:
        """A dataclass field: what it holds when nothing is given."""
        found = named.get("default", NOTHING)
        for atom in named.get("default_factory", NOTHING):
            found |= self._call(atom, node, [], {})
        return found

    def _call_getattr(self, node: ast.Call, positional: list[Values]) -> Values:
        """``getattr(x, "name")`` is an attribute; with a name nobody knows it may be any."""
        key = node.args[1] if len(node.args) > 1 else None
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            found = self.attribute(positional[0], key.value, node)
            self.engine.record(key, found)  # the string reads it, as a name would
            return found.union(*positional[2:3])
        self.engine.flow.dynamic |= {
            atom.node for atom in positional[0] if isinstance(atom, Instance | Class)
        }
        return ANYTHING

    def _call_dict(
        self, node: ast.Call, positional: list[Values], named: dict[str | None, Values]
    ) -> Values:
        """A mapping; what a first argument makes when it is called is an element of it."""
        if positional:
            kinds = frozenset(
                a for a in positional[0] if isinstance(a, External) and a.name in CONTAINERS
            )
            if kinds:  # each key begins with an empty one
                self.put(node, None, frozenset({Container(node.args[0])}))
            rest = positional[0] - kinds
            self.put(node, None, self._call_through(rest, node, [], {}) - ANYTHING)
            self.put_all(
                node, frozenset(a for a in rest if not isinstance(a, Function | Bound | Class))
            )
        for key, values in named.items():
            self.put(node, key, values)
        return frozenset({Container(node)})

    def _call_function(
        self,
        target: FunctionNode,
        node: ast.Call,
        positional: list[Values],
        named: dict[str | None, Values],
    ) -> Values:
        self.engine.note_call(target, node)
        arguments = target.args
        index = passes_on(target)
        given = positional[index] if index is not None and index < len(positional) else NOTHING
        methods = frozenset(atom for atom in given if isinstance(atom, Method))
        if methods and index is not None:
            positional = [*positional[:index], given - methods]
            found = self.engine.read("returns", target)
            return found.union(*(self._call(atom, node, [], {}) for atom in methods))
        names = [*arguments.posonlyargs, *arguments.args]
        shift = len(node.args) - len(positional)  # a receiver more, or a callee less
        for index, values in enumerate(positional):
            spread = node.args[index + shift] if index + shift >= 0 else None
            if isinstance(spread, ast.Starred):
                held = self.engine.flow.values.get(spread.value, NOTHING)
                self._spread(held, names[index:], arguments.vararg)
            elif index < len(names):
                if values:
                    self.engine.grow(values, "parameter", names[index])
            elif arguments.vararg is not None:
                self.put(arguments.vararg, index - len(names), values)
        by_name = {arg.arg: arg for arg in (*names, *arguments.kwonlyargs)}
        for name, values in named.items():
            if name is None:
                self._spread_named(values, by_name, arguments.kwarg)
            elif name in by_name:
                self.engine.grow(values, "parameter", by_name[name])
            elif arguments.kwarg is not None:
                self.put(arguments.kwarg, name, values)
        return self.engine.read("returns", target)

    def _spread(self, values: Values, names: list[ast.arg], rest: ast.arg | None) -> None:
        """``f(*values)``: items go to the parameters in order, as far as an order is known."""
        for index, arg in enumerate(names):
            self.engine.grow(self._under(values, index), "parameter", arg)
        if rest is not None:
            self.put(rest, None, self._under(values, None))

    def _spread_named(
        self, values: Values, by_name: dict[str, ast.arg], rest: ast.arg | None
    ) -> None:
        """``f(**values)``: items go to the parameters of their names."""
        for name, arg in by_name.items():
            self.engine.grow(self._under(values, name), "parameter", arg)
        if rest is not None:
            self.put(rest, None, self._under(values, None))

    def _under(self, values: Values, key: object) -> Values:
        """What containers hold under a key; anything when one of them is not followed."""
        found: Values = NOTHING
        for atom in values:
            found |= self.element(atom.node, key) if isinstance(atom, Container) else ANYTHING
        return found

    def take_defaults(self, node: FunctionNode) -> None:
        """Default values reach their parameters."""
        arguments = node.args
        names = [*arguments.posonlyargs, *arguments.args]
        defaults = arguments.defaults
        for arg, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
            self.engine.grow(self.value(default), "parameter", arg)
        for arg, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if keyword_default is not None:
                self.engine.grow(self.value(keyword_default), "parameter", arg)

    def _instantiate(
        self,
        target: ast.ClassDef,
        node: ast.Call,
        positional: list[Values],
        named: dict[str | None, Values],
    ) -> Values:
        initializers = [
            atom.node
            for holder in self.engine.related(target)
            for atom in self.engine.read("attribute", holder, "__init__")
            if isinstance(atom, Function)
        ]
        for initializer in initializers:
            self._call_function(initializer, node, [NOTHING, *positional], named)
        if not initializers:
            self._fill_fields(target, positional, named)
        return frozenset({Instance(target)})

    def _fill_fields(
        self, target: ast.ClassDef, positional: list[Values], named: dict[str | None, Values]
    ) -> None:
        """A dataclass, named tuple or model without its own ``__init__``."""
        fields = [
            statement.target.id
            for statement in target.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        ]
        for name, values in (*zip(fields, positional, strict=False), *named.items()):
            if name is not None:
                self.engine.grow(values, "attribute", target, name)

    def leak(self, values: Values) -> None:
        """Values go where nobody follows: functions may be called with anything there, and what
        they return goes there too, as does what containers hold."""
        todo, seen = list(values), set(values)
        while todo:
            atom = todo.pop()
            further: Values = NOTHING
            if isinstance(atom, Function | Bound):
                target = atom.node if isinstance(atom, Function) else atom.function
                self.expose(target)
                further = frozenset(filter(self._has_methods, self.engine.read("returns", target)))
            elif isinstance(atom, Container):
                self.engine.flow.leaked.add(atom.node)
                further = frozenset(filter(self._has_methods, self.element(atom.node)))
            elif isinstance(atom, Made):
                self._leak_made(atom)
            elif isinstance(atom, Method):
                self._leak_made(atom.owner)
            todo += further - seen
            seen |= further

    def _leak_made(self, atom: Made) -> None:
        """An object leaks itself; what was read from it does not take it along."""
        if self.engine.flow.is_result(atom):
            self.engine.flow.leaked.add(atom.site)

    def _has_methods(self, atom: Atom) -> bool:
        """Whether an atom is, or may hold, a legacy object that is called."""
        if isinstance(atom, Made):
            return any(name.startswith(f"{atom.type}.") for name in self.engine.surface.makes)
        return isinstance(atom, Container | Function | Bound)

    def expose(self, function: FunctionNode) -> None:
        """Somebody unseen may call `function`."""
        self.engine.grow(ANYTHING, "exposed", function)
        arguments = function.args
        for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if arg.annotation is None and arg.arg not in {"self", "cls"}:
                self.engine.grow(ANYTHING, "parameter", arg)

    def keeps_callers(self, decorator: ast.expr) -> bool:
        """Whether a decorator lets nobody call the function but those who are seen."""
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
        return name in TRANSPARENT


def _only_looks_at(call: ast.Call) -> bool:
    """Whether a call of a test does not keep its first argument: it asks whether there is one, or
    puts a stand-in into it for a while."""
    if not isinstance(call.func, ast.Attribute):
        return False
    name, second = call.func.attr, call.args[1:2]
    if name in {"assertIsNotNone", "assertIsNone"}:
        return True
    by_name = bool(second) and isinstance(second[0], ast.Constant)
    return by_name and (name == "setattr" or ast.unparse(call.func).endswith("patch.object"))
