"""Reads of the name of a model: legacy put a prefix before a bare one."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.render.layout import one_line
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.carriers import Carriers, Ctor
from chatport.port.rules.portable import is_pure

RULE = "model_calls"


class ModelNames:
    """Gives back what legacy gave back for a model's name."""

    def __init__(
        self, workspace: Workspace, params: ModelCallsParams, ctors: Iterable[Ctor]
    ) -> None:
        self.workspace = workspace
        self.params = params
        self.ctors = list(ctors)

    def draft(self, carriers: Carriers) -> None:
        """Rewrite the reads, or refuse them."""
        for site in self.sites():
            site.rule = RULE
            try:
                self._read(site, carriers)
            except RefusedError as error:
                refusal = error.refusal
                site.refuse(refusal.code, refusal.detail, refusal.suggestion)

    def _read(self, site: Site, carriers: Carriers) -> None:
        ctors = [c for o in site.owners for c in self.ctors if c.call is o.site]
        names = {_constant(ctor.model) for ctor in ctors}
        name = names.pop() if len(names) == 1 else None
        assert isinstance(site.node, ast.Attribute)
        if site.mixed or not ctors or not isinstance(site.node.ctx, ast.Load):
            raise RefusedError("attribute_removed", "the name legacy gave back is not known here")
        draft, prefix = self.workspace.draft(site), self.params.name_prefix
        if name is not None:
            draft.replace_with(
                site.node, draft.style.string(name if "/" in name else prefix + name)
            )
            return
        if not is_pure(site.node.value) or not carriers.names_at(site, ctors):
            raise RefusedError("attribute_removed", "the name legacy gave back is not known here")
        slash, start = draft.style.string("/"), draft.style.string(prefix)
        parent = site.module.parents[site.node]
        alone = isinstance(parent, ast.Assign | ast.Return | ast.FormattedValue) or (
            isinstance(parent, ast.Call) and site.node in parent.args
        )

        def build() -> str:
            held = one_line(carriers.model_at(site, ctors)) or ""
            code = f"{held} if {slash} in {held} else {start} + {held}"
            return code if alone else f"({code})"

        draft.replace(site.node, build)

    def sites(self) -> list[Site]:
        """Where the name of a model is read."""
        made = self.workspace.surface.makes[self.params.ctor_symbol]
        members = {f"{made}.{name}" for name in self.params.name_attributes}
        return [site for site in self.workspace.sites if site.member in members]


def _constant(node: ast.expr | None) -> str | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None
