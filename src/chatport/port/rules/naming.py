"""Names for answers that had none."""

from __future__ import annotations

import ast
import builtins

from chatport.port.program.modules import Module
from chatport.port.rules.base import Workspace

NAMES = ("response", "answer", "reply", "gemini_response")


def free_name(workspace: Workspace, module: Module, node: ast.AST) -> str:
    """A name for an answer that nothing is called by where `node` stands; it is not taken yet."""
    scope = module.scopes.around[node].function()
    taken = workspace.taken.get((module, module.function(node)), set())
    numbered = (f"response_{number}" for number in range(2, 10_000))
    return next(
        name
        for name in (*NAMES, *numbered)
        if name not in taken and scope.lookup(name) is None and not hasattr(builtins, name)
    )


def take(workspace: Workspace, module: Module, node: ast.AST, name: str) -> None:
    """Keep a name from being given to anything else in the body of `node`."""
    workspace.taken.setdefault((module, module.function(node)), set()).add(name)
