"""What the rules draft for a use when nothing they doubt holds it back."""

from __future__ import annotations

import ast

from chatport.port.rules.base import Site
from chatport.port.source.edits import Edit
from chatport.port.suggest.context import Context

MOST_PLACES = 4
"""Of a use whose rewrite is elsewhere too, so many places are shown."""


def drafted(context: Context) -> list[Edit] | None:
    """The edits on the lines of a use; of an object also those where it is used."""
    node, draft = context.expression, context.draft
    if node is None:
        return None
    edits = draft.edits_in(*context.lines(node))
    start, end = context.source.span(node)
    if not any(edit.start < end and start < edit.end for edit in edits):
        return None
    makes = context.site.symbol == context.models.params.ctor_symbol
    if makes or not any(edit.text.strip() for edit in edits):
        for site in near(context):
            edits += draft.edits_in(*context.lines(site.node))
    return edits if any(edit.text.strip() for edit in edits) else None


def near(context: Context) -> list[Site]:
    """The uses that go with one, the nearest first, one a line."""
    mine = context.lines(context.site.node)
    found: dict[tuple[int, int], Site] = {mine: context.site}
    for site in context.site.group.root().sites:
        if site.module is context.module and isinstance(site.node, ast.expr):
            found.setdefault(context.lines(site.node), site)
    del found[mine]
    order = sorted(found, key=lambda lines: abs(lines[0] - mine[0]))
    return [found[lines] for lines in order[: MOST_PLACES - 1]]
