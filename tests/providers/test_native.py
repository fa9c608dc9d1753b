"""What belongs to one provider inside the values that all share."""

from __future__ import annotations

import json

import msgspec
import pytest

from chatport.chat import JSONSchemaFormat, Media, Metadata, UnsupportedError
from chatport.providers.native import (
    inline,
    is_foreign,
    line_of,
    lines_in,
    members_of,
    metadata_of,
    schema_of,
)


def test_members_come_back_from_metadata() -> None:
    metadata = metadata_of("p", {"a": 1, "b": msgspec.Raw(b"1.10")}).merge({"q/c": 3, "d": 4})
    assert members_of(metadata, "p") == {"a": msgspec.Raw(b"1"), "b": msgspec.Raw(b"1.10")}


@pytest.mark.parametrize(
    ("metadata", "foreign"),
    [({}, False), ({"note": 1}, False), ({"p/a": 1, "q/a": 1}, False), ({"q/a": 1}, True)],
)
def test_whose_a_value_is(metadata: dict[str, int], foreign: bool) -> None:
    assert is_foreign(Metadata(metadata), "p") is foreign


def test_parts_are_kept_a_line_each() -> None:
    state = line_of(b'{"a": "x\\ny"}') + line_of(b'{ "b": 1.10 }')
    assert [bytes(part) for part in lines_in(state, "")] == [b'{"a":"x\\ny"}', b'{"b":1.10}']


@pytest.mark.parametrize("line", [b"no", b"[1]", b"\xff", b""])
def test_a_state_that_is_no_parts_is_refused_with_the_place(line: bytes) -> None:
    with pytest.raises(UnsupportedError, match="JSON of a part") as raised:
        list(lines_in(b'{"a":1}\n' + line + b"\n", "reasoning_state"))
    assert raised.value.path == "reasoning_state"


@pytest.mark.parametrize(
    ("described", "schema", "wanted"),
    [
        (None, {"type": "object"}, None),
        ("A city.", {"type": "object"}, "A city."),
        ("A city.", {"type": "object", "description": "A city. "}, "A city."),
        ("A city.", {"type": "object", "description": "Of a map."}, "A city.\n\nOf a map."),
    ],
)
def test_a_description_goes_into_the_schema(
    described: str | None, schema: dict[str, str], wanted: str | None
) -> None:
    asked = JSONSchemaFormat(name="n", description=described, schema=schema)
    sent = json.loads(bytes(schema_of(asked)))
    assert sent.get("description") == wanted
    assert sent.get("type") == "object"


@pytest.mark.parametrize(
    ("media", "content"),
    [
        (Media.of_bytes("a/b", b"\xff"), b"\xff"),
        (Media.of_uri("a/b", "data:a/b;base64,/w=="), b"\xff"),
        (Media.of_uri("a/b", "data:,%C3%A9%20x"), "é x".encode()),
        (Media.of_uri("a/b", "https://h.test/a"), None),
        (Media.of_reference("a/b", "r"), None),
    ],
)
def test_media_that_travel_in_the_request(media: Media, content: bytes | None) -> None:
    here = inline(media, "media")
    assert (here.content() if here else None) == content


@pytest.mark.parametrize("uri", ["data:a/b", "data:,", "data:a/b;base64,?", "data:;base64,"])
def test_a_data_uri_that_holds_nothing_is_refused(uri: str) -> None:
    with pytest.raises(UnsupportedError) as raised:
        inline(Media.of_uri("a/b", uri), "media")
    assert raised.value.path == "media.source.uri"
