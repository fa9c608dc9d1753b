"""Files that live on both SDKs for a while: what is refused stays, and what goes with it.

The rules run several times. What was refused in one round is no use any more in the next: to the
rules it is code like any other, which they leave alone. So what comes of the last round is as sound
as if the rest of the file had nothing to port, and needs nothing of its own to be believed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from chatport.port.findings import Finding, Kind, Place
from chatport.port.program.modules import Module
from chatport.port.rounds import Round
from chatport.port.rules.base import CONFIGURE, Refusal, Site, Stays, Workspace
from chatport.port.rules.client import CONFIGURES_NOTHING
from chatport.port.rules.installs import RULE as INSTALLS
from chatport.port.rules.reach import Reach
from chatport.port.rules.ties import tie
from chatport.port.suggest.advice import Advice
from chatport.port.verdicts import finding_of, place_of

NEEDED = Refusal("needed_by_refused")
WITHHELD = Refusal("file_withheld")


class Sitewise:
    """What is known after some rounds."""

    def __init__(self, whole: Iterable[Module] = ()) -> None:
        """Of the modules in `whole` everything is ported or nothing."""
        self.sites: list[Site] = []
        """The uses that are ported, as of the last round."""
        self._stay: dict[ast.AST, tuple[Site, Refusal, Site | None]] = {}
        """The uses that stay, by the node that names them, with why."""
        self._beside: dict[ast.AST, tuple[Site, Refusal, Site | None]] = {}
        """The configurations that stay and get a client beside them."""
        self._quiet: set[ast.AST] = set()
        """Of those that stay, the ones nothing is said of."""
        self._known: set[tuple[str, Place, str]] = set()
        """Those that stay, by where they are: a rule may find one again that is not collected."""
        self._wholes: set[tuple[Module, Module]] = {(module, module) for module in whole}
        self._followers: set[tuple[Module, Module]] = set()

    def known(self) -> Stays:
        """What the next round is told."""
        staying = (*self._stay.values(), *self._beside.values())
        return Stays(
            frozenset(self._stay),
            frozenset(self._beside),
            frozenset(site.module for site, _, _ in staying),
        )

    def settle(self, made: Round) -> dict[Module, bytes] | None:
        """The outputs of a round in which nothing new is refused; None where another is needed."""
        workspace = made.workspace
        tie(workspace)
        self._wholes |= {*workspace.wholes}
        self._followers |= {*workspace.followers}
        sites = [
            site
            for site in workspace.sites
            if site not in workspace.unchanged
            and site.node not in workspace.consumed
            and _key(site) not in self._known
        ]
        refused = self._spread(workspace, sites, {})
        beside = len(self._beside)
        if not refused:
            refused = self._needed(workspace, sites)
        if not refused and len(self._beside) == beside:
            outputs, failed = self._rendered(made, sites)
            if not failed:
                self.sites = [site for site in sites if site.node not in self._beside]
                return outputs
            refused = self._spread(workspace, sites, failed)
        said = set(sites)
        for site, why in refused.items():
            self._stay[site.node] = (site, *why)
            self._known.add(_key(site))
            self._beside.pop(site.node, None)
            if site not in said:
                self._quiet.add(site.node)
        return None

    def findings(self, module: Module, advice: Advice) -> list[Finding]:
        """What is said of the uses in a module."""
        staying = (*self._stay.values(), *self._beside.values())
        said = [
            finding_of(site, why, cause, advice.of(site, why) if cause is site else None)
            for site, why, cause in staying
            if site.module is module and site.node not in self._quiet
        ]
        return said + [finding_of(one, None, None) for one in self.sites if one.module is module]

    def files(self) -> list[Module]:
        """The modules with uses."""
        staying = (*self._stay.values(), *self._beside.values())
        found = {site.module for site in self.sites} | {site.module for site, _, _ in staying}
        return sorted(found, key=lambda module: module.path)

    # -- what is refused

    def _spread(
        self, workspace: Workspace, sites: list[Site], failed: dict[Module, Refusal]
    ) -> dict[Site, tuple[Refusal, Site | None]]:
        """What is refused in a round, with why and what that follows from."""
        because: dict[Site, tuple[Refusal, Site | None]] = {
            site: (site.refusal, site) for site in sites if site.refusal is not None
        }
        while True:
            before = len(because)
            for site, why in list(because.items()):
                for other in site.group.root().sites if not site.serves_all else ():
                    because.setdefault(other, why)
            for site, needed in workspace.requires:
                if needed in because:
                    because.setdefault(site, because[needed])
            gone = self._whole_modules(because, failed)
            first = self._first(because)
            for site in sites:
                if site.module in gone and site not in because:
                    cause = first.get(site.module) or first.get(gone[site.module])
                    because[site] = (failed.get(site.module, WITHHELD), cause)
            if len(because) == before:
                return because

    def _whole_modules(
        self, because: Iterable[Site], failed: Iterable[Module]
    ) -> dict[Module, Module]:
        """The modules of which nothing is ported, each with the one that keeps it."""
        touched = {site.module for site in because} | {one[0].module for one in self._stay.values()}
        gone = {module: module for module in failed}
        gone |= {one: one for one, other in self._wholes if one is other and one in touched}
        while True:
            before = len(gone)
            for one, other in self._wholes:
                for here, there in ((one, other), (other, one)):
                    if there in touched or there in gone:
                        gone.setdefault(here, there)
            for one, other in self._followers:
                if other in touched or other in gone:
                    gone.setdefault(one, other)
            if len(gone) == before:
                return gone

    def _first(self, because: dict[Site, tuple[Refusal, Site | None]]) -> dict[Module, Site]:
        """The first use of each module that is refused for itself."""
        causes = [site for site, (_, cause) in because.items() if cause is site]
        causes += [site for site, _, cause in self._stay.values() if cause is site]
        first: dict[Module, Site] = {}
        for site in sorted(causes, key=place_of):
            first.setdefault(site.module, site)
        return first

    # -- what that needs

    def _needed(
        self, workspace: Workspace, sites: list[Site]
    ) -> dict[Site, tuple[Refusal, Site | None]]:
        """What serves all uses and is not ported, because what stays needs it or nothing else
        does; configurations that both need are noted as such."""
        reach = Reach(workspace)
        staying = {site: cause for site, _, cause in self._stay.values() if not site.serves_all}
        if not staying:
            return {}
        used = {needed for _, needed in workspace.requires}
        known = [*sites, *(one[0] for one in (*self._stay.values(), *self._beside.values()))]
        homes = {site.module for site in known if site.rule == CONFIGURE}
        needed: dict[Site, tuple[Refusal, Site | None]] = {}
        for site in sites:
            if not site.serves_all or site.kind is Kind.IMPORT:
                continue
            users = (
                one
                for one, cause in staying.items()
                if (one.module is site.module or one.module not in homes)
                and _needs(reach, one, cause, site)
            )
            user = next(users, None)
            if user is None or site.node in self._beside:
                continue
            if site in used:
                self._beside[site.node] = (site, NEEDED, self._origin(user))
            else:
                needed[site] = (NEEDED, self._origin(user))
        needed |= self._served(workspace, sites, reach)
        return needed | self._imports(workspace, sites, list(staying))

    def _served(
        self, workspace: Workspace, sites: list[Site], reach: Reach
    ) -> dict[Site, tuple[Refusal, Site | None]]:
        """The classes and constants that no request which is ported is seen to need, where
        something stays that may."""
        users = set(workspace.client_users)
        asking = [s for s in sites if s in users or s.kind is Kind.METHOD_CALL]
        groups = {id(site.group.root()) for site in asking}
        homes = {site.module for site in asking}
        staying = [site for site, _, _ in (*self._stay.values(), *self._beside.values())]
        served: dict[Site, tuple[Refusal, Site | None]] = {}
        for site in sites:
            alone = id(site.group.root()) not in groups
            if site.serves_all or site.kind is Kind.STRING or not alone:
                continue
            near = (
                one
                for one in staying
                if one.module is site.module
                or (site.module not in homes and reach.run_together(site.module, one.module))
            )
            if (user := next(near, None)) is not None:
                served[site] = (NEEDED, self._origin(user))
        return served

    def _imports(
        self, workspace: Workspace, sites: list[Site], staying: list[Site]
    ) -> dict[Site, tuple[Refusal, Site | None]]:
        """The imports that something reads which stays."""
        keep = [*staying, *(one[0] for one in self._beside.values())]
        ported = {site.module for site in sites if not site.serves_all}
        ported |= {one[0].module for one in self._beside.values()}
        exported = {
            alias.name for one in self._stay.values() if (alias := _from_project(workspace, one[0]))
        }
        found: dict[Site, tuple[Refusal, Site | None]] = {}
        for site in sites:
            if site.rule == INSTALLS and any(one.module is site.module for one in keep):
                found[site] = (NEEDED, None)  # both are to be installed
            if site.kind is not Kind.IMPORT:
                continue
            assert isinstance(site.node, ast.alias)
            alias, module = site.node, site.module
            here = [one for one in keep if one.module is module]
            if not here and (alias.asname or alias.name) not in exported:
                continue
            loads = _loads(module, alias)
            user = next((one for one in here if _reads(module, one, loads)), None)
            other = [load for load in loads if not _is_ported(workspace, module, load)]
            if user or other or module not in ported or not here:
                first = user or next(iter(here), None)
                found[site] = (NEEDED, self._origin(first) if first is not None else None)
        return found

    def _origin(self, site: Site) -> Site | None:
        """What a use that stays follows from; itself where that is refused for itself."""
        staying = {**self._stay, **self._beside}
        return staying[site.node][2] if site.node in staying else site

    def _rendered(
        self, made: Round, sites: list[Site]
    ) -> tuple[dict[Module, bytes], dict[Module, Refusal]]:
        outputs: dict[Module, bytes] = {}
        failed: dict[Module, Refusal] = {}
        for module in dict.fromkeys(site.module for site in sites):
            data = made.render(module)
            if data is None:
                failed[module] = made.failures[module]
            else:
                outputs[module] = data
        return outputs, failed


def _key(site: Site) -> tuple[str, Place, str]:
    return site.module.path, place_of(site), site.symbol


def _needs(reach: Reach, user: Site, cause: Site | None, configuration: Site) -> bool:
    """Whether what stays may rely on a configuration: any use on that of its module, and one that
    makes something, or is refused for itself, on those of others where its own has none."""
    if user.module is configuration.module:
        return True
    alone = user.member is not None and cause is not user  # what made the object is one itself
    if user.call is None or alone or any(part in user.symbol for part in CONFIGURES_NOTHING):
        return False
    return reach.run_together(user.module, configuration.module)


def _from_project(workspace: Workspace, site: Site) -> ast.alias | None:
    """The import of a legacy object from another module of the project."""
    if not isinstance(site.node, ast.alias):
        return None
    statement = site.module.parents[site.node]
    if not isinstance(statement, ast.ImportFrom):
        return None
    plain = not statement.level and workspace.surface.is_legacy(statement.module or "")
    return None if plain else site.node


def _loads(module: Module, alias: ast.alias) -> list[ast.AST]:
    variable = module.scopes.variable.get(alias)
    return list(variable.loads) if variable is not None else []


def _reads(module: Module, site: Site, loads: list[ast.AST]) -> bool:
    """Whether a use reads one of some names, or stands where one is read."""
    statement = module.statement(site.node)
    return any(module.statement(load) is statement for load in loads)


def _is_ported(workspace: Workspace, module: Module, load: ast.AST) -> bool:
    """Whether a read of a name is part of a use."""
    here: ast.AST | None = load
    while isinstance(here, ast.expr):
        if here in workspace.by_node or here in workspace.consumed:
            return True
        here = module.parents.get(here)
    return False
