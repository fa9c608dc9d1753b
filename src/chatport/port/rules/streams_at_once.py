"""Streams whose request is sent where they are made, as legacy did: it asked for the first piece.

The new SDK asks where the first piece is read. Where that is beyond a handler that meets a failed
request, or nowhere, a function of the program asks for it at once and gives the pieces back.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.render.layout import Element, call
from chatport.port.render.layout import Sequence as Written
from chatport.port.rules.base import Workspace
from chatport.port.rules.stream_order import CODE as SENT_LATER
from chatport.port.rules.use import Use
from chatport.port.rules.written_functions import Definitions

CODE = "response_shape_changed"
WHY = (
    "the request is sent where the stream is iterated; another handler than the one around this "
    "call would see it fail"
)


def send_at_once(workspace: Workspace, params: ModelCallsParams, uses: Sequence[Use]) -> None:
    """Name the function in each call of `uses` that must send its request, and define it once a
    module; refuse where that cannot be written."""
    late = [use for use in uses if use.must_send and use.site.refusal is None]
    for function, coroutine in ((params.at_once, False), (params.at_once_awaited, True)):
        definitions = Definitions(workspace, function)
        own = [use for use in late if use.rewrite.coroutine is coroutine]
        for use in own:
            name = definitions.name(use.site.module)
            if use.site.runner is not None or not name or _is_awaited(use) is not coroutine:
                use.site.refuse(CODE, WHY)
            else:
                use.started_by = name
                use.site.warnings[:] = [said for said in use.site.warnings if said != SENT_LATER]
        for module in dict.fromkeys(use.site.module for use in own if use.started_by):
            definitions.define(module)


def started(use: Use, call_of_stream: Written) -> Written:
    """The call of a stream, sent at once where it must be."""
    if not use.started_by:
        return call_of_stream
    prefix = "await " if use.rewrite.coroutine else ""
    return call(use.started_by, (Element(call_of_stream, prefix),))


def _is_awaited(use: Use) -> bool:
    return isinstance(use.site.module.parents[use.call], ast.Await)
