"""Stand-ins for free functions of the legacy SDK: they are methods of a service now.

Where the client is replaced too, the method is one of the stand-in for the client; otherwise it is
replaced on the class of the service. What an embedding gives is an object now, not a mapping::

    embed.return_value = {"embedding": [0.1]}
    embed.return_value = Mock(embeddings=[Mock(values=[0.1])])
"""

from __future__ import annotations

import ast

from msgspec.structs import replace

from chatport.port.packs.schema import Call, CallRewrite
from chatport.port.program.values import Function
from chatport.port.render.layout import Element, Sequence, Text, Value, keyword
from chatport.port.render.layout import call as new_call
from chatport.port.rules.mocks.asked import Asked
from chatport.port.rules.mocks.effects import ignores_arguments, is_error, takes_anything
from chatport.port.rules.mocks.free_calls import FreeCalls
from chatport.port.rules.mocks.stand import SILENT, SPOKEN, Change, Stand
from chatport.port.rules.mocks.targets import FRESH, Role


class Functions(Asked):
    """The part of following that knows stand-ins for free functions."""

    def _rewrite(self, stand: Stand) -> CallRewrite:
        change = self.workspace.surface.change(Call)
        assert change is not None
        return change.params.calls[stand.member]

    def _free(self, stand: Stand, node: ast.AST) -> FreeCalls:
        """The calls of the function that a function of the test leads to; all of those that the
        test is about, where it leads to none."""
        change = self.workspace.surface.change(Call)
        assert change is not None
        about = [s for s in self.workspace.sites if s.symbol == stand.member and s.call is not None]
        sites = [site for site in about if site.module in self.about]
        function = self.module.function(node)
        led = self.said.led_to(function) if function is not None else set()
        sites = [site for site in sites if site.module.function(site.node) in led] or sites
        return FreeCalls(self.workspace, self._rewrite(stand), change.params.config_keyword, sites)

    def _reached(self, node: ast.expr, stand: Stand) -> Stand:
        """The method, below the stand-in for the client that takes this one's place."""
        client = ".return_value" if stand.birth.called else ""
        end = self.source.span(node)[1]
        self.out.changes.append(Change(end, end, f"{client}.{self._rewrite(stand).new_call}"))
        return replace(stand, role=Role.FUNCTION)

    def _of_function(self, node: ast.Attribute, stand: Stand) -> None:
        name, parent = node.attr, self.module.parents[node]
        stored = parent.value if isinstance(parent, ast.Assign) and node in parent.targets else None
        if name == "return_value" and stored is not None:
            self._answer(stored, stand)
        elif name == "return_value" and self._rewrite(stand).embedding is None:
            return
        elif name == "side_effect" and stored is not None:
            self._acts(stored, stand)
        elif name in SPOKEN and isinstance(parent, ast.Call):
            change = self._free(stand, node).asserted(self.module, parent)
            if isinstance(change, str):
                self._refuse(node, stand, change)
            else:
                self._restate(node, change, stand)
        elif name in {"call_args", "call_args_list"}:
            role = Role.CALL if name == "call_args" else Role.CALLS
            self._of_given(node, replace(stand, role=role))
        elif name not in SILENT:
            self._refuse(node, stand, f"`{ast.unparse(node)}` is read")

    # -- what is given

    def _stands_in(self, node: ast.expr, stand: Stand) -> None:
        """``patch("the.sdk.embed", fake)``: an object, or a function, in the place of one."""
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in FRESH and not node.args:
            for said in node.keywords:
                if said.arg == "return_value":
                    self._answer(said.value, stand)
                elif said.arg == "side_effect":
                    self._acts(said.value, stand)
                else:
                    self._refuse(node, stand, f"`{ast.unparse(node)[:60]}` states what it has")
            return
        if isinstance(node, ast.Lambda) and ignores_arguments(node):
            self._open(node)
            self._answer(node.body, stand)
            return
        functions = [a.node for a in self.workspace.values(node) if isinstance(a, Function)]
        (function,) = functions if len(functions) == 1 else (None,)
        if function is None or function not in self.module.parents:
            self._refuse(node, stand, f"what `{ast.unparse(node)[:60]}` is, is not known")
        elif not takes_anything(function):
            self._refuse(node, stand, "a function takes the old arguments")
        else:
            self._returns(function, stand)

    def _acts(self, value: ast.expr, stand: Stand) -> None:
        """What a function does instead: a list of answers, an error, or a function."""
        self.out.effects.append(value)
        functions: list[ast.AST] = [value] if isinstance(value, ast.Lambda) else []
        functions += [a.node for a in self.workspace.values(value) if isinstance(a, Function)]
        if isinstance(value, ast.List | ast.Tuple):
            for part in value.elts:
                self._answer(part, stand)
        elif not functions:
            if not is_error(self.workspace, value) and self._rewrite(stand).embedding is not None:
                self._refuse(value, stand, f"what `{ast.unparse(value)[:60]}` is, is not known")
        elif not all(takes_anything(function) for function in functions):
            self._refuse(value, stand, "a function takes the old arguments")
        else:
            self.out.effects += functions
            for function in functions:
                self._returns(function, stand)

    def _returns(self, function: ast.AST, stand: Stand) -> None:
        if isinstance(function, ast.Lambda):
            self._answer(function.body, stand)
            return
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                self._answer(node.value, stand)

    def _answer(self, value: ast.expr, stand: Stand) -> None:
        """What a call gives: the mapping of an embedding becomes an object."""
        embedding = self._rewrite(stand).embedding
        if embedding is None or is_error(self.workspace, value) or _is_open(value):
            return
        if isinstance(value, ast.Name):
            value = self._literal(value) or value
        key = value.keys[0] if isinstance(value, ast.Dict) and len(value.keys) == 1 else None
        said = isinstance(key, ast.Constant) and key.value == embedding.key
        if not isinstance(value, ast.Dict) or not said or value in self._given_as:
            if value not in self._given_as:
                self._refuse(value, stand, f"what `{ast.unparse(value)[:60]}` is, is not known")
            return
        self._given_as.add(value)
        numbers = value.values[0]
        many = self._many(stand, numbers)
        mock = self._mock()
        if many is None or self.source.comments(*self.source.span(value)):
            self._refuse(value, stand, "whether one text is embedded or several is not known")
            return
        draft = self.workspace.drafts[self.module]

        def item(numbers: Value) -> Value:
            return new_call(mock, (keyword(embedding.item, numbers),))

        def build() -> Sequence:
            if not many:
                items: Value = Sequence("[", (Element(item(draft.carried(numbers))),), "]")
            elif isinstance(numbers, ast.List):
                rows = tuple(Element(item(draft.carried(part))) for part in numbers.elts)
                items = Sequence("[", rows, "]")
            else:
                one = f"{mock}({embedding.item}=one)"
                items = Text(f"[{one} for one in {draft.code(numbers)}]")
            return new_call(mock, (keyword(embedding.attribute, items),))

        draft.replace_value(value, build)

    def _literal(self, name: ast.Name) -> ast.expr | None:
        """The mapping that a variable is bound to once, and that nothing else reads."""
        variable = self.module.scopes.variable.get(name)
        if variable is None or len(variable.stores) != 1 or variable.loads != [name]:
            return None
        statement = self.module.parents[variable.stores[0]]
        return statement.value if isinstance(statement, ast.Assign) else None

    def _many(self, stand: Stand, numbers: ast.expr) -> bool | None:
        """Whether several texts are embedded; None where that is not known."""
        said = {self.workspace.embedded.get(site) for site in self._free(stand, numbers).sites}
        if said in ({True}, {False}):
            return said.pop()
        parts = numbers.elts if isinstance(numbers, ast.List) else []
        if parts and all(isinstance(part, ast.List | ast.ListComp) for part in parts):
            return True
        if parts and all(isinstance(part, ast.Constant) for part in parts):
            return False
        return None

    def _mock(self) -> str:
        """The class of stand-ins as the module writes it."""
        names = {
            (node.module, alias.name): alias.asname or alias.name
            for node in self.module.nodes(ast.ImportFrom)
            for alias in node.names
        }
        for name in ("Mock", "MagicMock"):
            if ("unittest.mock", name) in names:
                return names["unittest.mock", name]
        if ("unittest", "mock") in names:
            return f"{names['unittest', 'mock']}.Mock"
        self.out.needs_mock = True
        return "Mock"


def _is_open(value: ast.expr) -> bool:
    """``MagicMock()``: a stand-in that has whatever is read of it."""
    if not isinstance(value, ast.Call) or value.args or value.keywords:
        return False
    name = getattr(value.func, "attr", None) or getattr(value.func, "id", "")
    return name == "MagicMock"
