"""What an expression may hold: a set of atoms. The empty set is *not reached yet*.

An atom that owns a node is identified by it: two calls of one constructor are two atoms.
"""

from __future__ import annotations

import ast
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from chatport.port.program.scopes import FUNCTIONS, FunctionNode


class External(NamedTuple):
    """Something from outside the repository, by its dotted name."""

    name: str


class Project(NamedTuple):
    """A module of the repository, by its dotted name."""

    name: str


class Made(NamedTuple):
    """A legacy object of a pack type, made by the expression `site`."""

    type: str
    site: ast.AST


class Method(NamedTuple):
    """A method of a legacy object, not called yet."""

    owner: Made
    name: str


class Function(NamedTuple):
    node: FunctionNode


class Class(NamedTuple):
    node: ast.ClassDef


class Instance(NamedTuple):
    """An instance of a class of the repository; which one is not told apart."""

    node: ast.ClassDef


class Bound(NamedTuple):
    """A method of an instance or class of the repository."""

    function: FunctionNode
    receiver: Instance | Class


ON_EACH = frozenset({"map", "filter"})
"""Functions of Python that call another one on each item, when its result is asked for."""


class Container(NamedTuple):
    """A list, tuple, set or dict made by the expression `node`."""

    node: ast.AST

    @property
    def is_lazy(self) -> bool:
        """Whether what it holds is only made when somebody asks for it, and can be had once."""
        if isinstance(self.node, ast.Call):  # other calls stand for what they list
            return isinstance(self.node.func, ast.Name) and self.node.func.id in ON_EACH
        return isinstance(self.node, (*FUNCTIONS, ast.GeneratorExp))


class Shape(NamedTuple):
    """A value known only by its builtin type."""

    name: str


class Unknown(NamedTuple):
    """May be anything: always the safe side."""


Atom: TypeAlias = (
    External
    | Project
    | Made
    | Method
    | Function
    | Class
    | Instance
    | Bound
    | Container
    | Shape
    | Unknown
)
Values: TypeAlias = frozenset[Atom]

UNKNOWN = Unknown()
NONE = Shape("None")
STR = Shape("str")
BYTES = Shape("bytes")
INT = Shape("int")
BOOL = Shape("bool")

NOTHING: Values = frozenset()
ANYTHING: Values = frozenset({UNKNOWN})


@cache
def of_literal(kind: str) -> Values:
    """The shape of a literal, by the name of its type."""
    return frozenset({NONE if kind == "NoneType" else Shape(kind)})


@lru_cache(maxsize=1 << 14)
def foreign(name: str) -> Values:
    """Just something from outside the repository; the same few names come again and again."""
    return frozenset({External(name)})


def in_order(values: Values) -> list[Atom]:
    """Atoms in the order of the text they were made by: what is said first must not depend on
    where in memory a set keeps them."""
    return sorted(values, key=_place)


def _place(atom: Atom) -> tuple[int, int, str, str]:
    node = next((part for part in atom if isinstance(part, ast.AST)), None)
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    names = [part for part in atom if isinstance(part, str)]
    return line, column, type(atom).__name__, ".".join(names)
