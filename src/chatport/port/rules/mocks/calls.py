"""How the program now makes the calls that a test looks at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import Bound, Class, Container, Function, Values
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.mocks.births import follows_at_once
from chatport.port.rules.mocks.stand import Items, Parts


class Assertion(Struct, frozen=True):
    """A stretch of the test and the arguments that come in its place."""

    start: int
    end: int
    items: Items
    reads_types: bool = False
    reads_any: bool = False


class Calls:
    """The calls of the modules that one test is about."""

    def __init__(self, workspace: Workspace, calls: ModelCallsParams, modules: set[Module]) -> None:
        self.workspace: Workspace = workspace
        self.calls: ModelCallsParams = calls
        self.sites: list[Site] = [
            site
            for site in workspace.sites
            if site.module in modules and site.member in calls.rewrites and site.call is not None
        ]

    def seen_from(self, test: ast.AST | None) -> Calls:
        """Only the calls that a function of the test leads to; all where it leads to none."""
        if test is None:
            return self
        led = self.led_to(test)
        sites = [site for site in self.sites if site.module.function(site.node) in led]
        if not sites or len(sites) == len(self.sites):
            return self
        narrowed = Calls(self.workspace, self.calls, set())
        narrowed.sites = sites
        return narrowed

    def led_to(self, test: ast.AST) -> set[ast.AST]:
        """The functions of the program that a function calls, and those that they call."""
        seen: set[ast.AST] = {test}
        todo: list[ast.AST] = [test]
        while todo:
            for node in ast.walk(todo.pop()):
                if not isinstance(node, ast.Call):
                    continue
                for function in _functions(self.workspace.values(node.func)):
                    if function not in seen:
                        seen.add(function)
                        todo.append(function)
        return seen

    def _of(self, member: str) -> list[Site]:
        return [site for site in self.sites if site.member == member]

    def path(self, member: str) -> str | None:
        """Where a method is on the client, or on the chat; None when it is in two places."""
        rewrite = self.calls.rewrites.get(member)
        if rewrite is None:
            return None
        sites = self._of(member)
        streams = {site.call in self.workspace.streams for site in sites}
        if len(streams) > 1:
            return None
        if True in streams:
            return rewrite.stream_call
        if rewrite.async_call is not None and sites:
            return self._written(sites)
        return rewrite.new_call

    def _written(self, sites: list[Site]) -> str | None:
        """The path as the program writes it, where there are two of them."""
        paths = set()
        for site in sites:
            call = self._new(site)
            client = self.workspace.client_of.get(site)
            written = ast.unparse(call.func) if call is not None else ""
            if client is None or not written.startswith(f"{client}."):
                return None
            paths.add(written.removeprefix(f"{client}."))
        return paths.pop() if len(paths) == 1 else None

    def why(self, member: str) -> str:
        """Why a member has no path."""
        if member in self.calls.rewrites:
            return f"`{member}` is called in two ways"
        return f"`{member}` has no counterpart"

    def services(self) -> list[str]:
        """The services of the client that the calls are made on."""
        found = set()
        for member in {site.member for site in self.sites}:
            rewrite = self.calls.rewrites[member or ""]
            path = self.path(member or "") if rewrite.root == "client" else None
            if path is not None:
                found.add(path.partition(".")[0])
        return sorted(found) or ["models"]

    def first_keyword(self, member: str) -> str | None:
        """The new keyword of what legacy calls gave first, by position and unchanged."""
        sites = self._of(member)
        rewrite = self.calls.rewrites[member]
        if not sites or not rewrite.positional:
            return None
        keyword = rewrite.keywords.get(rewrite.positional[0])
        for site in sites:
            assert site.call is not None
            call = self._new(site)
            given = said_by(call).get(keyword or "") if call is not None else None
            if given is None or not site.call.args or _text(given) != _text(site.call.args[0]):
                return None
        return keyword

    def asserted(self, module: Module, member: str, call: ast.Call) -> Assertion | str:
        """``assert_called_once_with(prompt)`` with the arguments of the new call. What legacy said
        when the model was made, it did not say here: unless it is a constant, anything goes."""
        sites = self._of(member)
        keyword = self.first_keyword(member)
        one = len(call.args) == 1 and not call.keywords
        plain = all(
            site.call is not None
            and len(site.call.args) == 1
            and {k.arg for k in site.call.keywords} <= {self.calls.stream_parameter}
            for site in sites
        )
        written = [new for site in sites if (new := self._new(site)) is not None]
        names = {tuple(said_by(new)) for new in written}
        if keyword is None or not one or not plain or len(names) != 1:
            return f"`{ast.unparse(call)}` says how a call was made"
        said, types, any_read = [], False, False
        for name in names.pop():
            if name == keyword:
                said.append(f"{name}={module.source.segment(call.args[0])}")
                continue
            text = self._constant(module, name, written)
            types |= f"{self.workspace.names[module].types}." in (text or "")
            any_read |= text is None and "." not in anything(module)
            said.append(f"{name}={text or anything(module)}")
        start = module.source.span(call.func)[1] + 1
        return Assertion(start, module.source.span(call)[1] - 1, tuple(said), types, any_read)

    def _constant(self, module: Module, name: str, written: list[ast.Call]) -> str | None:
        """What all calls say under a keyword, where it means the same in the test."""
        values = [said_by(new)[name] for new in written]
        types = {self.workspace.names[site.module].types for site in self.sites}
        if len({_text(value) for value in values}) > 1 or not _is_constant(values[0], types):
            return None
        text = _text(values[0]).replace("'", '"') if '"' not in _text(values[0]) else None
        own = self.workspace.names[module].types
        for name in types if text is not None else ():
            text = re.sub(rf"\b{re.escape(name)}\.", f"{own}.", text or "")
        return text

    def place(self, member: str, said: str | int) -> tuple[str, str] | None:
        """The new keyword of what legacy calls gave at a place, by index or by name; the place is
        below it where the keyword holds a configuration."""
        sites, rewrite = self._of(member), self.calls.rewrites[member]
        given = [(_given(site, said), self._new(site)) for site in sites]
        if said == self.calls.generation_config and rewrite.configures:
            keyword = self.calls.config_keyword
            known = all(old is not None and keyword in _said(new) for old, new in given)
            return (keyword, "") if known and sites else None
        if isinstance(said, int):
            name = rewrite.positional[said] if said < len(rewrite.positional) else ""
        else:
            name = said
        keyword = rewrite.keywords.get(name, "")
        known = all(
            old is not None and keyword in _said(new) and _text(_said(new)[keyword]) == _text(old)
            for old, new in given
        )
        return (keyword, "") if keyword and known and sites else None

    def place_of_made(self, said: str | int, made: list[Site]) -> tuple[str, str] | None:
        """The same for what models are made with, each of which answers one call."""
        answers = self._answers(made) or []
        calls = self.calls
        parameter = calls.model_parameter if said == 0 else said
        if parameter == calls.model_parameter:
            return (calls.model_keyword, "") if answers else None
        known = all(
            calls.generation_config not in said_by(other.arguments)
            and calls.config_keyword in _said(self._new(other))
            for _, other in answers
        )
        if not answers or not known:
            return None
        if parameter == calls.generation_config:
            return calls.config_keyword, ""
        if parameter not in calls.carried or not isinstance(parameter, str):
            return None
        return calls.config_keyword, parameter

    def answer_path(self, made: list[Site]) -> str | None:
        """Where what a model is made with is said now: a path below the client. Only where each
        model answers one call, in the function it is made in."""
        answers = self._answers(made)
        return self._one_path(answers) if answers else None

    def answers_once(self, made: list[Site]) -> bool:
        """Whether the call that a model answers is made as often as the model is: in no loop that
        the model is not made in as well."""
        return all(
            _loops(one.module, other.node) <= _loops(one.module, one.node)
            for one, other in self._answers(made) or ()
        )

    def claims(self, module: Module, call: ast.Call, made: list[Site]) -> Assertion | None:
        """``assert_called_with("name")`` of the class of models with the arguments of the new call
        that the model answers; None where a part of what is said is not said by them alone."""
        calls, named = self.calls, said_by(call)
        answers = self._answers(made) or []
        written = [new for _, other in answers if (new := self._new(other)) is not None]
        names = {tuple(said_by(new)) for new in written}
        name = call.args[0] if call.args else named.pop(calls.model_parameter, None)
        if len(call.args) > 1 or len(names) != 1 or name is None:
            return None
        fields = self._claimed(module, named)
        alone = self._says_no_more(answers)
        if fields is None or (fields and not alone):
            return None
        own = self.workspace.names[module].types
        values: dict[str, str] = {calls.model_keyword: module.source.segment(name)}
        if alone and not fields:
            values[calls.config_keyword] = "None"
        (keywords,) = names
        if fields and calls.config_keyword not in keywords:
            return None
        config = Parts(f"{calls.config_keyword}={own}.{calls.config_class}(", tuple(fields))
        whatever = anything(module)
        items = tuple(
            config if fields and k == calls.config_keyword else f"{k}={values.get(k, whatever)}"
            for k in keywords
        )
        any_read = any(f"{k}={whatever}" in items for k in keywords)
        start = module.source.span(call.func)[1] + 1
        end = module.source.span(call)[1] - 1
        return Assertion(start, end, items, bool(fields), any_read and "." not in whatever)

    def _claimed(self, module: Module, named: dict[str, ast.expr]) -> list[str] | None:
        """The fields of a configuration as a test states them."""
        calls, segment = self.calls, module.source.segment
        fields = []
        for name, value in named.items():
            if name == calls.carried[0]:
                fields.append(f"{name}={segment(value)}")
            elif name != calls.generation_config or self._is_object(value):
                return None
            elif isinstance(value, ast.Dict):
                keys = [str(k.value) for k in value.keys if isinstance(k, ast.Constant)]
                if len(keys) < len(value.keys) or not {*keys} <= {*calls.generation_config_keys}:
                    return None
                fields += [f"{k}={segment(v)}" for k, v in zip(keys, value.values, strict=True)]
            else:
                fields.append(f"**{segment(value)}")
        return fields

    def _is_object(self, node: ast.expr) -> bool:
        """Whether a value is not known to be a mapping."""
        values = self.workspace.values(node)
        kinds = (ast.Dict, ast.Call)
        mapping = [a for a in values if isinstance(a, Container) and isinstance(a.node, kinds)]
        return not values or len(mapping) < len(values)

    def _says_no_more(self, answers: list[tuple[Site, Site]]) -> bool:
        """Whether the configuration of each new call is just what the model was made with, of
        parts that a test can state."""
        calls = self.calls
        known = {calls.model_parameter, calls.generation_config, calls.carried[0]}
        return all(
            {k.arg for k in one.arguments.keywords} <= known
            and len(one.arguments.args) <= 1
            and {k.arg for k in other.arguments.keywords}
            <= {calls.stream_parameter, *calls.rewrites[other.member or ""].keywords}
            for one, other in answers
        )

    def asked_at_once(self, made: list[Site]) -> str | None:
        """The path of the one method that models are asked for right behind their making, so that
        it may fail in the place of the making."""
        answers = self._answers(made)
        if not answers or not all(
            follows_at_once(one.module, one.node, other.node) and self._is_plain(other.arguments)
            for one, other in answers
        ):
            return None
        return self._one_path(answers)

    def _is_plain(self, call: ast.Call) -> bool:
        """Whether giving a call its arguments does nothing but make a configuration."""
        parts = [part for node in (*call.args, *call.keywords) for part in ast.walk(node)]
        return not any(
            isinstance(part, ast.Await | ast.Yield)
            or (isinstance(part, ast.Call) and not self._makes_config(part))
            for part in parts
        )

    def _makes_config(self, call: ast.Call) -> bool:
        made = self.workspace.by_node.get(call)
        return made is not None and made.symbol == self.calls.generation_config_class

    def _one_path(self, answers: list[tuple[Site, Site]]) -> str | None:
        paths = {self.path(other.member or "") for _, other in answers}
        return paths.pop() if len(paths) == 1 else None

    def _answers(self, made: list[Site]) -> list[tuple[Site, Site]] | None:
        """Models that are made, each with the one call that it answers, in the function it is made
        in; None where one of them answers several, or elsewhere."""
        found = []
        functions = {site.module.function(site.node) for site in self.sites}
        for site in made:
            function = site.module.function(site.node)
            if function not in functions:
                continue
            asked = [
                use
                for use in self.sites
                if use.module is site.module
                and any(owner.site is site.call for owner in use.owners)
            ]
            if len(asked) != 1 or site.module.function(asked[0].node) is not function:
                return None
            found.append((site, asked[0]))
        return found

    def _new(self, site: Site) -> ast.Call | None:
        """The call as it is written now."""
        assert site.call is not None
        draft = self.workspace.drafts[site.module]
        try:
            found = ast.parse(draft.text(site.call), mode="eval").body
        except (SyntaxError, ValueError):
            return None
        return found if isinstance(found, ast.Call) else None


def anything(module: Module) -> str:
    """How a test writes the object of the mock library that equals everything."""
    for node in module.parents:
        if isinstance(node, ast.alias) and (node.asname or node.name) == "mock":
            return "mock.ANY"
    return "ANY"


def _functions(values: Values) -> Iterator[ast.AST]:
    """The functions that calling a value runs."""
    for atom in values:
        if isinstance(atom, Function):
            yield atom.node
        elif isinstance(atom, Bound):
            yield atom.function
        elif isinstance(atom, Class):
            for part in atom.node.body:
                if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                    yield part


def _loops(module: Module, node: ast.AST) -> set[ast.AST]:
    """The loops of its function that a node stands in."""
    found, function = set[ast.AST](), module.function(node)
    while node is not function and not isinstance(node, ast.Module):
        node = module.parents[node]
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            found.add(node)
    return found


def _given(site: Site, said: str | int) -> ast.expr | None:
    """What a legacy call gave at a place."""
    arguments = site.arguments
    if isinstance(said, str):
        return said_by(arguments).get(said)
    positional = arguments.args
    return positional[said] if said < len(positional) else None


def _said(call: ast.Call | None) -> dict[str, ast.expr]:
    return said_by(call) if call is not None else {}


def said_by(call: ast.Call) -> dict[str, ast.expr]:
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}


def _text(node: ast.expr) -> str:
    return ast.unparse(node)


def _is_constant(node: ast.expr, types: set[str]) -> bool:
    """Whether an expression says the same in any module that has the new types."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names <= types
