"""Uses that are found, named and left: what the pack lists, and what nobody claimed."""

from __future__ import annotations

import ast

from chatport.port.findings import Kind, Verdict
from chatport.port.packs.schema import FlagOnly
from chatport.port.rules.base import Site, Workspace

RULE = "flag_only"


class FlagRule:
    """The rule kind ``flag_only``."""

    def __init__(self, change: FlagOnly) -> None:
        self.change = change

    def run(self, workspace: Workspace) -> None:
        for site in workspace.sites:
            if site.rule is not None or site.kind in {Kind.IMPORT, Kind.STRING}:
                continue
            prefix = site.symbol
            while prefix:
                flag = self.change.symbols.get(prefix)
                if flag is not None:
                    site.rule = RULE
                    instead = flag.instead or None
                    site.refuse(flag.code, flag.reason, instead, Verdict(flag.verdict))
                    break
                prefix = prefix.rpartition(".")[0]


def refuse_unclaimed(workspace: Workspace) -> None:
    """Whatever no rule claimed is refused: nothing is passed over in silence."""
    for site in workspace.sites:
        if site.rule is None and _counts(workspace, site):
            if site.kind is Kind.STRING:
                site.refuse("dynamic_reference", f"the string {ast.unparse(site.node)}")
            site.refuse("usage_unmapped", f"`{site.symbol}`")


def refuse_unreliable(workspace: Workspace) -> None:
    """What stands where it cannot be edited is refused at its use."""
    for module, draft in workspace.drafts.items():
        for node, why in draft.unreliable:
            here: ast.AST | None = node
            while here is not None and here not in workspace.by_node:
                here = module.parents.get(here)
            if here is not None:
                workspace.by_node[here].refuse("f_string_position", why)


def _counts(workspace: Workspace, site: Site) -> bool:
    return site not in workspace.unchanged and site.node not in workspace.consumed
