"""The value flow: for each expression of a repository, which legacy objects it may hold.

An abstract interpretation to a fixpoint. A *unit* is a module body or a function body; it is
evaluated with its local variables flow-sensitively (branches join, loops repeat until stable),
while everything that outlives a unit (variables seen from other scopes, attributes, parameters,
returns, container elements) is a *fact*: a set that only grows, shared by all, under a key. A unit
is evaluated again when a fact it read has grown. Every set is finite, so this ends.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Protocol, TypeAlias

from msgspec import Struct, field

from chatport.port.program.modules import Layout, Module
from chatport.port.program.overwritten import overwritten
from chatport.port.program.scopes import FunctionNode, Scope, Variable, parameters
from chatport.port.program.values import (
    ANYTHING,
    NOTHING,
    Atom,
    Class,
    Container,
    External,
    Made,
    Values,
)

_WORD = re.compile(r"\w+")

MAX_ATOMS = 32
"""Larger sets are widened."""

Environment: TypeAlias = dict[Variable, Values]
Key: TypeAlias = tuple[Hashable, ...]


class Surface(Protocol):
    """What the flow must know of a legacy SDK; packs provide it as tables."""

    @property
    def makes(self) -> Mapping[str, str]:
        """What a call returns: ``symbol`` or ``Type.method`` -> type name."""

    @property
    def reads(self) -> Mapping[str, str]:
        """What ``Type.attribute`` or ``Type[]`` (subscript, iteration) holds -> type name."""

    def canonical(self, name: str) -> str:
        """The one name of a symbol that can be imported under several."""

    def is_legacy(self, name: str) -> bool:
        """Whether a dotted name is the legacy module or below it."""

    def is_mapping_class(self, name: str) -> bool:
        """Whether a call of a class makes a plain mapping of its keywords."""

    def has_not(self, name: str, method: str) -> bool:
        """Whether what another library's class makes has no such method of the SDK's."""

    def by_wire(self, name: str) -> str | None:
        """The legacy name of what a module of the wire format gives; None for anything else."""


class Unit(Struct, eq=False):
    """A body evaluated as one: of a module or of a function."""

    module: Module
    scope: Scope
    function: FunctionNode | None
    owner: ast.ClassDef | None
    """The class the function is a method of."""


class Flow(Struct):
    """The result: `values` of every expression, and what units said about shared state."""

    values: dict[ast.AST, Values] = field(default_factory=dict)
    module_of: dict[ast.AST, Module] = field(default_factory=dict)
    """The module a call site, function or class stands in."""
    calls: dict[FunctionNode, list[ast.Call]] = field(default_factory=dict)
    """The known call sites of a function."""
    facts: dict[Key, Values] = field(default_factory=dict)
    mutated: set[ast.AST] = field(default_factory=set)
    """Containers changed after they were made."""
    keys: dict[ast.AST, set[object]] = field(default_factory=dict)
    """The constant keys a container was ever given."""
    item_reads: dict[ast.AST, set[object]] = field(default_factory=dict)
    """The keys a container was read under; None stands for keys that are not known."""
    mocked: list[ast.Attribute] = field(default_factory=list)
    """Attributes that tests replace by mocks."""
    dynamic: set[ast.ClassDef] = field(default_factory=set)
    """Classes whose attributes are read by names that are not written down."""
    ancestors: dict[ast.ClassDef, set[ast.ClassDef]] = field(default_factory=dict)
    """The classes of the repository a class inherits from."""
    mappings: set[ast.AST] = field(default_factory=set)
    """Annotations that stand for a mapping, whose keys nobody knows."""
    leaked: set[ast.AST] = field(default_factory=set)
    """Containers and calls whose value went where nobody follows."""

    def of(self, node: ast.AST) -> Values:
        """The atoms `node` may hold; anything when it was never reached."""
        return self.values.get(node) or ANYTHING

    def fact(self, *key: Hashable) -> Values:
        return self.facts.get(key, NOTHING)

    def is_result(self, atom: Made) -> bool:
        """Whether an object is what its site gives, and not a part read from that."""
        return atom in self.values.get(atom.site, NOTHING)


class Engine:
    """The worklist: units, facts, and who must be evaluated again when a fact grows."""

    def __init__(
        self,
        modules: Iterable[Module],
        layout: Layout,
        surface: Surface,
        borrowed: frozenset[str] = frozenset(),
    ) -> None:
        self.modules: dict[str, Module] = {module.path: module for module in modules}
        self.borrowed = borrowed
        """Paths of modules that are only there for what they export."""
        self.layout = layout
        self.surface = surface
        self.flow: Flow = Flow()
        self.unit: Unit
        self._below: dict[ast.ClassDef, set[ast.ClassDef]] = {}
        self.missing: set[str] = set()
        """Files of the repository somebody imports from that are not among `modules`."""
        self.asked: set[tuple[str, str]] = set()
        """The names that are imported from those, and from the borrowed ones."""
        self._units: dict[ast.AST, Unit] = {}
        self._queue: deque[Unit] = deque()
        self._queued: set[Unit] = set()
        self._readers: defaultdict[Key, dict[Unit, None]] = defaultdict(dict)
        self._widened: set[Key] = set()
        self._known_calls: set[tuple[FunctionNode, ast.Call]] = set()
        self.declared: bool = False
        """Whether annotations have spoken for what nobody was seen to pass."""
        self._waiting: dict[Unit, None] = {}
        self._overwritten: dict[FunctionNode, Mapping[ast.AST, ast.AST]] = {}

    def ask(self, path: str, name: str) -> None:
        """Note that a module which is followed wants what another one holds under a name."""
        if path not in self.modules:
            self.missing.add(path)
        elif path not in self.borrowed:
            return
        self.asked.add((path, name))

    def enqueue(self, unit: Unit) -> None:
        if unit not in self._queued:
            self._queued.add(unit)
            self._queue.append(unit)

    def add_function(self, node: FunctionNode, owner: ast.ClassDef | None) -> None:
        """Make `node` a unit of its own, once."""
        if node in self._units:
            return
        module = self.unit.module
        self.flow.module_of[node] = module
        unit = Unit(module, module.scopes.of[node], node, owner)
        self._units[node] = unit
        self.enqueue(unit)
        if self._is_called_unseen(node, module):
            self._declare(unit)

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """Every word by which the program may mean a function of its own."""
        found: set[str] = set()
        for module in self.modules.values():
            found |= {node.id for node in module.nodes(ast.Name)}
            found |= {node.attr for node in module.nodes(ast.Attribute)}
            for alias in module.nodes(ast.alias):
                found |= set(alias.name.split("."))
            for constant in module.nodes(ast.Constant):
                if isinstance(constant.value, str):
                    found |= set(_WORD.findall(constant.value))
        return frozenset(found)

    def _is_called_unseen(self, node: FunctionNode, module: Module) -> bool:
        """Whether it is sure from the beginning that only unseen code calls a function, with what
        its annotations say: it need not be evaluated once without that, and once with it."""
        if isinstance(node, ast.Lambda) or node.name in self._mentioned or module.has_star:
            return False
        if node.name.startswith(("__", "test")) or is_fixture(node):
            return False
        variables = module.scopes.variable
        return all(_says_itself(arg.annotation, variables) for arg in parameters(node.args))

    def _declare(self, unit: Unit) -> None:
        """Give a function what nobody was seen to pass."""
        from chatport.port.program.statements import Interpreter

        if unit.function is not None:
            before, self.unit = self.unit, unit
            Interpreter(self).declare(unit.function)
            self.unit = before

    def note_call(self, function: FunctionNode, call: ast.Call) -> None:
        """`call` is one of the known call sites of `function`."""
        if (function, call) not in self._known_calls:
            self._known_calls.add((function, call))
            self.flow.calls.setdefault(function, []).append(call)

    def fixtures(self, name: str, module: Module) -> list[FunctionNode]:
        """The test fixtures of a name that a module sees: its own, and those that a
        ``conftest.py`` gives to the files of its folder and below."""
        found: list[FunctionNode] = []
        for node, unit in self._units.items():
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name != name:
                continue
            folder, _, file = unit.module.path.rpartition("/")
            given = file == "conftest.py" and f"/{module.path}".startswith(f"/{folder}")
            if is_fixture(node) and (unit.module is module or given):
                found.append(node)
        return found

    @property
    def overwritten(self) -> Mapping[ast.AST, ast.AST]:
        """The attributes the running unit sets, and sets again before anybody else sees them."""
        function, owner = self.unit.function, self.unit.owner
        if function is None or owner is None:
            return {}
        if function not in self._overwritten:
            self._overwritten[function] = overwritten(function, owner)
        return self._overwritten[function]

    def read(self, *key: Hashable) -> Values:
        """A fact; the running unit is evaluated again when it grows."""
        self._readers[key][self.unit] = None
        return self.flow.facts.get(key, NOTHING)

    def put_into_foreign(self) -> Iterator[Key]:
        """The attributes and items of objects from outside that the program has set."""
        return (key for key in self.flow.facts if _is_of_foreign(key))

    def sought_in_foreign(self) -> Iterator[Key]:
        """Those it has looked at."""
        return (key for key in self._readers if _is_of_foreign(key))

    def unreached(self) -> Values:
        """What comes of values that are not reached yet: nothing so far, and anything when they
        are not reached in the end either."""
        if self.declared:
            return ANYTHING
        self._waiting[self.unit] = None
        return NOTHING

    def grow(self, values: Values, *key: Hashable) -> None:
        """Join `values` into a fact."""
        old = self.flow.facts.get(key, NOTHING)
        if key in self._widened:  # for good: a set that shrinks and grows never comes to rest
            values = self._without_foreign(values)
        if values <= old:
            return
        new = old | values
        if len(new) > MAX_ATOMS and key not in self._widened:
            self._widened.add(key)
            new = self._without_foreign(new) | ANYTHING
        self.flow.facts[key] = new
        for reader in self._readers[key]:
            self.enqueue(reader)

    def widen(self, values: Values) -> Values:
        """A large set gives up telling foreign things apart, so that sets stay small."""
        return values if len(values) <= MAX_ATOMS else self._without_foreign(values) | ANYTHING

    def _without_foreign(self, values: Values) -> Values:
        return frozenset(
            atom
            for atom in values
            if not isinstance(atom, External) or self.surface.is_legacy(atom.name)
        )

    def related(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """The classes an instance seen as `node` may take attributes from: itself, those it
        inherits from, and those that inherit from it."""
        found = [atom.node for atom in self.read("related", node) if isinstance(atom, Class)]
        return [node, *found]

    def relate(self, child: ast.ClassDef, base: ast.ClassDef) -> None:
        """`child` inherits from `base`."""
        above = {base, *self.flow.ancestors.get(base, ())}
        below = {child, *self._below.get(child, ())}
        for upper in above:
            self._below.setdefault(upper, set()).update(below)
            self.grow(frozenset(map(Class, below)), "related", upper)
        for lower in below:
            self.flow.ancestors.setdefault(lower, set()).update(above)
            self.grow(frozenset(map(Class, above)), "related", lower)

    def run(self) -> Flow:
        """Evaluate until nothing grows."""
        from chatport.port.program.statements import Interpreter

        for module in self.modules.values():
            self._units[module.tree] = unit = Unit(module, module.scopes.module, None, None)
            self.enqueue(unit)
        while self._queue or not self.declared:
            if not self._queue:  # what callers pass is known: annotations speak for the rest
                self.declared = True
                for unit in self._waiting:
                    self.enqueue(unit)
                for unit in list(self._units.values()):
                    self._declare(unit)
                continue
            self.unit = self._queue.popleft()
            self._queued.discard(self.unit)
            Interpreter(self).run_unit()
        self._leak_items()
        return self.flow

    def _leak_items(self) -> None:
        """What a container held leaks with it."""
        leaked = self.flow.leaked
        todo = list(leaked)
        while todo:
            node = todo.pop()
            for atom in self.flow.fact("element", node) | self.flow.fact("any item", node):
                inner = atom.node if isinstance(atom, Container) else None
                inner = atom.site if isinstance(atom, Made) and self.flow.is_result(atom) else inner
                if inner is not None and inner not in leaked:
                    leaked.add(inner)
                    todo.append(inner)

    def record(self, node: ast.AST, values: Values) -> Values:
        """Remember what an expression held; a node is evaluated many times, its set only grows."""
        known = self.flow.values
        old = known.get(node)
        if old is None:
            known[node] = values
        elif not values <= old:
            known[node] = old | values
        return values


def legacy_name(surface: Surface, module: Module, name: str) -> str | None:
    """What the legacy SDK calls a class of the wire format, which a module that works with that SDK
    imports from elsewhere; None for anything else."""
    known = surface.by_wire(name)
    used = known is not None and any(map(surface.is_legacy, module.imported))
    return known if used else None


def _is_of_foreign(key: Key) -> bool:
    return key[0] == "attribute" and isinstance(key[1], str)


def _says_itself(annotation: ast.expr | None, variables: Mapping[ast.AST, Variable]) -> bool:
    """Whether an annotation means the same whatever the program holds: a builtin, or none."""
    match annotation:
        case ast.BinOp(left, ast.BitOr(), right):
            return _says_itself(left, variables) and _says_itself(right, variables)
        case ast.Name():
            return annotation not in variables
        case None | ast.Constant(None):
            return True
        case _:
            return False


def is_fixture(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a decorator makes a function a fixture of a test framework."""
    for node in function.decorator_list:
        named = node.func if isinstance(node, ast.Call) else node
        name = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
        if name == "fixture":
            return True
    return False


def join(left: Environment | None, right: Environment | None) -> Environment | None:
    """What holds after either of two ways; None is a way that does not arrive."""
    if left is None or right is None:
        return left if right is None else right
    joined = dict(left)
    for variable, values in right.items():
        known = joined.get(variable)
        joined[variable] = values if known is None else known | values
    return joined


def only(values: Values, kinds: type[Atom] | tuple[type[Atom], ...]) -> bool:
    """Whether `values` is not empty and every atom is of `kinds`."""
    return bool(values) and all(isinstance(atom, kinds) for atom in values)
