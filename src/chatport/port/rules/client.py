"""The client: born where legacy was configured, named where every call can reach it.

Where it stands is decided in `placing`; what modules do that do not configure, in `lending`. Here
the configurations become clients.
"""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from chatport.port.packs.schema import ConfigureParams, ConfigureToClient
from chatport.port.program.modules import Module
from chatport.port.program.values import NONE, External
from chatport.port.render.authored import Notes, commented, is_broken
from chatport.port.render.draft import Draft
from chatport.port.render.layout import Element, Text, Value, call, render
from chatport.port.render.layout import Sequence as Written
from chatport.port.rules.accessor import (
    GETTER,
    KEEPER,
    Accessors,
    Helpers,
    environment,
)
from chatport.port.rules.arguments import bind
from chatport.port.rules.base import CONFIGURE, RefusedError, Site, Workspace
from chatport.port.rules.evaluation import is_inert, only_value
from chatport.port.rules.keys import is_ambient, is_from, may_differ, shared_key
from chatport.port.rules.lending import Lending
from chatport.port.rules.placing import AMBIGUOUS, Place, Placing
from chatport.port.rules.reach import Reach
from chatport.port.rules.rotation import parameter_of_keys, varies_in_loop
from chatport.port.rules.sessions import keep_client

RULE = CONFIGURE
CONFIGURES_NOTHING = (".types.", ".protos.", ".GenerationConfig")
"""Parts of symbols that are made and used without a configured SDK."""


class ClientRule:
    """The rule kind ``configure_to_client``."""

    def __init__(self, change: ConfigureToClient) -> None:
        self.params: ConfigureParams = change.params

    def run(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.reach: Reach = Reach(workspace)
        self.placing: Placing = Placing(workspace, self.params, self.reach)
        self.accessors: Accessors = Accessors(workspace, self.params)
        lending = Lending(workspace, self.params, self.reach, self.placing, self.accessors)
        configures = self._configurations()
        users: dict[Module, list[Site]] = {}
        for user in workspace.client_users:
            users.setdefault(user.module, []).append(user)
        lenders = {
            module: lending.lender(module, sites, configures)
            for module, sites in users.items()
            if module not in configures
        }
        places: dict[Module, Place] = {}
        for module, sites in configures.items():
            borrowing = [m for m, lender in lenders.items() if lender is module]
            borrowers = [user for m in borrowing for user in users[m]]
            place = self.placing.place(module, sites, users.get(module, []), borrowers)
            places[module] = place
            served = [*users.get(module, []), *borrowers]
            workspace.requires += [(user, site) for user in served for site in sites]
            lenders |= dict.fromkeys(lending.stranded(module, borrowing, place, configures))
        for module, lender in lenders.items():
            if lender is not None:
                lending.borrow(module, users[module], lender, places[lender])
            else:
                lending.without_lender(module, users[module], configures)
        self._tie_dependents(places)
        self._note_other_keys(configures)
        self.kept: set[ast.AST] = lending.kept
        for module, place in places.items():
            self._settle(module, place, users.get(module, []))
            lent = [u for m, lender in lenders.items() if lender is module for u in users[m]]
            self._check_keys(module, place, users.get(module, []) + lent)

    def _configurations(self) -> dict[Module, list[Site]]:
        configures: dict[Module, list[Site]] = {}
        for site in self.workspace.sites:
            if site.symbol == self.params.symbol and site.kind not in {"import", "string"}:
                site.rule = RULE
                if site.call is None:
                    site.refuse("method_used_as_value", "the function is not called here")
                else:
                    configures.setdefault(site.module, []).append(site)
        return configures

    def _note_other_keys(self, configures: dict[Module, list[Site]]) -> None:
        """Say so where another module of the same program configures another key: legacy's last
        one counted for all of them, and here each module asks with its own."""
        for module, sites in configures.items():
            others = [
                site
                for other, theirs in configures.items()
                if other is not module and self.reach.run_together(module, other)
                for site in theirs
            ]
            if others and may_differ(self.workspace, self.params, [*sites, *others]):
                sites[0].warn("other_keys_elsewhere")

    def _tie_dependents(self, places: dict[Module, Place]) -> None:
        """A module that goes on calling legacy relies on a configuration made elsewhere."""
        for site in self.workspace.sites:
            unported = site.rule is None or site.refusal is not None
            if site.call is None or site.module in places or not unported:
                continue
            if not any(part in site.symbol for part in CONFIGURES_NOTHING):
                for provider in places:
                    if self.reach.run_together(site.module, provider):
                        self.workspace.depend(site.module, provider)

    def _check_keys(self, module: Module, place: Place, users: list[Site]) -> None:
        """A model that was used once kept its key on the legacy SDK; here the client that was
        made last serves all."""
        sites = place.configures
        texts = {ast.unparse(site.call) for site in sites if site.call is not None}
        several = len(texts) > 1 and not self.reach.exclusive(module, sites)
        several &= place.of_module
        if (several or any(map(varies_in_loop, sites))) and any(
            self.reach.has_older_model(user, sites) for user in users
        ):
            for site in sites:
                site.refuse(
                    "multiple_configure_calls",
                    "a model may have been used with one key before another is configured",
                )
        for site in sites:
            function = module.function(site.node)
            ambient = shared_key(self.workspace, self.params, [site]) is not None
            if function is None or ambient:
                continue
            bound = place.kind == "self" or any(
                self.reach.has_older_model(user, sites) for user in users
            )
            if bound and (name := parameter_of_keys(self.workspace, self.params, site)) is not None:
                said = f"what is made with one `{name}` may be used after another is configured"
                site.refuse("multiple_configure_calls", said)
            own = place.kind == "self"
            again = self.reach.may_run_again(function, of_instance=own)
            keeps = (self.reach.keeps_first_key(user, sites, of_instance=own) for user in users)
            if again and any(keeps):
                site.warn("client_of_the_last_key")

    def _settle(self, module: Module, place: Place, users: list[Site]) -> None:
        """Name the client at each call of its module, and make it where legacy was configured."""
        if place.of_module and not place.kept:
            keep_client(self.workspace, module, place.name, users, self.kept)
        for user in users:
            self.workspace.client_of[user] = self._at_call(module, place, user)
        for site in place.configures:
            self._draft(module, place, site)
        if place.kept:
            self.workspace.kept_clients.add(module)
        if place.lazy or place.kept:
            self._write_helpers(module, place)

    def _write_helpers(self, module: Module, place: Place) -> None:
        module = place.home or module
        names = {GETTER} if place.lazy else set()
        names |= {KEEPER} if place.kept else set()
        if names & module.scopes.names:
            for site in place.configures:
                site.refuse(AMBIGUOUS, "the names of the functions that would give it are taken")
            return
        helpers = Helpers(
            place.name, GETTER if place.lazy else None, KEEPER if place.kept else None
        )
        self.accessors.write(module, helpers)

    def _at_call(self, module: Module, place: Place, user: Site) -> str:
        if place.kind == "self":
            return f"{self.reach.self_name(module, user.node)}.{place.name}"
        of_home = f"{place.alias}." if place.home is not None else ""
        return of_home + (f"{GETTER}()" if place.lazy else place.name)

    def _target(self, module: Module, place: Place, site: Site) -> str:
        if place.kind == "self":
            return f"{self.reach.self_name(module, site.node)}.{place.name}"
        return f"{place.alias}.{place.name}" if place.home is not None else place.name

    # -- drafting

    def _draft(self, module: Module, place: Place, site: Site) -> None:
        draft = self.workspace.drafts[module]
        assert site.call is not None
        statement = module.parents[site.call]
        try:
            elements, notes = self._elements(draft, site)
        except RefusedError as error:
            site.refuse(error.refusal.code, error.refusal.detail)
            return
        if not isinstance(statement, ast.Expr) and self.reach.name_of_nothing(site) is None:
            site.refuse("configure_not_a_statement", "the call's value is used")
            return
        target = self._target(module, place, site)
        start, end = draft.span(site.call)
        if isinstance(statement, ast.Assign):
            start = draft.span(statement)[0]
        indent = draft.source.indent_at(start)
        column = start - draft.source.line_start(start) + len(target) + 3
        explode = is_broken(draft, site.call)

        def build() -> str:
            value = replace(
                self._made(module, place, elements, explode=explode),
                note=notes.opening,
                last=notes.closing,
            )
            return f"{target} = {render(value, draft.style, indent, column)}"

        if site.node in self.workspace.stays.beside:
            if not self._may_stand_beside(draft, site, statement):
                site.refuse(AMBIGUOUS, "what is configured would be asked for twice")
                return
            behind = _line_end(draft, end)
            draft.replace_span(behind, behind, lambda: f"\n{indent}{build()}")
        else:
            draft.replace_span(start, end, build)
        if place.kind == "global" and place.home is None:
            self._declare_global(draft, module, place, site)

    def _may_stand_beside(self, draft: Draft, site: Site, statement: ast.AST) -> bool:
        """Whether a client can be made on the line below a configuration that stays: what that is
        told may be evaluated again, and no other code stands on its lines."""
        assert site.call is not None
        values = [*site.call.args, *(keyword.value for keyword in site.call.keywords)]
        again = all(is_inert(node) or is_ambient(self.workspace, node) for node in values)
        alone = isinstance(statement, ast.Expr) and draft.has_lines(statement)
        return again and alone

    def _elements(self, draft: Draft, site: Site) -> tuple[tuple[Element, ...], Notes]:
        assert site.call is not None
        allowed = {*self.params.keywords, *self.params.dropped}
        try:
            arguments = bind(site.call, self.params.positional, allowed, "configure")
        except RefusedError as error:
            raise RefusedError("configure_kwargs_unsupported", error.refusal.detail) from None
        elements = []
        start, end = draft.source.span(site.call.func)[1], draft.source.span(site.call)[1]
        notes = commented(draft, start, end, list(arguments.values()))
        for (name, node), note in zip(arguments.items(), notes.elements, strict=True):
            if name in self.params.keywords:
                prefix = f"{self.params.keywords[name]}="
                value = draft.carried(node)
                if self._may_be_none(site.module, node):
                    site.warn("client_constructed_eagerly")
                    value = self._or_environment(draft, site, node)
                elements.append(replace(note, value=value, prefix=prefix))
            elif not self._may_go(name, node):
                raise RefusedError(
                    "configure_kwargs_unsupported", f"`{name}={ast.unparse(node)}` would be lost"
                )
        if not elements and self.params.environment_keyword:
            site.warn("client_constructed_eagerly")
            elements.append(self._environment(draft))
        return tuple(elements), notes

    def _made(
        self, module: Module, place: Place, elements: tuple[Element, ...], *, explode: bool
    ) -> Written:
        if not place.kept:
            return self.accessors.client(module, elements, explode=explode)
        keeper = f"{place.alias}.{KEEPER}" if place.home is not None else KEEPER
        return call(keeper, tuple(replace(element, prefix="") for element in elements))

    def _environment(self, draft: Draft) -> Element:
        draft.needs.add("os")
        keys = Text(environment(self.params, draft.style.string))
        return Element(keys, f"{self.params.environment_keyword}=")

    def _or_environment(self, draft: Draft, site: Site, node: ast.expr) -> Value:
        """A key that may be missing. Both SDKs then look into the environment, each with another
        name first; one that was read from there anyway is the same on both."""
        first = self.params.environment[:1]
        same = is_from(self.workspace, site.module, node, self.params.environment)
        if not first or same:
            return draft.carried(node)
        draft.needs.add("os")
        if isinstance(node, ast.Constant) and node.value is None:
            return Text(environment(self.params, draft.style.string))
        code = draft.owner(node) if isinstance(node, ast.IfExp | ast.Lambda) else draft.code(node)
        return Text(f"{code} or os.environ.get({draft.style.string(first[0])})")

    def _may_go(self, name: str, node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and (
            node.value is None or node.value in self.params.dropped[name]
        )

    def _may_be_none(self, module: Module, node: ast.expr) -> bool:
        """Whether a key may be missing: None, empty, or what a visitor has not typed yet."""
        given = only_value(module, node) if isinstance(node, ast.Name) else None
        if any(isinstance(n, ast.Constant) and not n.value for n in (node, given)):
            return True
        return any(
            atom == NONE or (isinstance(atom, External) and atom.name.endswith(".text_input()"))
            for atom in self.workspace.values(node)
        )

    def _declare_global(self, draft: Draft, module: Module, place: Place, site: Site) -> None:
        function = module.function(site.node)
        if function is None:
            return
        first = self.reach.first_statement(function)
        if first is None:
            site.refuse("configure_not_a_statement", "there is no room to declare a global name")
        elif function not in self.workspace.declared_global:
            self.workspace.declared_global.add(function)
            draft.insert_before(first, f"global {place.name}")


def _line_end(draft: Draft, offset: int) -> int:
    """Where the line that holds an offset ends, its comment included."""
    rest = re.compile(r"[^\r\n]*").match(draft.source.text, offset)
    assert rest is not None
    return rest.end()
