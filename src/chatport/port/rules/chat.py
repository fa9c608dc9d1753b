"""Chats: which of the two kinds each becomes, and what a stream leaves in its history."""

from __future__ import annotations

import ast

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import External, Made
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.history_names import HistoryNames
from chatport.port.rules.use import Use

COPIES = {"copy.copy", "copy.deepcopy"}


class Chats:
    """Questions about the chats among the uses of a pack."""

    def __init__(self, workspace: Workspace, params: ModelCallsParams, uses: list[Use]) -> None:
        self.workspace = workspace
        self.params = params
        self.uses = uses

    def choose_kind(self) -> set[ast.Call]:
        """The calls that make a chat which is only awaited; one used both ways cannot be moved."""
        awaited_only: set[ast.Call] = set()
        messages_of: dict[Use, list[Use]] = {}
        for use in self.uses:
            for chat in use.chats:
                messages_of.setdefault(chat, []).append(use)
        for chat in self.uses:
            if chat.rewrite.async_call is None:
                continue
            if chat.call in self.workspace.flow.leaked:
                chat.site.refuse(
                    "model_object_escapes", "the chat is handed to code that is not followed"
                )
            messages = messages_of.get(chat, [])
            awaited = [use for use in messages if use.rewrite.coroutine]
            if awaited and len(awaited) == len(messages):
                awaited_only.add(chat.call)
            elif awaited:
                for use in awaited:
                    use.site.refuse(
                        "receiver_method_unmapped",
                        "the chat is used with and without await; the new SDK has two kinds",
                    )
        return awaited_only

    def note_streams(self) -> None:
        """Say once a file that a chat which streams and goes on remembers in other pieces, and
        goes on where legacy's did not."""
        noted: set[tuple[Module, str]] = set()
        for use in self.uses:
            if not use.stream or not use.chats:
                continue
            goes_on = self._goes_on(use)
            if goes_on and not use.joined_by:
                _note(use, "stream_history_shape", noted)
            if goes_on or self._is_looked_at(use):
                _note(use, "stopped_stream_goes_on", noted)

    def _is_looked_at(self, use: Use) -> bool:
        """Whether the history of a message's chat is named anywhere."""
        return any(
            site.member == self.params.history_member
            for chat in use.chats
            for site in self.workspace.uses_of(chat.call)
        )

    def check_copies(self) -> None:
        """A copy of a chat had a list of its own; the new one would share it."""
        for chat in self.uses:
            made = self.workspace.surface.makes.get(chat.site.member or "")
            if chat.rewrite.async_call is None or made is None:
                continue
            for node in self.workspace.holders.get(Made(made, chat.call), ()):
                home = self.workspace.find_home(node)
                parent = home.parents[node] if home is not None else None
                if isinstance(parent, ast.Call) and COPIES & self._names(parent.func):
                    chat.site.refuse("history_write", f"`{ast.unparse(parent)}` shares it")

    def _names(self, node: ast.expr) -> set[str]:
        return {a.name for a in self.workspace.values(node) if isinstance(a, External)}

    def check_history_reads(self) -> None:
        """A history that is read after a stream has other turns than legacy's."""
        streamed = {
            chat.call for use in self.uses if use.stream and not use.joined_by for chat in use.chats
        }
        for site in self.workspace.sites:
            if (
                site.rule is None
                and site.member == self.params.history_member
                and any(owner.site in streamed for owner in site.owners)
                and not only_empties(site)
            ):
                site.refuse("stream_history_read", "its turns are in other pieces after a stream")
        HistoryNames(self.workspace, self.params.history_member, self.uses).check()

    def _goes_on(self, use: Use) -> bool:
        """Whether the chat may send another message after this one."""
        module = use.site.module
        if any(chat.site.module is not module for chat in use.chats):
            return True
        here = module.function(use.call)
        if any(module.function(chat.call) is not here for chat in use.chats):
            return True
        node: ast.AST = use.call
        while node in module.parents and node is not here:
            node = module.parents[node]
            inside = isinstance(node, ast.For | ast.AsyncFor | ast.While)
            if inside and _stands_in(module, use.call, node):
                return not any(_stands_in(module, chat.call, node) for chat in use.chats)
        return any(
            other.chats == use.chats and other.call.lineno > use.call.lineno for other in self.uses
        )


def _note(use: Use, warning: str, noted: set[tuple[Module, str]]) -> None:
    if (use.site.module, warning) not in noted:
        noted.add((use.site.module, warning))
        use.site.warn(warning)


def only_empties(site: Site) -> bool:
    """Whether a use of a history takes out all there is, whatever that is."""
    parent = site.module.parents[site.node]
    if isinstance(parent, ast.Assign) and site.node in parent.targets:
        said = parent.value
        return (isinstance(said, ast.List) and not said.elts) or (
            isinstance(said, ast.Constant) and said.value is None
        )
    return isinstance(parent, ast.Attribute) and parent.attr == "clear"


def _stands_in(module: Module, node: ast.AST, loop: ast.AST) -> bool:
    """Whether `node` is made anew in each round of `loop`."""
    here: ast.AST | None = node
    while here is not None and here is not loop:
        parent = module.parents.get(here)
        if parent is loop and isinstance(loop, ast.For | ast.AsyncFor) and loop.iter is here:
            return False
        here = parent
    return here is loop
