"""What legacy took among contents and the new SDK takes otherwise, wherever it is made."""

from __future__ import annotations

import ast

from chatport.port.program.values import Atom, Container, External, Made, in_order
from chatport.port.rules.base import RefusedError, Workspace

CODE = "history_parts_shape_incompatible"
NOTEBOOK_IMAGE = "IPython.display.Image()"
"""Legacy sent its file."""


def check_foreign(workspace: Workspace, node: ast.expr, part: str, *, message: bool) -> None:
    """Refuse a picture of a notebook among what is said, and the call of a function beside other
    parts: legacy sent one turn, and the new SDK makes a turn of the model of it. `part` is the type
    of the parts; with `message`, what a chat sends, which is one turn anyhow. Raises
    `RefusedError`."""
    flow = workspace.flow
    said = workspace.values(node)
    lists = [a.node for a in in_order(said) if isinstance(a, Container)]
    for literal in lists:
        elements = flow.fact("element", literal) | flow.fact("any item", literal)
        said |= elements
        alone = isinstance(literal, ast.List | ast.Tuple) and len(literal.elts) == 1
        several = literal in flow.mutated or not alone
        if several and not message and any(_calls(atom, part) for atom in elements):
            raise RefusedError(
                CODE, "the call of a function beside other parts becomes a turn of its own"
            )
    if External(NOTEBOOK_IMAGE) in said:
        raise RefusedError(CODE, "the new SDK does not take pictures as notebooks show them")


def _calls(atom: Atom, part: str) -> bool:
    """Whether an atom is a part that is made of a function's call."""
    made = atom.site if isinstance(atom, Made) and atom.type == part else None
    return isinstance(made, ast.Call) and any(k.arg == "function_call" for k in made.keywords)
