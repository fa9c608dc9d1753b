"""The extensions of one provider, on their way into the body of a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

import msgspec

from chatport.chat import Options, UnsupportedOptionError
from chatport.chat.errors import join_path
from chatport.providers.codec import extension_members

T = TypeVar("T")
Body = dict[str, object]


class OwnExtensions:
    """What is left of a provider's extensions while a body is built; each is taken once."""

    __slots__ = ("_known", "_left", "_provider")

    def __init__(self, options: Options, provider: str) -> None:
        """Raises `UnsupportedOptionError` for an extension of another provider."""
        self._left = extension_members(options, provider) if options.extensions else {}
        self._provider = provider
        self._known: list[str] = []

    def take(self, name: str, kind: type[T]) -> T | None:
        """An extension's value as a `kind`, None when it is not given.

        Raises `UnsupportedOptionError` when the value is of another kind.
        """
        self._known.append(name)
        if name not in self._left:
            return None
        try:
            return msgspec.json.decode(self._left.pop(name), type=kind)
        except msgspec.ValidationError as fault:
            raise self._refusal(name, str(fault)) from None

    def put(self, body: Body, *names: str, spell: Callable[[str], str] = str) -> None:
        """Put extensions into the body, each under its name as the wire spells it."""
        for name in names:
            self._known.append(name)
            if name in self._left:
                self._merge(body, name, {spell(name): self._left.pop(name)}, "")

    def put_members(self, body: Body, name: str) -> None:
        """Put the members of an extension, an object, into the body."""
        if (members := self.take(name, dict[str, msgspec.Raw])) is not None:
            self._merge(body, name, members, "")

    def refuse_rest(self) -> None:
        """Raise `UnsupportedOptionError` for the first extension nobody has taken."""
        for name in sorted(self._left):
            known = ", ".join(sorted(self._known))
            raise self._refusal(name, f"no such extension; there are {known}")

    def _merge(self, body: Body, name: str, added: Mapping[str, msgspec.Raw], path: str) -> None:
        """Members into a body, and into the objects in it; what is there is not replaced."""
        for member, value in added.items():
            here = body.get(member)
            if member not in body:
                body[member] = value
            elif isinstance(here, dict) and bytes(value).lstrip()[:1] == b"{":
                inner = msgspec.json.decode(value, type=dict[str, msgspec.Raw])
                self._merge(cast(Body, here), name, inner, join_path(path, member))
            else:
                where = join_path(path, member)
                raise self._refusal(name, f"the request sets {where} already")

    def _refusal(self, name: str, problem: str) -> UnsupportedOptionError:
        path = f"options.extensions['{self._provider}/{name}']"
        return UnsupportedOptionError(f"{self._provider}: {problem}", path)
