"""``in``: legacy's messages told by it which fields were set; the new objects say no to everything.

A part says the same by a field that is not None. Text is no piece of an answer on either side. What
else is asked is refused.
"""

from __future__ import annotations

import ast

from chatport.port.packs.schema import MemberReads
from chatport.port.program.values import STR, Made
from chatport.port.rules.base import Workspace

CODE = "response_shape_changed"


def check_membership(workspace: Workspace, change: MemberReads) -> None:
    """Rewrite, keep or refuse each ``in`` that asks a legacy object."""
    for module in workspace.modules:
        for node in module.nodes(ast.Compare):
            for operator, asked in zip(node.ops, node.comparators, strict=True):
                if isinstance(operator, ast.In | ast.NotIn):
                    _check(workspace, change, node, asked)


def _check(workspace: Workspace, change: MemberReads, node: ast.Compare, asked: ast.expr) -> None:
    values = workspace.values(asked)
    made = [
        atom for atom in values if isinstance(atom, Made) and atom.type in change.asked_for_fields
    ]
    if not made or all(_is_no_piece(workspace, change, node, atom) for atom in made):
        return
    kinds = {atom.type for atom in made}
    if len(made) == len(values) and len(kinds) == 1 and len(node.ops) == 1:
        field = node.left.value if isinstance(node.left, ast.Constant) else None
        (kind,) = kinds
        known = isinstance(field, str) and f"{kind}.{field!s}" in change.members
        if kind in change.set_or_none and isinstance(field, str) and known:
            _test(workspace, node, field)
            return
    for maker in (workspace.by_node.get(atom.site) for atom in made):
        if maker is not None:
            maker.refuse(CODE, f"`{ast.unparse(node)}` is always false")


def _is_no_piece(workspace: Workspace, change: MemberReads, node: ast.Compare, atom: Made) -> bool:
    """Whether text is looked for among the pieces of an answer, and no stream is read for it."""
    streams = atom.site in workspace.streams and workspace.flow.is_result(atom)
    text = len(node.ops) == 1 and workspace.values(node.left) == {STR}
    return atom.type in change.iterated and text and not streams


def _test(workspace: Workspace, node: ast.Compare, field: str) -> None:
    """Draft the test of a field that is None where it was not set."""
    draft = workspace.drafts[workspace.home(node)]
    asked = "is not" if isinstance(node.ops[0], ast.In) else "is"
    draft.replace(node, lambda: f"{draft.owner(node.comparators[0])}.{field} {asked} None")
