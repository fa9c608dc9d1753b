"""Transfer functions of expressions: what each node kind may hold."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import Any

from chatport.port.program.annotations import Annotations
from chatport.port.program.flow import Environment
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode, Scope, Variable
from chatport.port.program.values import (
    ANYTHING,
    BOOL,
    BYTES,
    INT,
    NONE,
    NOTHING,
    STR,
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
    Project,
    Shape,
    Values,
    foreign,
    of_literal,
)

MAX_EXTERNAL = 8
"""Calls and attributes behind one another on something foreign that still have a name."""


class Expressions(Annotations):
    """Evaluates expressions against an environment; statements build on it."""

    environment: Environment | None
    scope: Scope

    def value(self, node: ast.expr) -> Values:
        """What `node` may hold here; recorded for the whole program."""
        values: Values = _HANDLERS[type(node)](self, node)
        return self.engine.record(node, values)

    def of_parts(self, node: ast.expr) -> Values:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.leak(self.value(child))
        return ANYTHING

    def _of_Constant(self, node: ast.Constant) -> Values:
        return of_literal(type(node.value).__name__)

    def _of_JoinedStr(self, node: ast.JoinedStr) -> Values:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.value(part)
        return frozenset({STR})

    def _of_FormattedValue(self, node: ast.FormattedValue) -> Values:
        self.value(node.value)
        if node.format_spec is not None:
            self.value(node.format_spec)
        return frozenset({STR})

    # -- names

    def _of_Name(self, node: ast.Name) -> Values:
        variable = self.variables.get(node)
        return self._builtin(node.id) if variable is None else self.lookup(variable)

    def lookup(self, variable: Variable) -> Values:
        here = (self.environment or {}).get(variable)
        if here is None:
            return self.engine.read("variable", variable)
        if variable.foreign_stores:
            return here | self.engine.read("variable", variable)
        return here

    def _builtin(self, name: str) -> Values:
        if not self.unit.module.has_star:
            return foreign(f"builtins.{name}")
        found: Values = NOTHING
        for atom in self.engine.read("star", self.unit.module.path):
            if isinstance(atom, Project):
                found |= self.exported(atom.name, name)
            elif isinstance(atom, External) and not hasattr(builtins, name):
                found |= foreign(f"{atom.name}.{name}")
        return found or foreign(f"builtins.{name}")

    def exported(self, path: str, name: str) -> Values:
        """What another module of the repository holds under a name."""
        module = self.engine.modules.get(path)
        if self.unit.module.path not in self.engine.borrowed:
            self.engine.ask(path, name)
        if module is None:
            return ANYTHING
        variable = module.scopes.module.variables.get(name)
        if variable is not None:
            return self.engine.read("variable", variable)
        if (submodule := self.engine.layout.submodule(path, name)) is not None:
            return frozenset({Project(submodule)})
        return self._passed_on(module, name, {path})

    def _passed_on(self, module: Module, name: str, seen: set[str]) -> Values:
        """What a module holds under a name that it has from a ``*`` of another one."""
        found: Values = NOTHING
        for atom in self.engine.read("star", module.path) if module.has_star else ():
            source = self.engine.modules.get(atom.name) if isinstance(atom, Project) else None
            if source is None or source.path in seen:
                continue
            seen.add(source.path)
            variable = source.scopes.module.variables.get(name)
            found |= (
                self._passed_on(source, name, seen)
                if variable is None
                else self.engine.read("variable", variable)
            )
        return found

    def bind(self, node: ast.AST, values: Values) -> None:
        """A name, argument, alias, definition or handler gets a value."""
        variable = self.variables[node]
        if self.environment is None:
            self.environment = {}
        self.environment[variable] = values = self.engine.widen(values)
        for seen in self.watchers:
            seen[variable] = seen.get(variable, NOTHING) | values
        scope = variable.scope
        if variable.captured or scope.parent is None:
            self.engine.grow(values, "variable", variable)
        if isinstance(scope.node, ast.ClassDef):
            self.engine.grow(values, "attribute", scope.node, variable.name)

    def assign(self, target: ast.expr, values: Values) -> None:
        """``target = <something holding values>``."""
        if isinstance(target, ast.Name):
            self.bind(target, values)
            self.engine.record(target, values)
        elif isinstance(target, ast.Attribute):
            self._assign_attribute(target, values)
            self.engine.record(target, values)
        elif isinstance(target, ast.Subscript):
            self._assign_item(target, values)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, ANYTHING)
        elif isinstance(target, ast.Tuple | ast.List):
            for index, element in enumerate(target.elts):
                self.assign(element, self.item_of(values, index))

    def _assign_attribute(self, target: ast.Attribute, values: Values) -> None:
        owners = self.value(target.value)
        if target in self.engine.overwritten:
            self.engine.grow(values, "overwritten", target)
            return
        if values and all(is_mock(atom) for atom in values):
            self.engine.flow.mocked.append(target)  # a test's stand-in is no value of the program
            return
        for atom in owners:
            if isinstance(atom, Instance | Class):
                self.engine.grow(values, "attribute", atom.node, target.attr)
            elif isinstance(atom, External):
                self.engine.grow(values, "attribute", atom.name, target.attr)
            elif isinstance(atom, Project):
                self._assign_global(atom.name, target.attr, values)
            else:
                self.leak(values)

    def _assign_global(self, path: str, name: str, values: Values) -> None:
        module = self.engine.modules.get(path)
        variable = module.scopes.module.variables.get(name) if module is not None else None
        if variable is not None:
            variable.foreign_stores = True
            self.engine.grow(values, "variable", variable)

    def _assign_item(self, target: ast.Subscript, values: Values) -> None:
        key = self._key(target.slice)
        for atom in self.value(target.value):
            if isinstance(atom, Container):
                self.engine.flow.mutated.add(atom.node)
                self.put(atom.node, key, values)
            elif isinstance(atom, External) and isinstance(key, str):
                self.engine.grow(values, "attribute", atom.name, key)
            elif atom == UNKNOWN:
                self.leak(values)

    def peek(self, target: ast.expr) -> Values:
        """What an augmented assignment reads before it writes."""
        if isinstance(target, ast.Name):
            variable = self.unit.module.scopes.variable.get(target)
            return self.lookup(variable) if variable is not None else ANYTHING
        if isinstance(target, ast.Attribute):
            return self.attribute(self.value(target.value), target.attr, target)
        if isinstance(target, ast.Subscript):
            return self._of_Subscript(target)
        return ANYTHING

    # -- attributes and items

    def _of_Attribute(self, node: ast.Attribute) -> Values:
        owners = self.value(node.value)
        first = self.engine.overwritten.get(node)
        if first is not None:
            return self.engine.read("overwritten", first)
        return self.attribute(owners, node.attr, node)

    def attribute(self, owners: Values, name: str, node: ast.AST) -> Values:
        """What attribute `name` of any of `owners` may hold."""
        if len(owners) == 1:
            (atom,) = owners
            return self._attribute_of(atom, name, node)
        found: Values = NOTHING
        for atom in owners:
            found |= self._attribute_of(atom, name, node)
        return found

    def _attribute_of(self, atom: Atom, name: str, node: ast.AST) -> Values:
        if isinstance(atom, External):
            stored = self.engine.read("attribute", atom.name, name)
            if self.engine.surface.has_not(atom.name, name):
                return stored  # where it is read, something else stands there
            return stored | self._foreign(f"{atom.name}.{name}")
        if isinstance(atom, Project):
            return self.exported(atom.name, name)
        if isinstance(atom, Instance | Class):
            return self._member(atom, name)
        if isinstance(atom, Made):
            kind = self.engine.surface.reads.get(f"{atom.type}.{name}")
            if kind is not None:
                return frozenset({self.made(kind, atom.site)})
            return frozenset({Method(atom, name)})
        if isinstance(atom, Function | Bound | Method | Container):
            return NOTHING  # methods of containers are handled where they are called
        return frozenset({UNKNOWN}) if atom == UNKNOWN else NOTHING

    def _member(self, owner: Instance | Class, name: str) -> Values:
        found: Values = NOTHING
        for holder in self.engine.related(owner.node):
            for atom in self.engine.read("attribute", holder, name):
                if isinstance(atom, Function):
                    found |= self._bound(atom.node, owner)
                else:
                    found |= frozenset({atom})
        if not found:
            for holder in self.engine.related(owner.node):
                for base in self.engine.read("base", holder):
                    if isinstance(base, External):
                        found |= self._inherited(base, name)
        return found

    def _inherited(self, base: External, name: str) -> Values:
        kind = self.engine.surface.makes.get(self.engine.surface.canonical(base.name))
        return NOTHING if kind is None else ANYTHING

    def _bound(self, function: FunctionNode, owner: Instance | Class) -> Values:
        names = {
            item.id
            for item in getattr(function, "decorator_list", [])
            if isinstance(item, ast.Name)
        } | {
            item.attr
            for item in getattr(function, "decorator_list", [])
            if isinstance(item, ast.Attribute)
        }
        if "staticmethod" in names:
            return frozenset({Function(function)})
        if isinstance(owner, Instance) and names & {"property", "cached_property"}:
            return self.engine.read("returns", function)
        if isinstance(owner, Class) and "classmethod" not in names:
            return frozenset({Function(function)})
        return frozenset({Bound(function, owner)})

    def _foreign(self, name: str) -> Values:
        if name.count(".") + name.count("(") > MAX_EXTERNAL:
            return ANYTHING
        return FOREIGN.get(name) or foreign(name)

    def _of_Subscript(self, node: ast.Subscript) -> Values:
        owners = self.value(node.value)
        key = self._key(node.slice)
        if isinstance(node.slice, ast.Slice):
            if not owners:
                return self.engine.unreached()
            kept = (atom for atom in owners if isinstance(atom, Container | Shape | Made))
            return frozenset(kept) or ANYTHING
        found: Values = NOTHING
        for atom in owners:
            found |= self._item(atom, key)
        return found

    def _key(self, node: ast.expr) -> object:
        self.value(node)
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Slice):
            return node
        return None

    def _item(self, atom: Atom, key: object) -> Values:
        if isinstance(atom, Container):
            self.engine.flow.item_reads.setdefault(atom.node, set()).add(key)
            return self.element(atom.node, key)
        if isinstance(atom, Made):
            kind = self.engine.surface.reads.get(f"{atom.type}[{key}]")
            kind = kind or self.engine.surface.reads.get(f"{atom.type}[]")
            return frozenset({self.made(kind, atom.site)}) if kind else ANYTHING
        if isinstance(atom, External):
            if atom.name == "os.environ":
                return frozenset({STR})
            if atom.name == "builtins.globals()" and isinstance(key, str):
                return self.exported(self.unit.module.path, key)
            stored = self.engine.read("attribute", atom.name, key)
            return stored | self._foreign(f"{atom.name}.[]")
        if isinstance(atom, Shape) and atom.name == "str":
            return frozenset({STR})
        return ANYTHING if atom == UNKNOWN else NOTHING

    # -- operators

    def _of_BinOp(self, node: ast.BinOp) -> Values:
        return self.sum_of(self.value(node.left), self.value(node.right))

    def sum_of(self, left: Values, right: Values) -> Values:
        """``left + right`` and its kin: text stays text, lists hold what both held."""
        both = left | right
        if not both:
            return self.engine.unreached()
        if STR in both:
            return frozenset({STR})
        containers = frozenset(atom for atom in both if isinstance(atom, Container))
        if containers:
            return containers | (both & ANYTHING)
        return frozenset(atom for atom in both if isinstance(atom, Shape)) or ANYTHING

    def _of_BoolOp(self, node: ast.BoolOp) -> Values:
        *first, last = [self.value(value) for value in node.values]
        found = NOTHING.union(*first)
        return (found - {NONE} if isinstance(node.op, ast.Or) else found) | last

    def _of_IfExp(self, node: ast.IfExp) -> Values:
        self.value(node.test)
        return self.value(node.body) | self.value(node.orelse)

    def _of_Compare(self, node: ast.Compare) -> Values:
        self.value(node.left)
        for part in node.comparators:
            self.value(part)
        return frozenset({BOOL})

    def _of_UnaryOp(self, node: ast.UnaryOp) -> Values:
        value = self.value(node.operand)
        return frozenset({BOOL}) if isinstance(node.op, ast.Not) else value

    def _of_NamedExpr(self, node: ast.NamedExpr) -> Values:
        value = self.value(node.value)
        self.assign(node.target, value)
        return value

    def _of_Await(self, node: ast.Await) -> Values:
        return self.value(node.value)

    def _of_Starred(self, node: ast.Starred) -> Values:
        return self.items_of(self.value(node.value))

    def _of_Yield(self, node: ast.Yield) -> Values:
        if node.value is not None and self.unit.function is not None:
            self.put(self.unit.function, None, self.value(node.value))
            self.engine.grow(
                frozenset({Container(self.unit.function)}), "returns", self.unit.function
            )
        return ANYTHING

    def _of_YieldFrom(self, node: ast.YieldFrom) -> Values:
        if self.unit.function is not None:
            self.put(self.unit.function, None, self.items_of(self.value(node.value)))
            self.engine.grow(
                frozenset({Container(self.unit.function)}), "returns", self.unit.function
            )
        return ANYTHING

    def _of_Lambda(self, node: ast.Lambda) -> Values:
        self.take_defaults(node)
        self.engine.add_function(node, None)
        return frozenset({Function(node)})


class _Handlers(dict[type[ast.AST], Callable[[Expressions, Any], Values]]):
    """Kind of expression -> the method that evaluates it, ``_of_`` and its name."""

    def __missing__(self, kind: type[ast.AST]) -> Callable[[Expressions, Any], Values]:
        name = "_of_" + kind.__name__
        handler: Callable[[Expressions, Any], Values]
        handler = self[kind] = getattr(Expressions, name, Expressions.of_parts)
        return handler


_HANDLERS = _Handlers()


def is_mock(atom: Atom) -> bool:
    """Whether an atom is an object of the standard mock library."""
    return isinstance(atom, External) and atom.name.startswith(("unittest.mock.", "mock."))


_TEXT: Values = frozenset({STR})
_TEXT_OR_NONE: Values = frozenset({STR, NONE})

FOREIGN: dict[str, Values] = {
    "builtins.input()": _TEXT,
    "builtins.str()": _TEXT,
    "builtins.repr()": _TEXT,
    "builtins.len()": frozenset({INT}),
    "builtins.int()": frozenset({INT}),
    "builtins.bool()": frozenset({BOOL}),
    "json.dumps()": _TEXT,
    "os.getenv()": _TEXT_OR_NONE,
    "os.environ.get()": _TEXT_OR_NONE,
    "PIL.Image.open()": frozenset({Shape("PIL.Image")}),
    "pathlib.Path().read_text()": _TEXT,
    "pathlib.Path().read_bytes()": frozenset({BYTES}),
}
"""What well-known calls of other libraries give."""
