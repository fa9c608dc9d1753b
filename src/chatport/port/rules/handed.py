"""Methods handed to something that calls them in a thread, as ``asyncio.to_thread(chat.say, x)``.

What they are handed with goes to them, by name now. Where no names can be handed on, a partial
holds them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

from msgspec.structs import replace

from chatport.port.program.modules import Module
from chatport.port.program.threads import runner
from chatport.port.program.values import External
from chatport.port.render.draft import Draft
from chatport.port.render.layout import Element, Sequence, Text, call
from chatport.port.rules.base import RefusedError, Site, Workspace

PARTIAL = "functools.partial"


def check(
    workspace: Workspace,
    site: Site,
    given: Mapping[str, object],
    keywords: Set[str],
    *,
    stream: bool,
    coroutine: bool,
) -> None:
    """Raises `RefusedError` where what comes back is no answer yet, where the method may get more
    arguments than are seen, or not all of the new keywords."""
    if site.runner is None:
        return
    if stream or coroutine:
        what = "stream" if stream else "coroutine"
        raise RefusedError("method_used_as_value", f"a {what} is made in another thread")
    if site.runner.takes & keywords:
        raise RefusedError("method_used_as_value", "what calls it has a keyword of the same name")
    if site.runner.later and not (given and _is_run_as_it_is(workspace, site)):
        raise RefusedError("method_used_as_value", "what calls it may give it other arguments")


def _is_run_as_it_is(workspace: Workspace, site: Site) -> bool:
    """Whether a partial is only handed to something that runs it with nothing more, by itself or
    by one name."""
    module, partial = site.module, site.call
    assert partial is not None
    if _is_only_argument(workspace, module, partial):
        return True
    parent = module.parents[partial]
    if not isinstance(parent, ast.Assign) or len(parent.targets) != 1:
        return False
    variable = module.scopes.variable.get(parent.targets[0])
    return (
        variable is not None
        and len(variable.stores) == 1
        and all(_is_only_argument(workspace, module, load) for load in variable.loads)
    )


def _is_only_argument(workspace: Workspace, module: Module, node: ast.AST) -> bool:
    call = module.parents[node]
    if not isinstance(call, ast.Call) or node not in call.args or call.keywords:
        return False
    for atom in workspace.values(call.func):
        runs = runner(atom.name) if isinstance(atom, External) else None
        if runs is None or runs.later or call.args.index(node) != runs.callee:
            return False
        if len(call.args) != runs.callee + 1:
            return False
    return bool(workspace.values(call.func))


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
