"""A pack as the value flow and the rules ask about it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TypeVar

from chatport.port.packs.schema import Change, Pack

C = TypeVar("C")


class PackSurface:
    """Lookups over a pack; implements the flow's `Surface`."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.module: str = pack.source.module
        self._prefix = self.module + "."

    @property
    def makes(self) -> Mapping[str, str]:
        return self.pack.match.makes

    @property
    def reads(self) -> Mapping[str, str]:
        return self.pack.match.reads

    def canonical(self, name: str) -> str:
        """The one name of a symbol; a member of an aliased class follows the class."""
        if not name.startswith(self._prefix):
            return name
        aliases = self.pack.match.aliases
        head, tail = name, ""
        while head.startswith(self._prefix):
            if head in aliases:
                return aliases[head] + tail
            head, _, last = head.rpartition(".")
            tail = f".{last}{tail}"
        return name

    def is_mapping_class(self, name: str) -> bool:
        """Whether a call of a class makes a plain mapping of its keywords."""
        return name == "builtins.dict" or self.canonical(name) in self.pack.match.mappings

    def by_wire(self, name: str) -> str | None:
        """The legacy name of what a module of the wire format gives; None for anything else."""
        head, tail = name, ""
        while head:
            if head in self.pack.match.wire:
                return self.canonical(self.pack.match.wire[head] + tail)
            head, _, last = head.rpartition(".")
            tail = f".{last}{tail}"
        return None

    def is_legacy(self, name: str) -> bool:
        """Whether a dotted name is the legacy module or below it."""
        return name.startswith(self._prefix) or name == self.module

    def has_not(self, name: str, method: str) -> bool:
        """Whether what another library's class makes, as ``package.Class()``, has no such method of
        the SDK's."""
        match = self.pack.match
        known = match.others.get(name.removesuffix("()")) if name.endswith("()") else None
        return known is not None and method in match.distinctive and method not in known

    @cached_property
    def symbol_of_type(self) -> Mapping[str, str]:
        """Type -> the symbol it is written with."""
        return {
            made: symbol
            for symbol, made in reversed(list(self.makes.items()))
            if self.is_legacy(symbol) and symbol.endswith("." + made)
        }

    def member_symbol(self, kind: str, name: str) -> str:
        """The full name of a member of a legacy type."""
        return f"{self.symbol_of_type.get(kind, self._prefix + kind)}.{name}"

    def change(self, kind: type[C]) -> C | None:
        """The pack's change of a kind."""
        return next((change for change in self.pack.changes if isinstance(change, kind)), None)

    def changes(self) -> tuple[Change, ...]:
        return self.pack.changes
