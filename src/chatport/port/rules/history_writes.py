"""Changes of a chat's history from outside.

Of the two lists the new chat keeps, the one it sends is legacy's one list: what was blocked is not
in it. It is given as it is, so a change of legacy's list is the same change of that one. Turns that
are put in are brought into the new shape; what is not known to be turns is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from chatport.port.packs.schema import HistoryWrites
from chatport.port.program.values import BOOL, INT
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.contents import Contents
from chatport.port.rules.evaluation import is_inert
from chatport.port.rules.kept_lists import KeptLists
from chatport.port.rules.raised_reads import is_waited_for
from chatport.port.rules.turns import Turns
from chatport.port.rules.use import Use, receiver

RULE = "model_calls"


class HistoryWriter:
    """Rewrites the statements that change the turns of a chat."""

    def __init__(
        self,
        workspace: Workspace,
        params: HistoryWrites,
        member: str,
        uses: list[Use],
        contents: Contents,
    ) -> None:
        self.workspace = workspace
        self.params = params
        self.member = member
        self.turns: Turns = Turns(workspace, contents)
        self.kept: KeptLists = KeptLists(workspace, member)
        self.streamed: set[ast.Call] = {
            chat.call for use in uses if use.stream and not use.joined_by for chat in use.chats
        }

    def run(self) -> None:
        for site in self.workspace.sites:
            if site.rule is not None or site.mixed or site.member is None:
                continue
            if site.member == self.member and isinstance(site.node, ast.Attribute):
                self._history(site, site.node)
            elif site.member in self.params.one or site.member == self.params.many:
                self._put_in(site)
            elif site.member == self.params.rewind:
                self._rewind(site)

    # -- turns put in

    def _put_in(self, site: Site) -> None:
        """``chat.history.append(turn)`` and its kin, on the list itself or on a name for it."""
        if site.call is None or site.call.keywords:
            return
        place = self.params.one.get(site.member or "")
        given = site.call.args[place or 0 :]
        if len(given) != 1:
            return
        told = self._read_by(site)
        try:
            if place is None:
                self.turns.many(told, given[0])
            else:
                self.turns.one(told, given[0])
        except RefusedError as error:
            told.refuse(error.refusal.code, error.refusal.detail)
        site.rule = RULE
        self.workspace.unchanged.add(site)

    def _read_by(self, site: Site) -> Site:
        """The use of the SDK that gave the list: where it is read, or where its chat is made."""
        named = self.workspace.by_node.get(receiver(site))
        made = (self.workspace.by_node.get(owner.site) for owner in site.owners)
        return named or next((maker for maker in made if maker is not None), site)

    # -- the list itself

    def _history(self, site: Site, node: ast.Attribute) -> None:
        """One place where the history is named."""
        statement, parent = site.module.statement(node), site.module.parents[node]
        match statement:
            case ast.Assign(targets=[target], value=value) if target is node:
                self._assigned(site, node, statement, value)
            case ast.AugAssign(target=target, op=ast.Add(), value=value) if target is node:
                if not self.kept.is_kept(site) and self._takes(site, value):
                    code = self.workspace.draft(site).code
                    self._become(site, statement, lambda t: f"{t}.extend({code(value)})", value)
            case ast.Assign(targets=[ast.Subscript(value=inner)], value=value) if inner is node:
                if not self._streams(site) and self._takes(site, value, parent):
                    self._read(site, node)
            case ast.Delete() if isinstance(parent, ast.Subscript) and not self._streams(site):
                self._read(site, node)

    def _assigned(
        self, site: Site, node: ast.Attribute, statement: ast.stmt, value: ast.expr
    ) -> None:
        if self.kept.is_kept(site):
            return
        nothing = isinstance(value, ast.List) and not value.elts
        if nothing or (isinstance(value, ast.Constant) and value.value is None):
            self._become(site, statement, lambda turns: f"{turns}.clear()")
        elif (part := self._left_out(site, node, value)) is not None:
            if not self._streams(site) and is_inert(node.value):
                self._become(site, statement, lambda turns: f"del {turns}[{part}]")
        elif not self._streams(site) and self._takes(site, value):
            self._read(site, node, "[:]")

    def _left_out(self, site: Site, node: ast.Attribute, value: ast.expr) -> str | None:
        """The turns that a list loses by being set to a part of itself; None when it is set to
        something else."""
        if not isinstance(value, ast.Subscript) or not isinstance(value.slice, ast.Slice):
            return None
        part = value.slice
        if ast.unparse(value.value) != ast.unparse(node) or part.step is not None:
            return None
        bounds = [bound for bound in (part.lower, part.upper) if bound is not None]
        if len(bounds) != 1 or not is_inert(bounds[0]) or self._may_be_none(bounds[0]):
            return None
        bound = self.workspace.draft(site).source.segment(bounds[0])
        return f":{bound}" if part.lower is not None else f"{bound}:"

    def _takes(self, site: Site, value: ast.expr, item: ast.AST | None = None) -> bool:
        """Whether what is put into the list is, or is made, turns; one turn where an `item` of the
        list is set."""
        try:
            if isinstance(item, ast.Subscript) and not isinstance(item.slice, ast.Slice):
                self.turns.one(site, value)
            else:
                self.turns.many(site, value)
        except RefusedError as error:
            site.refuse(error.refusal.code, error.refusal.detail)
        return site.refusal is None

    def _read(self, site: Site, node: ast.Attribute, behind: str = "") -> None:
        """Name the new list where legacy's was named."""
        draft = self.workspace.draft(site)
        draft.replace(node, lambda: f"{draft.owner(node.value)}.{self.params.turns}{behind}")
        site.rule = RULE

    def _may_be_none(self, bound: ast.expr) -> bool:
        """Whether a bound may stand for no bound: it stands on the other side when it is deleted.
        What is calculated is a number."""
        if isinstance(bound, ast.UnaryOp | ast.BinOp):
            return False
        return not self.workspace.values(bound) <= {INT, BOOL}

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
            last = "del {0}[-2], {0}[-1]" if fails else "del {0}[-2:]"
            self._become(site, statement, last.format)

    def _become(
        self,
        site: Site,
        statement: ast.stmt,
        said: Callable[[str], str],
        carried: ast.expr | None = None,
    ) -> None:
        """Draft another statement, of the list's name, and claim what the old one says of the list;
        what is `carried` into the new one is read there like anywhere."""
        draft, chat = self.workspace.draft(site), receiver(site)
        start, end = draft.source.span(statement)
        turns = self.params.turns
        draft.replace_span(start, end, lambda: said(f"{draft.owner(chat)}.{turns}"), around=True)
        gone = set(ast.walk(statement)) - set(ast.walk(carried) if carried is not None else ())
        for other in self.workspace.sites:
            if other.rule is None and other.node in gone and other.member == site.member:
                other.rule = RULE
        site.rule = RULE


EMPTY = ("IndexError", "LookupError", "Exception")
"""What met the failure to rewind a chat in which nothing was said."""
