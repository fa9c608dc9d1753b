"""Attributes that are read by a string: ``getattr(model, "description", "")``, ``hasattr(…)``.

An attribute that is called otherwise now would be missed without a word: the default is taken, the
question answered with no. The string is written anew; what has no counterpart is refused.
"""

from __future__ import annotations

import ast

from chatport.port.findings import Kind
from chatport.port.packs.schema import MemberRead, MemberReads
from chatport.port.program.modules import Module
from chatport.port.program.values import NONE, External, Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.emptied import emptied
from chatport.port.rules.raised_reads import RaisedReads, Read

ASKS = "builtins.hasattr"
READS = {"builtins.getattr", ASKS}


class NamedReads:
    """Part of the rule kind ``member_reads``."""

    def __init__(self, workspace: Workspace, change: MemberReads, raised: RaisedReads) -> None:
        self.workspace = workspace
        self.change = change
        self.raised = raised

    def run(self, rule: str) -> None:
        for module in self.workspace.modules:
            for node in module.nodes(ast.Call):
                if len(node.args) in {2, 3} and not node.keywords:
                    name = node.args[1]
                    if isinstance(name, ast.Constant) and isinstance(name.value, str):
                        self._look(rule, module, node, name.value)

    def _look(self, rule: str, module: Module, call: ast.Call, name: str) -> None:
        called = {a.name for a in self.workspace.values(call.func) if isinstance(a, External)}
        if not called & READS:
            return
        values = self.workspace.values(call.args[0])
        owners = sorted(
            {atom for atom in values if isinstance(atom, Made) and atom.type in self.change.types},
            key=lambda owner: (owner.type, getattr(owner.site, "lineno", 0)),
        )
        if not owners:
            return
        member = self.change.members.get(f"{owners[0].type}.{name}")
        private = name.startswith("_") and not name.startswith("__")
        if private or (member is None and self._is_one_sided(owners, name)):
            member = MemberRead(code="attribute_removed", reason=f"`{name}` is on one side alone")
        if member is None or not (member.code or member.becomes or member.raises):
            return
        site = self._site(module, call, owners, name)
        site.rule = rule
        if member.code is not None:
            site.refuse(member.code, member.reason)
        elif member.raises:
            self._keep_raising(site, call, name, member, asks=ASKS in called)
        elif values - {NONE, *owners} or len({owner.type for owner in owners}) > 1:
            site.refuse("receiver_unresolved", f"`{ast.unparse(call.args[0])}` may be another")
        else:
            self._rename(site, call, member, asks=ASKS in called)

    def _is_one_sided(self, owners: list[Made], name: str) -> bool:
        """Whether the one SDK has the attribute and the other not, as far as is known."""
        known = [owner.type for owner in owners if owner.type in self.change.one_sided]
        return not all(is_on_neither(self.change, kind, name) for kind in known)

    def _site(self, module: Module, call: ast.Call, owners: list[Made], name: str) -> Site:
        symbol = self.workspace.surface.member_symbol(owners[0].type, name)
        site = Site(module, call, symbol, Kind.ATTRIBUTE, owners=tuple(owners))
        self.workspace.sites.append(site)
        for owner in owners:
            maker = self.workspace.by_node.get(owner.site)
            if maker is not None:
                maker.group.merge(site.group)
        return site

    def _rename(self, site: Site, call: ast.Call, member: MemberRead, *, asks: bool) -> None:
        draft, new = self.workspace.draft(site), member.becomes or ""
        if new.endswith(")") and not asks:
            draft.replace(call, lambda: f"{draft.owner(call.args[0])}.{new}")
            return
        draft.replace_with(call.args[1], draft.style.string(new.partition("(")[0]))
        if member.empty and not asks:
            form = emptied(self.workspace, site.module, call, member.empty)
            if form:
                draft.replace(call, lambda: form.format(draft.text(call)))

    def _keep_raising(
        self, site: Site, call: ast.Call, name: str, member: MemberRead, *, asks: bool
    ) -> None:
        """The text of an answer that has none raised here, too: the default was not taken."""
        read = Read(site.module, call, call.args[0], name)
        if not asks and self.raised.is_caught(read, member.raises):
            if self.raised.keep(site, read, member.raises):
                self._warn(site, "text_guard_added")
        elif not asks and member.warning is not None:
            self._warn(site, member.warning)
        if site.refusal is None and not site.warnings:
            self.workspace.unchanged.add(site)

    def _warn(self, site: Site, warning: str) -> None:
        """Warn at the call whose result is read, once a file; at the read where that is
        elsewhere."""
        here = [one for one in self.workspace.sites if one.module is site.module]
        if any(warning in one.warnings for one in here):
            return
        makers = [self.workspace.by_node.get(owner.site) for owner in site.owners]
        next((maker for maker in makers if maker in here), site).warn(warning)


def is_on_neither(change: MemberReads, kind: str, name: str) -> bool:
    """Whether objects of a type have no such attribute on either side."""
    known = change.one_sided.get(kind)
    return (
        known is not None
        and f"{kind}.{name}" not in change.members
        and not name.startswith("_")
        and name not in known
        and name not in change.on_every_object
    )
