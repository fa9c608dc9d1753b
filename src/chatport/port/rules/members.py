"""Attributes of legacy objects: which stay, which are called otherwise, which are gone."""

from __future__ import annotations

import ast

from chatport.port.findings import Kind
from chatport.port.packs.schema import MemberRead, MemberReads
from chatport.port.program.modules import Module
from chatport.port.program.values import External, Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.computed_reads import refuse_computed_reads
from chatport.port.rules.emptied import emptied
from chatport.port.rules.enums import enumerations
from chatport.port.rules.evaluation import is_inert, only_value
from chatport.port.rules.hashed import refuse_hashed_objects
from chatport.port.rules.membership import check_membership
from chatport.port.rules.named_reads import NamedReads, is_on_neither
from chatport.port.rules.raised_reads import RaisedReads, Read, is_waited_for
from chatport.port.rules.set_in_vain import WARNING as IN_VAIN
from chatport.port.rules.set_in_vain import drop_set_in_vain
from chatport.port.rules.shown import is_shown, note_shown_objects

RULE = "member_reads"
GUARDED = "text_guard_added"


class MemberRule:
    """The rule kind ``member_reads``."""

    def __init__(self, change: MemberReads) -> None:
        self.change = change

    def run(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.raised: RaisedReads = RaisedReads(workspace)
        noted: set[tuple[Module, str]] = set()
        self._guarded_sites: set[Site] = set()
        NamedReads(workspace, self.change, self.raised).run(RULE)
        check_membership(workspace, self.change)
        refuse_computed_reads(workspace, self.change)
        refuse_hashed_objects(workspace, self.change.without_hash)
        self._refuse_conversions()
        for site in workspace.sites:
            if site.rule is not None or site.member is None:
                continue
            owner = site.member.partition(".")[0]
            known = site.member in self.change.members
            if owner not in self.change.types or (site.mixed and not known):
                if site.kind != "string":
                    workspace.unchanged.add(site)
                continue
            site.rule = RULE
            member = self.change.members.get(site.member)
            if member is None and self._is_on_neither(site):
                workspace.unchanged.add(site)
                self._warn_maker(site, "attribute_on_neither")
            elif member is None and drop_set_in_vain(workspace, self.change, site):
                self._warn_maker(site, IN_VAIN)
            elif member is None:
                site.refuse("attribute_removed", f"`{site.member}` is not on the new object")
            elif member.code is not None:
                if not (member.asked and self._ask(site, member.asked)):
                    self._refuse(site, member)
            else:
                self._keep(site, member)
                if (
                    member.warning is not None
                    and site not in self._guarded_sites
                    and (site.module, member.warning) not in noted
                    and self._warn_maker(site, member.warning)
                ):
                    noted.add((site.module, member.warning))
        note_shown_objects(workspace, enumerations(workspace, self.change))

    def _is_on_neither(self, site: Site) -> bool:
        """Whether reading an attribute fails on both sides; legacy let one be set on an answer. A
        constructor has no counterpart to read it from."""
        assert isinstance(site.node, ast.Attribute)
        maker = self.workspace.by_node.get(site.node.value)
        if maker is not None and maker.kind is Kind.CALL and maker.call is site.node.value:
            return False
        return all(
            is_on_neither(self.change, owner.type, site.node.attr) for owner in site.owners
        ) and not any(
            other.member == site.member
            and isinstance(other.node, ast.Attribute)
            and not isinstance(other.node.ctx, ast.Load)
            for other in self.workspace.sites
        )

    def _refuse_conversions(self) -> None:
        """``type(response).to_dict(response)``: the class has other methods."""
        for module in self.workspace.modules:
            for node in module.nodes(ast.Call):
                parent = module.parents[node]
                if isinstance(parent, ast.Attribute) and not parent.attr.startswith("__"):
                    self._check_class_of(node, parent)

    def _check_class_of(self, node: ast.Call, parent: ast.Attribute) -> None:
        if External("builtins.type") not in self.workspace.values(node.func) or not node.args:
            return
        for atom in self.workspace.values(node.args[0]):
            maker = self.workspace.by_node.get(atom.site) if isinstance(atom, Made) else None
            if maker is not None:
                maker.refuse("response_shape_changed", f"`{ast.unparse(parent)}` is another method")

    def _ask(self, site: Site, form: str) -> bool:
        """Ask something else where only the truth of an attribute counts, which is an object or
        None. Whether it does."""
        node, parent = site.node, site.module.parents[site.node]
        assert isinstance(node, ast.Attribute)
        streams = self.workspace.streams
        whole = all(isinstance(o.site, ast.Call) and o.site not in streams for o in site.owners)
        compared = _compared_with_none(parent, node)
        asked = parent if compared is not None else node
        assert isinstance(asked, ast.expr)
        truth = compared or _asks_truth(site, asked)
        if site.mixed or not whole or not truth or not is_inert(node.value):
            return False
        draft = self.workspace.draft(site)
        alone = not compared and _stands_alone(site.module.parents[asked])
        said = form if alone else f"({form})"
        said = f"not {said}" if compared else said
        draft.replace(asked, lambda: said.replace("{}", draft.text(node.value)))
        return True

    def _refuse(self, site: Site, member: MemberRead) -> None:
        """Refused where the object it is a member of was read, when that is a use of its own."""
        assert isinstance(site.node, ast.Attribute)
        inner = self.workspace.by_node.get(site.node.value)
        if inner is not None and inner.rule == RULE and member.code is not None:
            inner.refuse(member.code, member.reason)
            self.workspace.unchanged.discard(inner)
            self.workspace.unchanged.add(site)
        else:
            site.refuse(member.code or "", member.reason)

    def _keep(self, site: Site, member: MemberRead) -> None:
        node = site.node
        assert isinstance(node, ast.Attribute)
        if _is_written(site) and member.stores is not None:
            site.refuse(member.stores, f"`{ast.unparse(node)}` is changed here")
        elif site.mixed and (member.guarded or member.becomes):
            site.refuse("receiver_unresolved", f"`{ast.unparse(node.value)}` may be something else")
        elif member.emptiness and is_waited_for(
            self.workspace, site.module, node, member.emptiness
        ):
            site.refuse("value_may_be_none", f"`{ast.unparse(node)}` may be None now, not empty")
        elif member.guarded or self._comes_through(site, node, member):
            self._keep_guarded(site, node, member)
        elif member.raises and self.raised.is_caught(_read(site, node), member.raises):
            self._keep_raising(site, node, member.raises)
        elif member.empty and (context := emptied(self.workspace, site.module, node, member.empty)):
            self._guarded_sites.add(site)
            self._replace(site, node, member, context)
        elif member.becomes is not None:
            self._replace(site, node, member, "{}")
        elif site.refusal is None:
            self.workspace.unchanged.add(site)

    def _replace(self, site: Site, node: ast.Attribute, member: MemberRead, form: str) -> None:
        draft = self.workspace.draft(site)
        name = node.attr if member.becomes is None else member.becomes
        behind = f".{name}" if name else ""
        draft.replace(node, lambda: form.format(f"{draft.owner(node.value)}{behind}"))

    def _keep_guarded(self, site: Site, node: ast.Attribute, member: MemberRead) -> None:
        empty = member.empty
        form = emptied(self.workspace, site.module, node, empty) if empty else ""
        if self._guard(site, node):
            self._guarded_sites.add(site)
            if form:  # what was tested is the owner; what it holds may be None all the same
                self._replace(site, node, member, form)
        elif form:
            self._through(site, node, form)
        elif member.shown and is_shown(self.workspace, site.module.parents[node], node):
            self._through(site, node, "({})")
            self._warn_maker(site, member.shown)
        elif member.warning is None and not member.through:
            site.refuse("value_may_be_none", f"`{ast.unparse(node.value)}` may be None now")
        else:
            self.workspace.unchanged.add(site)

    def _through(self, site: Site, node: ast.Attribute, form: str) -> None:
        """Read through an owner that may be None, in a form that takes None."""
        if not is_inert(node.value):
            site.refuse("value_may_be_none", f"`{ast.unparse(node.value)}` may be None now")
            return
        draft = self.workspace.draft(site)
        draft.replace(node, lambda: form.format(_guarded(draft.text(node.value), node.attr, False)))

    def _keep_raising(self, site: Site, node: ast.Attribute, exception: str) -> None:
        """A test before the read is said of at the call; at the read where that is elsewhere."""
        if self.raised.keep(site, _read(site, node), exception):
            self._guarded_sites.add(site)
            if not self._warn_maker(site, GUARDED):
                site.warn(GUARDED)
        if site.refusal is None and not site.warnings:
            self.workspace.unchanged.add(site)

    def _comes_through(self, site: Site, node: ast.Attribute, member: MemberRead) -> bool:
        """Whether the owner was read as the member that may be None, here or by a name."""
        if not member.through:
            return False
        owner = only_value(site.module, node.value) if isinstance(node.value, ast.Name) else None
        inner = self.workspace.by_node.get(owner or node.value)
        return inner is not None and inner.member == member.through

    def _warn_maker(self, site: Site, warning: str) -> bool:
        """Warn at the call whose result is read, once a file."""
        assert isinstance(site.node, ast.Attribute)
        called = self.workspace.called.get(site.node.value)
        makers = [self.workspace.by_node.get(owner.site) for owner in site.owners]
        for maker in [called.maker] if called is not None else makers:
            if maker is not None and maker.module is site.module:
                maker.warn(warning)
                return True
        return False

    def _guard(self, site: Site, node: ast.Attribute) -> bool:
        """Reading through what may be None, where only truth is asked: ``owner and owner.x``."""
        if _read(site, node).is_tested:
            self.workspace.unchanged.add(site)
            return True
        if not _asks_truth(site, node) or not is_inert(node.value):
            return False
        draft = self.workspace.draft(site)
        needs_parentheses = not _stands_alone(site.module.parents[node])
        draft.replace(node, lambda: _guarded(draft.text(node.value), node.attr, needs_parentheses))
        return True


def _stands_alone(parent: ast.AST) -> bool:
    """Whether an ``and`` may stand in an expression's place without parentheses."""
    return isinstance(parent, ast.If | ast.While | ast.BoolOp | ast.Assert | ast.comprehension)


def _compared_with_none(parent: ast.AST, node: ast.AST) -> bool | None:
    """Whether a comparison asks if a node is None, or if it is something; None where it does
    neither."""
    if not isinstance(parent, ast.Compare) or parent.left is not node or len(parent.ops) != 1:
        return None
    other, operator = parent.comparators[0], parent.ops[0]
    if not isinstance(other, ast.Constant) or other.value is not None:
        return None
    if isinstance(operator, ast.Is | ast.Eq):
        return True
    return False if isinstance(operator, ast.IsNot | ast.NotEq) else None


def _guarded(owner: str, name: str, parentheses: bool) -> str:
    text = f"{owner} and {owner}.{name}"
    return f"({text})" if parentheses else text


def _is_written(site: Site) -> bool:
    """Whether the attribute, or an item of it, is assigned or deleted."""
    node = site.node
    assert isinstance(node, ast.Attribute)
    parent = site.module.parents[node]
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return not isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.AugAssign):
        return parent.target is node
    return not isinstance(node.ctx, ast.Load)


def _asks_truth(site: Site, node: ast.expr) -> bool:
    parent = site.module.parents[node]
    if isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert):
        return parent.test is node
    if isinstance(parent, ast.comprehension):
        return node in parent.ifs
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    return isinstance(parent, ast.BoolOp) and _asks_truth(site, parent)


def _read(site: Site, node: ast.Attribute) -> Read:
    return Read(site.module, node, node.value, node.attr)
