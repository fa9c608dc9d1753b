"""Values shown as text: printed, logged, formatted."""

from __future__ import annotations

import ast
from collections.abc import Collection

from chatport.port.program.modules import Module
from chatport.port.program.values import External, Made, in_order
from chatport.port.rules.base import Workspace

SHOWS = {"builtins.print", "builtins.str", "builtins.repr", "builtins.format", "pprint.pprint"}
LOGS = {"debug", "info", "warning", "error", "critical", "exception", "log"}
WARNING = "object_text_changed"


def is_shown(workspace: Workspace, parent: ast.AST, node: ast.AST) -> bool:
    """Whether a value becomes text in its parent, by printing, logging or formatting."""
    if isinstance(parent, ast.FormattedValue):
        return True
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Mod) and parent.right is node
    if not isinstance(parent, ast.Call) or parent.func is node:
        return False
    return any(
        isinstance(atom, External) and (atom.name in SHOWS or _logs(atom.name))
        for atom in workspace.values(parent.func)
    )


def note_shown_objects(workspace: Workspace, left_out: Collection[str]) -> None:
    """Say once a file that an object of the SDK is shown, and shows itself in another form.
    `left_out` are types somebody else looks after."""
    noted: set[Module] = set()
    for node, values in workspace.holding:
        home = workspace.find_home(node)
        if home is None or not is_shown(workspace, home.parents[node], node):
            continue
        for atom in in_order(values):
            if not isinstance(atom, Made) or atom.type in left_out:
                continue
            site = workspace.by_node.get(atom.site)
            if site is not None and site.module not in noted:
                site.warn(WARNING)
                noted.add(site.module)


def _logs(name: str) -> bool:
    owner, _, method = name.rpartition(".")
    return method in LOGS and (owner == "logging" or owner.startswith("logging.getLogger"))
