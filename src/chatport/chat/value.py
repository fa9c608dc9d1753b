"""The base of the protocol values, and the checks they share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import msgspec
from msgspec.structs import force_setattr

from chatport.chat.errors import InvalidValueError
from chatport.chat.metadata import NO_METADATA, Metadata

T = TypeVar("T")
Fault = type[InvalidValueError]


class Value(
    msgspec.Struct,
    frozen=True,
    gc=False,  # values are made of immutable things only and cannot form a cycle
    omit_defaults=True,
    repr_omit_defaults=True,
    forbid_unknown_fields=True,
):
    """A frozen protocol value: checked when it is made, so it is valid for as long as it lives.

    Equal values have equal hashes; a copy is the value itself.
    """

    fault: ClassVar[Fault] = InvalidValueError
    """The class of error a faulty value of this kind raises."""

    def to_json(self) -> bytes:
        """Compact JSON, members in the protocol's order, absent ones left out."""
        from chatport.chat.codec import encode

        return encode(self)

    @classmethod
    def from_json(cls, data: bytes | str) -> Self:
        """Read strict JSON: no unknown or duplicate members, nothing after the document.

        Raises the class's `fault`, with the path of what is wrong.
        """
        from chatport.chat.codec import decode

        return decode(cls, data)

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, checked like any new value."""
        return self._make(fields(self) | changes)

    def __replace__(self, **changes: Any) -> Self:
        """What `copy.replace` calls."""
        return self.replace(**changes)

    @classmethod
    def _make(cls, values: dict[str, Any]) -> Self:
        return cls(**values)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), fields(self))


class Variadic(msgspec.StructMeta):
    """Makes a value take its first field as positional arguments: ``Request(*messages)``."""

    if not TYPE_CHECKING:  # type checkers read the signature each class declares

        def __call__(cls, *items, **rest):  # noqa: N805
            return super().__call__(items, **rest)


def fields(value: msgspec.Struct) -> dict[str, Any]:
    """The value's fields by name, in order."""
    return {name: getattr(value, name) for name in value.__struct_fields__}


def _restore(cls: type[Value], values: dict[str, Any]) -> Value:
    return cls._make(values)


def put(value: msgspec.Struct, name: str, settled: object) -> None:
    """Set a field while its value is being made, when checking has changed it."""
    if getattr(value, name) is not settled:
        force_setattr(value, name, settled)


def clean_text(fault: Fault, path: str, text: object) -> str:
    """The text as a plain `str` that can be encoded; lone surrogates are refused, not repaired."""
    if type(text) is not str:
        if not isinstance(text, str):
            raise fault(f"expected text, got {type(text).__name__}", path)
        text = str.__str__(text)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise fault(f"a lone surrogate at character {error.start}", path) from None
    return text


def required_text(fault: Fault, path: str, text: object) -> str:
    """Clean text that is not empty."""
    text = clean_text(fault, path, text)
    if not text:
        raise fault("must not be empty", path)
    return text


def optional_text(fault: Fault, path: str, text: object) -> str | None:
    """Clean text; None for empty text, which means absent wherever text is optional."""
    return None if text is None else clean_text(fault, path, text) or None


def unpadded_text(fault: Fault, path: str, text: object) -> str | None:
    """Optional text that neither starts nor ends with whitespace."""
    text = optional_text(fault, path, text)
    if text is not None and text != text.strip():
        raise fault("must not start or end with whitespace", path)
    return text


def one_of(fault: Fault, path: str, word: object, allowed: Collection[str]) -> Any:
    """The word, when it is one of the allowed ones."""
    if not isinstance(word, str) or word not in allowed:
        raise fault(f"expected one of {', '.join(allowed)}, got {shown(word)}", path)
    return str.__str__(word)


def instance_of(fault: Fault, path: str, value: object, *kinds: type) -> None:
    """Raise unless the value is exactly of one of the kinds: a subclass may not be frozen."""
    if type(value) not in kinds:
        raise _unexpected(fault, path, value, kinds)


def frozen_items(fault: Fault, path: str, items: object, *kinds: type) -> tuple[Any, ...]:
    """The items as a tuple, each exactly of one of the kinds; what has no order is refused."""
    if type(items) is not tuple:
        unordered = isinstance(items, (str, bytes, Mapping, Set))
        if unordered or not isinstance(items, Iterable):
            raise fault(f"expected a sequence, got {type(items).__name__}", path)
        items = tuple(items)
    for index, item in enumerate(items):
        if kinds and type(item) not in kinds:
            raise _unexpected(fault, f"{path}[{index}]", item, kinds)
    return items


def _unexpected(
    fault: Fault, path: str, value: object, kinds: tuple[type, ...]
) -> InvalidValueError:
    names = " or ".join([kind.__name__ for kind in kinds])
    return fault(f"expected {names}, got {type(value).__name__}", path)


def whole_number(fault: Fault, path: str, number: object, least: int) -> None:
    """Raise unless the number is an `int` (not a bool) from `least` to the largest int64."""
    if type(number) is not int:
        raise fault(f"expected a whole number, got {type(number).__name__}", path)
    if not least <= number <= MAX_INT64:
        raise fault(f"must be from {least} to {MAX_INT64}", path)


MAX_INT64 = 2**63 - 1


def frozen_metadata(fault: Fault, path: str, metadata: Any) -> Metadata:
    """The metadata as `Metadata`, the shared empty one when there is none."""
    if type(metadata) is not Metadata:
        metadata = nested(fault, path, lambda: Metadata(metadata))
    return metadata or NO_METADATA


def nested(fault: Fault, path: str, make: Callable[[], T]) -> T:
    """What `make` makes; its faults become the enclosing value's, with the path to here."""
    try:
        return make()
    except InvalidValueError as error:
        raise fault.around(error, path) from error


def shown(value: object) -> str:
    """A value as an error message quotes it: text in ASCII and cut short, of the rest the type."""
    return ascii(value[:60]) if isinstance(value, str) else type(value).__name__
