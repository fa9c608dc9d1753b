"""Objects that were found by their hash, in sets and mappings, and have none any more."""

from __future__ import annotations

import ast
from collections.abc import Collection

from chatport.port.program.values import Made, in_order
from chatport.port.rules.base import Workspace
from chatport.port.rules.identity import hashed


def refuse_hashed_objects(workspace: Workspace, types: Collection[str]) -> None:
    """Refuse the makers of objects of some types, where a program wants them hashed."""
    for node, values in workspace.holding:
        made = [a for a in in_order(values) if isinstance(a, Made) and a.type in types]
        home = workspace.find_home(node) if made else None
        if home is None or not isinstance(node, ast.expr):
            continue
        why = hashed(workspace, home, node)
        for atom in made if why is not None else ():
            maker = workspace.by_node.get(atom.site)
            if maker is not None:
                maker.refuse("response_shape_changed", f"the new object has no hash, and {why}")
