"""The extensions of one provider, on their way into the body of a request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final, cast

import msgspec

from chatport.chat import UnsupportedOptionError
from chatport.chat.errors import join_path

Body = dict[str, object]
Members = Mapping[str, msgspec.Raw]

_NULL: Final = b"null"


def put_extensions(
    body: Body,
    own: Members,
    provider: str,
    *,
    reserved: Collection[str] = (),
    spell: Callable[[str], str] = str,
) -> None:
    """Put extensions into a body as members of it, spelled as the wire spells them.

    What the body has already is not replaced: lists grow, objects gain members. One that is null
    leaves the member out. Raises `UnsupportedOptionError` for one that is reserved, or there.
    """
    for name, value in own.items():
        if name in reserved:
            raise _refusal(provider, name, "is not for extensions to set")
        if bytes(value) == _NULL:
            body.pop(spell(name), None)
        else:
            _merge(body, spell(name), value, provider, name)


def object_in(own: dict[str, msgspec.Raw], provider: str, name: str) -> dict[str, msgspec.Raw]:
    """The members of an extension that is an object, taken out of the others."""
    if name not in own:
        return {}
    try:
        return msgspec.json.decode(own.pop(name), type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:
        raise _refusal(provider, name, "must be an object") from None


def _merge(
    body: Body, member: str, value: msgspec.Raw, provider: str, name: str, path: str = ""
) -> None:
    here = body.get(member)
    first = bytes(value).lstrip()[:1]
    if member not in body:
        body[member] = value
    elif isinstance(here, list) and first == b"[":
        body[member] = [*here, *msgspec.json.decode(value, type=list[msgspec.Raw])]
    elif isinstance(here, dict) and first == b"{":
        inner = cast(Body, here)
        for key, one in msgspec.json.decode(value, type=dict[str, msgspec.Raw]).items():
            _merge(inner, key, one, provider, name, join_path(path, member))
    else:
        raise _refusal(provider, name, f"the request sets {join_path(path, member)} already")


def _refusal(provider: str, name: str, problem: str) -> UnsupportedOptionError:
    path = f"options.extensions['{provider}/{name}']"
    return UnsupportedOptionError(f"{provider}: {problem}", path)
