"""Containers: what goes into a list, tuple, set or dict, and what comes out of it."""

from __future__ import annotations

import ast
from abc import abstractmethod

from chatport.port.program.calls import Calls
from chatport.port.program.values import (
    ANYTHING,
    NOTHING,
    STR,
    UNKNOWN,
    Atom,
    Container,
    External,
    Values,
)


class Containers(Calls):
    """The part of the interpreter that knows displays, elements and iteration."""

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
