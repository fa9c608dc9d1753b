"""The JSON of the values: its shape, and strictness of what is read."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import msgspec
import pytest

from chatport.chat import (
    BytesSource,
    Citation,
    CitationDelta,
    InvalidJSONError,
    InvalidRequestError,
    JSONSchemaFormat,
    Media,
    MediaDelta,
    Message,
    Metadata,
    Options,
    Output,
    OutputMetadata,
    ReasoningDelta,
    ReasoningPart,
    RefusalDelta,
    RefusalPart,
    Request,
    Response,
    ResponseDelta,
    ResponseMetadata,
    TextDelta,
    TextPart,
    ToolCall,
    ToolCallDelta,
    ToolCallPart,
    ToolChoice,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    Usage,
    assistant,
    find_cause,
    system,
    tool_results,
    user,
)
from chatport.chat.value import Value

GOLDEN = Path(__file__).parent / "golden"
REQUEST = Request(
    system("Be brief."),
    user(
        "Which city?",
        Media(
            "image/png",
            BytesSource(b"\x89PNG"),
            "m1",
            "skyline.png",
            Metadata({"acme/width": 640}),
        ),
        Media.of_uri("image/jpeg", "https://h.test/a.jpg"),
        Media.of_reference("video/mp4", "files/7"),
        metadata={"turn": 1, "tags": ["a", "b"]},
    ),
    assistant(
        ReasoningPart("look", b"sig"),
        TextPart(
            "By the coast.",
            (Citation.of_uri("https://h.test/atlas", title="Atlas", quote="the coast"),),
        ),
        ToolCallPart(ToolCall("c1", "geo", '{"zoom":2}'), Metadata({"acme/signature": "s"})),
        ToolCall("c2", "geo", "{"),
    ),
    tool_results(
        ToolResult(
            "c1",
            "geo",
            ToolOutput(
                (TextPart("Lima"), user(Media.of_uri("image/png", "data:,x")).parts[0]),  # type: ignore[arg-type]
                ToolOutput.of_json({"lat": -12.05, "lon": -77.04}).details,
            ),
        ),
        ToolResult("c2", "geo", ToolOutput.of_text("no such place"), is_error=True),
    ),
    assistant(RefusalPart("I would rather not.")),
    tools=[
        ToolDefinition(
            name="geo",
            description="Finds a city.",
            input_schema={"type": "object", "properties": {"zoom": {"type": "integer"}}},
        ),
        ToolDefinition(name="none", input_schema='{ "type": "object" }'),
    ],
    tool_choice=ToolChoice("named", "geo", "single"),
    options=Options(
        model="m1",
        output_format=JSONSchemaFormat(
            name="answer", description="The city.", schema={"type": "object", "required": ["a"]}
        ),
        frequency_penalty=-0.5,
        max_output_tokens=64,
        presence_penalty=0.25,
        reasoning_effort="high",
        stop=["END", "\n\n"],
        temperature=0.1,
        top_k=40,
        top_p=0.9,
        extensions={"acme/seed": 7, "acme/flags": {"b": True, "a": None}},
    ),
)
RESPONSE = Response(
    Output(
        assistant("Lima.", metadata={"acme/index": 0}),
        "stop",
        OutputMetadata(Metadata({"acme/logprobs": [-0.5]})),
    ),
    ResponseMetadata(
        id="r1",
        model="m1-2024",
        usage=Usage(
            input_tokens=9,
            output_tokens=3,
            reasoning_tokens=1,
            cache_read_input_tokens=0,
            cache_write_input_tokens=4,
        ),
        created_at=dt.datetime(2024, 2, 29, 12, 30, 15, 250000, dt.UTC),
        extra=Metadata({"acme/region": "eu"}),
    ),
)
DELTA = ResponseDelta(
    ReasoningDelta("look", b"sig"),
    TextDelta("Li", Metadata({"acme/index": 0})),
    CitationDelta(Citation.of_reference("atlas")),
    MediaDelta(Media.of_bytes("audio/wav", b"RIFF")),
    ToolCallDelta(ToolCall("c1", "geo")),
    RefusalDelta("no"),
    message_metadata=Metadata({"acme/index": 0}),
    finish_reason="tool_calls",
    output_metadata=OutputMetadata(),
    metadata=ResponseMetadata(usage=Usage()),
)
EVERYTHING: dict[str, Value] = {"request": REQUEST, "response": RESPONSE, "delta": DELTA}


@pytest.mark.parametrize("name", EVERYTHING)
def test_the_golden_file_is_what_is_written(name: str) -> None:
    golden = (GOLDEN / f"{name}.json").read_bytes()
    assert compact(golden) == compact(EVERYTHING[name].to_json())


@pytest.mark.parametrize("name", EVERYTHING)
def test_the_golden_file_is_read_back_as_the_value(name: str) -> None:
    value = EVERYTHING[name]
    again = type(value).from_json((GOLDEN / f"{name}.json").read_bytes())
    assert compact(again.to_json()) == compact(value.to_json())
    if name != "request":  # whose schemas and details keep the file's own spelling
        assert again == value


def compact(text: bytes) -> bytes:
    """JSON without whitespace, its members in their order and its numbers in their spelling."""
    return msgspec.json.format(text, indent=-1)


MINIMAL: list[tuple[Value, str]] = [
    (Options(), "{}"),
    (Usage(), "{}"),
    (ToolOutput(), "{}"),
    (ToolOutput.of_json(None), '{"details":null}'),
    (Usage(reasoning_tokens=0), '{"reasoning_tokens":0}'),
    (Options(stop=[]), '{"stop":[]}'),
    (Options(temperature=1), '{"temperature":1.0}'),
    (Options(temperature=-0.0), '{"temperature":0.0}'),
    (Request(user("x")), '{"messages":[{"role":"user","parts":[{"kind":"text","text":"x"}]}]}'),
    (Response(Output(None, "stop")), '{"output":{"finish_reason":"stop"}}'),
    (
        Response(Output(None, "stop"), ResponseMetadata(usage=Usage())),
        '{"output":{"finish_reason":"stop"},"metadata":{"usage":{}}}',
    ),
    (ToolCall("c", "n"), '{"id":"c","name":"n"}'),
    (ToolResult("c", "n", ToolOutput()), '{"id":"c","name":"n","output":{}}'),
    (ResponseDelta(finish_reason="stop"), '{"finish_reason":"stop"}'),
    (ResponseDelta(metadata=ResponseMetadata()), '{"metadata":{}}'),
    (ResponseDelta(output_metadata=OutputMetadata()), '{"output_metadata":{}}'),
    (
        JSONSchemaFormat(name="a", schema={}),
        '{"type":"json_schema","name":"a","schema":{}}',
    ),
]


@pytest.mark.parametrize(("value", "text"), MINIMAL)
def test_what_is_absent_is_left_out_and_what_is_known_zero_is_kept(value: Value, text: str) -> None:
    assert value.to_json().decode() == text
    assert type(value).from_json(text) == value


def test_what_is_present_and_empty_is_read_as_absent() -> None:
    text = (
        '{"messages":[{"role":"user","parts":[{"kind":"text","text":"x","citations":[],'
        '"metadata":{}}],"metadata":{}}],"tools":[],"tool_choice":null,'
        '"options":{"model":"","extensions":{},"stop":null}}'
    )
    assert Request.from_json(text) == Request(user("x"))
    assert Request.from_json(text).to_json() == Request(user("x")).to_json()
    empty = '{"output":{"finish_reason":"stop","metadata":{"extra":{}}},"metadata":{"id":""}}'
    assert Response.from_json(empty) == Response(Output(None, "stop"))
    assert Response.from_json(empty).to_json() == Response(Output(None, "stop")).to_json()


def test_metadata_is_written_sorted_and_compact_with_the_digits_it_came_with() -> None:
    text = '{"kind":"text","text":"x","metadata":{"b":1.10,"a": {"z": 1E2, "y": [ 1e-7 ]}}}'
    part = TextPart.from_json(text)
    assert part.to_json() == (
        b'{"kind":"text","text":"x","metadata":{"a":{"y":[1e-7],"z":1E2},"b":1.10}}'
    )


def test_schemas_and_details_are_written_byte_for_byte_as_they_came() -> None:
    text = b'{"name":"geo","input_schema":{ "type" : "object","b":1.0, "a":2 }}'
    assert ToolDefinition.from_json(text).to_json() == text
    details = b'{"details":[ 1.0 ]}'
    assert ToolOutput.from_json(details).to_json() == details


class Berlin(dt.tzinfo):
    """An autumn night: two o'clock comes twice."""

    def utcoffset(self, moment: dt.datetime | None) -> dt.timedelta:
        return dt.timedelta(hours=1 if moment is not None and moment.fold else 2)


def test_a_time_forgets_its_zone_and_keeps_its_offset() -> None:
    later = dt.datetime(2024, 10, 27, 2, 30, tzinfo=Berlin(), fold=1)
    metadata = ResponseMetadata(created_at=later)
    assert metadata.to_json() == b'{"created_at":"2024-10-27T02:30:00+01:00"}'
    assert repr(ResponseMetadata.from_json(metadata.to_json())) == repr(metadata)


def test_a_time_keeps_its_offset() -> None:
    text = b'{"created_at":"2024-01-01T00:00:00-02:30"}'
    assert ResponseMetadata.from_json(text).to_json() == text
    zulu = ResponseMetadata.from_json('{"created_at":"2024-01-01T00:00:00Z"}')
    assert zulu.created_at == dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    assert zulu.to_json() == b'{"created_at":"2024-01-01T00:00:00Z"}'


NOT_STRICT = {
    "empty": b"",
    "blank": b" ",
    "cut short": b'{"messages":[',
    "a second document": b'{"messages":[]}{}',
    "trailing text": b'{"messages":[]} x',
    "a comment": b'{"messages":[]}//',
    "a byte order mark": b'\xef\xbb\xbf{"messages":[]}',
    "single quotes": b"{'messages':[]}",
    "a trailing comma": b'{"messages":[],}',
    "invalid UTF-8": b'{"messages":[{"role":"user","parts":[{"kind":"text","text":"\xff"}]}]}',
    "an encoded surrogate": b'{"messages":[{"role":"\xed\xa0\x80"}]}',
    "an escaped lone surrogate": rb'{"messages":[{"role":"\ud800"}]}',
    "an escaped surrogate as a name": rb'{"\udfff":1}',
    "a raw control character": b'{"messages":[{"role":"\n"}]}',
    "a duplicate member": b'{"messages":[],"messages":[]}',
    "a duplicate deep inside": b'{"messages":[{"role":"user","parts":[{"kind":"text","text":"x",'
    b'"metadata":{"a":{"b":1,"b":1}}}]}]}',
    "NaN": b'{"options":{"temperature":NaN}}',
    "infinity": b'{"options":{"temperature":-Infinity}}',
    "a lone surrogate in text": '{"messages":"\ud800"}',
    "nested too deep": b'{"messages":' + b"[" * 250 + b"]" * 250 + b"}",
}


@pytest.mark.parametrize("text", NOT_STRICT.values(), ids=NOT_STRICT)
def test_json_that_is_not_strict_is_refused(text: bytes | str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        Request.from_json(text)
    assert caught.value.path == ""
    assert find_cause(caught.value, InvalidJSONError)


@pytest.mark.parametrize("kind", [Request, Response, ResponseDelta, Message, Options, ToolOutput])
@pytest.mark.parametrize("unit", [b"[", b'{"a":', b'{"messages":[', b'[{"parts":'])
def test_ten_megabytes_of_nesting_neither_hang_nor_overflow(kind: type[Value], unit: bytes) -> None:
    with pytest.raises(kind.fault):
        kind.from_json(unit * (10_000_000 // len(unit)))


def test_a_great_many_siblings_are_read() -> None:
    many = b'{"content":[' + b",".join([b'{"kind":"text","text":"x"}'] * 10_000) + b"]}"
    assert len(ToolOutput.from_json(many).content) == 10_000
    details = b'{"details":[' + b"[]," * 300_000 + b"[]]}"
    assert ToolOutput.from_json(details).to_json() == details
