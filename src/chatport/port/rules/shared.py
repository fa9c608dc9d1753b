"""Legacy objects that modules share: who makes one and who reads it are ported together.

A turn, a configuration or a table made of the new SDK's classes is of no use to a module that stays
on the legacy one, and the other way round.
"""

from __future__ import annotations

import ast

from chatport.port.program.modules import Module
from chatport.port.program.values import NONE, Atom, Container, External, Made
from chatport.port.rules.base import Workspace


def tie_shared_objects(workspace: Workspace) -> None:
    """Let each module that may hold a legacy object of another's depend on that one."""
    legacy: dict[ast.AST, bool] = {}
    pairs: dict[tuple[Module, Module], None] = {}
    for node, values in workspace.holding:
        here = workspace.find_home(node)
        for atom in values:
            made = _maker(atom)
            there = workspace.find_home(made) if made is not None else None
            if here is None or there is None or here is there or (here, there) in pairs:
                continue
            if isinstance(atom, Made) and _is_looked_at(workspace, here, node):
                continue
            if isinstance(atom, Made) or holds_legacy(workspace, atom, legacy):
                pairs[here, there] = None
    for here, there in pairs:
        workspace.depend(here, there)


def _is_looked_at(workspace: Workspace, module: Module, node: ast.AST) -> bool:
    """Whether a test only has a stand-in for a method there, or asks whether something is there."""
    if node in workspace.stood_for:
        return True
    parent = module.parents.get(node)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        variable = module.scopes.variable.get(parent.targets[0])
        return variable is not None and workspace.stood_for >= set(variable.loads)
    if isinstance(parent, ast.Compare):
        others = [side for side in (parent.left, *parent.comparators) if side is not node]
        return all(workspace.values(other) == frozenset({NONE}) for other in others)
    return isinstance(parent, ast.Assert)


def _maker(atom: Atom) -> ast.AST | None:
    if isinstance(atom, Made):
        return atom.site
    return atom.node if isinstance(atom, Container) else None


def holds_legacy(workspace: Workspace, atom: Atom, known: dict[ast.AST, bool]) -> bool:
    """Whether something of the legacy SDK is in a container, at any depth."""
    if isinstance(atom, Made):
        return True
    if isinstance(atom, External):
        return workspace.surface.is_legacy(atom.name)
    if not isinstance(atom, Container):
        return False
    node = atom.node
    if node not in known:
        known[node] = False
        items = workspace.flow.fact("element", node) | workspace.flow.fact("any item", node)
        known[node] = any(holds_legacy(workspace, item, known) for item in items)
    return known[node]
