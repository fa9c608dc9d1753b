"""Names for a chat's history, and what is read by them.

Legacy put a turn into its list when that was asked for next, the new chat puts it there at once:
who reads an older name of the list behind a message sees the difference. So a name is only read
where it was given behind the last message on every way, or where it is one for a copy.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeAlias, TypeGuard

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS
from chatport.port.program.values import Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.kept_lists import running
from chatport.port.rules.sureness import blocks, stands_in
from chatport.port.rules.use import Use

LOOPS = ast.For | ast.AsyncFor | ast.While
COPIES = {"list", "tuple", "copy", "deepcopy", "sorted", "reversed"}
"""Ends of functions that give another list."""
Name: TypeAlias = ast.Name | ast.Attribute | ast.Subscript


class HistoryNames:
    """Questions about the names of the histories that are read as `member`."""

    def __init__(self, workspace: Workspace, member: str, uses: Sequence[Use]) -> None:
        self.workspace = workspace
        self.uses = uses
        self.reads: list[Site] = [site for site in workspace.sites if site.member == member]

    def check(self) -> None:
        """Refuse what gives a name that may be read behind a message."""
        direct = {read.node for read in self.reads}
        for owner in dict.fromkeys(owner for read in self.reads for owner in read.owners):
            events = self._events(owner)
            made = {
                atom
                for read in self.reads
                if owner in read.owners
                for atom in self.workspace.values(read.node)
                if isinstance(atom, Made) and atom.site is owner.site
            }
            for node in (n for atom in made for n in self.workspace.holders.get(atom, ())):
                if events and node not in direct and self._is_older(node, events):
                    self._refuse(owner, node)

    def _refuse(self, owner: Made, node: ast.AST) -> None:
        home = self.workspace.home(node)
        reads = [read for read in self.reads if owner in read.owners]
        near = [read for read in reads if read.module is home]
        said = ast.unparse(node)
        for read in near or reads:
            if read.rule is None:
                read.refuse("history_write", f"a message may come before `{said}` is read")

    def _events(self, owner: Made) -> set[ast.AST]:
        """The calls that send a message of a chat, themselves or through others."""
        sends = [use for use in self.uses if any(chat.call is owner.site for chat in use.chats)]
        found: set[ast.AST] = {use.call for use in sends}
        return found.union(*(running(self.workspace, use.site) for use in sends))

    def _is_older(self, node: ast.AST, events: set[ast.AST]) -> bool:
        """Whether a message may have come since what is read here was given its name."""
        home = self.workspace.find_home(node)
        if home is None or not _is_name(node) or not isinstance(node.ctx, ast.Load):
            return False
        near = [event for event in events if _is_in(home, event, node)]
        bindings = list(_bindings(home, node))
        if not bindings and not self._is_bound_to_the_list(node):
            return False
        for bound in bindings:
            if _is_copied(home, bound):
                if _is_passed(home, bound, node):
                    return False
                continue
            if any(_place(bound) < _place(event) < _place(node) for event in near):
                return True
            if any(
                any(stands_in(home, event, loop.body) for event in near)
                and not stands_in(home, bound, loop.body)
                for loop in _loops(home, node)
            ):
                return True
            if isinstance(bound, ast.arg) or _is_passed(home, bound, node):
                return False
        return True

    def _is_bound_to_the_list(self, node: Name) -> bool:
        """Whether what is read in a body that does not bind it is the list itself, as far as is
        seen, and not a copy."""
        last = _last_name(node)
        return any(
            _is_name(other)
            and isinstance(other.ctx, ast.Store)
            and _last_name(other) == last
            and not _is_copied(self.workspace.home(other), other)
            for other, values in self.workspace.holding
            if values & self.workspace.values(node)
        ) or not isinstance(node, ast.Name | ast.Attribute)


def _is_name(node: ast.AST) -> TypeGuard[Name]:
    """Whether something is read by a name, and is not a part of a list, which is a new one."""
    return isinstance(node, Name) and not isinstance(getattr(node, "slice", None), ast.Slice)


def _last_name(node: Name) -> str:
    return f".{ast.unparse(node)}".rpartition(".")[2]


def _is_copied(home: Module, bound: ast.AST) -> bool:
    """Whether a name is given to something that is made of the list: a part, a copy, a sum."""
    parent = home.parents[bound]
    if not isinstance(parent, ast.Assign | ast.AnnAssign) or parent.value is None:
        return False
    value = parent.value
    if isinstance(value, ast.Call):
        called = value.func
        return isinstance(called, ast.Attribute | ast.Name) and _last_name(called) in COPIES
    sliced = isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice)
    return sliced or isinstance(value, ast.BinOp | ast.ListComp | ast.List | ast.Tuple)


def _bindings(home: Module, node: ast.expr) -> Iterator[ast.AST]:
    """Where what is read is bound in the same body above it, the nearest first."""
    said, around = ast.unparse(node), home.function(node)
    above = [
        other
        for other in home.nodes(type(node))
        if _is_name(other)
        and isinstance(other.ctx, ast.Store)
        and home.function(other) is around
        and _place(other) < _place(node)
        and ast.unparse(other) == said
    ]
    yield from sorted(above, key=_place, reverse=True)
    if isinstance(around, FUNCTIONS):
        arguments = around.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        yield from (argument for argument in every if argument.arg == said)


def _is_passed(home: Module, bound: ast.AST, node: ast.AST) -> bool:
    """Whether every way to a place comes by a binding above it."""
    return all(stands_in(home, node, block) for _, block in blocks(home, bound))


def _is_in(home: Module, event: ast.AST, node: ast.AST) -> bool:
    """Whether a call stands in the body a place is in."""
    return event in home.parents and home.function(event) is home.function(node)


def _loops(home: Module, node: ast.AST) -> Iterator[ast.For | ast.AsyncFor | ast.While]:
    """The loops around a place, in its body."""
    around, here = home.function(node), home.parents.get(node)
    while here is not None and here is not around:
        if isinstance(here, LOOPS):
            yield here
        here = home.parents.get(here)


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
