"""Attributes of legacy objects: which stay, which are called otherwise, which are gone."""

from __future__ import annotations

import ast

from chatport.port.packs.schema import MemberRead, MemberReads
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS
from chatport.port.program.values import External, Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.emptied import emptied
from chatport.port.rules.enums import enumerations
from chatport.port.rules.evaluation import SIMPLE, is_first, runs_always, was_tested
from chatport.port.rules.naming import free_name
from chatport.port.rules.shown import is_shown, note_shown_objects
from chatport.port.rules.use import is_plain

RULE = "member_reads"


class MemberRule:
    """The rule kind ``member_reads``."""

    def __init__(self, change: MemberReads) -> None:
        self.change = change

    def run(self, workspace: Workspace) -> None:
        self.workspace = workspace
        noted: set[tuple[Module, str]] = set()
        self._guarded_sites: set[Site] = set()
        self._refuse_membership()
        self._refuse_conversions()
        self._guards: dict[tuple[ast.AST, str], ast.stmt] = {}
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
            if member is None:
                site.refuse("attribute_removed", f"`{site.member}` is not on the new object")
            elif member.code is not None:
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

    def _refuse_membership(self) -> None:
        """``"text" in part`` asked a message which fields it has; the new objects say no."""
        for module in self.workspace.modules:
            for node in module.nodes(ast.Compare):
                if isinstance(node.ops[0], ast.In | ast.NotIn):
                    self._check_membership(node)

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

    def _check_membership(self, node: ast.Compare) -> None:
        for atom in self.workspace.values(node.comparators[0]):
            if isinstance(atom, Made) and atom.type in self.change.asked_for_fields:
                maker = self.workspace.by_node.get(atom.site)
                if maker is not None:
                    maker.refuse("response_shape_changed", f"`{ast.unparse(node)}` is always false")

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
        elif member.guarded:
            self._keep_guarded(site, node, member)
        elif member.emptiness and is_waited_for(
            self.workspace, site.module, node, member.emptiness
        ):
            site.refuse("value_may_be_none", f"`{ast.unparse(node)}` may be None now, not empty")
        elif member.raises and self._is_caught(site, node, member.raises):
            self._keep_raising(site, node, member.raises)
        elif member.empty and (context := emptied(self.workspace, site.module, node, member.empty)):
            self._guarded_sites.add(site)
            self._replace(site, node, member, context)
        elif member.becomes is not None:
            self._replace(site, node, member, "{}")
        elif site.refusal is None:
            self.workspace.unchanged.add(site)

    def _replace(self, site: Site, node: ast.Attribute, member: MemberRead, form: str) -> None:
        draft, name = self.workspace.draft(site), member.becomes or node.attr
        draft.replace(node, lambda: form.format(f"{draft.owner(node.value)}.{name}"))

    def _keep_guarded(self, site: Site, node: ast.Attribute, member: MemberRead) -> None:
        if self._guard(site, node):
            self._guarded_sites.add(site)
        elif member.empty and (form := emptied(self.workspace, site.module, node, member.empty)):
            self._through(site, node, form)
        elif member.shown and is_shown(self.workspace, site.module.parents[node], node):
            self._through(site, node, "({})")
            self._warn_maker(site, member.shown)
        elif member.warning is None:
            site.refuse("value_may_be_none", f"`{ast.unparse(node.value)}` may be None now")
        else:
            self.workspace.unchanged.add(site)

    def _through(self, site: Site, node: ast.Attribute, form: str) -> None:
        """Read through an owner that may be None, in a form that takes None."""
        if not is_plain(node.value):
            site.refuse("value_may_be_none", f"`{ast.unparse(node.value)}` may be None now")
            return
        draft = self.workspace.draft(site)
        draft.replace(node, lambda: form.format(_guarded(draft.text(node.value), node.attr, False)))

    def _is_caught(self, site: Site, node: ast.Attribute, exception: str) -> bool:
        """Whether a handler met what reading raised. One of everything counts where None would go
        on and a test can say so: None that is used at once fails, and comes there by itself."""
        if is_waited_for(self.workspace, site.module, node, exception):
            return True
        statement = site.module.statement(node)
        return (
            isinstance(statement, SIMPLE)
            and (runs_always(site.module, statement, node) or self._is_asked_for(statement, node))
            and not isinstance(site.module.parents[node], ast.Attribute | ast.Subscript)
            and is_waited_for(self.workspace, site.module, node, "Exception")
        )

    def _keep_raising(self, site: Site, node: ast.Attribute, exception: str) -> None:
        """A handler waits for what reading the text raised: a test before it raises the same."""
        statement = site.module.statement(node)
        draft = self.workspace.draft(site)
        is_if = isinstance(statement, ast.If) and draft.starts(statement, "if")
        name = self._called(node.value)
        if (
            not (is_if or isinstance(statement, SIMPLE))
            or not draft.starts_line(statement)
            or not (
                runs_always(site.module, statement, node) or self._is_asked_for(statement, node)
            )
        ):
            name = None
        elif name is None:
            name = self._name(site, statement, node)
        if name is None and not is_waited_for(self.workspace, site.module, node, exception):
            self.workspace.unchanged.add(site)
            return
        if name is None:
            site.refuse("text_no_longer_raises", f"`{ast.unparse(node)}` is read under a handler")
            return
        if is_tested(site.module, node):
            self.workspace.unchanged.add(site)
            return
        if self._stands_guarded(site.module, statement, name):
            return
        self._guarded_sites.add(site)
        message = draft.style.string("the answer holds no text")
        draft.insert_before(
            statement,
            f"if {name}.{node.attr} is None:\n{draft.style.indent}raise {exception}({message})",
        )
        self._warn_maker(site, "text_guard_added")
        self.workspace.unchanged.add(site)

    def _name(self, site: Site, statement: ast.stmt, node: ast.Attribute) -> str | None:
        """Give an answer that is read where it comes a name before the statement, when nothing in
        the statement runs before it."""
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        maker = self.workspace.by_node.get(call)
        if maker is None or maker.call is not call or not is_first(site.module, statement, node):
            return None
        draft = self.workspace.draft(site)
        if draft.in_f_string(node):
            return None
        name = free_name(self.workspace, site.module, node)
        draft.name_before(statement, name, node.value)
        draft.replace_with(node, f"{name}.{node.attr}")
        return name

    def _is_asked_for(self, statement: ast.stmt, node: ast.Attribute) -> bool:
        """Whether the statement asks first whether there is such an attribute, which reads it:
        ``r.text if hasattr(r, "text") else ""``."""
        for call in ast.walk(statement):
            if not (isinstance(call, ast.Call) and len(call.args) == 2):
                continue
            owner, name = call.args
            if (
                External("builtins.hasattr") in self.workspace.values(call.func)
                and isinstance(name, ast.Constant)
                and name.value == node.attr
                and ast.unparse(owner) == ast.unparse(node.value)
            ):
                module = self.workspace.flow.module_of[call]
                return runs_always(module, statement, call)
        return False

    def _stands_guarded(self, module: Module, statement: ast.stmt, name: str) -> bool:
        """Whether a test of the same answer was put before, in the same block."""
        key = (module.parents[statement], name)
        before = self._guards.get(key)
        self._guards[key] = statement
        body = next(
            value
            for _, value in ast.iter_fields(key[0])
            if isinstance(value, list) and statement in value
        )
        if before not in body:
            return False
        since = body[body.index(before) : body.index(statement)]
        return not any(self._brings_answer(node, name) for s in since for node in ast.walk(s))

    def _brings_answer(self, node: ast.AST, name: str) -> bool:
        """Whether `name` may hold another answer after `node`."""
        if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return ast.unparse(node) == name
        return node in self.workspace.by_node and isinstance(node, ast.Call)

    def _called(self, node: ast.expr) -> str | None:
        """The name an answer is read by, its own or the one it was given."""
        called = self.workspace.called.get(node)
        if called is not None:
            return called.name
        return ast.unparse(node) if is_plain(node) else None

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
        if is_tested(site.module, node):
            self.workspace.unchanged.add(site)
            return True
        if not _asks_truth(site, node) or not is_plain(node.value):
            return False
        draft = self.workspace.draft(site)
        needs_parentheses = not isinstance(
            site.module.parents[node], ast.If | ast.While | ast.BoolOp
        )
        draft.replace(node, lambda: _guarded(draft.text(node.value), node.attr, needs_parentheses))
        return True


def is_waited_for(workspace: Workspace, module: Module, node: ast.AST, exception: str) -> bool:
    """Whether a handler for `exception` stands around a node, or around a call that leads to it."""
    todo, seen = [(module, node)], {node}
    while todo:
        module, child = todo.pop()
        here = module.parents.get(child)
        while here is not None and not isinstance(here, FUNCTIONS):
            if isinstance(here, ast.Try) and child in here.body and _catches(here, exception):
                return True
            child, here = here, module.parents.get(here)
        for call in workspace.flow.calls.get(here, ()) if isinstance(here, FUNCTIONS) else ():
            if call not in seen:
                seen.add(call)
                todo.append((workspace.home(call), call))
    return False


def _catches(statement: ast.Try, exception: str) -> bool:
    for handler in statement.handlers:
        caught = handler.type
        names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
        if any(isinstance(name, ast.Name) and name.id == exception for name in names):
            return True
        if caught is None and exception == "Exception":
            return True
    return False


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
    if isinstance(parent, ast.If | ast.While | ast.IfExp):
        return parent.test is node
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    return isinstance(parent, ast.BoolOp) and _asks_truth(site, parent)


def is_tested(module: Module, node: ast.Attribute) -> bool:
    """Whether an attribute or its owner was tested on the way to it."""
    return was_tested(module, node, {ast.unparse(node.value), ast.unparse(node)})
