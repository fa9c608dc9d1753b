"""How a Python type goes from and to JSON: its schema, a strict decoder, a partial decoder.

A type is handled by the library that owns it: `msgspec.Struct` (also inside ``list[...]`` and the
like) by msgspec, everything else by a pydantic ``TypeAdapter``. Both are made once per type and
imported on first use.

Decoding never converts: ``"36"`` is not an integer, nor is ``1.0``; numbers that overflow,
duplicate members and members the type does not know are refused, at every depth.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import GenericAlias, UnionType
from typing import Any, Generic, Literal, Protocol, TypeVar, cast

import msgspec

from chatport.chat.document import parse_strict

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Unknown = Literal["refuse", "allow"]
"""What to do with undeclared members: refuse them, or leave it to the type's settings."""

Schema = dict[str, Any]


class DecodeError(ValueError):
    """The JSON is not a value of the type. The message names each fault with its path."""


class NoJSONFormError(TypeError):
    """The type has no JSON form: no schema can be derived, or nothing can decode it."""


class Codec(Protocol[T_co]):
    """Schema and decoder of one type."""

    def schema(self) -> Schema:
        """The JSON Schema, its root expanded, its objects closed. Raises `NoJSONFormError`."""

    def decode(self, text: str) -> T_co:
        """The value. Raises `DecodeError` unless the text is strict JSON of such a value."""


def codec_for(type_: Any, unknown: Unknown = "refuse") -> Codec[Any]:
    """The codec of a type, made on the first asking. Raises `NoJSONFormError`."""
    try:
        return _cached_codec(type_, unknown)
    except TypeError as error:
        if isinstance(error, NoJSONFormError) or "unhashable" not in str(error):
            raise
        return _make_codec(type_, unknown)


def _make_codec(type_: Any, unknown: Unknown) -> Codec[Any]:
    if holds_struct(type_):
        return _StructCodec(type_, unknown)
    return _PydanticCodec(type_, unknown)


_cached_codec = lru_cache(maxsize=1024)(_make_codec)


def holds_struct(type_: Any) -> bool:
    """Whether the type is a struct or a generic type of one."""
    if isinstance(type_, type) and not isinstance(type_, GenericAlias):
        return issubclass(type_, msgspec.Struct)
    return any(holds_struct(argument) for argument in typing.get_args(type_))


class _PydanticCodec(Generic[T]):
    __slots__ = ("_adapter", "_extra", "_schema")

    def __init__(self, type_: Any, unknown: Unknown) -> None:
        from pydantic import TypeAdapter
        from pydantic.errors import PydanticSchemaGenerationError, PydanticUserError

        try:
            self._adapter: Any = TypeAdapter(for_pydantic(type_))
            self._adapter.rebuild(raise_errors=True)
        except (PydanticSchemaGenerationError, PydanticUserError, NameError, TypeError) as error:
            raise NoJSONFormError(
                f"{_name(type_)} has no JSON form: {_first_line(error)}"
            ) from error
        self._extra = "forbid" if unknown == "refuse" else None
        self._schema: Schema | None = None

    def schema(self) -> Schema:
        if self._schema is None:
            from pydantic.errors import PydanticInvalidForJsonSchema

            try:
                schema = self._adapter.json_schema()
            except PydanticInvalidForJsonSchema as error:
                raise NoJSONFormError(f"no schema can be derived: {_first_line(error)}") from error
            self._schema = _finished(schema, close=self._extra is not None)
        return self._schema

    def decode(self, text: str) -> T:
        from pydantic import ValidationError

        _check_strict(text)
        try:
            return cast(T, self._adapter.validate_json(text, strict=True, extra=self._extra))
        except ValidationError as error:
            raise DecodeError(_pydantic_faults(error)) from error


class _StructCodec(Generic[T]):
    __slots__ = ("_accepts", "_close", "_decoder", "_schema")

    def __init__(self, type_: Any, unknown: Unknown) -> None:
        try:
            self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(type_, strict=True)
            schema = msgspec.json.schema(type_)
        except (TypeError, NameError) as error:
            raise NoJSONFormError(f"{_name(type_)} has no JSON form: {error}") from error
        self._close = unknown == "refuse"
        self._schema = _finished(schema, close=self._close)
        self._accepts: Callable[[object], None] | None = None

    def schema(self) -> Schema:
        return self._schema

    def decode(self, text: str) -> T:
        document = _check_strict(text)
        try:
            value = self._decoder.decode(text)
        except msgspec.ValidationError as error:
            raise DecodeError(str(error).replace("`", "")) from error
        if self._close:
            # msgspec skips members a struct does not declare; the closed schema does not.
            self._refuse_unknown(document)
        return value

    def _refuse_unknown(self, document: object) -> None:
        import jsonschema_rs

        if self._accepts is None:
            self._accepts = jsonschema_rs.validator_for(self._schema).validate
        try:
            self._accepts(document)
        except jsonschema_rs.ValidationError as error:
            raise DecodeError(f"{_path(error.instance_path)}: {error.message}") from error


def encode(value: object) -> str:
    """The JSON of a value a tool returned.

    Builtins, dataclasses, models, structs, dates, sets and byte strings have one. Raises
    `TypeError` or `ValueError` for what JSON cannot say, NaN and lone surrogates among it.
    """
    import json

    plain = msgspec.to_builtins(value, str_keys=True, enc_hook=_encode_model)
    text = json.dumps(plain, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    text.encode("utf-8")
    return text


def _encode_model(value: Any) -> object:
    dump = getattr(value, "model_dump", None)
    if dump is None:
        raise TypeError(f"{type(value).__name__} has no JSON form")
    return dump(mode="json")


def _check_strict(text: str) -> object:
    try:
        return parse_strict(text)
    except ValueError as error:
        raise DecodeError(str(error)) from error


def _pydantic_faults(error: Any) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{_path(fault['loc'])}: {fault['msg']}" for fault in faults[:5])


def _path(steps: Any) -> str:
    path = "value"
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    return path


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _name(type_: Any) -> str:
    return getattr(type_, "__name__", None) or str(type_)


def _finished(schema: Mapping[str, Any], *, close: bool) -> Schema:
    """The schema with its root expanded and, if asked, its objects closed."""
    expanded = _expand_root(dict(schema))
    return cast(Schema, _closed(expanded)) if close else expanded


def _expand_root(schema: Schema) -> Schema:
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/$defs/"):
        return schema
    definition = schema["$defs"][reference.removeprefix("#/$defs/")]
    return {**definition, **{name: value for name, value in schema.items() if name != "$ref"}}


def _closed(node: Any) -> Any:
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {name: _closed(value) for name, value in node.items()}
    if isinstance(node.get("properties"), dict) and node.get("type") == "object":
        closed.setdefault("additionalProperties", False)
    return closed


def for_pydantic(type_: Any) -> Any:
    """The type with every ``typing.TypedDict`` made one pydantic accepts before Python 3.12."""
    if sys.version_info >= (3, 12):
        return type_
    return _modern(type_)


def _modern(type_: Any) -> Any:
    import typing_extensions

    if typing_extensions.is_typeddict(type_) and type(type_).__module__ == "typing":
        return _modern_typed_dict(type_)
    arguments = typing.get_args(type_)
    modern = tuple(_modern(argument) for argument in arguments)
    if modern == arguments:
        return type_
    if isinstance(type_, UnionType):
        return typing.Union[modern]  # noqa: UP007
    copy_with = getattr(type_, "copy_with", None)
    if copy_with is not None and typing.get_origin(type_) is not typing.Annotated:
        return copy_with(modern)
    return typing.get_origin(type_)[modern]


@lru_cache(maxsize=256)
def _modern_typed_dict(type_: Any) -> Any:

    members = {}
    for name, hint in typing.get_type_hints(type_, include_extras=True).items():
        # Where annotations are texts, the class has overlooked what is said within them.
        required = name in type_.__required_keys__
        if (said := typing.get_origin(hint)) in (typing.Required, typing.NotRequired):
            required = said is typing.Required
            (hint,) = typing.get_args(hint)
        wrapper = typing.Required if required else typing.NotRequired
        members[name] = wrapper[_modern(hint)]
    made = record_type(type_.__name__, members)
    made.__doc__ = type_.__doc__
    return made


def record_type(name: str, members: Mapping[str, Any]) -> Any:
    """A ``TypedDict`` of types known only at run time; its members may have any name."""
    import typing_extensions

    make: Any = typing_extensions.TypedDict
    return make(name, dict(members))
