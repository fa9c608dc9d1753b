"""Tool calls of Chat Completions, out of the fragments a stream brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from chatport.chat import Metadata, ToolCall, ToolCallDelta
from chatport.chat.metadata import NO_METADATA
from chatport.providers.errors import UnexpectedAnswerError
from chatport.providers.openai.fields import Json


class Calls:
    """The tool calls of one answer, out of fragments that may lack an id, an index or a name.

    A new id is a new call, whatever its index. A fragment without an id belongs to the call of its
    index, or without one to the last. A call that never gets an id has a stable one made for it.
    """

    __slots__ = ("_by_index", "_last", "_names", "_pending")

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._by_index: dict[Any, str] = {}
        self._pending: dict[str, str] = {}
        self._last: str | None = None

    def __bool__(self) -> bool:
        return bool(self._names or self._pending)

    def take(self, fragment: Json) -> Sequence[ToolCallDelta]:
        """What a fragment adds: nothing until the name of its call is known."""
        identity = self._identity(fragment)
        self._last = identity
        function = fragment.get("function") or fragment.get("custom") or {}
        arguments = function.get("arguments", function.get("input"))
        if not isinstance(arguments, str):
            arguments = "" if arguments is None else msgspec.json.encode(arguments).decode()
        name = self._names.get(identity) or function.get("name")
        if not name:
            self._pending[identity] = self._pending.get(identity, "") + arguments
            return ()
        self._names[identity] = name
        call = ToolCall(identity, name, self._pending.pop(identity, "") + arguments)
        return (ToolCallDelta(call, _kept(fragment)),)

    def check(self) -> None:
        """Raise `UnexpectedAnswerError` when a call never got its name."""
        if self._pending:
            raise UnexpectedAnswerError("a tool call without the name of its tool")

    def _identity(self, fragment: Json) -> str:
        given, index = fragment.get("id"), fragment.get("index")
        if given:
            self._by_index[index] = str(given)
            return str(given)
        known = self._by_index.get(index) if index is not None else self._last
        function = fragment.get("function") or {}
        # Without ids and indices, a name begins a call.
        if known is None or (index is None and function.get("name")):
            known = f"call_{len(self._names) + len(self._pending)}"
            self._by_index[index] = known
        return known


def _kept(fragment: Json) -> Metadata:
    """What servers add to a call and want back, such as signatures of thoughts."""
    added = {
        f"openai/{name}": value
        for name, value in fragment.items()
        if name not in ("id", "index", "type", "function", "custom") and value is not None
    }
    if fragment.get("type") == "custom":
        added["openai/type"] = "custom"
    return Metadata(added) if added else NO_METADATA
