"""How the program now makes the calls that a test looks at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import Bound, Class, Function, Values
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.mocks.births import follows_at_once


class Assertion(Struct, frozen=True):
    """A stretch of the test and the arguments that come in its place."""

    start: int
    end: int
    items: tuple[str, ...]
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
            given = _keywords(call).get(keyword or "") if call is not None else None
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
        names = {tuple(_keywords(new)) for new in written}
        if keyword is None or not one or not plain or len(names) != 1:
            return f"`{ast.unparse(call)}` says how a call was made"
        said, types, anything = [], False, False
        for name in names.pop():
            if name == keyword:
                said.append(f"{name}={module.source.segment(call.args[0])}")
                continue
            text = self._constant(module, name, written)
            types |= f"{self.workspace.names[module].types}." in (text or "")
            anything |= text is None and "." not in _any(module)
            said.append(f"{name}={text or _any(module)}")
        start = module.source.span(call.func)[1] + 1
        return Assertion(start, module.source.span(call)[1] - 1, tuple(said), types, anything)

    def _constant(self, module: Module, name: str, written: list[ast.Call]) -> str | None:
        """What all calls say under a keyword, where it means the same in the test."""
        values = [_keywords(new)[name] for new in written]
        types = {self.workspace.names[site.module].types for site in self.sites}
        if len({_text(value) for value in values}) > 1 or not _is_constant(values[0], types):
            return None
        text = _text(values[0]).replace("'", '"') if '"' not in _text(values[0]) else None
        own = self.workspace.names[module].types
        for name in types if text is not None else ():
            text = re.sub(rf"\b{re.escape(name)}\.", f"{own}.", text or "")
        return text

    def made_with(self, module: Module, call: ast.Call, made: list[Site]) -> str | None:
        """Where the name that a model is made with is said now: a path below the client and a
        keyword. Only where each model answers one call, in the function it is made in."""
        answers = self._answers(made)
        path = self._one_path(answers) if answers is not None else None
        if path is None or len(call.args) != 1 or call.keywords:
            return None
        return f'{path}.call_args.kwargs["{self.calls.model_keyword}"]'

    def asked_at_once(self, made: list[Site]) -> str | None:
        """The path of the one method that models are asked for right behind their making, so that
        it may fail in the place of the making."""
        answers = self._answers(made)
        if not answers or not all(
            follows_at_once(one.module, one.node, other.node) and _is_plain(other.arguments)
            for one, other in answers
        ):
            return None
        return self._one_path(answers)

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


def _any(module: Module) -> str:
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


def _is_plain(call: ast.Call) -> bool:
    """Whether giving a call its arguments does nothing."""
    parts = [part for node in (*call.args, *call.keywords) for part in ast.walk(node)]
    return not any(isinstance(part, ast.Call | ast.Await | ast.Yield) for part in parts)


def _keywords(call: ast.Call) -> dict[str, ast.expr]:
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}


def _text(node: ast.expr) -> str:
    return ast.unparse(node)


def _is_constant(node: ast.expr, types: set[str]) -> bool:
    """Whether an expression says the same in any module that has the new types."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names <= types
