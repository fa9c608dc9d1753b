"""Strict JSON, documents kept as text, and schemas."""

from __future__ import annotations

import enum
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.chat import (
    Document,
    InvalidJSONError,
    InvalidSchemaError,
    SchemaMismatchError,
    compiled,
    parse_strict,
)
from chatport.chat.document import parse_exact
from chatport.chat.schema import MAX_SCHEMA_BYTES
from tests.chat.test_json import NOT_STRICT


@pytest.mark.parametrize("text", NOT_STRICT.values(), ids=NOT_STRICT)
@pytest.mark.parametrize("read", [parse_strict, parse_exact, Document])
def test_what_is_not_strict_is_refused(read: Any, text: bytes | str) -> None:
    with pytest.raises(InvalidJSONError):
        read(text)


@pytest.mark.parametrize("text", ["1e999", "[-1e999]", '{"a":[1E400]}', "1" * 5000])
@pytest.mark.parametrize("read", [parse_strict, parse_exact, Document])
def test_numbers_out_of_range_are_refused(read: Any, text: str) -> None:
    with pytest.raises(InvalidJSONError):
        read(text)


@pytest.mark.parametrize("given_value", [None, 3, bytearray(b"1"), ["1"]])
def test_what_is_not_text_is_refused(given_value: Any) -> None:
    with pytest.raises(InvalidJSONError):
        Document(given_value)


def test_strict_reading_keeps_integers_exact_and_escapes_pairs() -> None:
    assert parse_strict(' {"a":[9007199254740993,1.5,true,null,"\\ud83d\\ude00"]} ') == {
        "a": [9007199254740993, 1.5, True, None, "😀"]
    }


def test_exact_reading_keeps_every_digit() -> None:
    assert parse_exact(b"[0.10, 1, 1.0]") == [Decimal("0.10"), 1, Decimal("1.0")]


@given(st.binary() | st.text(alphabet='[]{}":,\\ud8e+-.01 \n').map(str.encode))
def test_no_bytes_do_worse_than_being_refused(data: bytes) -> None:
    outcome: bytes | str
    try:
        outcome = Document(data).to_json()
    except InvalidJSONError as error:
        outcome = error.problem
    assert outcome == data or outcome.startswith(("not one strict", "Number out of range"))  # type: ignore[arg-type]


def test_a_document_is_kept_byte_for_byte() -> None:
    text = '{ "b": 1.0, "a": [ ] }\n'
    document = Document(text)
    assert document.text == text
    assert document.to_json() == text.encode()
    assert document.value() == {"b": 1.0, "a": ()}
    assert repr(document) == f"Document({text!r})"
    assert document != Document('{"b":1.0,"a":[]}')
    assert document != text
    assert document.decode(dict[str, Any]) == {"b": 1.0, "a": []}
    with pytest.raises(InvalidJSONError):
        document.decode(list[int])


def test_a_document_of_python_keeps_the_order_of_members() -> None:
    document = Document.of({"b": (1, 2.50, Decimal("2.50")), "a": Color.RED, "c": Document(" 1 ")})
    assert document.text == '{"b":[1,2.5,2.50],"a":1,"c": 1 }'
    assert Document.of(document) is document
    assert Document.of({"b": 1, "a": 2}) != Document.of({"a": 2, "b": 1})


class Color(enum.IntEnum):
    RED = 1


ANSWER = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "minimum": 0},
        "items": {"type": "array", "items": {"type": "string", "format": "date"}},
        "x": {"const": 9007199254740993},
        "y": {"maximum": 0.1},
    },
    "required": ["n"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "text", ['{"n":0}', '{"n":1e2,"items":["2024-02-29"]}', '{"n":1,"x":9007199254740993,"y":0.10}']
)
def test_a_conforming_document_passes(text: str) -> None:
    schema = compiled(Document.of(ANSWER))
    assert schema.validate(text) is None  # type: ignore[func-returns-value]
    assert schema.document == Document.of(ANSWER)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{}", ""),
        ("[]", ""),
        ('{"n":-1}', "n"),
        ('{"n":1,"m":2}', ""),
        ('{"n":1,"items":["2024-02-29","2023-02-29"]}', "items[1]"),
        ('{"n":1,"x":9007199254740992}', "x"),
        ('{"n":1,"y":0.1000000000000000000001}', "y"),
    ],
)
def test_another_document_is_refused_with_the_path_of_the_fault(text: str, path: str) -> None:
    with pytest.raises(SchemaMismatchError) as caught:
        compiled(Document.of(ANSWER)).validate(text)
    assert caught.value.path == path
    assert caught.value.problem


def test_text_that_is_not_json_is_another_failure() -> None:
    with pytest.raises(InvalidJSONError):
        compiled(Document.of(ANSWER)).validate('{"n":1,"n":1}')


def test_a_long_value_is_not_quoted_whole() -> None:
    with pytest.raises(SchemaMismatchError) as caught:
        compiled(Document.of({"type": "integer"})).validate('"' + "x" * 100_000 + '"')
    assert len(str(caught.value)) < 1000


def test_a_schema_is_compiled_once() -> None:
    assert compiled(Document.of(ANSWER)) is compiled(Document.of(ANSWER))


@pytest.mark.parametrize(
    "text", ["true", "{}", '{"$ref":"#"}', '{"$ref":"#/$defs/a","$defs":{"a":{}}}']
)
def test_odd_schemas_that_are_allowed(text: str) -> None:
    compiled(Document(text)).validate("1")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("1", ""),
        ("[]", ""),
        ('{"type":"text"}', "type"),
        ('{"properties":{"a b":{"minLength":-1}}}', "properties['a b'].minLength"),
        ('{"pattern":"("}', "pattern"),
        ('{"$ref":"#/$defs/a"}', ""),
        ('{"$ref":"https://h.test/schema"}', ""),
        ('{"$ref":"file:///etc/passwd"}', ""),
        ('{"$schema":"https://h.test/dialect"}', ""),
    ],
)
def test_what_is_no_schema_or_leads_outside_is_refused(text: str, path: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        compiled(Document(text))
    assert caught.value.path == path


def test_a_schema_may_name_its_own_draft() -> None:
    draft7 = '{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}'
    with pytest.raises(SchemaMismatchError):
        compiled(Document(draft7)).validate("[1]")


def test_a_schema_beyond_a_mebibyte_is_refused() -> None:
    text = b'{"description":"' + b"x" * MAX_SCHEMA_BYTES + b'"}'
    with pytest.raises(InvalidSchemaError):
        compiled(Document(text))
