"""Streamed messages of chats whose history is looked at: the answer is kept as one turn.

Legacy joined the pieces of a stream to one turn; the new chat keeps each as a turn of its own, and
none where one piece is empty. A function in the program's module streams and joins them. It is only
written where somebody looks at the history, and where the stream is read to its end: legacy raised
for a history whose last answer was not.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from chatport.port.packs.schema import OneTurn
from chatport.port.program.values import Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.chat import only_empties
from chatport.port.rules.kept_lists import running
from chatport.port.rules.streams import is_read
from chatport.port.rules.use import Use
from chatport.port.rules.written_functions import Definitions


class OneTurnStreams:
    """Chooses the messages that are streamed by a function of the program."""

    def __init__(
        self, workspace: Workspace, params: OneTurn, members: Sequence[str], uses: Sequence[Use]
    ) -> None:
        self.workspace = workspace
        self.params = params
        self.members = members
        self.definitions: Definitions = Definitions(workspace, params)
        self._looking: list[Site] = []
        self.uses: list[Use] = [use for use in uses if use.stream and use.chats]

    def draft(self) -> None:
        """Name the function in each message that it streams, and define it once a module."""
        self._looking = [site for site in self.workspace.sites if self._looks(site)]
        looked = {owner.site for site in self._looking for owner in site.owners}
        joined = [use for use in self.uses if any(chat.call in looked for chat in use.chats)]
        while kept := [use for use in joined if not self._may(use, joined)]:
            joined = [use for use in joined if use not in kept]
        for module in dict.fromkeys(use.site.module for use in joined):
            self.definitions.define(module)
        for use in joined:
            use.joined_by = self.definitions.name(use.site.module)

    def _looks(self, site: Site) -> bool:
        """Whether a use looks at the turns of a history, and does not only empty it."""
        if site.member in self.members:
            return not only_empties(site)
        clears = site.member == f"{self.params.of_turns}clear"
        return str(site.member).startswith(self.params.of_turns) and not clears

    # -- deciding

    def _may(self, use: Use, joined: Sequence[Use]) -> bool:
        """Whether a message may be streamed by the function: all others of its chats are, too."""
        module, site = use.site.module, use.site
        chats = set(use.chats)
        return (
            all(other in joined for other in self.uses if chats & set(other.chats))
            and site.refusal is None
            and site.runner is None
            and not use.rewrite.coroutine
            and bool(self.definitions.name(module))
            and self._is_read_to_its_end(use)
        )

    def _is_read_to_its_end(self, use: Use) -> bool:
        made = Made(self.workspace.surface.makes[use.site.member or ""], use.call)
        read = 0
        for node in (use.call, *self.workspace.holders.get(made, [])):
            home = self.workspace.find_home(node)
            if home is None or not is_read(self.workspace, home, node):
                continue
            read += 1
            parent = home.parents[node]
            loop = home.parents[parent] if isinstance(parent, ast.Call) else parent
            if isinstance(loop, ast.For) and (
                any(map(leaves, loop.body)) or self._is_looked_at_in(loop, use)
            ):
                return False
        return read > 0

    def _is_looked_at_in(self, loop: ast.For, use: Use) -> bool:
        """Whether the history is looked at between two pieces, where legacy had none yet."""
        inside = {node for statement in loop.body for node in ast.walk(statement)}
        chats = {chat.call for chat in use.chats}
        return any(
            site.node in inside or running(self.workspace, site) & inside
            for site in self._looking
            if chats & {owner.site for owner in site.owners}
        )


def leaves(node: ast.AST, *, inner: bool = False) -> bool:
    """Whether a statement may leave the loop it stands in; what it says in an `inner` loop breaks
    that one."""
    if isinstance(node, ast.Return):
        return True
    if isinstance(node, ast.Break):
        return not inner
    if isinstance(node, ast.expr | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    inner = inner or isinstance(node, ast.For | ast.AsyncFor | ast.While)
    return any(leaves(child, inner=inner) for child in ast.iter_child_nodes(node))
