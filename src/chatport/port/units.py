"""Which files are ported together: what one of them makes, another one uses."""

from __future__ import annotations

from collections.abc import Iterable

from chatport.port.program.modules import Module
from chatport.port.rules.base import Site


def units(
    sites: Iterable[Site], dependencies: Iterable[tuple[Module, Module]]
) -> dict[Module, str]:
    """The unit of each module, named after the first of its paths.

    Modules are of one unit when a group of sites spans them or one depends on the other.
    """
    leader: dict[Module, Module] = {}

    def first_of(module: Module) -> Module:
        while (above := leader.setdefault(module, module)) is not module:
            module = above
        return module

    def join(one: Module, other: Module) -> None:
        first, second = sorted((first_of(one), first_of(other)), key=lambda module: module.path)
        leader[second] = first

    homes: dict[int, Module] = {}
    for site in sites:
        join(site.module, homes.setdefault(id(site.group.root()), site.module))
    for one, other in dependencies:
        join(one, other)
    return {module: first_of(module).path for module in list(leader)}


def named(sites: Iterable[Site]) -> dict[Site, str]:
    """A name for each group of sites; imports and what else serves all of them has none."""
    names: dict[int, str] = {}
    return {
        site: names.setdefault(id(site.group.root()), f"{site.module.path}:{number}")
        for number, site in enumerate(sites)
        if not site.serves_all
    }
