"""The client: born where legacy was configured, named where every call can reach it.

Legacy had one global configuration; the new SDK has a client object. It is bound to the widest
name that its calls need: a module name, an attribute of ``self``, or a local variable when nothing
that depends on the client outlives the function (a client that is collected closes its transport
under its chats and streams).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from chatport.port.findings import Kind
from chatport.port.packs.schema import ConfigureParams, ConfigureToClient
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.values import NONE, Class, External
from chatport.port.render.draft import Draft, Notes, commented, is_broken
from chatport.port.render.layout import Element, call, keyword, render
from chatport.port.render.layout import Sequence as Written
from chatport.port.rules import accessor
from chatport.port.rules.accessor import shared_key
from chatport.port.rules.arguments import bind
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.config import RefusedError
from chatport.port.rules.imports import end_of_imports
from chatport.port.rules.reach import Reach
from chatport.port.rules.sessions import keep_client
from chatport.port.rules.timing import Timing

RULE = "configure_to_client"
EMPTY_BASES = {External("builtins.object"), External("abc.ABC"), External("typing.Protocol")}
CONFIGURES_NOTHING = (".types.", ".protos.", ".GenerationConfig")
"""Parts of symbols that are made and used without a configured SDK."""


@dataclass(eq=False, slots=True)
class Place:
    """Where one module's client stands."""

    kind: str
    """``module``, ``self``, ``local``, ``global``, ``imported`` or ``environment``."""
    name: str
    configures: list[Site] = field(default_factory=list)


class ClientRule:
    """The rule kind ``configure_to_client``."""

    def __init__(self, change: ConfigureToClient) -> None:
        self.params: ConfigureParams = change.params

    def run(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.reach: Reach = Reach(workspace)
        configures: dict[Module, list[Site]] = {}
        for site in workspace.sites:
            if site.symbol == self.params.symbol and site.kind not in {"import", "string"}:
                site.rule = RULE
                if site.call is None:
                    site.refuse("method_used_as_value", "the function is not called here")
                else:
                    configures.setdefault(site.module, []).append(site)
        users: dict[Module, list[Site]] = {}
        for user in workspace.client_users:
            users.setdefault(user.module, []).append(user)
        lends = len(configures) == 1 and any(module not in configures for module in users)
        places = {
            module: self._own_place(module, sites, users.get(module, []), lends=lends)
            for module, sites in configures.items()
        }
        for module, sites in users.items():
            if module not in places:
                self._borrowed(module, sites, places)
        self._tie_dependents(places)
        for module, place in places.items():
            for site in place.configures:
                self._draft(module, place, site)

    def _tie_dependents(self, places: dict[Module, Place]) -> None:
        """A module that goes on calling legacy relies on a configuration made elsewhere."""
        for site in self.workspace.sites:
            unported = site.rule is None or site.refusal is not None
            if site.call is None or site.module in places or not unported:
                continue
            if not any(part in site.symbol for part in CONFIGURES_NOTHING):
                for provider in places:
                    if self._run_together(site.module, provider):
                        self.workspace.depend(site.module, provider)

    def _run_together(self, one: Module, other: Module) -> bool:
        """Whether one program may load both modules."""
        return any(
            (module is one or self.reach.imports(module, one))
            and (module is other or self.reach.imports(module, other))
            for module in self.workspace.modules
        )

    # -- placing

    def _own_place(
        self, module: Module, configures: list[Site], users: list[Site], *, lends: bool
    ) -> Place:
        functions = [module.function(site.node) for site in configures]
        kind = self._kind(module, configures, users, functions, lends=lends)
        place = Place(kind, self._name(module, kind, configures), configures)
        if len(configures) > 1 and kind in {"module", "global"}:
            self._check_one_key(module, configures)
        self._check_timing(module, place, users)
        if kind in {"module", "global"}:
            keep_client(self.workspace, module, place.name, users)
        for user in users:
            self.workspace.client_of[user] = self._seen_from(module, place, user)
        return place

    def _check_timing(self, module: Module, place: Place, users: list[Site]) -> None:
        """The client must be there whenever a call reads it."""
        for site in place.configures:
            if module.function(site.node) is None and module.class_of(site.node) is not None:
                site.refuse(
                    "client_placement_ambiguous", "the methods of a class do not see its names"
                )
        timing = Timing(self.workspace, module, place.configures)
        reasons = [timing.is_late(user) for user in users]
        if place.kind == "self" and any(timing.skips(user) for user in users):
            reasons.append("the object may be made without it, and its calls need the client")
        for reason in filter(None, reasons):
            for site in place.configures:
                site.refuse("client_placement_ambiguous", reason)
            return

    def _kind(
        self,
        module: Module,
        configures: list[Site],
        users: list[Site],
        functions: list[FunctionNode | None],
        *,
        lends: bool,
    ) -> str:
        """`lends`: modules that do not configure themselves need the client too."""
        if all(function is None for function in functions):
            return "module"
        if users and not lends and self.reach.by_self(module, configures, users):
            self._check_lifetime(module, configures, functions, users, of_instance=True)
            return "self"
        inside = users and all(functions) and self.reach.stays_inside(module, functions, users)
        if inside and not lends:
            return "local"
        self._check_lifetime(module, configures, functions, users, of_instance=False)
        return "global"

    def _check_lifetime(
        self,
        module: Module,
        configures: list[Site],
        functions: list[FunctionNode | None],
        users: list[Site],
        *,
        of_instance: bool,
    ) -> None:
        """Refuse where running a configuration again would collect a client that still serves."""
        if not any(
            user.call is not None and self.reach.outlives(module, user.call, pauses=True)
            for user in users
        ):
            return
        for site, function in zip(configures, functions, strict=True):
            if function is not None and self.reach.may_run_again(function, of_instance=of_instance):
                site.refuse(
                    "client_placement_ambiguous",
                    "this may run again, and the client it replaces would close under its chats",
                )

    def _inherited(self, module: Module, configures: Sequence[Site]) -> set[str]:
        """The attributes an object may have from classes elsewhere; of a class that is not in the
        repository, the first choice of a name."""
        flow = self.workspace.flow
        found: set[str] = set()
        for owner in {module.class_of(site.node) for site in configures} - {None}:
            assert owner is not None
            classes = {owner, *flow.ancestors.get(owner, ())}
            for atom in (a for cls in classes for base in cls.bases for a in flow.of(base)):
                home = flow.module_of.get(atom.node) if isinstance(atom, Class) else None
                if home is not None:
                    found |= {n.attr for n in home.parents if isinstance(n, ast.Attribute)}
                elif atom not in EMPTY_BASES:
                    found.add(self.params.name)
        return found

    def _name(self, module: Module, kind: str, configures: Sequence[Site] = ()) -> str:
        taken = module.scopes.names()
        if kind == "self":
            taken = {n.attr for n in module.parents if isinstance(n, ast.Attribute)}
            taken |= self._inherited(module, configures)
        for name in (self.params.name, self.params.fallback_name):
            if name not in taken:
                return name
        number = 2
        while f"{self.params.fallback_name}_{number}" in taken:
            number += 1
        return f"{self.params.fallback_name}_{number}"

    def _seen_from(self, module: Module, place: Place, user: Site) -> str:
        if place.kind != "self":
            return place.name
        return f"{self.reach.self_name(module, user.node)}.{place.name}"

    def _check_one_key(self, module: Module, configures: list[Site]) -> None:
        """Several configurations are one client when they say the same or exclude one another."""
        texts = {ast.unparse(site.call) for site in configures if site.call is not None}
        if len(texts) == 1 or self.reach.exclusive(module, configures):
            return
        for site in configures:
            site.refuse(
                "multiple_configure_calls",
                "the module is configured more than once, in different ways",
            )

    # -- modules that do not configure

    def _borrowed(self, module: Module, users: list[Site], places: dict[Module, Place]) -> None:
        if not places:
            self._from_environment(module, users)
            return
        near = {other: p for other, p in places.items() if self._run_together(module, other)}
        source = self._provider(module, near)
        if source is None and self._on_first_use(module, users, places):
            return
        if source is None:
            for site in (*users, *(s for place in near.values() for s in place.configures)):
                site.refuse(
                    "client_source_unresolved",
                    "one module configures the SDK and another one, which cannot import the "
                    "client from it, makes calls",
                )
            return
        provider, client, wanted = source
        self.workspace.depend(module, provider)
        for user in users:
            self.workspace.client_of[user] = client
        if wanted is not None:
            self.workspace.extra_imports.setdefault(module, []).append(wanted)

    def _provider(
        self, module: Module, places: dict[Module, Place]
    ) -> tuple[Module, str, tuple[str, str] | None] | None:
        """The module that makes the client, the client as `module` writes it, and the import it
        needs for that."""
        if len(places) != 1:
            return None
        ((provider, place),) = places.items()
        if place.kind not in {"module", "global"} or self.reach.imports(provider, module):
            return None
        if place.kind == "global":  # bound late: it must be looked up at each call
            alias = self.reach.module_name(module, provider)
            if alias is not None:
                return provider, f"{alias}.{place.name}", None
            return self._late_import(module, provider, place)
        spelling = self.reach.spelling(module, provider)
        if spelling is None or place.name in module.scopes.names():
            return None
        return provider, place.name, (spelling, place.name)

    def _late_import(
        self, module: Module, provider: Module, place: Place
    ) -> tuple[Module, str, tuple[str, str]] | None:
        """The provider itself, imported beside what is already imported from it."""
        package, _, name = (self.reach.spelling(module, provider) or "").rpartition(".")
        if not name or not package.strip("."):
            return None
        taken = module.scopes.names()
        alias = name if name not in taken else f"{package.rpartition('.')[2]}_{name}"
        if alias in taken:
            return None
        said = name if alias == name else f"{name} as {alias}"
        return provider, f"{alias}.{place.name}", (package, said)

    def _on_first_use(self, module: Module, users: list[Site], places: dict[Module, Place]) -> bool:
        """Give a module a client of its own, made when it is first called."""
        configures = [site for place in places.values() for site in place.configures]
        key = shared_key(self.workspace, self.params, configures)
        anchor = end_of_imports(self.workspace, module)
        if key is None or anchor is None or accessor.NAME in module.scopes.names():
            return False
        draft = self.workspace.drafts[module]
        for user in users:
            self.workspace.client_of[user] = f"{accessor.NAME}()"
        draft.needs.add("functools")
        if "os." in key:
            draft.needs.add("os")

        spared = draft.blank_lines_below(anchor)

        def build() -> str:
            element = keyword(self.params.environment_keyword, key)
            value = render(self._client(module, (element,)), draft.style, draft.style.indent, 11)
            kind = f"{self.workspace.package(module)}.{self.params.client_class}"
            return (
                f"\n\n@functools.cache\ndef {accessor.NAME}() -> {kind}:\n"
                f"{draft.style.indent}return {value}" + "\n" * (2 - min(2, spared))
            )

        draft.insert_after(anchor, build)
        return True

    def _from_environment(self, module: Module, users: list[Site]) -> None:
        """Nobody configures: the key comes from the environment, in legacy's order."""
        anchor = end_of_imports(self.workspace, module)
        if anchor is None or not self.params.environment_keyword:
            for user in users:
                user.refuse("client_source_unresolved", "no configuration is seen")
            return
        draft = self.workspace.drafts[module]
        name = self._name(module, "module")
        keep_client(self.workspace, module, name, users)
        for user in users:
            self.workspace.client_of[user] = name
        for site in self.workspace.sites:
            if site.module is module and site.kind is Kind.IMPORT:
                site.warn("client_constructed_eagerly")
                break
        elements = (self._environment(draft),)

        def build() -> str:
            value = self._client(module, elements)
            return f"\n{name} = {render(value, draft.style, '', len(name) + 3)}"

        draft.insert_after(anchor, build)

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
        if not isinstance(statement, ast.Expr):
            site.refuse("configure_not_a_statement", "the call's value is used")
            return
        target = self._seen_from(module, place, site)
        start, end = draft.span(site.call)
        indent = draft.source.indent_at(start)
        column = start - draft.source.line_start(start) + len(target) + 3
        explode = is_broken(draft, site.call)

        def build() -> str:
            value = replace(
                self._client(module, elements, explode=explode),
                note=notes.opening,
                last=notes.closing,
            )
            return f"{target} = {render(value, draft.style, indent, column)}"

        draft.replace_span(start, end, build)
        if place.kind == "global":
            self._declare_global(draft, module, place, site)

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
                elements.append(replace(note, value=draft.carried(node), prefix=prefix))
                if self._may_be_none(node):
                    site.warn("client_constructed_eagerly")
            elif not self._may_go(name, node):
                raise RefusedError(
                    "configure_kwargs_unsupported", f"`{name}={ast.unparse(node)}` would be lost"
                )
        if not elements and self.params.environment_keyword:
            site.warn("client_constructed_eagerly")
            elements.append(self._environment(draft))
        return tuple(elements), notes

    def _environment(self, draft: Draft) -> Element:
        """The key from the environment, in legacy's order of names."""
        draft.needs.add("os")
        quote = draft.style.string
        keys = " or ".join(f"os.environ.get({quote(key)})" for key in self.params.environment)
        return keyword(self.params.environment_keyword, keys)

    def _may_go(self, name: str, node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and (
            node.value is None or node.value in self.params.dropped[name]
        )

    def _may_be_none(self, node: ast.expr) -> bool:
        """Whether a key may be missing: None, empty, or what a visitor has not typed yet."""
        if isinstance(node, ast.Constant) and not node.value:
            return True
        return any(
            atom == NONE or (isinstance(atom, External) and atom.name.endswith(".text_input()"))
            for atom in self.workspace.values(node)
        )

    def _client(
        self, module: Module, elements: tuple[Element, ...], *, explode: bool = False
    ) -> Written:
        always = tuple(
            keyword(name, self.workspace.expression(module, text))
            for name, text in self.params.always.items()
        )
        return call(
            f"{self.workspace.package(module)}.{self.params.client_class}",
            (*elements, *always),
            explode=explode,
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
