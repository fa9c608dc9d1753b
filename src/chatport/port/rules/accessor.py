"""A client made on first use: for a module that calls, is configured by another one, and cannot
import the client from there (it would be a circle, or there are several such modules).

It is made from the same key as everywhere else, which therefore must come from the surroundings:
a constant or an environment variable, read when the first call is made, as legacy read it.
"""

from __future__ import annotations

import ast

from chatport.port.packs.schema import ConfigureParams
from chatport.port.program.modules import Module
from chatport.port.program.values import External
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.portable import is_bound_once

NAME = "get_client"


def shared_key(workspace: Workspace, params: ConfigureParams, configures: list[Site]) -> str | None:
    """The expression of the one key that all configurations give, when it means the same in any
    module; None otherwise."""
    keys = [_key(workspace, params, site) for site in configures]
    said = {ast.unparse(node) if node is not None else None for node in keys}
    if len(said) != 1 or keys[0] is None:
        return None
    return configures[0].module.source.segment(keys[0])


def _key(workspace: Workspace, params: ConfigureParams, site: Site) -> ast.expr | None:
    assert site.call is not None
    given = {keyword.arg: keyword.value for keyword in site.call.keywords}
    node = given.pop(params.environment_keyword, None)
    if node is None or site.call.args or any(name not in params.dropped for name in given):
        return None
    node = _resolved(site.module, node)
    return node if _is_ambient(workspace, node) else None


def _resolved(module: Module, node: ast.expr) -> ast.expr:
    """What a name of the module was bound to once."""
    variable = module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    if variable is None or variable.scope.parent is not None or not is_bound_once(variable):
        return node
    statement = module.statement(variable.stores[0])
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return value if value is not None else node


def _is_ambient(workspace: Workspace, node: ast.expr) -> bool:
    """Whether an expression is a constant or reads the environment, and nothing else."""
    parts = ast.Constant | ast.Attribute | ast.Subscript | ast.Call | ast.Load | ast.BoolOp | ast.Or
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if part.id != "os" or workspace.values(part) != frozenset({External("os")}):
                return False
        elif not isinstance(part, parts):
            return False
    return True
