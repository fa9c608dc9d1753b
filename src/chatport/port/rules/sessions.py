"""Pages that are run again for every input: what their session keeps must keep its client.

Each run of such a script has variables of its own. A client in one of them is collected with the
run that made it, and closes under a chat that the session keeps for the next run. So the session is
given the client too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from chatport.port.program.modules import Module
from chatport.port.program.values import Made
from chatport.port.rules.base import Site, Workspace

SESSION = "streamlit.session_state"
CODE = "client_placement_ambiguous"
WHY = "the page is run again, and the client of the run before would close under the chat it keeps"


def keep_client(
    workspace: Workspace, module: Module, client: str, makers: list[Site], kept: set[ast.AST]
) -> None:
    """Put a module's client beside each chat its session keeps; `makers` are the calls of the
    module that need the client, `kept` what `kept_calls` finds. Refuses where the chat gets there
    on another way."""
    for site in makers:
        if site.call is None or site.call not in kept:
            continue
        statement = module.statement(site.call)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if (
            not isinstance(statement, ast.Assign)
            or statement.value is not site.call
            or not isinstance(target, ast.Attribute | ast.Subscript)
            or workspace.flow.fact("attribute", SESSION, client)
        ):
            site.refuse(CODE, WHY, f"st.session_state.{client} = {client}")
            continue
        draft = workspace.drafts[module]
        by_item = isinstance(target, ast.Subscript)
        slot = f"[{draft.style.string(client)}]" if by_item else f".{client}"
        line = f"{draft.source.segment(target.value)}{slot} = {client}"
        draft.insert_after(statement, _writer(f"{line}  # the chat needs it to stay open"))


def _writer(text: str) -> Callable[[], str]:
    return lambda: text


def kept_calls(workspace: Workspace) -> set[ast.AST]:
    """The calls that make what the session keeps and what is bound to its client."""
    bound = workspace.surface.pack.match.bound_to_client
    return {
        atom.site
        for key, values in workspace.flow.facts.items()
        if key[:2] == ("attribute", SESSION)
        for atom in values
        if isinstance(atom, Made) and atom.type in bound
    }
