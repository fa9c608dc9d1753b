"""Whether somebody still holds a chat's history when the chat is given another one.

Legacy's setter made a new list and left the old one to whoever held it. The new chat has one list
for life, which changes for everybody, so a history is only set where nobody looks at the old one
again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.values import Bound, External, Function, Made
from chatport.port.rules.base import Site, Workspace

LOOKS = {
    "builtins.len", "builtins.print", "builtins.str", "builtins.repr", "builtins.bool",
    "builtins.list", "builtins.tuple", "copy.copy", "copy.deepcopy",
}  # fmt: skip
"""Calls that look at a list, or copy it, and do not keep it."""
STEPS = {"builtins.enumerate"}
"""Calls that give its items one by one."""
WAITS = ast.Await | ast.Yield | ast.YieldFrom
"""Where others run who may change a list."""
KEEPS = ast.List | ast.Tuple | ast.Set | ast.Dict | ast.Starred | ast.Yield | ast.Lambda
"""What may hold a list that stands in it."""


class KeptLists:
    """Questions about who holds the lists that are read as `member`."""

    def __init__(self, workspace: Workspace, member: str) -> None:
        self.workspace = workspace
        self.member = member

    def is_kept(self, write: Site) -> bool:
        """Whether something else holds the list that `write` sets anew."""
        return any(
            other.member == self.member
            and set(other.owners) & set(write.owners)
            and other.node is not write.node
            and not self._is_looked_at(other, write)
            for owner in write.owners
            for other in self.workspace.uses_of(owner.site)
        )

    def _is_looked_at(self, read: Site, write: Site) -> bool:
        """Whether a list is read at once, and done with when `write` runs."""
        node = read.node
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            return True
        parent = read.module.parents[node]
        if isinstance(parent, ast.Call):
            names = {a.name for a in self.workspace.values(parent.func) if isinstance(a, External)}
            if names & STEPS:
                node, parent = parent, read.module.parents[parent]
            elif names & LOOKS:
                return True
        if (call := self._call_with(read)) is not None:
            return not self._is_stored(read) and call not in running(self.workspace, write)
        if isinstance(parent, ast.Assign):
            return self._is_named_after(read, parent, write)
        if isinstance(parent, ast.For | ast.AsyncFor) and parent.iter is node:
            return not self._may_run_in(parent, write)
        if isinstance(parent, ast.comprehension):
            made = read.module.parents[parent]
            kept = isinstance(made, ast.GeneratorExp)
            return not kept or isinstance(read.module.parents[made], ast.Call)
        return isinstance(
            parent,
            ast.Subscript | ast.Attribute | ast.FormattedValue | ast.If | ast.Compare | ast.UnaryOp,
        )

    # -- lists that are handed on

    def _call_with(self, read: Site) -> ast.Call | None:
        """The call of functions of the program that a list is an argument of, which run at once."""
        parent = read.module.parents[read.node]
        call = read.module.parents[parent] if isinstance(parent, ast.keyword) else parent
        if not isinstance(call, ast.Call) or call.func is read.node:
            return None
        called = self.workspace.values(call.func)
        bodies = [
            atom.node if isinstance(atom, Function) else atom.function
            for atom in called
            if isinstance(atom, Function | Bound)
        ]
        waits = any(isinstance(part, WAITS) for body in bodies for part in ast.walk(body))
        return call if bodies and len(bodies) == len(called) and not waits else None

    def _is_stored(self, read: Site) -> bool:
        """Whether a list that is handed on comes to stand where it outlives the call."""
        given = self.workspace.values(read.node)
        for atom in given:
            for node in self.workspace.holders.get(atom, ()) if isinstance(atom, Made) else ():
                home = self.workspace.find_home(node)
                if home is not None and node is not read.node and self._outlives(home, node):
                    return True
        return False

    def _outlives(self, home: Module, node: ast.AST) -> bool:
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if isinstance(node, ast.Attribute | ast.Subscript) and stored:
            return f".{ast.unparse(node)}".rpartition(".")[2] != self.member.rpartition(".")[2]
        variable = home.scopes.variable.get(node)
        if stored and variable is not None and (variable.captured or variable.scope.parent is None):
            return True
        parent = home.parents.get(node)
        call = home.parents.get(parent) if isinstance(parent, ast.keyword) else parent
        if isinstance(call, ast.Call) and call.func is not node:
            called = self.workspace.values(call.func)
            return not all(
                isinstance(atom, Function | Bound)
                or (isinstance(atom, External) and atom.name in LOOKS | STEPS)
                for atom in called
            )
        return isinstance(parent, KEEPS)

    # -- lists that get a name

    def _is_named_after(self, read: Site, statement: ast.Assign, write: Site) -> bool:
        """Whether a list gets the name of a function's own that is only read behind that, where
        `write` does not run."""
        (target, *others), home = statement.targets, read.module
        variable = home.scopes.variable.get(target)
        if others or statement.value is not read.node or not isinstance(target, ast.Name):
            return False
        if variable is None or variable.captured or home.function(read.node) is None:
            return False
        behind = set(_behind(home, statement))
        if write.node in behind or not set(variable.loads) <= behind:
            return False
        runs = running(self.workspace, write)
        return not any(isinstance(part, WAITS) or part in runs for part in behind)

    def _may_run_in(self, loop: ast.For | ast.AsyncFor, write: Site) -> bool:
        """Whether a statement may run between two rounds of a loop."""
        inside: set[ast.AST] = {part for statement in loop.body for part in ast.walk(statement)}
        if write.node in inside or any(isinstance(part, WAITS) for part in inside):
            return True
        return bool(running(self.workspace, write) & inside)


def running(workspace: Workspace, site: Site) -> set[ast.Call]:
    """The calls that run the place of a use, themselves or through others."""
    flow, found = workspace.flow, set[ast.Call]()
    todo: list[FunctionNode | None] = [site.module.function(site.node)]
    while todo:
        current = todo.pop()
        for call in flow.calls.get(current, ()) if current is not None else ():
            if call not in found:
                found.add(call)
                todo.append(flow.module_of[call].function(call))
    return found


def _behind(module: Module, statement: ast.stmt) -> Iterator[ast.AST]:
    """What stands behind a statement in its block."""
    for _, block in ast.iter_fields(module.parents[statement]):
        if isinstance(block, list) and any(part is statement for part in block):
            for other in block[block.index(statement) + 1 :]:
                yield from ast.walk(other)
