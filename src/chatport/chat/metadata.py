"""Immutable mappings from a key to a JSON value: free-form metadata and provider extensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import msgspec

from chatport.chat.document import (
    FrozenJSON,
    JSONText,
    canonical,
    check_syntax,
    encode_plain,
    freeze,
)
from chatport.chat.errors import (
    EmptyKeyError,
    InvalidJSONError,
    InvalidMetadataError,
    InvalidMetadataKeyError,
    InvalidMetadataValueError,
    path_of,
)

T = TypeVar("T")


class Metadata(JSONText, Mapping[str, FrozenJSON]):
    """An immutable mapping from non-empty text to JSON values.

    Each value is kept as canonical JSON text (compact, members sorted, the digits of numbers as
    written), so equality is equality of what is sent: ``1``, ``1.0`` and ``True`` differ. Reading
    a key gives frozen Python values: tuples for arrays, read-only mappings for objects. `texts`
    gives what is sent and `decode` any type msgspec knows.

    Raises `EmptyKeyError`, `InvalidMetadataKeyError` or `InvalidMetadataValueError`.
    """

    __slots__ = ("_texts",)
    _texts: Mapping[str, bytes]

    def __init__(self, values: Mapping[str, object] | None = None, /) -> None:
        texts = dict(sorted(self._encode({} if values is None else values)))
        object.__setattr__(self, "_texts", MappingProxyType(texts))

    @classmethod
    def _encode(cls, values: Mapping[str, object]) -> Iterator[tuple[str, bytes]]:
        if not isinstance(values, Mapping):
            raise InvalidMetadataValueError(f"expected a mapping, got {type(values).__name__}")
        encoded = values.texts if isinstance(values, Metadata) else None
        for key in values:
            cls.check_key(key)
            yield str.__str__(key), encoded[key] if encoded else _text_of(key, values[key])

    @property
    def texts(self) -> Mapping[str, bytes]:
        """The canonical JSON text of every value, sorted by key."""
        return self._texts

    @classmethod
    def check_key(cls, key: object) -> None:
        """Raise unless `key` may be a key of this mapping."""
        if not isinstance(key, str):
            raise InvalidMetadataKeyError(f"expected text as a key, got {type(key).__name__}")
        if not key:
            raise EmptyKeyError("a key must not be empty")
        try:
            key.encode()
        except UnicodeEncodeError as error:
            raise InvalidMetadataKeyError(
                f"a lone surrogate at character {error.start} of the key", path_of([key])
            ) from None

    def decode(self, key: str, kind: type[T]) -> T | None:
        """The value as a `kind` (``int``, ``list[float]``, a dataclass …); None if absent.

        Raises `InvalidMetadataValueError` when the value does not fit.
        """
        self.check_key(key)
        if key not in self._texts:
            return None
        try:
            return msgspec.json.decode(self._texts[key], type=kind)
        except msgspec.MsgspecError as error:
            raise InvalidMetadataValueError(str(error), path_of([key])) from error

    def merge(self, other: Mapping[str, object]) -> Self:
        """Both mappings in one; where both have a key, `other` wins."""
        added = type(self)(other)
        return self.of_texts({**self._texts, **added.texts}) if added else self

    @classmethod
    def of_texts(cls, texts: Mapping[str, bytes]) -> Self:
        """Metadata out of what `texts` gave. The texts are trusted, not checked again."""
        made = object.__new__(cls)
        object.__setattr__(made, "_texts", MappingProxyType(dict(sorted(texts.items()))))
        return made

    def to_json(self) -> bytes:
        """A JSON object, members sorted."""
        return msgspec.json.encode({key: msgspec.Raw(text) for key, text in self._texts.items()})

    @classmethod
    def from_json(cls, data: bytes | str) -> Self:
        """Read a strict JSON object. Raises `InvalidMetadataError`."""
        try:
            raw = msgspec.json.decode(check_syntax(data), type=dict[str, msgspec.Raw])
        except (InvalidJSONError, msgspec.MsgspecError) as error:
            raise InvalidMetadataValueError(str(error)) from None
        return cls(raw)

    def __getitem__(self, key: str) -> FrozenJSON:
        return freeze(msgspec.json.decode(self._texts[key]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Metadata):
            return self._texts == other.texts
        if isinstance(other, Mapping):
            try:
                return self._texts == Metadata(other).texts
            except InvalidMetadataError:
                return False
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._texts.items()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({ {key: _thaw(value) for key, value in self.items()} })"

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[dict[str, bytes]]]:
        return type(self).of_texts, (dict(self._texts),)


class Extensions(Metadata):
    """Options only one provider knows, each under a key ``namespace/name``.

    Both halves are non-empty and made of letters, digits, ``.``, ``_`` and ``-``.
    Raises `InvalidMetadataKeyError` for any other key.
    """

    __slots__ = ()

    @classmethod
    def check_key(cls, key: object) -> None:
        super().check_key(key)
        halves = str(key).split("/")
        if len(halves) != 2 or not all(map(_is_name, halves)):
            raise InvalidMetadataKeyError(
                "an extension key is namespace/name, of letters, digits, '.', '_' and '-'",
                path_of([str(key)]),
            )


NO_METADATA: Final = Metadata()
"""The empty metadata every value without metadata shares."""
NO_EXTENSIONS: Final = Extensions()
"""The empty extensions every options value without extensions shares."""

# The JSON decoder fills the fields of these types with undecoded text, so that no number passes
# through a float; the value's own check then freezes it.
if TYPE_CHECKING:
    MetadataField = Metadata
    ExtensionsField = Extensions
else:
    MetadataField = dict[str, msgspec.Raw]
    ExtensionsField = dict[str, msgspec.Raw]


def _text_of(key: str, value: object) -> bytes:
    try:
        return canonical(bytes(value) if isinstance(value, msgspec.Raw) else encode_plain(value))
    except InvalidJSONError as fault:
        raise InvalidMetadataValueError.around(fault, path_of([key])) from fault


def _is_name(half: str) -> bool:
    return bool(half) and all(c.isalpha() or c.isdecimal() or c in "._-" for c in half)


def _thaw(value: Any) -> Any:
    """For display only: the read-only mappings as plain ones."""
    if isinstance(value, Mapping):
        return {key: _thaw(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_thaw(item) for item in value)
    return value
