"""Streams and coroutines: how the result of a call is used decides whether it may change.

The new stream is a one-shot generator without ``resolve()`` or ``text``, so it is written only
where all that happens to it is being iterated once. An ``await`` stays the author's.
"""

from __future__ import annotations

import ast

from chatport.port.packs.schema import Exceptions
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS, FunctionNode
from chatport.port.program.values import External, Function
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.error_classes import ErrorTable

BROAD = {"Exception", "BaseException"}
"""Handlers that see a request fail, besides those of the transport's classes."""

ITERATES = frozenset({"builtins.list", "builtins.enumerate", "builtins.tuple", "builtins.iter"})


def check_await(site: Site, *, coroutine: bool, stream: bool) -> None:
    """The await of a streaming coroutine: kept with a note, or refused where it is missing."""
    if not coroutine or site.call is None:
        return
    parent = site.module.parents[site.call]
    if isinstance(parent, ast.Await):
        if stream:
            site.warn("async_stream_await_preserved")
    elif stream and _is_iterated(parent, site.call):
        site.refuse(
            "async_stream_await_missing",
            "the loop runs over a coroutine that nobody awaited; it already fails",
            f"await {site.module.source.segment(site.call)}",
        )


def check_stream(workspace: Workspace, site: Site, holders: list[ast.AST]) -> bool:
    """Refuse a stream that is more than iterated once. `holders` are the expressions that may
    hold its result. Whether its request must be sent where it is made: another handler would see
    it fail where it is read, or nobody reads it."""
    if site.call in workspace.flow.leaked:
        site.refuse("response_shape_changed", "the stream is handed to code that is not followed")
        return False
    loops, alike = 0, True
    assert site.call is not None
    for node in holders:
        module = workspace.find_home(node)
        if module is None:
            continue
        parent = module.parents[node]
        if _is_iterated(parent, node) or _is_iterating_call(workspace, parent):
            loops += 1
            alike = alike and _fails_alike(workspace, site, module, node)
        elif not _is_passed_on(workspace, parent, node):
            site.refuse(
                "response_shape_changed",
                f"a stream is only iterated on the new SDK; here it is used in "
                f"`{ast.unparse(module.statement(node))[:60]}`",
            )
            return False
    if loops > 1 and len({id(module_function(workspace, node)) for node in holders}) == 1:
        site.refuse("response_shape_changed", "the stream is iterated more than once")
    return not alike or (not loops and not _leaves(workspace, site, holders))


def _leaves(workspace: Workspace, site: Site, holders: list[ast.AST]) -> bool:
    """Whether a stream is iterated where it comes, or gets to where it may be."""
    node: ast.AST | None = site.call
    assert node is not None
    if isinstance(site.module.parents[node], ast.Await):
        node = site.module.parents[node]
    for holder in (node, *holders):
        home = workspace.find_home(holder)
        if home is None:
            return True
        parent = home.parents[holder]
        stored = isinstance(parent, ast.Expr | ast.Assign | ast.AnnAssign | ast.Await)
        if not stored or isinstance(getattr(parent, "targets", [None])[0], ast.Subscript):
            return True
    return False


def _fails_alike(workspace: Workspace, site: Site, module: Module, loop: ast.AST) -> bool:
    """Whether the handlers that saw the call fail see the loop fail, and no others."""
    assert site.call is not None
    opened, read = site.module.function(site.call), module.function(loop)
    handled = _handling(workspace, site.module, site.call)
    seen = _handling(workspace, module, loop)
    if opened is read:
        return handled == seen
    given = _calls_in(workspace, opened, module, read)
    if given:  # the loop goes over what a call of the function gives back
        sources = [call for call in given if _leads_to(module, call, loop)] or given
        return not handled and all(_handling(workspace, module, c) == seen for c in sources)
    taken = _calls_in(workspace, read, site.module, opened)
    if taken and not _is_generator(read):  # the stream is handed to the function with the loop
        return not seen and all(_handling(workspace, site.module, c) == handled for c in taken)
    if handled < seen:
        site.warn("stream_sent_when_read")
    return handled <= seen


def _calls_in(
    workspace: Workspace,
    function: FunctionNode | None,
    module: Module,
    body: FunctionNode | None,
) -> list[ast.Call]:
    """The calls of a function that stand in a body."""
    calls = workspace.flow.calls.get(function, ()) if function is not None else ()
    return [call for call in calls if call in module.parents and module.function(call) is body]


def _leads_to(module: Module, call: ast.Call, loop: ast.AST) -> bool:
    """Whether a loop goes over what a call gives, or over a name that is given that."""
    if call in set(ast.walk(loop)):
        return True
    variable = module.scopes.variable.get(loop)
    stores = variable.stores if variable is not None else ()
    return any(call in set(ast.walk(module.statement(store))) for store in stores)


def _is_generator(function: ast.AST | None) -> bool:
    return function is not None and any(
        isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)
    )


def _handling(workspace: Workspace, module: Module, node: ast.AST) -> set[ast.AST]:
    """The ``try`` statements around a node in its function that may catch a failed request."""
    found: set[ast.AST] = set()
    child, here = node, module.parents.get(node)
    while here is not None and not isinstance(here, FUNCTIONS):
        if isinstance(here, ast.Try | ast.TryStar) and (
            child in here.body and any(_meets_failures(workspace, h.type) for h in here.handlers)
        ):
            found.add(here)
        child, here = here, module.parents.get(here)
    return found


def _meets_failures(workspace: Workspace, kind: ast.expr | None) -> bool:
    """Whether a handler may meet a request that failed."""
    exceptions = workspace.surface.change(Exceptions)
    table = ErrorTable(workspace, exceptions.params) if exceptions is not None else None
    own = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    parts = table.parts(kind) if table is not None and kind is not None else own
    return any(
        part is None
        or (isinstance(part, ast.Name) and part.id in BROAD)
        or (table is not None and table.is_transport(part))
        for part in parts
    )


def check_whole(workspace: Workspace, site: Site, holders: list[ast.AST]) -> None:
    """An answer that is no stream and is iterated all the same: legacy gave its one chunk, the new
    object would give its fields, so the loop goes over a list of it."""
    for node in (*holders, *([site.call] if site.call is not None else ())):
        module = workspace.find_home(node)
        if module is None:
            continue
        parent = module.parents[node]
        if isinstance(node, ast.Name) and _is_looped_over(parent, node):
            if len(workspace.values(node)) == 1:
                draft = workspace.drafts[module]
                draft.replace_with(node, f"[{node.id}]")
                continue
            site.refuse("response_shape_changed", f"`{node.id}` is a stream at other times")
        elif _is_iterated(parent, node) or _is_iterating_call(workspace, parent):
            site.refuse("response_shape_changed", "an answer that is no stream is iterated")


def is_read(workspace: Workspace, module: Module, node: ast.AST) -> bool:
    """Whether what `node` holds is iterated right there."""
    parent = module.parents[node]
    return _is_iterated(parent, node) or _is_iterating_call(workspace, parent)


def module_function(workspace: Workspace, node: ast.AST) -> ast.AST | None:
    module = workspace.find_home(node)
    return module.function(node) if module is not None else None


def _is_looped_over(parent: ast.AST, node: ast.AST) -> bool:
    """Whether a plain loop or comprehension goes over a node."""
    plain = isinstance(parent, ast.For) or (
        isinstance(parent, ast.comprehension) and not parent.is_async
    )
    return plain and _is_iterated(parent, node)


def _is_iterated(parent: ast.AST, node: ast.AST) -> bool:
    if isinstance(parent, ast.For | ast.AsyncFor | ast.comprehension):
        return parent.iter is node
    return isinstance(parent, ast.YieldFrom)


def _is_iterating_call(workspace: Workspace, parent: ast.AST) -> bool:
    return isinstance(parent, ast.Call) and any(
        isinstance(atom, External) and atom.name in ITERATES
        for atom in workspace.values(parent.func)
    )


def _is_passed_on(workspace: Workspace, parent: ast.AST, node: ast.AST) -> bool:
    """Whether the value only travels here; where it arrives is another holder."""
    if isinstance(parent, ast.Assign | ast.AnnAssign | ast.Await | ast.Return | ast.NamedExpr):
        return True
    if isinstance(parent, ast.keyword | ast.Call):
        call = parent
        if isinstance(call, ast.Call):
            if call.func is node:
                return False
            return any(isinstance(atom, Function) for atom in workspace.values(call.func))
        return True
    return isinstance(getattr(node, "ctx", None), ast.Store)
