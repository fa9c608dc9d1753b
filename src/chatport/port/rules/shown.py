"""Values shown as text: printed, logged, formatted."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection

from chatport.port.program.modules import Module
from chatport.port.program.values import Atom, Container, External, Made, in_order
from chatport.port.rules.base import Workspace

SHOWS = {"builtins.print", "builtins.str", "builtins.repr", "builtins.format", "pprint.pprint"}
LOGS = {"debug", "info", "warning", "error", "critical", "exception", "log"}
PAGES = {"streamlit", "rich", "click", "typer", "tqdm", "loguru", "warnings"}
"""Libraries that show what they are given."""
WARNING = "object_text_changed"


def is_shown(workspace: Workspace, parent: ast.AST, node: ast.AST) -> bool:
    """Whether a value becomes text in its parent, by printing, logging or formatting."""
    if isinstance(parent, ast.FormattedValue):
        return True
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Mod) and parent.right is node
    if not isinstance(parent, ast.Call) or parent.func is node:
        return False
    if isinstance(parent.func, ast.Attribute) and parent.func.attr == "format":
        return True
    return any(
        isinstance(atom, External) and (atom.name in SHOWS or _shows(atom.name))
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


def shown_literals(workspace: Workspace) -> set[ast.AST]:
    """The containers of the program that are shown as text, or compared, with all they hold."""
    flow, found = workspace.flow, set[ast.AST]()
    todo: list[Atom] = []
    for node, values in flow.values.items():
        held = [atom for atom in values if isinstance(atom, Container)]
        home = workspace.find_home(node) if held else None
        if home is not None and _is_told(workspace, home, node):
            todo += held
    while todo:
        atom = todo.pop()
        if isinstance(atom, Container) and atom.node not in found:
            found.add(atom.node)
            todo += flow.fact("element", atom.node) | flow.fact("any item", atom.node)
    return found


def _is_told(workspace: Workspace, home: Module, node: ast.AST) -> bool:
    """Whether somebody sees what `node` holds: as text, or by comparing it with something."""
    parent = home.parents[node]
    if isinstance(parent, ast.Starred):
        node, parent = parent, home.parents[parent]
    if isinstance(parent, ast.Compare):
        others = [part for part in (parent.left, *parent.comparators) if part is not node]
        alike = any(isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in parent.ops)
        return alike and not any(map(_is_empty, others))
    return is_shown(workspace, parent, node)


def _is_empty(node: ast.expr) -> bool:
    """Whether nothing is written down: None, an empty list or an empty text."""
    if isinstance(node, ast.List | ast.Tuple):
        return not node.elts
    return isinstance(node, ast.Constant) and (not node.value or isinstance(node.value, str))


def _shows(name: str) -> bool:
    owner, _, method = name.rpartition(".")
    logs = owner == "logging" or owner.startswith("logging.getLogger")
    return (method in LOGS and logs) or name.partition(".")[0] in PAGES or _is_error(name)


def _is_error(name: str) -> bool:
    """Whether a function of Python makes an exception, whose text is what it is given."""
    made = getattr(builtins, name.removeprefix("builtins."), None)
    return isinstance(made, type) and issubclass(made, BaseException)
