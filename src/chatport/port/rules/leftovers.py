"""What folding leaves behind: configuration variables that go unread, and those that stay."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.scopes import Variable
from chatport.port.program.values import Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.bases import CODE
from chatport.port.rules.config import Config, sole_assignment
from chatport.port.rules.kept_tables import Table

RULE = "model_calls"


class Leftovers:
    """Clears up after the calls of a pack are drafted."""

    def __init__(self, workspace: Workspace, params: ModelCallsParams) -> None:
        self.workspace = workspace
        self.params = params

    def sweep(self, readers: list[tuple[Site, Config]]) -> None:
        """Delete the configuration variables that nothing reads any more."""
        sources: dict[int, tuple[Module, ast.expr]] = {}
        for site, config in readers:
            safety = config.safety
            for source in (*config.sources, *(safety.sources if safety else ())):
                sources[id(source)] = (site.module, source)
        for module, source in sources.values():
            statement = sole_assignment(module, source)
            if statement is None:
                continue
            if all(id(load) in sources for load in self._loads(module, source)):
                self.workspace.drafts[module].delete(statement)
        for _, config in readers:
            if config.safety is not None:
                self._keep_members(config.safety)

    def _keep_members(self, table: Table) -> None:
        """The members of a table whose statement stays are uses like any other."""
        if not table.sources or table.literal is None:
            return
        for module in self.workspace.modules:
            if table.literal in module.parents:
                statement = module.statement(table.literal)
                if not self.workspace.drafts[module].is_deleted(statement):
                    self.workspace.consumed -= set(table.reads)

    def keep_objects(self, taken: dict[ast.Call, Site]) -> None:
        """A configuration object whose variable stays becomes one of the new class, which has the
        same fields; so does one that is `taken` whole by a call."""
        for site in self.workspace.sites:
            if site.symbol != self.params.generation_config_class or site.call is None:
                continue
            draft, call = self.workspace.draft(site), site.call
            statement = site.module.statement(call)
            unread = site.rule is None and not self._is_kept_alone(site, statement)
            stays = call in taken or _is_value_of(statement, call)
            if draft.is_deleted(statement) or unread or not stays:
                continue
            site.rule = RULE
            known = {keyword.arg for keyword in call.keywords if keyword.arg is not None} <= set(
                self.params.generation_config_keys
            )
            spread = any(keyword.arg is None for keyword in call.keywords) and call not in taken
            if call.args or not known or spread or call in self.workspace.flow.leaked:
                site.refuse(CODE, "which fields the object holds, or who reads it, is not known")
                continue
            assert isinstance(site.node, ast.expr)
            draft.replace_with(
                site.node, self.workspace.types(site.module, self.params.config_class)
            )

    def _is_kept_alone(self, site: Site, statement: ast.stmt) -> bool:
        """Whether no call reads an object, and nobody else does either: it stands in a variable of
        its module, or in one that is never read."""
        kind = self.workspace.surface.makes.get(site.symbol)
        holders = (
            self.workspace.holders.get(Made(kind, site.call), []) if kind and site.call else []
        )
        unread = all(isinstance(getattr(node, "ctx", None), ast.Store) for node in holders)
        return site.module.function(statement) is None or unread

    def _loads(self, module: Module, source: ast.expr) -> list[ast.AST]:
        """Every read of what a name or attribute holds, in any module."""
        if isinstance(source, ast.Attribute):
            return [
                node
                for node in self._attributes.get(source.attr, ())
                if isinstance(node.ctx, ast.Load)
            ]
        variable = module.scopes.variable[source]
        return [*variable.loads, *self._imported(variable)]

    def _imported(self, variable: Variable) -> list[ast.AST]:
        """The imports of a module's name in other modules."""
        if variable.scope.parent is not None:
            return []
        flow = self.workspace.flow
        return [alias for alias in self._aliases.get(variable.name, ()) if flow.values.get(alias)]

    @cached_property
    def _attributes(self) -> Mapping[str, list[ast.Attribute]]:
        """The attributes of all modules by their names."""
        found: defaultdict[str, list[ast.Attribute]] = defaultdict(list)
        for module in self.workspace.modules:
            for node in module.nodes(ast.Attribute):
                found[node.attr].append(node)
        return found

    @cached_property
    def _aliases(self) -> Mapping[str, list[ast.alias]]:
        """What all modules import by its name."""
        found: defaultdict[str, list[ast.alias]] = defaultdict(list)
        for module in self.workspace.modules:
            for node in module.scopes.variable:
                if isinstance(node, ast.alias):
                    found[node.name].append(node)
        return found


def _is_value_of(statement: ast.stmt, call: ast.Call) -> bool:
    """Whether a statement assigns just what a call makes."""
    return isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is call
