"""How long something is kept: a number or a difference of times on the legacy SDK, a text now."""

from __future__ import annotations

import ast

from chatport.port.program.modules import Module
from chatport.port.program.values import INT, External
from chatport.port.rules.base import RefusedError, Workspace

DIFFERENCE = "datetime.timedelta"
SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}


def in_seconds(workspace: Workspace, module: Module, node: ast.expr) -> str:
    """The text of a time as code, ``"300s"``; raises `RefusedError` where it may hold parts of a
    second or is not known."""
    draft = workspace.drafts[module]
    written = _written(workspace, node)
    if written is not None:
        return draft.style.string(f"{written}s")
    quote = draft.style.quote
    if workspace.values(node) == frozenset({INT}) and isinstance(node, ast.Name | ast.Attribute):
        return f"f{quote}{{{draft.text(node)}}}s{quote}"
    if isinstance(node, ast.Call) and _is_whole(workspace, node):
        return f"f{quote}{{int({_escaped(draft.text(node), quote)}.total_seconds())}}s{quote}"
    raise RefusedError("unsupported_kwarg", f"how long `{ast.unparse(node)[:60]}` is is not known")


def _escaped(code: str, quote: str) -> str:
    if quote in code or "\n" in code:
        raise RefusedError("unsupported_kwarg", f"`{code[:60]}` cannot stand in an f-string")
    return code


def _written(workspace: Workspace, node: ast.expr) -> int | None:
    """The seconds of a number or a difference that is written down."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value is not True:
        return node.value
    if not _is_difference(workspace, node):
        return None
    assert isinstance(node, ast.Call)
    total = 0
    for keyword in node.keywords:
        value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        if keyword.arg not in SECONDS or not isinstance(value, int):
            return None
        total += value * SECONDS[keyword.arg]
    return total


def _is_difference(workspace: Workspace, node: ast.expr) -> bool:
    """Whether a call makes a difference of times by keywords."""
    if not isinstance(node, ast.Call) or node.args or not node.keywords:
        return False
    return workspace.values(node.func) == frozenset({External(DIFFERENCE)})


def _is_whole(workspace: Workspace, node: ast.expr) -> bool:
    """Whether a difference is made of whole numbers of seconds or longer units."""
    return (
        _is_difference(workspace, node)
        and isinstance(node, ast.Call)
        and all(
            keyword.arg in SECONDS and workspace.values(keyword.value) == frozenset({INT})
            for keyword in node.keywords
        )
    )
