"""The last answer of a chat: legacy kept it on the chat, the new SDK only gives it back.

In a body where every read follows a message of the same chat on every way, the answers are given a
name where they come, and the name is read instead. What else is asked of a chat's last answer is
refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.values import Bound, Class, External, Function, Instance
from chatport.port.rules.base import Called, Site, Workspace
from chatport.port.rules.naming import free_name, take
from chatport.port.rules.own_code import may_run_own_code
from chatport.port.rules.use import Use, is_plain, receiver
from chatport.port.rules.ways import Ways

CODE = "attribute_removed"
WAITS = ast.Await | ast.Yield | ast.YieldFrom | ast.AsyncFor | ast.AsyncWith
"""Where others run who may talk to the same chat."""
SWALLOW = {"contextlib.suppress", "contextlib.ExitStack", "pytest.raises"}
"""Contexts that go on behind what failed in them."""


class Talk(Struct, eq=False):
    """The reads of one chat's last answer in one body, and the messages sent to it there."""

    module: Module
    function: FunctionNode | None
    chat: str
    """The receiver as it is written."""
    reads: list[Site]
    sends: list[Use]


class LastAnswers:
    """Gives names to the answers that are read through their chat."""

    def __init__(self, workspace: Workspace, params: ModelCallsParams, uses: list[Use]) -> None:
        self.workspace = workspace
        self.params = params
        self.uses: list[Use] = [use for use in uses if use.chats]

    def settle(self) -> None:
        """Claim every read; rewrite those of a body together or refuse them together."""
        for talk in self._talks():
            why = self._why_not(talk)
            for site in talk.reads:
                site.rule = "model_calls"
                if why is not None:
                    site.refuse(CODE, why)
            if why is None:
                self._draft(talk)

    def _talks(self) -> Iterator[Talk]:
        talks: dict[tuple[Module, FunctionNode | None, str], Talk] = {}
        for site in self.workspace.sites:
            if self.params.last_member and site.member == self.params.last_member:
                module, chat = site.module, ast.unparse(receiver(site))
                key = (module, module.function(site.node), chat)
                talks.setdefault(key, Talk(*key, [], [])).reads.append(site)
        for talk in talks.values():
            talk.sends = [use for use in self.uses if self._is_here(talk, use)]
            yield talk

    def _is_here(self, talk: Talk, use: Use) -> bool:
        return (
            use.site.module is talk.module
            and talk.module.function(use.call) is talk.function
            and ast.unparse(receiver(use.site)) == talk.chat
        )

    # -- deciding

    def _why_not(self, talk: Talk) -> str | None:
        for site in talk.reads:
            if site.mixed or not is_plain(receiver(site)) or not _is_loaded(site):
                return "what its chat is, is not known"
        if any(use.stream for use in talk.sends):
            return "the answer is a stream, which keeps nothing"
        statements = {talk.module.statement(use.call): use for use in talk.sends}
        if any(_bound(statement, use) is None for statement, use in statements.items()):
            return "a message stands inside another expression, where its answer has no name"
        if self._name(talk) is None:
            return "the answers are kept under several names"
        unsure = self._unsure(talk, set(statements))
        return None if not unsure else "no message of the same body is certain to come before it"

    def _unsure(self, talk: Talk, sends: set[ast.stmt]) -> set[ast.AST]:
        owners = {owner for site in talk.reads for owner in site.owners}
        others = [
            use
            for use in self.uses
            if not self._is_here(talk, use) and owners & set(use.site.owners)
        ]
        calls_matter = bool(others) or not _is_local(talk)
        ways = Ways(
            sends,
            {site.node for site in talk.reads},
            lambda node: self._resets(talk, node, calls_matter),
            self._swallows,
        )
        body = talk.function.body if talk.function is not None else talk.module.tree.body
        return ways.unsure(body) if isinstance(body, list) else {body}

    def _resets(self, talk: Talk, node: ast.AST, calls_matter: bool) -> bool:
        """Whether the chat may have another last answer, or be another chat, after `node`."""
        if calls_matter and isinstance(node, WAITS) and not _is_send(talk, node):
            return True
        if calls_matter and may_run_own_code(self.workspace, talk.module, node):
            return True
        if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            text = ast.unparse(node)
            if talk.chat == text or talk.chat.startswith(f"{text}."):
                return True
        site = self.workspace.by_node.get(node)
        if site is None or site.member is None or site.node is not node:
            return False
        if site in talk.reads or any(site is use.site for use in talk.sends):
            return False
        return any(owner in site.owners for read in talk.reads for owner in read.owners)

    def _swallows(self, context: ast.expr) -> bool:
        """Whether a context may end what fails in it: one that says so, or one of the program."""
        values = self.workspace.values(context)
        if isinstance(context, ast.Call):
            values |= self.workspace.values(context.func)
        named = {atom.name.removesuffix("()") for atom in values if isinstance(atom, External)}
        own = any(isinstance(atom, Function | Bound | Class | Instance) for atom in values)
        return own or bool(named & SWALLOW)

    # -- naming

    def _name(self, talk: Talk) -> str | None:
        """The one name the answers already have, or one that is free; None when they differ."""
        named = {_bound(talk.module.statement(use.call), use) for use in talk.sends} - {""}
        if not named:
            return free_name(self.workspace, talk.module, talk.reads[0].node)
        name = named.pop()
        variable = talk.module.scopes.around[talk.sends[0].call].lookup(name or "")
        if named or variable is None or variable.foreign_stores:
            return None
        own = {id(talk.module.statement(use.call)) for use in talk.sends}
        return name if all(id(talk.module.statement(s)) in own for s in variable.stores) else None

    # -- drafting

    def _draft(self, talk: Talk) -> None:
        name, draft = self._name(talk), self.workspace.drafts[talk.module]
        assert name is not None
        take(self.workspace, talk.module, talk.reads[0].node, name)
        for use in talk.sends:
            statement = talk.module.statement(use.call)
            if _bound(statement, use) == "":
                draft.put_before(statement, f"{name} = ")
                self.workspace.answer_names[use.call] = name
        for site in talk.reads:
            self.workspace.called[site.node] = Called(name, talk.sends[0].site)
            assert isinstance(site.node, ast.expr)
            draft.replace_with(site.node, name)


def _is_send(talk: Talk, node: ast.AST) -> bool:
    """Whether a node waits for a message that is told apart."""
    return isinstance(node, ast.Await) and any(use.call is node.value for use in talk.sends)


def _is_loaded(site: Site) -> bool:
    return isinstance(site.node, ast.Attribute) and isinstance(site.node.ctx, ast.Load)


def _is_local(talk: Talk) -> bool:
    """Whether only this body can bind the chat's name, so that no call changes it."""
    name = receiver(talk.reads[0])
    variable = talk.module.scopes.variable.get(name)
    return isinstance(name, ast.Name) and variable is not None and not variable.captured


def _bound(statement: ast.stmt, use: Use) -> str | None:
    """The name a statement gives the answer, empty when it gives none; None when the message is
    only a part of what the statement says."""
    value: ast.expr | None = None
    if isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign):
        value = statement.value
    inner = value.value if isinstance(value, ast.Await) else value
    if inner is not use.call:
        return None
    if isinstance(statement, ast.Expr):
        return ""
    targets: Sequence[ast.expr] = (
        statement.targets if isinstance(statement, ast.Assign) else [_target(statement)]
    )
    first = targets[0]
    return first.id if len(targets) == 1 and isinstance(first, ast.Name) else None


def _target(statement: ast.stmt) -> ast.expr:
    assert isinstance(statement, ast.AnnAssign)
    return statement.target
