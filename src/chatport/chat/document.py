"""JSON documents kept as text, and the strict reading of JSON that everything here relies on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Literal, NoReturn, Self, TypeAlias, TypeVar

import msgspec

from chatport.chat.errors import InvalidJSONError, path_of

T = TypeVar("T")

MAX_DEPTH = 200
"""Arrays and objects may be nested this deep. The strict parser's own limit; kept everywhere, so
that whatever can be written can be read again, and no input overflows the stack."""

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
    return _decode(check_syntax(text), Any)


def parse_exact(text: bytes | str) -> Any:
    """Like `parse_strict`, with fractions as `Decimal`, so that no digit is lost."""
    data = _utf8(text)
    tree = _parse(data, float_mode="decimal")
    _decode(data, Any)
    return tree


def check_strict(text: bytes | str) -> bytes:
    """The document's bytes, when `parse_strict` could read its text. Raises `InvalidJSONError`."""
    data = check_syntax(text)
    _decode(data, Any)
    return data


def check_syntax(text: bytes | str) -> bytes:
    """Like `check_strict`, but lets numbers beyond a float's range pass: a decoder comes next."""
    data = _utf8(text)
    _parse(data, float_mode="float")
    return data


def canonical(data: bytes) -> bytes:
    """The same document compact and with sorted members; fractions keep their digits.

    Raises `InvalidJSONError`.
    """
    tree = _parse(data, float_mode="lossless-float")
    _decode(data, Any)
    return _SORTED.encode(tree)


def encode_plain(value: object) -> bytes:
    """JSON text of a plain Python value: scalars, `Decimal`, lists, tuples, mappings, `JSONText`.

    Members keep the mapping's order. Raises `InvalidJSONError` with the path of the first thing
    that has no exact JSON form.
    """
    tree = _encodable(value, "", 0)
    try:
        return check_strict(_ORDERED.encode(tree))
    except ValueError as error:  # an integer of too many digits, or a number no float can hold
        raise InvalidJSONError(str(error)) from None


class JSONText:
    """Something immutable that is kept as JSON text."""

    __slots__ = ()

    def to_json(self) -> bytes:
        """The text as UTF-8."""
        raise NotImplementedError

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Document(JSONText):
    """One JSON document, kept byte for byte as it was written. Immutable.

    Used where JSON passes through without being ours: tool schemas, output schemas, tool details.
    Two documents are equal when their text is. Raises `InvalidJSONError` unless `text` is exactly
    one strict JSON document.
    """

    __slots__ = ("_text",)
    _text: bytes

    def __init__(self, text: bytes | str) -> None:
        object.__setattr__(self, "_text", check_strict(text))

    @classmethod
    def of(cls, value: object) -> Document:
        """The document of a plain Python value, compact, members in the mapping's order."""
        return value if isinstance(value, Document) else cls(encode_plain(value))

    def to_json(self) -> bytes:
        """The text as UTF-8."""
        return self._text

    @property
    def text(self) -> str:
        """The text."""
        return self._text.decode()

    @property
    def is_object(self) -> bool:
        """Whether the document is a JSON object."""
        return self._text.lstrip().startswith(b"{")

    def value(self) -> FrozenJSON:
        """The document as frozen Python values, made anew on each call."""
        return freeze(_decode(self._text, Any))

    def decode(self, kind: type[T]) -> T:
        """The document as a `kind` that msgspec knows: ``list[int]``, `Decimal`, a dataclass …

        Raises `InvalidJSONError` when it does not fit.
        """
        decoded: T = _decode(self._text, kind)
        return decoded

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Document) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"Document({self.text!r})"

    def __reduce__(self) -> tuple[type[Document], tuple[bytes]]:
        return Document, (self._text,)


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


def _parse(data: bytes, *, float_mode: Literal["float", "lossless-float", "decimal"]) -> Any:
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
    # The strict parser reads 1e999 as infinity; this one refuses it.
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise InvalidJSONError(str(error)) from None


def _encodable(value: Any, path: str, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _clean(value, path)
    if isinstance(value, JSONText):
        return msgspec.Raw(value.to_json())
    if isinstance(value, (Mapping, list, tuple)):
        if depth == MAX_DEPTH:
            raise InvalidJSONError(f"nested deeper than {MAX_DEPTH}", path)
        if isinstance(value, Mapping):
            return dict(_members(value, path, depth))
        return [_encodable(item, path_of([i], path), depth + 1) for i, item in enumerate(value)]
    if isinstance(value, (int, float, Decimal)):
        return _number(value, path)
    raise InvalidJSONError(f"{type(value).__name__} has no JSON form", path)


def _members(value: Mapping[Any, Any], path: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        if not isinstance(key, str):
            raise InvalidJSONError(f"member name {key!a} is not text", path)
        yield _clean(key, path), _encodable(item, path_of([key], path), depth + 1)


def _clean(text: str, path: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidJSONError(f"a lone surrogate at character {error.start}", path) from None
    return str.__str__(text)


def _number(value: int | float | Decimal, path: str) -> int | float | msgspec.Raw:
    if isinstance(value, int):
        return int(value)
    if not math.isfinite(value):
        raise InvalidJSONError(f"{value} has no JSON form", path)
    return float(value) if isinstance(value, float) else msgspec.Raw(str(value))


def _lossless(number: Any) -> msgspec.Raw:
    return msgspec.Raw(bytes(number))


_ORDERED = msgspec.json.Encoder()
_SORTED = msgspec.json.Encoder(enc_hook=_lossless, order="sorted")
