"""How the program now makes the calls of free functions that a test looks at."""

from __future__ import annotations

import ast

from chatport.port.packs.schema import CallRewrite
from chatport.port.program.modules import Module
from chatport.port.rules.arguments import bind
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.mocks.calls import Assertion, anything, said_by
from chatport.port.rules.mocks.stand import Parts


class FreeCalls:
    """The calls of one free function in the modules that a test is about."""

    def __init__(
        self, workspace: Workspace, rewrite: CallRewrite, config: str, sites: list[Site]
    ) -> None:
        self.workspace = workspace
        self.rewrite = rewrite
        self.config = config
        """The keyword of configurations."""
        self.sites = sites

    def _written(self, site: Site) -> dict[str, ast.expr]:
        """The keywords of a call as it is written now, itself or with what is read of it."""
        assert site.call is not None
        node: ast.AST = site.call
        while isinstance(node, ast.expr):
            found = self._calls(self.workspace.drafts[site.module].text(node))
            if found:
                return said_by(found[0]) if len(found) == 1 else {}
            node = site.module.parents[node]
        return {}

    def _calls(self, text: str) -> list[ast.Call]:
        """The new calls in an expression."""
        try:
            tree = ast.parse(f"({text})", mode="eval")
        except (SyntaxError, ValueError):
            return []
        method = self.rewrite.new_call.rpartition(".")[2]
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        return [
            call
            for call in calls
            if getattr(call.func, "attr", "") == method and not (call.args or _is_legacy(call))
        ]

    def _bound(self, call: ast.Call) -> dict[str, ast.expr] | None:
        """What a legacy call gives, by parameter."""
        known = {*self.rewrite.keywords, *self.rewrite.config_keywords}
        try:
            return bind(call, self.rewrite.positional, known, "")
        except RefusedError:
            return None

    def place(self, said: str | int) -> tuple[str, str] | None:
        """The keyword of the new call that says what legacy said at a place, and the field of the
        configuration below it."""
        given = [self._bound(site.arguments) for site in self.sites]
        if not given:
            return None
        name = said
        if isinstance(said, int):
            positional = self.rewrite.positional
            name = positional[said] if said < len(positional) else ""
            if any(said >= len(site.arguments.args) for site in self.sites):
                return None
        elif any(said not in said_by(site.arguments) for site in self.sites):
            return None
        if name in self.rewrite.keywords:
            keyword = self.rewrite.keywords[str(name)]
            carried = all(
                old is not None and self._is_carried(old[str(name)], self._written(site), keyword)
                for site, old in zip(self.sites, given, strict=True)
            )
            return (keyword, "") if carried else None
        if name in self.rewrite.config_keywords and name not in self.rewrite.spellings:
            return self.config, self.rewrite.config_keywords[str(name)]
        return None

    def _is_carried(self, old: ast.expr, new: dict[str, ast.expr], keyword: str) -> bool:
        return keyword in new and ast.unparse(new[keyword]) == ast.unparse(old)

    def asserted(self, module: Module, call: ast.Call) -> Assertion | str:
        """``assert_called_once_with(model=m, content=c)`` with the arguments of the new call."""
        why = f"`{ast.unparse(call)}` says how a call was made"
        given, written = self._bound(call), [self._written(site) for site in self.sites]
        names = {tuple(new) for new in written}
        if given is None or len(names) != 1 or (call.args and not self._by_position(call)):
            return why
        (keywords,) = names
        own = self.workspace.names[module].types
        values = {
            self.rewrite.keywords[name]: module.source.segment(value)
            for name, value in given.items()
            if name in self.rewrite.keywords
        }
        fields = self._fields(module, given)
        stated = {*values, *((self.config,) if fields else ())}
        if fields is None or not stated <= {*keywords} or not self._states(given):
            return why
        own_fields = {self.rewrite.config_keywords.get(name) for name in given} - {None}
        if fields and not all(self._configured(new) == own_fields for new in written):
            return why
        config = Parts(f"{self.config}={own}.{self.rewrite.config_class}(", tuple(fields))
        whatever = anything(module)
        items = tuple(
            config if fields and k == self.config else f"{k}={values.get(k, whatever)}"
            for k in keywords
        )
        start = module.source.span(call.func)[1] + 1
        end = module.source.span(call)[1] - 1
        any_read = f"{self.config}={whatever}" in items and "." not in whatever
        return Assertion(start, end, items, bool(fields), any_read)

    def _configured(self, new: dict[str, ast.expr]) -> set[str | None]:
        """The fields of the configuration of a new call, with those that legacy said by itself."""
        config = new.get(self.config)
        return {*said_by(config)} if isinstance(config, ast.Call) else set()

    def _by_position(self, call: ast.Call) -> bool:
        return all(len(site.arguments.args) == len(call.args) for site in self.sites)

    def _states(self, given: dict[str, ast.expr]) -> bool:
        """Whether the calls give just the parameters that a test expects; what the new call says
        besides, legacy said by itself."""
        bound = [self._bound(site.arguments) for site in self.sites]
        return bool(bound) and all(old is not None and {*old} == {*given} for old in bound)

    def _fields(self, module: Module, given: dict[str, ast.expr]) -> list[str] | None:
        """The fields of a configuration as a test states them; None where one is spelt in a way
        that is not known."""
        fields, style = [], self.workspace.drafts[module].style
        for name, value in given.items():
            if name not in self.rewrite.config_keywords:
                continue
            table, text = self.rewrite.spellings.get(name), module.source.segment(value)
            if table is not None:
                key = str(value.value).lower() if isinstance(value, ast.Constant) else ""
                if key not in table:
                    return None
                text = style.string(table[key])
            if name in self.rewrite.seconds:
                return None
            fields.append(f"{self.rewrite.config_keywords[name]}={text}")
        return fields


def _is_legacy(call: ast.Call) -> bool:
    """Whether a call is still the free function: no service stands before its name."""
    return not isinstance(getattr(call.func, "value", None), ast.Attribute)
