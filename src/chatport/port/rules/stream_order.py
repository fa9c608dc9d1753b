"""When a stream's request is sent: legacy sent it at once, the new SDK when it is first read."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.values import Made
from chatport.port.rules.base import Workspace
from chatport.port.rules.streams import is_read
from chatport.port.rules.use import Use

CODE = "stream_sent_when_read"

Place: TypeAlias = tuple[Module, FunctionNode | None]


def warn_of_order(workspace: Workspace, uses: Sequence[Use]) -> None:
    """Warn of streams that are opened before, and read behind, another request of the function, or
    a call of a function that makes one."""
    asking = _asking(workspace, uses)
    beside: defaultdict[Place, list[Use]] = defaultdict(list)
    calls: defaultdict[Place, list[ast.Call]] = defaultdict(list)
    for use in uses:
        beside[_where(workspace, use.call)].append(use)
    for call in _calls_of(workspace, asking):
        calls[_where(workspace, call)].append(call)
    for use in uses:
        here = _where(workspace, use.call)
        if (
            use.stream
            and not use.started_by
            and (
                any(_comes_between(workspace, use, other) for other in beside[here])
                or any(_asks_between(workspace, use, call) for call in calls[here])
            )
        ):
            use.site.warn(CODE)


def _where(workspace: Workspace, call: ast.Call) -> Place:
    """The module and the function a call is made in."""
    module = workspace.home(call)
    return module, module.function(call)


def _asking(workspace: Workspace, uses: Sequence[Use]) -> set[FunctionNode]:
    """The functions that make requests, or call one that does."""
    todo = [use.site.module.function(use.call) for use in uses if _asks(use)]
    found: set[FunctionNode] = set()
    while todo:
        function = todo.pop()
        if function is not None and function not in found:
            found.add(function)
            calls = workspace.flow.calls.get(function, ())
            todo += [workspace.home(call).function(call) for call in calls]
    return found


def _calls_of(workspace: Workspace, functions: set[FunctionNode]) -> list[ast.Call]:
    calls = workspace.flow.calls
    return [call for function in functions for call in calls.get(function, ())]


def _comes_between(workspace: Workspace, use: Use, other: Use) -> bool:
    """Whether `other` asks between the opening of the stream and its reading. Another stream asks
    where it is read itself."""
    if other is use or not _asks(other) or not _is_behind(use, other.call):
        return False
    asked = _read_at(workspace, use.site.module, other) if other.stream else _place(other.call)
    return asked is not None and _is_between(workspace, use, asked)


def _asks_between(workspace: Workspace, use: Use, call: ast.Call) -> bool:
    return _is_behind(use, call) and _is_between(workspace, use, _place(call))


def _is_behind(use: Use, call: ast.Call) -> bool:
    """Whether a call stands behind a stream's opening, both in one function."""
    return _place(use.call) < _place(call)


def _is_between(workspace: Workspace, use: Use, asked: tuple[int, int]) -> bool:
    """Whether a request is made before the stream is read: here, or by whoever it is returned
    to."""
    read = _read_at(workspace, use.site.module, use)
    if read is None:
        return any(isinstance(p, ast.Return) for p in _parents(workspace, use))
    return _place(use.call) < asked < read


def _parents(workspace: Workspace, use: Use) -> list[ast.AST]:
    """What the expressions stand in that hold a stream, in the function that opens it."""
    module = use.site.module
    made = Made(workspace.surface.makes[use.site.member or ""], use.call)
    held = [node for node in workspace.holders.get(made, []) if node in module.parents]
    return [module.parents[node] for node in held]


def _asks(use: Use) -> bool:
    """Whether a call sends a request: one for an answer or for a count."""
    return use.rewrite.stream_call is not None or use.rewrite.drops_config


def _read_at(workspace: Workspace, module: Module, use: Use) -> tuple[int, int] | None:
    """Where a stream that is held by a name is first read in the function that opens it."""
    made = Made(workspace.surface.makes[use.site.member or ""], use.call)
    places = [
        _place(node)
        for node in workspace.holders.get(made, [])
        if node in module.parents
        and module.function(node) is module.function(use.call)
        and is_read(workspace, module, node)
    ]
    return min(places, default=None)


def _place(node: ast.AST) -> tuple[int, int]:
    return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
