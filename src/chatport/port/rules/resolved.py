"""Streams that were only waited for: legacy's ``resolve()`` read them to their end at once.

Where a stream is resolved before anything else is done with it, nobody sees its pieces, and the
program reads what a plain call gives. The plain call is what it becomes.
"""

from __future__ import annotations

import ast

from chatport.port.program.values import Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.streams import is_read
from chatport.port.rules.ways import Ways

RULE = "model_calls"
WARNING = "stream_asked_whole"


def asks_whole(workspace: Workspace, site: Site, member: str) -> bool:
    """Whether the stream that a call gives is resolved, by `member`, before it is used; then its
    resolving is drafted away."""
    assert site.call is not None
    made = Made(workspace.surface.makes[site.member or ""], site.call)
    resolving = [s for s in workspace.sites if s.member == member and made in s.owners]
    name = bound_name(site)
    variable = site.module.scopes.variable.get(name) if name is not None else None
    if not resolving or variable is None or variable.captured or variable.foreign_stores:
        return False
    statements = [s.module.statement(s.node) for s in resolving]
    if any(not _is_alone(s, statement) for s, statement in zip(resolving, statements, strict=True)):
        return False
    loads = {node for node in variable.loads if made in workspace.values(node)}
    named = {s.node.value for s in resolving if isinstance(s.node, ast.Attribute)}
    holders = workspace.holders.get(made, [])
    if not named <= loads or any(_is_read(workspace, node) for node in holders):
        return False
    function = site.module.function(site.call)
    body = function.body if function is not None else site.module.tree.body
    ways = Ways(statements, loads - named, lambda node: node is site.call, lambda _: True)
    if not isinstance(body, list) or ways.unsure(body, before=True):
        return False
    workspace.resolved.add(site.call)
    site.warn(WARNING)
    return True


def drop_needless(workspace: Workspace, member: str) -> None:
    """Leave out the resolving of answers that are no streams, where it did nothing."""
    for site in workspace.sites:
        statement = site.module.statement(site.node)
        if site.member != member or site.mixed or site.rule is not None:
            continue
        if _is_alone(site, statement) and not any(o.site in workspace.streams for o in site.owners):
            site.rule = RULE
            workspace.unchanged.add(site)
            workspace.draft(site).delete(statement)


def bound_name(site: Site) -> ast.expr | None:
    """The one name that a statement gives what a call gives."""
    assert site.call is not None
    statement = site.module.statement(site.call)
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return None
    value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    single = value is site.call and len(targets) == 1 and isinstance(targets[0], ast.Name)
    return targets[0] if single else None


def _is_alone(site: Site, statement: ast.stmt) -> bool:
    """Whether a statement does nothing but resolve."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    call = value.value if isinstance(value, ast.Await) else value
    return call is not None and call is site.call and not site.call.args + site.call.keywords


def _is_read(workspace: Workspace, node: ast.AST) -> bool:
    home = workspace.find_home(node)
    return home is not None and is_read(workspace, home, node)
