"""Messages of the wire format that a program makes itself: which are made alike on both sides.

The new classes have the legacy ones' fields under the same names, but for those that a keyword or a
builtin of Python stood in the way of. What a field holds is mostly carried; what only the legacy
class understood is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import partial

from chatport.port.packs.schema import Message
from chatport.port.program.values import INT, Atom, Container, External, Made, in_order
from chatport.port.rules.base import Site, Workspace

FOREIGN = "google.protobuf."
"""Messages of that library were fields of legacy's."""


class Messages:
    """Decides about the constructors of messages, and names their fields anew."""

    def __init__(self, workspace: Workspace, messages: Mapping[str, Message]) -> None:
        self.workspace = workspace
        self.messages = messages
        self._renamed: frozenset[str] = frozenset(
            old
            for message in messages.values()
            for old, new in message.fields.items()
            if old != new
        )

    def differs(self, site: Site, call: ast.Call) -> str | None:
        """Why a constructor cannot be called alike; None where it can, and then its keywords are
        drafted."""
        message = self.messages.get(site.symbol)
        if message is None:
            return f"nothing that takes this `{site.symbol}` is followed"
        if call.args:
            return f"`{site.symbol}` is made of something else than its fields"
        for keyword in call.keywords:
            if keyword.arg not in message.fields:
                said = f"{keyword.arg}=" if keyword.arg is not None else ast.unparse(keyword.value)
                return f"`{said}` of `{site.symbol}` is not carried over"
            if (why := self._why_not(message, keyword.arg, keyword.value)) is not None:
                return why
        draft = self.workspace.draft(site)
        for keyword in call.keywords:
            name = keyword.arg or ""
            if (new := message.fields[name]) != name:
                start = draft.source.span(keyword)[0]
                draft.replace_span(start, start + len(name), partial(str, new))
        return None

    def _why_not(self, message: Message, name: str, node: ast.expr) -> str | None:
        said = f"`{ast.unparse(node)[:60]}`"
        values = self.workspace.values(node)
        if name in message.members and INT in values:
            return f"{said} is the number of a member; the new SDK wants its name"
        for atom in (*in_order(values), *self._held(values, set())):
            if isinstance(atom, External) and atom.name.startswith(FOREIGN):
                return f"{said} is a message of another library"
            if name in message.mappings:
                continue
            if isinstance(atom, Container) and self._renamed & self._keys(atom.node):
                return f"{said} has keys that only legacy knew"
        if name in message.functions and not all(
            isinstance(atom, Made) or (isinstance(atom, Container) and self._keys(atom.node))
            for atom in self._held(values, set())
        ):
            return f"{said} may hold functions, which stand among the tools themselves now"
        return None

    def _held(self, values: frozenset[Atom], seen: set[ast.AST]) -> Iterator[Atom]:
        """What containers hold, at any depth."""
        flow = self.workspace.flow
        for atom in in_order(values):
            if isinstance(atom, Container) and atom.node not in seen:
                seen.add(atom.node)
                inner = flow.fact("element", atom.node) | flow.fact("any item", atom.node)
                yield from in_order(inner)
                yield from self._held(inner, seen)

    def _keys(self, node: ast.AST) -> set[str]:
        return {str(key) for key in self.workspace.flow.keys.get(node, set())}
