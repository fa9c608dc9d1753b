"""JSON documents kept as text, and the strict reading of JSON that everything here relies on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, NoReturn, TypeAlias, TypeVar

import msgspec

from chatport.chat.errors import InvalidJSONError

T = TypeVar("T")

MAX_DEPTH = 200
"""Arrays and objects may be nested this deep. The strict parser's own limit; kept everywhere, so
that whatever can be written can be read again, and no input overflows the stack."""

MAX_INTEGER_BITS = 13_287
"""About 4,000 decimal digits, just under what Python itself reads without being told to."""

FrozenJSON: TypeAlias = (
    "bool | int | float | str | tuple[FrozenJSON, ...] | Mapping[str, FrozenJSON] | None"
)
"""A JSON value as Python sees it: arrays are tuples, objects read-only mappings."""


def parse_strict(text: bytes | str) -> Any:
    """The value of one strict JSON document, as plain lists, dicts and scalars.

    Stricter than `json.loads`: refuses duplicate members, trailing text, lone surrogates, invalid
    UTF-8, NaN, numbers beyond a float's range and nesting beyond `MAX_DEPTH`. Integers are exact.
    Raises `InvalidJSONError`.
    """
    data = _utf8(text)
    _check_syntax(data, float_mode="float")
    return _decode(data, Any)


def check_strict(text: bytes | str) -> bytes:
    """The document's bytes, when `parse_strict` could read its text. Raises `InvalidJSONError`."""
    data = _utf8(text)
    _check_syntax(data, float_mode="float")
    _decode(data, Any)
    return data


def canonical(data: bytes) -> bytes:
    """The same document compact and with sorted members; fractions keep their digits.

    Raises `InvalidJSONError`.
    """
    tree = _check_syntax(data, float_mode="lossless-float")
    _decode(data, Any)
    return _SORTED.encode(tree)


def encode_plain(value: object, *, sort: bool) -> bytes:
    """JSON text of a plain Python value: scalars, `Decimal`, lists, tuples, mappings, `Document`.

    Members are sorted, or keep the mapping's order. Raises `InvalidJSONError` with the path of
    the first thing that has no exact JSON form.
    """
    tree = _encodable(value, "", 0)
    return (_SORTED if sort else _ORDERED).encode(tree)


class Document:
    """One JSON document, kept byte for byte as it was written. Immutable.

    Used where JSON passes through without being ours: tool schemas, output schemas, tool details.
    Two documents are equal when their text is. Raises `InvalidJSONError` unless `text` is exactly
    one strict JSON document.
    """

    __slots__ = ("_data",)
    _data: bytes

    def __init__(self, text: bytes | str) -> None:
        object.__setattr__(self, "_data", check_strict(text))

    @classmethod
    def of(cls, value: object) -> Document:
        """The document of a plain Python value, compact, members in the mapping's order."""
        if isinstance(value, Document):
            return value
        return cls(encode_plain(value, sort=False))

    @property
    def data(self) -> bytes:
        """The text as UTF-8."""
        return self._data

    @property
    def text(self) -> str:
        """The text."""
        return self._data.decode()

    def value(self) -> FrozenJSON:
        """The document as frozen Python values, made anew on each call."""
        return freeze(_decode(self._data, Any))

    def decode(self, kind: type[T]) -> T:
        """The document as a `kind` that msgspec knows: ``list[int]``, `Decimal`, a dataclass …

        Raises `InvalidJSONError` when it does not fit.
        """
        decoded: T = _decode(self._data, kind)
        return decoded

    def __eq__(self, other: object) -> bool:
        return self._data == other._data if isinstance(other, Document) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._data)

    def __repr__(self) -> str:
        return f"Document({self.text!r})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a Document cannot be changed")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Document], tuple[bytes]]:
        return Document, (self._data,)

    def __copy__(self) -> Document:
        return self

    def __deepcopy__(self, memo: object) -> Document:
        return self


def freeze(value: Any) -> FrozenJSON:
    """A decoded JSON value with tuples for arrays and read-only mappings for objects."""
    if isinstance(value, list):
        return tuple(freeze(item) for item in value)
    if isinstance(value, dict):
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    return value  # type: ignore[no-any-return]


def _utf8(text: object) -> bytes:
    if isinstance(text, bytes):
        return text
    if isinstance(text, str):
        try:
            return text.encode()
        except UnicodeEncodeError as error:
            raise InvalidJSONError(f"a lone surrogate at character {error.start}") from None
    raise InvalidJSONError(f"expected JSON text, got {type(text).__name__}")


def _check_syntax(data: bytes, *, float_mode: Any) -> Any:
    import jiter  # loaded with the first document read, not with the values

    try:
        return jiter.from_json(
            data,
            allow_inf_nan=False,
            cache_mode="keys",
            catch_duplicate_keys=True,
            float_mode=float_mode,
        )
    except ValueError as error:
        raise InvalidJSONError(f"not one strict JSON document: {error}") from None


def _decode(data: bytes, kind: Any) -> Any:
    # The syntax check lets 1e999 through as infinity; this decoder refuses it.
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise InvalidJSONError(str(error)) from None


def _encodable(value: Any, path: str, depth: int) -> Any:
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        return _clean(value, path)
    if isinstance(value, (Mapping, list, tuple)):
        if depth == MAX_DEPTH:
            raise InvalidJSONError(f"nested deeper than {MAX_DEPTH}", path)
        if isinstance(value, Mapping):
            return dict(_members(value, path, depth))
        return [_encodable(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)]
    if isinstance(value, (int, float, Decimal)):
        return _number(value, path)
    if isinstance(value, str):
        return _clean(str.__str__(value), path)
    if isinstance(value, Document):
        return msgspec.Raw(value.data)
    raise InvalidJSONError(f"{kind.__name__} has no JSON form", path)


def _members(value: Mapping[Any, Any], path: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        if not isinstance(key, str):
            raise InvalidJSONError(f"member name {key!r} is not text", path)
        name = _clean(str.__str__(key), path)
        yield name, _encodable(item, f"{path}[{name!r}]", depth + 1)


def _clean(text: str, path: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InvalidJSONError(f"a lone surrogate at character {error.start}", path) from None
    return text


def _number(value: int | float | Decimal, path: str) -> int | float | msgspec.Raw:
    if isinstance(value, int):
        if value.bit_length() > MAX_INTEGER_BITS:
            raise InvalidJSONError("an integer of more than 4,000 digits", path)
        return int(value)
    if not math.isfinite(value):
        raise InvalidJSONError(f"{value} has no JSON form", path)
    if isinstance(value, float):
        return float(value)
    try:
        return msgspec.Raw(check_strict(str(value)))
    except InvalidJSONError:
        raise InvalidJSONError(f"{value} is beyond a float's range", path) from None


def _lossless(value: Any) -> msgspec.Raw:
    return msgspec.Raw(bytes(value))


_SORTED = msgspec.json.Encoder(enc_hook=_lossless, order="sorted")
_ORDERED = msgspec.json.Encoder()
