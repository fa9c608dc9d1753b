"""Attributes that a program sets on a model, and that neither it nor the SDK ever reads.

``model.temperature = 0.2`` did nothing: a model was told by its constructor and by each call. What
stands in a model's place takes no attributes, so the line goes.
"""

from __future__ import annotations

import ast

from chatport.port.packs.schema import MemberReads
from chatport.port.program.values import NONE
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.evaluation import is_inert
from chatport.port.rules.named_reads import is_on_neither

WARNING = "attribute_set_in_vain"


def drop_set_in_vain(workspace: Workspace, change: MemberReads, site: Site) -> bool:
    """Delete the statement that sets such an attribute. Whether it is one."""
    node = site.node
    if site.mixed or not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
        return False
    statement = site.module.parents[node]
    if not (isinstance(statement, ast.Assign) and statement.targets == [node]):
        return False
    if not (is_inert(statement.value) and is_inert(node.value)):
        return False
    kinds = {owner.type for owner in site.owners}
    if not kinds <= set(change.told_at_once) or NONE in workspace.values(node.value):
        return False
    if not all(is_on_neither(change, kind, node.attr) for kind in kinds):
        return False
    if any(other.member == site.member and _reads(other) for other in workspace.sites):
        return False
    workspace.draft(site).delete(statement)
    return True


def _reads(site: Site) -> bool:
    return not (isinstance(site.node, ast.Attribute) and isinstance(site.node.ctx, ast.Store))
