"""Answers that are resolved though they are whole: legacy's ``resolve()`` did nothing to them.

A stream that is resolved and then read as a whole is not ported: the new stream has no whole.
"""

from __future__ import annotations

import ast

from chatport.port.rules.base import Site, Workspace

RULE = "model_calls"


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


def _is_alone(site: Site, statement: ast.stmt) -> bool:
    """Whether a statement does nothing but resolve."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    call = value.value if isinstance(value, ast.Await) else value
    return call is not None and call is site.call and not site.call.args + site.call.keywords
