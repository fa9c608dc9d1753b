"""Modules that call the SDK and do not configure it: where they get the client from."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import cached_property

from chatport.port.findings import Kind
from chatport.port.packs.schema import ConfigureParams
from chatport.port.program.modules import Module
from chatport.port.render.layout import Element, Text, render
from chatport.port.rules.accessor import GETTER, Accessors, Helpers, environment
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.import_places import end_of_imports
from chatport.port.rules.keys import shared_key, shared_setting
from chatport.port.rules.placing import Place, Placing
from chatport.port.rules.reach import Reach
from chatport.port.rules.sessions import keep_client, kept_calls
from chatport.port.rules.timing import Timing

UNRESOLVED = "client_source_unresolved"
CANNOT_IMPORT = (
    "one module configures the SDK and another one, which cannot import the client from it, makes "
    "calls"
)


class Lending:
    """Gives each module that does not configure the SDK a client."""

    def __init__(
        self,
        workspace: Workspace,
        params: ConfigureParams,
        reach: Reach,
        placing: Placing,
        accessors: Accessors,
    ) -> None:
        self.workspace = workspace
        self.params = params
        self.reach = reach
        self.placing = placing
        self.accessors = accessors

    @cached_property
    def kept(self) -> set[ast.AST]:
        """The calls that make what a session keeps."""
        return kept_calls(self.workspace)

    def lender(
        self, module: Module, users: list[Site], configures: dict[Module, list[Site]]
    ) -> Module | None:
        """The one module whose configuration `module` relies on; None when there are several."""
        near = [other for other in configures if self.reach.run_together(module, other)]
        if not near and len(configures) == 1 and not self._is_script_apart(module, users, near):
            near = [other for other in configures if self.reach.is_quiet_neighbour(module, other)]
        if len(near) > 1:
            near = [other for other in near if self._leads(other, configures[other], users)]
        return near[0] if len(near) == 1 else None

    def _leads(self, lender: Module, configures: list[Site], users: list[Site]) -> bool:
        """Whether each of some calls comes behind a configuration of `lender`."""
        timing = Timing(self.workspace, lender, configures)
        return all(map(timing.comes_behind_one, users))

    def stranded(
        self,
        lender: Module,
        borrowers: list[Module],
        place: Place,
        configures: dict[Module, list[Site]],
    ) -> list[Module]:
        """The borrowers that cannot read the client of `lender`. Where there are some, and no two
        modules would agree on a key by themselves, one that all can import holds the client."""
        alone = [module for module in borrowers if not self._can_import(module, lender)]
        if not alone or self._one_key(configures) is not None:
            return alone
        for home in borrowers:
            others = [module for module in (lender, *borrowers) if module is not home]
            if all(self._can_import(other, home) for other in others):
                return [] if self._settle_in(home, lender, place) else borrowers
        return borrowers

    def _one_key(self, configures: dict[Module, list[Site]]) -> str | None:
        sites = [site for there in configures.values() for site in there]
        return shared_key(self.workspace, self.params, sites)

    def _can_import(self, module: Module, wanted: Module) -> bool:
        circle = self.reach.imports(wanted, module)
        return not circle and self.reach.spelling(module, wanted) is not None

    def _settle_in(self, home: Module, lender: Module, place: Place) -> bool:
        """Let `home` hold the client that `lender` makes. Whether there is room for it."""
        if GETTER in home.scopes.names:
            return False
        alias = self.reach.module_name(lender, home) or self._late_import(lender, home)
        if alias is None:
            return False
        place.home, place.alias, place.kind, place.lazy = home, alias, "global", True
        place.name = self.placing.free_name(home.scopes.names)
        self.workspace.depend(lender, home)
        return True

    def borrow(self, module: Module, users: list[Site], lender: Module, place: Place) -> None:
        """Let `module` read the client of `lender`."""
        self.workspace.depend(module, lender)
        home = place.home or lender
        client = f"{GETTER}()" if home is module else self._import_of(module, home, place)
        for user in users:
            self.workspace.client_of[user] = client

    def _import_of(self, module: Module, lender: Module, place: Place) -> str:
        """The client as `module` writes it; adds the import it needs for that."""
        if place.kind == "global" and not place.lazy:  # bound late: looked up at each call
            alias = self.reach.module_name(module, lender)
            if alias is not None:
                return f"{alias}.{place.name}"
            if "." in (self.reach.spelling(module, lender) or "").strip("."):
                late = self._late_import(module, lender)
                if late is not None:
                    return f"{late}.{place.name}"
            place.lazy = True
        wanted, called = (GETTER, "()") if place.lazy else (place.name, "")
        spelling = self.reach.spelling(module, lender)
        assert spelling is not None
        name = wanted
        if name in module.scopes.names:
            name = self.placing.free_name(module.scopes.names | {wanted})
            name = f"get_{name}" if place.lazy else name
        said = wanted if name == wanted else f"{wanted} as {name}"
        self.workspace.extra_imports.setdefault(module, []).append((spelling, said))
        return name + called

    def _late_import(self, module: Module, wanted: Module) -> str | None:
        """The name of a module itself, imported beside what is already imported from there."""
        spelling = self.reach.spelling(module, wanted) or ""
        package, dot, name = spelling.rpartition(".")
        if dot and not package.strip("."):
            package += dot
        taken = module.scopes.names
        above = package.rpartition(".")[2] or "client"
        alias = name if name not in taken else f"{above}_{name}"
        if not name or alias in taken:
            return None
        said = name if alias == name else f"{name} as {alias}"
        self.workspace.extra_imports.setdefault(module, []).append((package, said))
        return alias

    def without_lender(
        self, module: Module, users: list[Site], configures: dict[Module, list[Site]]
    ) -> None:
        """A module that can import the client from nowhere."""
        near = {m: s for m, s in configures.items() if self.reach.run_together(module, m)}
        if not configures or self._is_script_apart(module, users, near):
            self._from_environment(module, users)
            return
        if self._on_first_use(module, users, near or configures):
            for other in near:  # whose configuration this one needs while it stays as it is
                self.workspace.follow(other, module)
            return
        for site in (*users, *(site for sites in near.values() for site in sites)):
            site.refuse(UNRESOLVED, CANNOT_IMPORT)

    def _is_script_apart(self, module: Module, users: list[Site], near: Collection[Module]) -> bool:
        """Whether a module that runs with none that configures calls the SDK as a script does,
        while it is loaded, and no other module loads it."""
        return (
            not near
            and any(module.function(user.node) is None for user in users)
            and not any(
                self.reach.imports(other, module)
                for other in self.workspace.modules
                if other is not module
            )
        )

    def _on_first_use(
        self, module: Module, users: list[Site], configures: dict[Module, list[Site]]
    ) -> bool:
        """Give a module a client of its own, made when it is first called."""
        key, brings = self._one_key(configures), ""
        if key is None:
            key, brings = self._one_setting(module, configures)
        if key is None or GETTER in module.scopes.names:
            return False
        for user in users:
            self.workspace.client_of[user] = f"{GETTER}()"
        helpers = Helpers(self.params.name, getter=GETTER, key=key, brings=brings)
        self.accessors.write(module, helpers)
        return True

    def _one_setting(
        self, module: Module, configures: dict[Module, list[Site]]
    ) -> tuple[str | None, str]:
        """The setting that every configuration takes its key from, as `module` reads it, and the
        import it needs for that."""
        sites = [site for there in configures.values() for site in there]
        setting = shared_setting(self.workspace, self.params, sites)
        layout = self.workspace.layout
        if setting is None or layout.find(setting.module, module.path) != setting.path:
            return None, ""
        for node in module.tree.body:
            if not isinstance(node, ast.ImportFrom) or node.level:
                continue
            if layout.find(node.module or "", module.path) == setting.path:
                for alias in node.names:
                    if alias.name == setting.name:
                        return (alias.asname or alias.name) + setting.attributes, ""
        brings = f"from {setting.module} import {setting.name}"
        return setting.name + setting.attributes, brings

    def _from_environment(self, module: Module, users: list[Site]) -> None:
        """Nobody configures: the key comes from the environment, in legacy's order."""
        anchor = end_of_imports(module)
        if anchor is None or not self.params.environment_keyword:
            for user in users:
                user.refuse(UNRESOLVED, "no configuration is seen")
            return
        draft = self.workspace.drafts[module]
        name = self.placing.free_name(module.scopes.names)
        keep_client(self.workspace, module, name, users, self.kept)
        for user in users:
            self.workspace.client_of[user] = name
        for site in self.workspace.sites:
            if site.module is module and site.kind is Kind.IMPORT:
                site.warn("client_constructed_eagerly")
                break
        draft.needs.add("os")
        keys = Text(environment(self.params, draft.style.string))
        element = Element(keys, f"{self.params.environment_keyword}=")

        def build() -> str:
            value = self.accessors.client(module, (element,))
            return f"\n{name} = {render(value, draft.style, '', len(name) + 3)}"

        draft.insert_after(anchor, build)
