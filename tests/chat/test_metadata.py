"""Metadata and extensions: immutable mappings whose values are kept as JSON text."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given

from chatport.chat import (
    Document,
    EmptyKeyError,
    Extensions,
    InvalidJSONError,
    InvalidMetadataError,
    InvalidMetadataKeyError,
    InvalidMetadataValueError,
    Metadata,
    find_cause,
)
from tests.chat import strategies


def test_values_read_as_frozen_python() -> None:
    metadata = Metadata({"a": [1, {"b": None}], "c": 1.5, "d": "é"})
    assert metadata["a"] == (1, {"b": None})
    assert metadata["c"] == 1.5
    assert dict(metadata) == {"a": (1, {"b": None}), "c": 1.5, "d": "é"}
    assert "a" in metadata
    assert "x" not in metadata
    assert len(metadata) == 3
    assert metadata.get("x") is None
    with pytest.raises(KeyError):
        metadata["x"]
    with pytest.raises(TypeError):
        metadata["a"][1]["b"] = 2  # type: ignore[index,call-overload]
    with pytest.raises(TypeError):
        metadata["x"] = 2  # type: ignore[index]


def test_keys_are_sorted_at_every_level() -> None:
    metadata = Metadata({"b": {"z": 1, "a": 2}, "a": 0})
    assert list(metadata) == ["a", "b"]
    assert metadata.to_json() == b'{"a":0,"b":{"a":2,"z":1}}'
    assert dict(metadata.texts) == {"a": b"0", "b": b'{"a":2,"z":1}'}


def test_numbers_keep_their_digits() -> None:
    text = b'{"a":1.10,"b":12345678901234567890123,"c":1E400000}'
    with pytest.raises(InvalidMetadataValueError):
        Metadata.from_json(text)
    text = b'{"a":1.10,"b":12345678901234567890123,"c":3.1415926535897932384626433}'
    metadata = Metadata.from_json(text)
    assert metadata.to_json() == text
    assert metadata["b"] == 12345678901234567890123
    assert metadata.decode("c", Decimal) == Decimal("3.1415926535897932384626433")
    assert Metadata({"a": Decimal("1.10")})["a"] == 1.1
    assert Metadata({"a": Decimal("1.10")}).texts["a"] == b"1.10"


def test_equality_is_of_what_is_sent() -> None:
    assert Metadata({"a": 1}) == {"a": 1}
    assert Metadata({"a": [1]}) == {"a": (1,)}
    assert Metadata({"a": {"x": 1, "y": 2}}) == Metadata({"a": {"y": 2, "x": 1}})
    assert Metadata({"a": 1}) != {"a": 1.0}
    assert Metadata({"a": 1}) != {"a": True}
    assert Metadata({"a": 1}) != {"a": object()}
    assert Metadata({"a": 1}) != 1
    assert Metadata() == {}


def test_different_things_have_different_hashes() -> None:
    assert hash(Metadata({"a": 1})) != hash(Metadata({"a": 2}))
    assert hash(Document("1")) != hash(Document("2"))


def test_decode_gives_typed_values() -> None:
    metadata = Metadata({"a": [1, 2], "b": None})
    assert metadata.decode("a", list[int]) == [1, 2]
    assert metadata.decode("x", int) is None
    assert metadata.decode("b", type(None)) is None
    with pytest.raises(InvalidMetadataValueError) as caught:
        metadata.decode("a", str)
    assert caught.value.path == "a"
    with pytest.raises(EmptyKeyError):
        metadata.decode("", int)


def test_merge_prefers_the_other_and_changes_neither() -> None:
    one, other = Metadata({"a": 1, "b": 1}), Metadata({"b": 2, "c": 3})
    assert one.merge(other) == {"a": 1, "b": 2, "c": 3}
    assert list(other.merge(one)) == ["a", "b", "c"]
    assert one == {"a": 1, "b": 1}
    assert one.merge({}) is one
    assert one.merge({"d": [4]}) == {"a": 1, "b": 1, "d": [4]}
    with pytest.raises(EmptyKeyError):
        one.merge({"": 1})


REFUSED: list[tuple[Any, type[InvalidMetadataError], str]] = [
    ({"": 1}, EmptyKeyError, ""),
    ({"a\ud800": 1}, InvalidMetadataKeyError, "['a\\ud800']"),
    ({1: 1}, InvalidMetadataKeyError, ""),
    ({None: 1}, InvalidMetadataKeyError, ""),
    ({"a": print}, InvalidMetadataValueError, "a"),
    ({"a/b": {"c": [0, b"x"]}}, InvalidMetadataValueError, "['a/b'].c[1]"),
    ({"a": {"b": {1: 2}}}, InvalidMetadataValueError, "a.b"),
    ({"a": {"\udfff": 2}}, InvalidMetadataValueError, "a"),
    ({"a": "\ud800"}, InvalidMetadataValueError, "a"),
    ({"a": math.nan}, InvalidMetadataValueError, "a"),
    ({"a": [math.inf]}, InvalidMetadataValueError, "a[0]"),
    ({"a": Decimal("NaN")}, InvalidMetadataValueError, "a"),
    ({"a": Decimal("1e999")}, InvalidMetadataValueError, "a"),
    ({"a": 10**5000}, InvalidMetadataValueError, "a"),
    ({"a": {1, 2}}, InvalidMetadataValueError, "a"),
    ([], InvalidMetadataValueError, ""),
    ("a", InvalidMetadataValueError, ""),
    (0, InvalidMetadataValueError, ""),
    ([("a", 1)], InvalidMetadataValueError, ""),
]


@pytest.mark.parametrize(("values", "kind", "path"), REFUSED)
def test_what_has_no_json_form_is_refused(
    values: Any, kind: type[InvalidMetadataError], path: str
) -> None:
    with pytest.raises(InvalidMetadataError) as caught:
        Metadata(values)
    assert type(caught.value) is kind
    assert caught.value.path == path


def test_nesting_without_end_is_refused() -> None:
    endless: list[Any] = []
    endless.append({"again": endless})
    circle: dict[str, Any] = {}
    circle["again"] = circle
    for value in (endless, circle):
        with pytest.raises(InvalidMetadataValueError) as caught:
            Metadata({"a": value})
        assert find_cause(caught.value, InvalidJSONError)
        assert caught.value.problem == "nested deeper than 200"
        assert caught.value.path.endswith("again")
    nested: Any = 0
    for _ in range(100):
        nested = [{"b": nested}]
    assert Metadata({"a": nested}).texts["a"].startswith(b'[{"b":[{"b":[')
    deep: Any = 0
    for _ in range(200):
        deep = [deep]
    assert Metadata({"a": deep}).texts["a"] == b"[" * 200 + b"0" + b"]" * 200
    with pytest.raises(InvalidMetadataValueError):
        Metadata({"a": {"b": deep}})
    with pytest.raises(InvalidMetadataValueError):
        Metadata({"a": [Document.of(deep)]})


@pytest.mark.parametrize("text", [b"", b"null", b"[]", b'{"a":1,"a":2}', b'{"a":1}{}', b'{"":1}'])
def test_json_that_is_not_one_strict_object_is_refused(text: bytes) -> None:
    with pytest.raises(InvalidMetadataError):
        Metadata.from_json(text)


def test_metadata_and_documents_inside_values_keep_their_digits() -> None:
    inner = Metadata.from_json('{"x":1.10}')
    metadata = Metadata({"a": inner, "b": [Document('{ "z":2.50, "y":1 }')]})
    assert metadata.to_json() == b'{"a":{"x":1.10},"b":[{"y":1,"z":2.50}]}'
    assert Metadata(inner).texts == inner.texts
    assert Metadata(metadata) == metadata


def test_any_mapping_will_do() -> None:
    class Two(Mapping[str, object]):
        def __getitem__(self, key: str) -> object:
            return key * 2

        def __iter__(self) -> Iterator[str]:
            return iter("ba")

        def __len__(self) -> int:
            return 2

    assert Metadata(Two()).to_json() == b'{"a":"aa","b":"bb"}'
    assert Metadata(MappingProxyType({"a": 1})) == {"a": 1}


def test_the_mapping_given_is_not_kept() -> None:
    given_values: dict[str, Any] = {"a": [1]}
    metadata = Metadata(given_values)
    given_values["a"].append(2)
    given_values["b"] = 1
    assert metadata == {"a": [1]}


@given(strategies.metadata)
def test_it_is_equal_to_itself_made_from_what_it_reads_as(metadata: Metadata) -> None:
    again = Metadata(dict(metadata))
    assert again == metadata
    assert hash(again) == hash(metadata)


@given(strategies.metadata, strategies.metadata)
def test_merging_is_what_merging_dicts_is(one: Metadata, other: Metadata) -> None:
    assert one.merge(other).texts == {**one.texts, **other.texts}


@pytest.mark.parametrize("key", ["acme/seed", "a/b", "A.b_c-1/x.y", "é/٣"])
def test_an_extension_key_is_a_namespace_and_a_name(key: str) -> None:
    assert Extensions({key: 1}) == {key: 1}


@pytest.mark.parametrize(
    "key", ["seed", "/", "a/", "/b", "a/b/c", "a b/c", "a/b\n", "a/b:c", "½/x", "a//b"]
)
def test_any_other_extension_key_is_refused(key: str) -> None:
    with pytest.raises(InvalidMetadataKeyError):
        Extensions({key: 1})
    with pytest.raises(InvalidMetadataKeyError):
        Extensions({"a/b": 1}).merge({key: 1})
    with pytest.raises(InvalidMetadataKeyError):
        Extensions({"a/b": 1}).decode(key, int)
    with pytest.raises(InvalidMetadataKeyError):
        Extensions(Metadata({key: 1}))


def test_extensions_out_of_metadata_keep_their_digits() -> None:
    metadata = Metadata.from_json('{"a/b":1.10}')
    assert Extensions(metadata).texts == {"a/b": b"1.10"}
    assert repr(Extensions(metadata)) == "Extensions({'a/b': 1.1})"
    assert type(Extensions(metadata).merge({"c/d": 1})) is Extensions


@pytest.mark.parametrize("value", [Metadata({"a": 1}), Extensions({"a/b": 1}), Document("1")])
def test_a_copy_is_the_value_itself(value: Any) -> None:
    assert copy.copy(value) is value
    assert copy.deepcopy([value])[0] is value
