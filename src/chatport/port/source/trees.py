"""Walking syntax trees: what hangs on a node, and every node of a tree found in one walk.

A walk over a tree costs as much as parsing its text did. So each file is walked once, when it is
read, and whoever looks for nodes of some kind asks for them.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TypeVar

from chatport.port.source.errors import SourceError

MAX_DEPTH = 200
"""Deeper trees are refused, so that a recursive visitor fits into Python's default stack.

Code written by people stays under 40 (measured on the standard library and 500 packages).
"""

MAX_COMPREHENSIONS = 16
"""More comprehensions inside each other are refused: from about thirty on the compiler of Python
3.13.0 ends the process. Code written by people stays under five."""

TOO_DEEP = (
    "an expression or a chain of elif is nested too deeply to be followed; "
    "split it into several statements"
)

N = TypeVar("N", bound=ast.AST)

# What holds no nodes, and the nodes that say nothing of their own: contexts and operators.
_NO_NODES = {
    *("identifier", "int", "string", "constant"),
    *("expr_context", "boolop", "operator", "unaryop", "cmpop"),
}


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """Kind of node -> the names of its fields that hold nodes, in the order of the grammar.

    Python describes each kind by its line of the grammar: ``If(expr test, stmt* body, ...)``.
    """

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        declared = (kind.__doc__ or "").partition("(")[2].rstrip(")")
        of = {name: held.rstrip("*?") for held, _, name in map(_words, declared.split(", "))}
        fields = tuple(name for name in kind._fields if of.get(name) not in _NO_NODES)
        self[kind] = fields
        return fields


def _words(declared: str) -> tuple[str, str, str]:
    return declared.partition(" ")


FIELDS = _Fields()


def children(node: ast.AST) -> list[ast.AST]:
    """As `ast.iter_child_nodes`, without contexts and operators, at a quarter of the cost."""
    found: list[ast.AST] = []
    held = node.__dict__
    for name in FIELDS[type(node)]:
        value = held.get(name)
        if value is None:
            continue
        if type(value) is not list:
            found.append(value)
        elif None in value:  # `{**other}` has no key, `*, a` no default
            found += [item for item in value if item is not None]
        else:
            found += value
    return found


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _is_too_deep(comprehensions: list[ast.AST], parents: dict[ast.AST, ast.AST]) -> bool:
    for node in comprehensions:
        depth, here = 0, parents.get(node)
        while here is not None:
            depth += isinstance(here, _COMPREHENSIONS)
            here = parents.get(here)
        if depth >= MAX_COMPREHENSIONS:
            return True
    return False


class Nodes:
    """All nodes below the root of a tree.

    parents  node -> the one it hangs on
    """

    __slots__ = ("_by_kind", "parents")

    def __init__(self, tree: ast.Module) -> None:
        """Raises `SourceError` for a tree deeper than `MAX_DEPTH`."""
        parents: dict[ast.AST, ast.AST] = {}
        by_kind: defaultdict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        # One list for each node above the one that is visited: those beside it, still to come.
        path: list[list[ast.AST]] = [[tree]]
        while path:
            if not path[-1]:
                path.pop()
                continue
            node = path[-1].pop()
            inner = []
            found = children(node)
            for child in found:
                parents[child] = node
                kind = type(child)
                by_kind[kind].append(child)
                if FIELDS[kind]:
                    inner.append(child)
            if found and len(path) >= MAX_DEPTH:
                raise SourceError(_too_deep(tree))
            if inner:
                path.append(inner)
        comprehensions = [node for kind in _COMPREHENSIONS for node in by_kind.get(kind, ())]
        if len(comprehensions) > MAX_COMPREHENSIONS and _is_too_deep(comprehensions, parents):
            raise SourceError(TOO_DEEP)
        self.parents: dict[ast.AST, ast.AST] = parents
        self._by_kind: dict[type[ast.AST], list[ast.AST]] = by_kind

    def of(self, *kinds: type[N]) -> list[N]:
        """The nodes of some kinds; those of each kind in the order of `parents`."""
        found: list[N] = []
        for kind in kinds:
            found += self._by_kind.get(kind, ())  # type: ignore[arg-type]
        return found


def _too_deep(tree: ast.Module) -> str:
    """Where a tree is too deep: level by level, so that it is the first such place of the text."""
    level: list[ast.AST] = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in children(node)]
    line = next((node.lineno for node in level if isinstance(node, ast.expr | ast.stmt)), None)
    return TOO_DEEP if line is None else f"line {line}: {TOO_DEEP}"
