"""The schema and the strict decoder of a type, whichever library owns it."""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Optional, TypedDict

import msgspec
import pydantic
import pytest

from chatport.tools.codec import DecodeError, NoJSONFormError, codec_for


@dataclass
class Point:
    x: int
    y: int = 0


class PointModel(pydantic.BaseModel):
    x: int
    y: int = 0


class PointStruct(msgspec.Struct):
    x: int
    y: int = 0


class PointDict(TypedDict):
    x: int
    y: typing.NotRequired[int]


POINTS = [Point, PointModel, PointStruct, PointDict]


@pytest.mark.parametrize("kind", POINTS, ids=lambda kind: kind.__name__)
def test_every_kind_of_record_is_a_closed_object(kind: Any) -> None:
    schema = codec_for(kind).schema()
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert (set(schema["properties"]), schema["required"]) == ({"x", "y"}, ["x"])


@pytest.mark.parametrize("kind", POINTS, ids=lambda kind: kind.__name__)
def test_nothing_is_converted_and_nothing_overlooked(kind: Any) -> None:
    codec = codec_for(kind)
    assert codec.decode('{"x": 1}') is not None
    for text in ('{"x": "1"}', '{"x": 1.0}', "{}", '{"x": 1, "x": 2}', '{"x": 1} {}', '{"x": 1'):
        with pytest.raises(DecodeError):
            codec.decode(text)
    with pytest.raises(DecodeError, match=r"value|more"):
        codec.decode('{"x": 1, "more": 2}')


@pytest.mark.parametrize("kind", POINTS, ids=lambda kind: kind.__name__)
def test_members_may_be_left_to_the_type(kind: Any) -> None:
    codec = codec_for(kind, "allow")
    assert codec.decode('{"x": 1, "more": 2}') is not None
    assert "additionalProperties" not in codec.schema()


Wrap = Callable[[Any], Any]
WRAPS: list[tuple[str, Wrap, str]] = [
    ("list", lambda kind: list[kind], '[{"x": 1}]'),
    ("dict", lambda kind: dict[str, kind], '{"a": {"x": 1}}'),
    ("tuple", lambda kind: tuple[kind, int], '[{"x": 1}, 2]'),
    ("union", lambda kind: kind | None, '{"x": 1}'),
    ("optional", lambda kind: Optional[kind], '{"x": 1}'),  # noqa: UP045
    ("typing.List", lambda kind: typing.List[kind], '[{"x": 1}]'),  # noqa: UP006
    ("annotated", lambda kind: Annotated[kind, "where"], '{"x": 1}'),
]


@pytest.mark.parametrize(("name", "wrap", "text"), WRAPS, ids=[name for name, _, _ in WRAPS])
@pytest.mark.parametrize("kind", POINTS, ids=lambda kind: kind.__name__)
def test_a_record_may_stand_in_a_type(kind: Any, name: str, wrap: Wrap, text: str) -> None:
    codec = codec_for(wrap(kind))
    assert codec.decode(text) is not None
    with pytest.raises(DecodeError):
        codec.decode(text.replace('"x": 1', '"x": 1, "more": 2'))
    with pytest.raises(DecodeError):
        codec.decode(text.replace('"x": 1', '"x": "1"'))


def test_a_codec_is_made_once() -> None:
    assert codec_for(list[Point]) is codec_for(list[Point])
    assert codec_for(Point) is not codec_for(Point, "allow")


def test_a_type_that_cannot_be_remembered_has_a_codec() -> None:
    kind = Annotated[int, {"unhashable": True}]
    assert codec_for(kind).decode("3") == 3


class Socket:
    pass


class Holds(msgspec.Struct):
    value: Nowhere  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize("kind", [Socket, list[Socket], dict[str, "Nowhere"], Holds])  # type: ignore[name-defined]  # noqa: F821
def test_a_type_without_a_json_form_is_named(kind: Any) -> None:
    with pytest.raises(NoJSONFormError, match="has no JSON form"):
        codec_for(kind)


def test_a_type_without_a_schema_is_found_when_it_is_asked_for() -> None:
    with pytest.raises(NoJSONFormError, match="no schema can be derived"):
        codec_for(Callable[[int], int]).schema()


def test_a_fault_is_told_with_its_place() -> None:
    with pytest.raises(DecodeError, match=r"value\[1\]\.x: Field required"):
        codec_for(list[Point]).decode('[{"x": 1}, {"y": 1}]')
    with pytest.raises(DecodeError, match=r"\$\[1\]"):
        codec_for(list[PointStruct]).decode('[{"x": 1}, {"y": 1}]')
