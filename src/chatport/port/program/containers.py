"""Containers: what goes into a list, tuple, set or dict, and what comes out of it."""

from __future__ import annotations

import ast
from abc import abstractmethod

from chatport.port.program.calls import Calls
from chatport.port.program.values import (
    ANYTHING,
    BYTES,
    NONE,
    NOTHING,
    STR,
    UNKNOWN,
    Atom,
    Container,
    External,
    Instance,
    Made,
    Method,
    Shape,
    Values,
)

GROWS = frozenset({"append", "add", "appendleft", "insert", "setdefault", "put"})
MUTATES = GROWS | {"extend", "update", "clear", "pop", "popitem", "remove", "sort", "reverse"}


class Containers(Calls):
    """The part of the interpreter that knows displays, elements, iteration and their methods."""

    @abstractmethod
    def assign(self, target: ast.expr, values: Values) -> None: ...

    @abstractmethod
    def _item(self, atom: Atom, key: object) -> Values: ...

    # -- containers

    def put(self, container: ast.AST, key: object, values: Values) -> None:
        """An element goes into a container, under a constant key when there is one."""
        if key is None or isinstance(key, ast.AST):
            self.engine.grow(values, "element", container)
        else:
            self.engine.flow.keys.setdefault(container, set()).add(key)
            self.engine.grow(values, "item", container, key)
            self.engine.grow(values, "any item", container)

    def put_all(self, container: ast.AST, values: Values) -> None:
        """The items of mappings go into another one, under their keys where those are known."""
        for atom in values:
            if not isinstance(atom, Container) or atom.node is container:
                self.put(container, None, ANYTHING)
                continue
            loose = self.engine.read("element", atom.node)
            if loose:
                self.put(container, None, loose)
            for key in self.engine.flow.keys.get(atom.node, ()):
                self.put(container, key, self.engine.read("item", atom.node, key))
            self.engine.read("any item", atom.node)  # to be told of further keys

    def element(self, container: ast.AST, key: object = None) -> Values:
        """What a container holds under `key`; under any key when it is None."""
        loose = self.engine.read("element", container)
        if key is None:
            return loose | self.engine.read("any item", container)
        return loose | self.engine.read("item", container, key)

    def is_mapping(self, node: ast.AST) -> bool:
        """Whether a container is certainly a mapping, which gives its keys when iterated."""
        return isinstance(node, ast.Dict | ast.DictComp) or node in self.engine.flow.mappings

    def items_of(self, values: Values) -> Values:
        """What iterating any of `values` gives."""
        found: Values = NOTHING
        for atom in values:
            if isinstance(atom, Container):
                if self.is_mapping(atom.node):
                    found |= frozenset({STR, UNKNOWN})
                else:
                    found |= self.element(atom.node)
            elif isinstance(atom, External):
                found |= self._foreign(f"{atom.name}.[]")
            else:
                found |= self._item(atom, None)
        return found or self.engine.unreached()

    def item_of(self, values: Values, index: int) -> Values:
        """What unpacking gives to the target at `index`."""
        found: Values = NOTHING
        for atom in values:
            if isinstance(atom, Container):
                found |= self.element(atom.node, index)
            else:
                found |= self._item(atom, None)
        return found

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set) -> Values:
        for index, element in enumerate(node.elts):
            if isinstance(element, ast.Starred):
                values = self.items_of(self.value(element.value))
                self.engine.record(element, values)
                self.put(node, None, values)
            else:
                self.put(node, index, self.value(element))
        return frozenset({Container(node)})

    _of_List = _of_Tuple = _of_Set = _sequence

    def _of_Dict(self, node: ast.Dict) -> Values:
        for key, element in zip(node.keys, node.values, strict=True):
            values = self.value(element)
            if key is None:
                self.put(node, None, self.items_of_mapping(values))
            else:
                self.value(key)
                self.put(node, key.value if isinstance(key, ast.Constant) else None, values)
        return frozenset({Container(node)})

    def items_of_mapping(self, values: Values) -> Values:
        """The values of any mapping among `values`."""
        found: Values = NOTHING
        for atom in values:
            found |= self.element(atom.node) if isinstance(atom, Container) else ANYTHING
        return found

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> Values:
        for generator in node.generators:
            self.assign(generator.target, self.items_of(self.value(generator.iter)))
            for test in generator.ifs:
                self.value(test)
        if isinstance(node, ast.DictComp):
            self.value(node.key)
            self.put(node, None, self.value(node.value))
        else:
            self.put(node, None, self.value(node.elt))
        return frozenset({Container(node)})

    _of_ListComp = _of_SetComp = _of_GeneratorExp = _of_DictComp = _comprehension

    # -- methods

    def _builtin_method(
        self, node: ast.Call, positional: list[Values], named: dict[str | None, Values]
    ) -> Values | None:
        """A method of a list, dict or text; None when the receiver is something else."""
        if not isinstance(node.func, ast.Attribute):
            return None
        owners = self.engine.flow.values.get(node.func.value, NOTHING)
        name = node.func.attr
        if owners and all(isinstance(atom, Shape) for atom in owners):
            return self._text_method(name, node)
        containers = [atom for atom in owners if isinstance(atom, Container)]
        if not containers or any(
            isinstance(atom, Made | Instance | External | Method) for atom in owners
        ):
            return None
        found: Values = NOTHING
        for container in containers:
            found |= self._container_method(container, name, node, positional, named)
        return found | (owners & ANYTHING)

    def _text_method(self, name: str, node: ast.Call) -> Values:
        if name in {"split", "splitlines", "rsplit"}:
            self.put(node, None, frozenset({STR}))
            return frozenset({Container(node)})
        if name == "encode":
            return frozenset({BYTES})
        if name in {"startswith", "endswith", "isdigit", "isalpha"}:
            return frozenset({Shape("bool")})
        return frozenset({STR})

    def _container_method(
        self,
        container: Container,
        name: str,
        node: ast.Call,
        positional: list[Values],
        named: dict[str | None, Values],
    ) -> Values:
        key = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        if name in MUTATES:
            self.engine.flow.mutated.add(container.node)
        if name in GROWS and positional:
            self.put(container.node, key if name == "setdefault" else None, positional[-1])
        if name == "update" and positional:
            self.put_all(container.node, positional[0])
        elif name == "extend" and positional:
            self.put(container.node, None, self.items_of(positional[0]))
        if name == "update":
            for keyword, values in named.items():
                self.put(container.node, keyword, values)
        if name in {"get", "pop", "setdefault"}:
            self.engine.flow.item_reads.setdefault(container.node, set()).add(key)
            default = positional[1] if len(positional) > 1 else frozenset({NONE})
            return self.element(container.node, key) | default
        if name == "result":  # of a future
            return self.element(container.node)
        if name in {"values", "copy"}:
            return frozenset({container}) if name == "copy" else self._values_of(container, node)
        if name == "items":
            return self._pairs_of(container, node)
        return frozenset({NONE}) if name in MUTATES else ANYTHING

    def _values_of(self, container: Container, node: ast.Call) -> Values:
        self.put(node, None, self.element(container.node))
        return frozenset({Container(node)})

    def _pairs_of(self, container: Container, node: ast.Call) -> Values:
        pair = node.func  # any node of its own stands for the pairs
        self.put(pair, 0, frozenset({STR, UNKNOWN}))
        self.put(pair, 1, self.element(container.node))
        self.put(node, None, frozenset({Container(pair)}))
        return frozenset({Container(node)})
