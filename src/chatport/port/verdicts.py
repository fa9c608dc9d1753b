"""How refusals spread from site to site, and what is said of each site in the end."""

from __future__ import annotations

import ast
from functools import cached_property

from chatport.port.codes import CODES
from chatport.port.findings import Cause, Finding, Place, Suggestion, Verdict
from chatport.port.program.modules import Module
from chatport.port.rules.base import Refusal, Site, Workspace
from chatport.port.source.text import Node


def finding_of(
    site: Site, refusal: Refusal | None, cause: Site | None, suggestion: Suggestion | None = None
) -> Finding:
    """What is said of a site."""
    place = place_of(site)
    if refusal is None:
        return Finding(
            site.module.path,
            place,
            site.symbol,
            site.kind,
            Verdict.AUTO,
            warnings=tuple(site.warnings),
            rule=site.rule,
        )
    message = CODES[refusal.code].message
    if refusal.detail:
        message = f"{message[:-1]}: {refusal.detail}."
    return Finding(
        site.module.path,
        place,
        site.symbol,
        site.kind,
        refusal.verdict,
        refusal.code,
        message,
        suggestion,
        rule=site.rule,
        cause=cause_of(cause) if cause is not None and cause is not site else None,
    )


def cause_of(site: Site) -> Cause:
    """Where something else that is refused leads to."""
    return Cause(site.module.path, place_of(site))


def place_of(site: Site) -> Place:
    """From where the use begins to where its call ends."""
    source = site.module.source
    node, end_node = site.node, site.call or site.node
    assert isinstance(node, ast.expr | ast.alias | ast.arg)
    start, end = source.span(node)[0], source.span(_positioned(end_node))[1]
    return source.place(start, end)


def _positioned(node: ast.AST) -> Node:
    assert isinstance(node, ast.expr | ast.alias | ast.arg)
    return node


class Verdicts:
    """How refusals spread: through groups, through files, along dependencies."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.sites: list[Site] = [
            site
            for site in workspace.sites
            if site not in workspace.unchanged and site.node not in workspace.consumed
        ]
        self._by_module: dict[Module, list[Site]] = {}
        for site in self.sites:
            self._by_module.setdefault(site.module, []).append(site)
        self.touched: set[Module] = set(self._by_module)
        self.refused: set[Module] = set()
        self._because: dict[Site, tuple[Refusal, Site | None]] = {}
        self._failed: dict[Module, Refusal] = {}

    def fail(self, module: Module, refusal: Refusal) -> None:
        """A file whose output did not pass."""
        self._failed[module] = refusal

    def settle(self) -> set[Module]:
        """Spread every refusal until nothing changes; the refused modules."""
        because: dict[Site, tuple[Refusal, Site | None]] = {
            site: (site.refusal, site) for site in self.sites if site.refusal is not None
        }
        withheld = Refusal("file_withheld")
        while True:
            before = len(because)
            spread: set[int] = set()
            for site, reason in list(because.items()):
                group = site.group.root()
                if id(group) not in spread:
                    spread.add(id(group))
                    for other in group.sites:
                        because.setdefault(other, reason)
            refused = {site.module for site in because} | set(self._failed)
            for pair in self.workspace.dependencies:
                if refused & set(pair):
                    refused |= set(pair)
            refused |= {one for one, other in self.workspace.followers if other in refused}
            first = self._first(because, refused)
            elsewhere = {
                module: (withheld, cause) if cause is not None else self._elsewhere(module, first)
                for module, cause in first.items()
            }
            for site in self.sites:
                if site.module in refused and site not in because:
                    failed = self._failed.get(site.module)
                    because[site] = (
                        elsewhere[site.module] if failed is None else (failed, first[site.module])
                    )
            if len(because) == before and refused == self.refused:
                break
            self.refused = refused
        self._because = because
        return self.refused

    def _elsewhere(
        self, home: Module, first: dict[Module, Site | None]
    ) -> tuple[Refusal, Site | None]:
        """Why a file is refused in which nothing is: a module it depends on, the nearest one in
        which something is."""
        todo, seen = [home], {home}
        for module in todo:
            cause = first.get(module)
            if cause is not None:
                where = f"`{module.path}`, {place_of(cause).where}"
                return Refusal("depends_on_refused", where), cause
            nearer = [other for other in self._needed.get(module, ()) if other not in seen]
            seen |= set(nearer)
            todo += nearer
        return Refusal("file_withheld"), None

    @cached_property
    def _needed(self) -> dict[Module, list[Module]]:
        """Module -> those without which it is not ported: a follower needs whom it follows, and
        not the other way round."""
        pairs = self.workspace.dependencies
        needed: dict[Module, list[Module]] = {}
        for one, other in (*pairs, *((b, a) for a, b in pairs), *self.workspace.followers):
            needed.setdefault(one, []).append(other)
        return needed

    def _first(
        self, because: dict[Site, tuple[Refusal, Site | None]], refused: set[Module]
    ) -> dict[Module, Site | None]:
        """The first site of each refused module that is refused for itself."""
        causes: dict[Module, list[Site]] = {module: [] for module in refused}
        for cause in because:
            if cause.refusal:
                causes[cause.module].append(cause)
        return {module: min(found, key=place_of, default=None) for module, found in causes.items()}

    def refusal_of(self, site: Site) -> tuple[Refusal | None, Site | None]:
        return self._because.get(site, (None, None))

    def of(self, module: Module) -> list[Site]:
        return self._by_module.get(module, [])

    def files(self) -> list[Module]:
        return sorted(self.touched, key=lambda module: module.path)
