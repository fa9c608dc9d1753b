"""Changes of a chat's history from outside.

The new chat keeps two lists: all turns, and those it sends. Both are given as they are, so what
legacy took out of its one list is taken out of both. What is put in, or taken out by a measure that
the lists may not share, is refused by whoever looks at the members.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from chatport.port.packs.schema import HistoryWrites
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.values import BOOL, INT, External
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.evaluation import is_inert
from chatport.port.rules.members import is_waited_for
from chatport.port.rules.use import Use, receiver

RULE = "model_calls"


class HistoryWriter:
    """Rewrites the statements that take turns out of a chat."""

    def __init__(
        self, workspace: Workspace, params: HistoryWrites, member: str, uses: list[Use]
    ) -> None:
        self.workspace = workspace
        self.params = params
        self.member = member
        self.streamed: set[ast.Call] = {
            chat.call for use in uses if use.stream for chat in use.chats
        }

    def run(self) -> None:
        for site in self.workspace.sites:
            if site.rule is not None or site.mixed or site.member is None:
                continue
            if site.member == self.member and isinstance(site.node, ast.Attribute):
                self._history(site, site.node)
            elif site.member == self.params.rewind:
                self._rewind(site)

    def _history(self, site: Site, node: ast.Attribute) -> None:
        """One place where the history is named."""
        statement = site.module.statement(node)
        found = self._change(site, statement, node)
        if found is None or not is_inert(node.value):
            return
        change, measured = found
        if not (measured and self._streams(site)):
            self._write(site, statement, change)

    def _change(
        self, site: Site, statement: ast.stmt, node: ast.Attribute
    ) -> tuple[str, bool] | None:
        """What a statement does to the list, with ``{}`` for it, and whether it counts turns."""
        said = self.workspace.draft(site).source.segment
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=inner, attr="clear"), args=[])):
                return ("{}.clear()", False) if inner is node else None
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=inner, attr="pop"), args=args, keywords=[])
            ) if inner is node and all(map(is_inert, args)):
                return f"{{}}.pop({', '.join(map(said, args))})", True
            case ast.Delete(targets=[ast.Subscript(value=inner, slice=key)]) if inner is node:
                return (f"del {{}}[{_key(said, key)}]", True) if is_inert(key) else None
            case ast.Assign(targets=[target], value=value) if target is node:
                return self._assigned(site, node, value)
        return None

    def _assigned(
        self, site: Site, node: ast.Attribute, value: ast.expr
    ) -> tuple[str, bool] | None:
        if self._is_kept(site):
            return None
        nothing = isinstance(value, ast.List) and not value.elts
        if nothing or (isinstance(value, ast.Constant) and value.value is None):
            return "{}.clear()", False
        if not isinstance(value, ast.Subscript) or not isinstance(value.slice, ast.Slice):
            return None
        part = value.slice
        if ast.unparse(value.value) != ast.unparse(node) or part.step is not None:
            return None
        bounds = [bound for bound in (part.lower, part.upper) if bound is not None]
        if len(bounds) != 1 or not is_inert(bounds[0]) or self._may_be_none(bounds[0]):
            return None
        bound = self.workspace.draft(site).source.segment(bounds[0])
        return f"del {{}}[{f':{bound}' if part.lower is not None else f'{bound}:'}]", True

    def _may_be_none(self, bound: ast.expr) -> bool:
        """Whether a bound may stand for no bound: it stands on the other side when it is deleted.
        What is calculated is a number."""
        if isinstance(bound, ast.UnaryOp | ast.BinOp):
            return False
        return not self.workspace.values(bound) <= {INT, BOOL}

    def _is_kept(self, site: Site) -> bool:
        """Whether something else holds the list, which a new one would have left as it was."""
        return any(
            other.member == self.member
            and set(other.owners) & set(site.owners)
            and other.node is not site.node
            and not self._is_looked_at(other, site)
            for other in self.workspace.sites
        )

    def _is_looked_at(self, site: Site, write: Site) -> bool:
        """Whether a list is read at once, and done with when `write` runs."""
        node = site.node
        parent = site.module.parents[node]
        if isinstance(parent, ast.Call):
            names = {a.name for a in self.workspace.values(parent.func) if isinstance(a, External)}
            if names & STEPS:
                node, parent = parent, site.module.parents[parent]
            elif names & LOOKS:
                return True
        if isinstance(parent, ast.For | ast.AsyncFor) and parent.iter is node:
            return not self._may_run_in(parent, write)
        if isinstance(parent, ast.comprehension):
            made = site.module.parents[parent]
            kept = isinstance(made, ast.GeneratorExp)
            return not kept or isinstance(site.module.parents[made], ast.Call)
        stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        return stored or isinstance(
            parent,
            ast.Subscript | ast.Attribute | ast.FormattedValue | ast.If | ast.Compare | ast.UnaryOp,
        )

    def _may_run_in(self, loop: ast.For | ast.AsyncFor, write: Site) -> bool:
        """Whether a statement may run between two rounds of a loop."""
        inside = {part for statement in loop.body for part in ast.walk(statement)}
        if write.node in inside or any(isinstance(part, WAITS) for part in inside):
            return True
        todo: list[FunctionNode | None] = [write.module.function(write.node)]
        seen: set[FunctionNode] = set()
        while todo:
            function = todo.pop()
            if function is None or function in seen:
                continue
            seen.add(function)
            for call in self.workspace.flow.calls.get(function, ()):
                if call in inside:
                    return True
                todo.append(self.workspace.flow.module_of[call].function(call))
        return False

    def _streams(self, site: Site) -> bool:
        return any(owner.site in self.streamed for owner in site.owners)

    def _rewind(self, site: Site) -> None:
        """``chat.rewind()`` took out the last message and its answer."""
        statement = site.module.statement(site.node)
        alone = isinstance(statement, ast.Expr) and statement.value is site.call
        if alone and is_inert(receiver(site)) and not self._streams(site):
            fails = any(
                is_waited_for(self.workspace, site.module, site.node, error) for error in EMPTY
            )
            self._write(site, statement, "del {0}[-2], {0}[-1]" if fails else "del {}[-2:]")

    def _write(self, site: Site, statement: ast.stmt, change: str) -> None:
        """Draft the change of both lists, and claim all that the statement names."""
        draft = self.workspace.draft(site)
        chat = draft.source.segment(receiver(site))
        lists = [f"{chat}.{self.params.turns}", f"{chat}.{self.params.sent}"]
        start, end = draft.source.span(statement)
        gap = "; "
        if draft.starts_line(statement):
            gap = f"\n{draft.source.indent_at(start)}"
        code = gap.join(change.format(one) for one in lists)
        draft.replace_span(start, end, _written(code), around=True)
        inside = set(ast.walk(statement))
        for other in self.workspace.sites:
            if other.node in inside and other.rule is None:
                other.rule = RULE
                if other is not site:
                    self.workspace.unchanged.add(other)


LOOKS = {"builtins.len", "builtins.print", "builtins.str", "builtins.repr"}
"""Calls that look at a list and do not keep it."""
STEPS = {"builtins.enumerate"}
"""Calls that give its items one by one."""
EMPTY = ("IndexError", "LookupError", "Exception")
"""What met the failure to rewind a chat in which nothing was said."""
WAITS = ast.Await | ast.Yield | ast.YieldFrom
"""Where others run who may change a list."""


def _key(said: Callable[[ast.expr], str], key: ast.expr) -> str:
    """A subscript as the author wrote it."""
    if not isinstance(key, ast.Slice):
        return said(key)
    bounds = (key.lower, key.upper, key.step)
    return ":".join(said(b) if b is not None else "" for b in bounds[: 3 if key.step else 2])


def _written(code: str) -> Callable[[], str]:
    return lambda: code
