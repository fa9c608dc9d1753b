"""Methods handed to something that calls them in a thread, as ``asyncio.to_thread(chat.say, x)``.

What they are handed with goes to them, by name now. Where no names can be handed on, a partial
holds them.
"""

from __future__ import annotations

from msgspec.structs import replace

from chatport.port.render.draft import Draft
from chatport.port.render.layout import Element, Sequence, Text, call
from chatport.port.rules.base import RefusedError, Site

PARTIAL = "functools.partial"


def check(site: Site, *, stream: bool, coroutine: bool) -> None:
    """Raises `RefusedError` where what comes back is no answer yet."""
    if site.runner is not None and (stream or coroutine):
        what = "stream" if stream else "coroutine"
        raise RefusedError("method_used_as_value", f"a {what} is made in another thread")


def written(draft: Draft, site: Site, new: Sequence) -> Sequence:
    """A new call of the member, as it stands where the old one did."""
    runs, outer = site.runner, site.call
    if runs is None or outer is None:
        return new
    function = Element(Text(new.opening.removesuffix("(")))
    before = tuple(Element(draft.carried(node)) for node in outer.args[: runs.callee])
    if runs.named:
        elements = (*before, function, *new.elements)
    else:
        draft.needs.add("functools")
        elements = (*before, Element(call(PARTIAL, (function, *new.elements))))
    return replace(new, opening=f"{draft.text(outer.func)}(", elements=elements)
