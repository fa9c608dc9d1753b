"""What the SDK's annotations say: types without their wrappers, fields, attributes."""

from __future__ import annotations

import types as python_types
import typing
from typing import Any

SDK = "google.genai"


class UnknownError(Exception):
    """An expression that cannot be followed."""


class Instance:
    """Some value of a type, as the SDK's annotations say."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind


class Method:
    """A function of the SDK that is called without its first parameter."""

    def __init__(self, function: Any) -> None:
        self.function = function


class Awaited:
    """What an `await` makes into an instance."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind


def plain(kind: Any) -> Any:
    """A type without `None` and the wrappers of `typing`; raises UnknownError for a choice."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, python_types.UnionType):
        rest = [one for one in typing.get_args(kind) if one is not type(None)]
        if len(rest) == 1:
            return plain(rest[0])
        raise UnknownError
    if origin is typing.Annotated:
        return plain(typing.get_args(kind)[0])
    return kind


def choices(kind: Any) -> list[Any]:
    """The types a value may have."""
    if typing.get_origin(kind) in (typing.Union, python_types.UnionType):
        return [inner for one in typing.get_args(kind) for inner in choices(one)]
    return [kind]


def is_sdk(thing: Any) -> bool:
    """Whether a class, function or module comes from the SDK."""
    name = getattr(thing, "__module__", None) or getattr(thing, "__name__", "")
    return str(name).startswith(SDK)


def hints(function: Any) -> dict[str, Any]:
    """The annotations of a function; none where they cannot be read."""
    try:
        return typing.get_type_hints(function)
    except Exception:
        return {}


def field_names(model: Any) -> set[str]:
    """The names a model takes: its fields, and their spelling on the wire."""
    aliases = {field.alias for field in model.model_fields.values() if field.alias}
    return set(model.model_fields) | aliases


def own_attributes(kind: Any) -> set[str]:
    """What the methods of a class put on `self`, and what it only annotates."""
    found: set[str] = set()
    for base in kind.__mro__:
        found |= set(getattr(base, "__annotations__", {}))
        for member in list(vars(base).values()):
            code = getattr(member, "__code__", None)
            found |= set(code.co_names) if code is not None else set()
    return found


def name_of(thing: Any) -> str:
    return str(getattr(thing, "__qualname__", None) or getattr(thing, "__name__", thing))
