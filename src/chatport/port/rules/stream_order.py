"""When a stream's request is sent: legacy sent it at once, the new SDK when it is first read."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from chatport.port.program.modules import Module
from chatport.port.program.values import Made
from chatport.port.rules.base import Workspace
from chatport.port.rules.streams import is_read
from chatport.port.rules.use import Use

CODE = "stream_sent_when_read"


def warn_of_order(workspace: Workspace, uses: Sequence[Use]) -> None:
    """Warn of streams that are opened before, and read behind, another request of the function."""
    for use in uses:
        if use.stream and any(_comes_between(workspace, use, other) for other in uses):
            use.site.warn(CODE)


def _comes_between(workspace: Workspace, use: Use, other: Use) -> bool:
    """Whether `other` asks between the opening of the stream and its reading. Another stream asks
    where it is read itself."""
    module = use.site.module
    if other is use or other.site.module is not module or not _asks(other):
        return False
    here = module.function(use.call)
    if module.function(other.call) is not here:
        return False
    read = _read_at(workspace, module, use)
    asked = _read_at(workspace, module, other) if other.stream else _place(other.call)
    return (
        read is not None
        and asked is not None
        and _place(use.call) < asked < read
        and (_place(use.call) < _place(other.call))
    )


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
