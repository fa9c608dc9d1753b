"""What is said to a stand-in: each use of a member that is known has its form on the new SDK, and
for one that is not known the test is refused.
"""

from __future__ import annotations

import ast

from msgspec.structs import replace

from chatport.port.program.values import Function
from chatport.port.rules import accessor
from chatport.port.rules.base import Site
from chatport.port.rules.mocks.effects import is_error, takes_anything
from chatport.port.rules.mocks.functions import Functions
from chatport.port.rules.mocks.stand import ONCE, SILENT, SPOKEN, Change, Stand
from chatport.port.rules.mocks.targets import Role


class Members(Functions):
    """The part of following that knows the members of stand-ins."""

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
        elif role is Role.FUNCTION:
            self._of_function(node, stand)
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
            configure = replace(stand, role=Role.CONFIGURE)
            if self._gives_nothing(self.module.parents[node], configure):
                return
            self._rename(node, new)
            self._use(node, configure)
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
        elif node.attr in {"call_args", "call_args_list"}:
            self._made_with(node, stand)
        elif not self._may_ask(node) and not self._asks(node, stand):
            self._refuse(node, stand, f"`{ast.unparse(node)}` asks how models were made")

    def _fails(self, node: ast.Attribute, stand: Stand) -> None:
        """``made.side_effect = error``: no model can be made. Now no client can be, or, where the
        client is there before, what the model is asked for fails."""
        statement = self.module.parents[node]
        near = self._near(node) or self.made
        if isinstance(statement, ast.Assign):
            self.out.effects.append(statement.value)
        if not isinstance(statement, ast.Assign) or not is_error(self.workspace, statement.value):
            self._refuse(node, stand, f"`{ast.unparse(node)}` asks how models were made")
        elif stand.birth.called:
            if not self._is_made_at_once(node, near, stand):
                self._refuse(node, stand, "more is done before the model is made")
        else:
            path = self._said(node).asked_at_once(near)
            if path is None:
                self._refuse(node, stand, "more is done when the model is made")
            else:
                end = self.source.span(node.value)[1]
                self.out.changes.append(Change(end, end, f".{path}"))

    def _is_made_at_once(self, node: ast.AST, near: list[Site], stand: Stand) -> bool:
        """Whether what gives the client fails in the place where a model could not be made: behind
        a configuration, or, where it is asked for in each call, in the call behind it."""
        if stand.birth.name == accessor.GETTER:
            return self._said(node).asked_at_once(near) is not None
        return self.births.at_once(near)

    def _fails_at_once(self, effect: ast.expr, stand: Stand) -> None:
        """``patch("app.sdk.Model", side_effect=error)``."""
        self.out.effects.append(effect)
        near = self._near(effect) or self.made
        known = is_error(self.workspace, effect) and stand.birth.called
        if not known or not self._is_made_at_once(effect, near, stand):
            self._refuse(effect, stand, "what its call does is given by a function")

    def _may_ask(self, node: ast.Attribute) -> bool:
        """Whether the class of clients is called as often as that of models was."""
        near = self._near(node)
        return node.attr in SILENT and bool(near) and self.births.one_each(near)

    def _made_with(self, node: ast.Attribute, stand: Stand) -> None:
        """``made.call_args``: what models were made with is said in each call now."""
        path = self._said(node).answer_path(self._near(node) or self.made)
        if path is None:
            self._refuse(node, stand, f"`{ast.unparse(node)}` asks how models were made")
            return
        start = self.source.span(node.value)[1]
        self.out.changes.append(Change(start, start, f"{self._client_of(stand)}.{path}"))
        role = Role.CALL if node.attr == "call_args" else Role.CALLS
        self._of_given(node, replace(stand, role=role, member=self._model))

    def _client_of(self, stand: Stand) -> str:
        return ".return_value" if stand.birth.called else ""

    def _asks(self, node: ast.Attribute, stand: Stand) -> bool:
        """``made.assert_called_once_with("name")``: the name is said with each call now, and so is
        the configuration."""
        call = self.module.parents[node]
        if node.attr not in SPOKEN or not isinstance(call, ast.Call):
            return False
        said, near = self._said(node), self._near(node) or self.made
        path = said.answer_path(near)
        claims = said.claims(self.module, call, near) if path is not None else None
        if claims is None or (node.attr in ONCE and not said.answers_once(near)):
            return False
        start = self.source.span(node.value)[1]
        self.out.changes.append(Change(start, start, f"{self._client_of(stand)}.{path}"))
        self._restate(node, claims, stand)
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
            self._configured_with(node, call, stand)
        elif name == "call_args":
            self._of_given(node, replace(stand, role=Role.CALL, member=""))
        elif name == "return_value":
            if not self._gives_nothing(node, stand):
                self._refuse(node, stand, f"`{ast.unparse(node)}` is read")
        elif name not in SILENT | {"side_effect"}:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")

    def _gives_nothing(self, node: ast.AST, stand: Stand) -> bool:
        """``configure.return_value = None``: nobody read what a configuration gave, and what takes
        its place gives the client."""
        statement = self.module.parents[node]
        if not isinstance(node, ast.Attribute) or node.attr != "return_value":
            return False
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return False
        if not isinstance(statement.value, ast.Constant | ast.Name):
            return False
        self.workspace.drafts[self.module].delete(statement)
        return True

    def _configured_with(self, node: ast.Attribute, call: ast.Call, stand: Stand) -> None:
        """``configure.assert_called_once_with(api_key=key)``: what gives the client is told the
        key, and the class of clients what keeps the requests as they were."""
        named = [keyword.arg for keyword in call.keywords]
        by_key = not call.args and named == [self.configure.environment_keyword]
        if by_key and stand.birth.name == accessor.KEEPER:
            start = self.source.span(call.func)[1] + 1
            said = self.source.segment(call.keywords[0].value)
            self.out.changes.append(Change(start, self.source.span(call)[1] - 1, said))
            return
        if not by_key or stand.birth.name != self.configure.client_class:
            self._refuse(node, stand, f"`{ast.unparse(call)}` says how it was configured")
            return
        items = [self.source.segment(call.keywords[0])]
        items += [
            f"{keyword}={self.workspace.expression(self.module, text)}"
            for keyword, text in self.configure.always.items()
        ]
        self.out.needs_types = True
        start, end = self.source.span(call.func)[1] + 1, self.source.span(call)[1] - 1
        self.out.changes.append(Change(start, end, ", ".join(items), tuple(items)))

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
                self._restate(node, change, stand)
        elif name == "call_args":
            self._of_given(node, replace(stand, role=Role.CALL))
        elif name == "call_args_list":
            self._of_given(node, replace(stand, role=Role.CALLS))
        elif name not in SILENT:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")

    def _effect(self, value: ast.expr, stand: Stand) -> None:
        """What a method does instead: a list, an exception, or a function that is called."""
        chats = stand.member in self.calls.method_returns
        self.out.effects.append(value)
        functions: list[ast.AST] = [value] if isinstance(value, ast.Lambda) else []
        functions += [a.node for a in self.workspace.values(value) if isinstance(a, Function)]
        self.out.effects += functions
        if chats or not all(takes_anything(function) for function in functions):
            self._refuse(value, stand, "a function takes the old arguments")

    def _stored(self, statement: ast.Assign, stand: Stand) -> None:
        """Something is put where a stand-in has a part."""
        if len(statement.targets) != 1:
            self._refuse(statement, stand, "two things are assigned at once")
        else:
            self._value(statement.value, stand)
