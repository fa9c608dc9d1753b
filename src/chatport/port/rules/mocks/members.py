"""What is said to a stand-in: each use of a member that is known has its form on the new SDK, and
for one that is not known the test is refused.
"""

from __future__ import annotations

import ast
from abc import abstractmethod

from msgspec.structs import replace

from chatport.port.packs.schema import ConfigureParams, ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import Function
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.mocks.births import Births
from chatport.port.rules.mocks.calls import Calls
from chatport.port.rules.mocks.effects import is_error, takes_anything
from chatport.port.rules.mocks.fakes import Fakes
from chatport.port.rules.mocks.stand import SILENT, SPOKEN, Change, Outcome, Slot, Stand
from chatport.port.rules.mocks.targets import Role
from chatport.port.source.text import SourceFile


class Members:
    """The part of following that knows the members of stand-ins."""

    def __init__(
        self,
        workspace: Workspace,
        module: Module,
        calls: ModelCallsParams,
        configure: ConfigureParams,
        said: Calls,
        made: list[Site],
        births: Births,
        fleeting: tuple[str, ...],
    ) -> None:
        self.workspace: Workspace = workspace
        self.module: Module = module
        self.source: SourceFile = module.source
        self.calls: ModelCallsParams = calls
        self.configure: ConfigureParams = configure
        self.said: Calls = said
        self.made: list[Site] = made
        self.births = births
        self.fleeting: tuple[str, ...] = fleeting
        self.fakes: Fakes = Fakes(workspace, module, calls)
        self.out: Outcome = Outcome()
        self._model = calls.ctor_symbol.rpartition(".")[2]

    @abstractmethod
    def _use(self, node: ast.AST, stand: Stand) -> None: ...

    @abstractmethod
    def _value(self, node: ast.expr, stand: Stand) -> None: ...

    def _said(self, node: ast.AST) -> Calls:
        return self.said.seen_from(self.module.function(node))

    def _slot(self, node: ast.AST) -> Slot | None:
        if isinstance(node, ast.Name):
            return self.module.scopes.variable.get(node)
        if isinstance(node, ast.Attribute) and is_self(node.value):
            owner = self.module.class_of(node)
            return (owner, node.attr) if owner is not None else None
        return None

    def _returned(self, stand: Stand) -> Stand | None:
        """What calling a stand-in gives, when that matters."""
        if stand.role is Role.CONSTRUCTOR:
            return replace(stand, role=Role.MODEL)
        if stand.role is Role.METHOD and stand.member in self.calls.method_returns:
            return replace(stand, role=Role.CHAT, member="")
        return None

    # -- members

    def _step(self, node: ast.Attribute, stand: Stand) -> None:
        """One attribute further."""
        name, role = node.attr, stand.role
        if role is Role.PATCHER:
            if name == "start":
                self._use(self.module.parents[node], replace(stand, role=stand.patch.target.role))
            elif name != "stop":
                self._refuse(node, stand, f"`{ast.unparse(node)}` is read")
        elif role is Role.PACKAGE:
            self._of_package(node, stand)
        elif role is Role.CONSTRUCTOR:
            self._of_constructor(node, stand)
        elif role is Role.CONFIGURE:
            self._of_configure(node, stand)
        elif role in {Role.MODEL, Role.CHAT}:
            kind = self._model if role is Role.MODEL else self._chat()
            self._of_object(node, stand, f"{kind}.{name}")
        elif role is Role.METHOD:
            self._of_method(node, stand)
        elif role is Role.CALL and name == "args":
            self._use_item(node, stand)
        else:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")

    def _chat(self) -> str:
        return next(iter(self.calls.method_returns.values()))

    def _of_package(self, node: ast.Attribute, stand: Stand) -> None:
        new = self.configure.client_class
        if node.attr == self._model:
            if stand.birth.called and stand.birth.name != new:
                self._refuse(node, stand, "the client is made on first use, by a function")
                return
            self._rename(node, new if stand.birth.called else "")
            self._use(node, replace(stand, role=Role.CONSTRUCTOR))
        elif node.attr == self.configure.symbol.rpartition(".")[2] and stand.birth.called:
            self._rename(node, new)
            self._use(node, replace(stand, role=Role.CONFIGURE))
        elif node.attr != "reset_mock":
            self._refuse(node, stand, f"`{ast.unparse(node)}` is replaced here")

    def _of_constructor(self, node: ast.Attribute, stand: Stand) -> None:
        if node.attr == "return_value":
            model = replace(stand, role=Role.MODEL)
            if not stand.birth.called:
                if isinstance(node.ctx, ast.Store):
                    self._hand_over(node, model)
                    return
                self._rename(node, "")
            self._use(node, model)
        elif node.attr == "side_effect" and isinstance(node.ctx, ast.Store):
            self._fails(node, stand)
        elif not self._may_ask(node) and not self._asks(node, stand):
            self._refuse(node, stand, f"`{ast.unparse(node)}` asks how models were made")

    def _fails(self, node: ast.Attribute, stand: Stand) -> None:
        """``made.side_effect = error``: no model can be made. Now no client can be, or, where the
        client is there before, what the model is asked for fails."""
        statement = self.module.parents[node]
        near = self._near(node) or self.made
        if not isinstance(statement, ast.Assign) or not is_error(self.workspace, statement.value):
            self._refuse(node, stand, f"`{ast.unparse(node)}` asks how models were made")
        elif stand.birth.called:
            if not self.births.at_once(near):
                self._refuse(node, stand, "more is done before the model is made")
        else:
            path = self._said(node).asked_at_once(near)
            if path is None:
                self._refuse(node, stand, "more is done when the model is made")
            else:
                end = self.source.span(node.value)[1]
                self.out.changes.append(Change(end, end, f".{path}"))

    def _fails_at_once(self, effect: ast.expr, stand: Stand) -> None:
        """``patch("app.sdk.Model", side_effect=error)``."""
        near = self._near(effect) or self.made
        known = is_error(self.workspace, effect) and stand.birth.called
        if not known or not self.births.at_once(near):
            self._refuse(effect, stand, "what its call does is given by a function")

    def _near(self, node: ast.AST) -> list[Site]:
        """Where models are made in what a function of the test calls."""
        function = self.module.function(node)
        led = self.said.led_to(function) if function is not None else set()
        return [site for site in self.made if site.module.function(site.node) in led]

    def _may_ask(self, node: ast.Attribute) -> bool:
        """Whether the class of clients is called as often as that of models was."""
        near = self._near(node)
        return node.attr in SILENT and bool(near) and self.births.one_each(near)

    def _asks(self, node: ast.Attribute, stand: Stand) -> bool:
        """``made.assert_called_once_with("name")``: the name is said with each call now."""
        call = self.module.parents[node]
        if node.attr not in SPOKEN or not isinstance(call, ast.Call):
            return False
        statement = self.module.parents[call]
        path = self._said(node).made_with(self.module, call, self.made)
        if path is None or not isinstance(statement, ast.Expr):
            return False
        start = self.source.span(node.value)[1]
        client = ".return_value" if stand.birth.called else ""
        said = self.source.segment(call.args[0])
        end = self.source.span(call)[1]
        self.out.changes.append(Change(start, end, f"{client}.{path} == {said}"))
        first = self.source.span(statement)[0]
        self.out.changes.append(Change(first, first, "assert "))
        return True

    def _hand_over(self, node: ast.Attribute, stand: Stand) -> None:
        """``made.return_value = model``, where the stand-in is now the client itself: the services
        of the one become those of the other."""
        statement = self.module.parents[node]
        services = self.said.services()
        if not isinstance(statement, ast.Assign) or self._slot(statement.value) is None:
            self._refuse(node, stand, "the client is there already")
            return
        self._value(statement.value, stand)
        left = self.source.segment(node.value)
        right = self.source.segment(statement.value)
        start, end = self.source.span(statement)
        indent = "\n" + self.source.indent_at(start)
        lines = [f"{left}.{service} = {right}.{service}" for service in services]
        self.out.changes.append(Change(start, end, indent.join(lines)))

    def _of_configure(self, node: ast.Attribute, stand: Stand) -> None:
        name = node.attr
        call = self.module.parents[node]
        if name in SPOKEN and isinstance(call, ast.Call):
            named = [keyword.arg for keyword in call.keywords]
            new = stand.birth.name == self.configure.client_class
            if call.args or named != [self.configure.environment_keyword] or not new:
                self._refuse(node, stand, f"`{ast.unparse(call)}` says how it was configured")
                return
            extra = ", ".join(
                f"{keyword}={self.workspace.expression(self.module, text)}"
                for keyword, text in self.configure.always.items()
            )
            self.out.needs_types = True
            end = self.source.span(call.keywords[-1])[1]
            self.out.changes.append(Change(end, end, f", {extra}" if extra else ""))
        elif name not in SILENT | {"side_effect", "return_value", "call_args"}:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")

    def _of_object(self, node: ast.Attribute, stand: Stand, member: str) -> None:
        path = self._said(node).path(member)
        if path is None and self.fakes.is_one(node.value):
            return
        if path is None:
            if node.attr != "reset_mock":
                self._refuse(node, stand, self.said.why(member))
            return
        self._rename(node, path)
        self._use(node, replace(stand, role=Role.METHOD, member=member))

    def _of_method(self, node: ast.Attribute, stand: Stand) -> None:
        name = node.attr
        parent = self.module.parents[node]
        if name == "return_value":
            chat = self._returned(stand)
            if chat is not None:
                self._use(node, chat)
        elif name == "side_effect":
            if isinstance(parent, ast.Assign) and node in parent.targets:
                self._effect(parent.value, stand)
        elif name in SPOKEN and isinstance(parent, ast.Call):
            change = self._said(node).asserted(self.module, stand.member, parent)
            if isinstance(change, str):
                self._refuse(node, stand, change)
            else:
                self.out.needs_types |= change.reads_types
                self.out.needs_any |= change.reads_any
                text = ", ".join(change.items)
                self.out.changes.append(Change(change.start, change.end, text, change.items))
        elif name == "call_args":
            self._use(node, replace(stand, role=Role.CALL))
        elif name == "call_args_list":
            self._use(node, replace(stand, role=Role.CALLS))
        elif name not in SILENT:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")

    def _effect(self, value: ast.expr, stand: Stand) -> None:
        """What a method does instead: a list, an exception, or a function that is called."""
        chats = stand.member in self.calls.method_returns
        functions: list[ast.AST] = [value] if isinstance(value, ast.Lambda) else []
        functions += [a.node for a in self.workspace.values(value) if isinstance(a, Function)]
        if chats or not all(takes_anything(function) for function in functions):
            self._refuse(value, stand, "a function takes the old arguments")

    def _stored(self, statement: ast.Assign, stand: Stand) -> None:
        """Something is put where a stand-in has a part."""
        if len(statement.targets) != 1:
            self._refuse(statement, stand, "two things are assigned at once")
        else:
            self._value(statement.value, stand)

    # -- what a call was given

    def _item(self, node: ast.Subscript, stand: Stand) -> None:
        if stand.role is Role.CALLS:
            self._use(node, replace(stand, role=Role.CALL))
            return
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        outer = self.module.parents[node]
        if index == 0 and isinstance(outer, ast.Subscript) and outer.value is node:
            self._use_item(node, stand)
        else:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")

    def _use_item(self, node: ast.expr, stand: Stand) -> None:
        """``args[0]``: the one thing that was given by position."""
        outer = self.module.parents[node]
        index = outer.slice if isinstance(outer, ast.Subscript) else None
        keyword = self._said(node).first_keyword(stand.member)
        if not isinstance(index, ast.Constant) or index.value != 0 or keyword is None:
            self._refuse(node, stand, f"`{ast.unparse(outer)}` is read")
            return
        assert isinstance(node, ast.Attribute | ast.Subscript)
        start = self.source.span(node.value)[1]
        assert isinstance(outer, ast.Subscript)
        end = self.source.span(outer)[1]
        quoted = self.workspace.drafts[self.module].style.string(keyword)
        self.out.changes.append(Change(start, end, f".kwargs[{quoted}]"))

    # -- writing

    def _rename(self, node: ast.Attribute, name: str) -> None:
        """The attribute by its new name; by none where it falls away."""
        start, end = self.source.span(node.value)[1], self.source.span(node)[1]
        if name != node.attr:
            self.out.changes.append(Change(start, end, f".{name}" if name else ""))

    def _refuse(self, node: ast.AST, stand: Stand, why: str) -> None:
        self.out.troubles.append((stand.patch, node, why))


def last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"self", "cls"}
