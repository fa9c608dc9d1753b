"""The ways through a body: whether something has certainly happened where something else stands.

A body is gone through once with what is known at each place: two ways that meet know what both
knew, a loop begins with what its end knows too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from chatport.port.program.scopes import COMPREHENSIONS, FUNCTIONS

Known: TypeAlias = bool | None
"""Whether it has happened; None where no way arrives."""


class Ways:
    """`makers` are statements after which it has happened, `resets` says of a node that it may
    undo that, `places` are the nodes where it must have happened, `swallows` says of a context
    whether a body that fails in it is gone past."""

    def __init__(
        self,
        makers: Collection[ast.stmt],
        places: Collection[ast.AST],
        resets: Callable[[ast.AST], bool],
        swallows: Callable[[ast.expr], bool],
    ) -> None:
        self.makers = makers
        self.places = places
        self.resets = resets
        self.swallows = swallows
        self._unsure: set[ast.AST] = set()
        self._breaks: list[list[Known]] = []
        self._continues: list[list[Known]] = []

    def unsure(self, body: Sequence[ast.stmt], *, before: bool = False) -> set[ast.AST]:
        """The places it may not have happened at when `body` runs from its start, where it has
        happened if it has `before`."""
        self._block(body, before)
        return self._unsure

    def _block(self, body: Sequence[ast.stmt], known: Known) -> Known:
        for statement in body:
            known = self._statement(statement, known)
        return known

    def _statement(self, node: ast.stmt, known: Known) -> Known:
        match node:
            case ast.If():
                known = self._parts([node.test], known)
                return _meet(self._block(node.body, known), self._block(node.orelse, known))
            case ast.While():
                return self._loop([node.test], node, known)
            case ast.For() | ast.AsyncFor():
                known = self._parts([node.iter], known)
                return self._loop([node.target], node, known)
            case ast.Try() | ast.TryStar():
                return self._try(node, known)
            case ast.With() | ast.AsyncWith():
                known = self._parts(node.items, known)
                end = self._block(node.body, known)
                if any(self.swallows(item.context_expr) for item in node.items):
                    end = _meet(end, self._failed(node.body, known))
                return self._run_again([item.context_expr for item in node.items], end)
            case ast.Match():
                known = self._parts([node.subject], known)
                ends = [self._block(case.body, known) for case in node.cases]
                return _meet(known, *ends)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return self._parts(node.decorator_list, known)
            case _:
                return self._simple(node, known)

    def _simple(self, node: ast.stmt, known: Known) -> Known:
        known = self._parts([node], known)
        if node in self.makers:
            known = True if known is not None else None
        if isinstance(node, ast.Break) and self._breaks:
            self._breaks[-1].append(known)
        if isinstance(node, ast.Continue) and self._continues:
            self._continues[-1].append(known)
        leaves = isinstance(node, ast.Break | ast.Continue | ast.Return | ast.Raise)
        return None if leaves else known

    def _loop(
        self, head: Sequence[ast.AST], node: ast.While | ast.For | ast.AsyncFor, known: Known
    ) -> Known:
        """A round may begin with what was known before, or with what the last one left."""
        while True:
            self._breaks.append([])
            self._continues.append([])
            start = self._parts(head, known)
            if not isinstance(node, ast.While):
                start = self._run_again([node.iter], start)
            end = _meet(self._block(node.body, start), *self._continues.pop())
            left = self._breaks.pop()
            again = _meet(known, end)
            if again == known:
                after = None if _is_endless(node) else start
                return _meet(self._block(node.orelse, after), *left)
            known = again

    def _try(self, node: ast.Try | ast.TryStar, known: Known) -> Known:
        """A handler begins anywhere in the body, also behind what happened anew and was not
        meant to count."""
        failed = self._failed(node.body, known)
        end = self._block(node.orelse, self._block(node.body, known))
        ends = [end, *(self._block(handler.body, failed) for handler in node.handlers)]
        if not node.finalbody:
            return _meet(*ends)
        after = _meet(*ends)
        last = self._block(node.finalbody, _meet(after, failed))
        return None if after is None or last is None else after and last

    def _failed(self, body: Sequence[ast.stmt], known: Known) -> Known:
        """What is known where a body was left anywhere in it."""
        parts = [part for child in body for part in _parts(child)]
        return known and not any(part in self.makers or self.resets(part) for part in parts)

    def _run_again(self, nodes: Sequence[ast.AST], known: Known) -> Known:
        """What was evaluated once runs again: what is looped over, and the end of a context."""
        return False if known and any(map(self.resets, nodes)) else known

    def _parts(self, nodes: Sequence[ast.AST], known: Known) -> Known:
        """What is evaluated here: reads of the places, and what undoes it, which comes behind its
        own parts unless it runs in several rounds."""
        parts = [part for node in nodes for part in _parts(node)]
        undone = [part for part in parts if self.resets(part)]
        rounds = [part for part in parts if isinstance(part, COMPREHENSIONS)]
        again = {inner for part in rounds for inner in _parts(part)}
        for part in parts:
            if part not in self.places:
                continue
            others = [u for u in undone if u in again or part not in set(ast.walk(u))]
            if known is False or others:
                self._unsure.add(part)
        return False if known and undone else known


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is evaluated with it; functions defined in it run another time."""
    yield node
    if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        for child in ast.iter_child_nodes(node):
            yield from _parts(child)


def _meet(*ways: Known) -> Known:
    arriving = [way for way in ways if way is not None]
    return all(arriving) if arriving else None


def _is_endless(node: ast.While | ast.For | ast.AsyncFor) -> bool:
    test = node.test if isinstance(node, ast.While) else None
    return isinstance(test, ast.Constant) and bool(test.value)
