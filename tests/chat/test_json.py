"""The JSON of the values: its shape, and what is refused in it and where."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chatport.chat import (
    BytesSource,
    Citation,
    CitationDelta,
    EmptyKeyError,
    InvalidCitationError,
    InvalidJSONError,
    InvalidMediaError,
    InvalidMessageError,
    InvalidMetadataError,
    InvalidMIMEError,
    InvalidOptionsError,
    InvalidOutputFormatError,
    InvalidPartError,
    InvalidRequestError,
    InvalidResponseError,
    InvalidSourceError,
    InvalidToolCallError,
    InvalidToolChoiceError,
    InvalidToolDefinitionError,
    InvalidToolOutputError,
    InvalidToolResultError,
    InvalidUsageError,
    InvalidValueError,
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
    URISource,
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


IN_PART = "messages[0].parts[0]"
IN_TOOL = "messages[1].parts[0].tool_result"
M = [InvalidMessageError]
P = [InvalidMessageError, InvalidPartError]

Kinds = list[type[InvalidValueError]]

REQUEST_FAULTS: list[tuple[str, Any, str, Kinds]] = [
    # where to put something wrong, what, the path reported, the classes below the request's
    ("", [], "", []),
    ("", {}, "messages", []),
    ("extra", 1, "extra", []),
    ("Messages", [], "Messages", []),
    ("ex tra é", 1, "['ex tra \\xe9']", []),
    ("messages", None, "messages", []),
    ("messages", {}, "messages", []),
    ("messages", [], "messages", []),
    ("messages.0", "x", "messages[0]", M),
    ("messages.0.role", "developer", "messages[0].role", M),
    ("messages.0.role", 1, "messages[0].role", M),
    ("messages.0.parts", {}, "messages[0].parts", M),
    ("messages.0.parts", [], "messages[0].parts", M),
    ("messages.0.name", "x", "messages[0].name", M),
    ("messages.0.metadata", [], "messages[0].metadata", [*M, InvalidMetadataError]),
    ("messages.0.metadata", {"": 1}, "messages[0].metadata", [*M, EmptyKeyError]),
    ("messages.0.metadata", None, "messages[0].metadata", M),
    ("messages.0.parts.0", "x", IN_PART, P),
    ("messages.0.parts.0", {}, f"{IN_PART}.kind", P),
    ("messages.0.parts.0.kind", "thinking", f"{IN_PART}.kind", P),
    ("messages.0.parts.0.kind", 1, f"{IN_PART}.kind", P),
    ("messages.0.parts.0.kind", "refusal", IN_PART, M),
    ("messages.0.parts.0.text", "", f"{IN_PART}.text", P),
    ("messages.0.parts.0.text", None, f"{IN_PART}.text", P),
    ("messages.0.parts.0.media", {}, f"{IN_PART}.media", P),
    ("messages.0.parts.0.reasoning_state", "", f"{IN_PART}.reasoning_state", P),
    ("messages.0.parts.0.citations", {}, f"{IN_PART}.citations", P),
    ("messages.0.parts.0.citations", [3], f"{IN_PART}.citations[0]", [*P, InvalidCitationError]),
    (
        "messages.0.parts.0.citations",
        [{"source": {"kind": "uri", "value": "/x"}}],
        f"{IN_PART}.citations[0].source.value",
        [*P, InvalidCitationError],
    ),
    (
        "messages.0.parts.0",
        {"kind": "text", "text": "x", "metadata": {"a b": float("1e308")}, "x": 1},
        f"{IN_PART}.x",
        P,
    ),
    (
        "messages.0.parts.0",
        {"kind": "media", "media": {"mime": "image", "source": {"kind": "uri", "uri": "x:y"}}},
        f"{IN_PART}.media.mime",
        [*P, InvalidMIMEError],
    ),
    (
        "messages.0.parts.0",
        {"kind": "media", "media": {"mime": "image/png", "source": {"kind": "uri", "uri": "/"}}},
        f"{IN_PART}.media.source.uri",
        [*P, InvalidMediaError, InvalidSourceError],
    ),
    (
        "messages.0.parts.0",
        {"kind": "media", "media": {"mime": "a/b", "source": {"kind": "bytes", "bytes": "%"}}},
        f"{IN_PART}.media.source.bytes",
        [*P, InvalidMediaError, InvalidSourceError],
    ),
    (
        "messages.0.parts.0",
        {
            "kind": "media",
            "media": {"mime": "a/b", "source": {"kind": "uri", "uri": "x:y", "ref": "z"}},
        },
        f"{IN_PART}.media.source.ref",
        [*P, InvalidMediaError, InvalidSourceError],
    ),
    ("messages.0.parts.0", {"kind": "media"}, f"{IN_PART}.media", P),
    (
        "messages.2.parts.0",
        {"kind": "tool_call", "tool_call": {"id": "", "name": "geo"}},
        "messages[2].parts[0].tool_call.id",
        [*P, InvalidToolCallError],
    ),
    (
        "messages.2.parts.0",
        {"kind": "tool_call", "tool_call": {"id": "c", "name": "geo", "arguments": {}}},
        "messages[2].parts[0].tool_call.arguments",
        [*P, InvalidToolCallError],
    ),
    (
        "messages.2.parts.0",
        {"kind": "tool_call", "tool_call": {"id": "c", "name": "geo"}, "text": "x"},
        "messages[2].parts[0].text",
        P,
    ),
    ("messages.1.parts.0.tool_result.id", "", f"{IN_TOOL}.id", [*P, InvalidToolResultError]),
    ("messages.1.parts.0.tool_result.output", [], f"{IN_TOOL}.output", P),
    (
        "messages.1.parts.0.tool_result.output.content",
        [{"kind": "reasoning", "text": "x"}],
        f"{IN_TOOL}.output.content[0].kind",
        [*P, InvalidToolResultError, InvalidToolOutputError, InvalidPartError],
    ),
    (
        "messages.1.parts.0.tool_result.output.text",
        "x",
        f"{IN_TOOL}.output.text",
        [*P, InvalidToolResultError, InvalidToolOutputError],
    ),
    ("messages.3", {"role": "system", "parts": [{"kind": "text", "text": "x"}]}, "messages[3]", []),
    ("tools", {}, "tools", []),
    ("tools.0", 1, "tools[0]", [InvalidToolDefinitionError]),
    ("tools.0.name", "a b", "tools[0].name", [InvalidToolDefinitionError]),
    ("tools.0.input_schema", None, "tools[0].input_schema", [InvalidToolDefinitionError]),
    ("tools.0.input_schema", {}, "tools[0].input_schema", [InvalidToolDefinitionError]),
    ("tools.0.type", "function", "tools[0].type", [InvalidToolDefinitionError]),
    ("tool_choice", "auto", "tool_choice", [InvalidToolChoiceError]),
    ("tool_choice.mode", "any", "tool_choice.mode", [InvalidToolChoiceError]),
    ("tool_choice.name", "other", "tool_choice.name", [InvalidToolChoiceError]),
    ("tool_choice", {"mode": "named", "name": "other"}, "tool_choice.name", []),
    ("options", [], "options", [InvalidOptionsError]),
    ("options.temperature", 3, "options.temperature", [InvalidOptionsError]),
    ("options.temperature", "1", "options.temperature", [InvalidOptionsError]),
    ("options.temperature", True, "options.temperature", [InvalidOptionsError]),
    ("options.top_k", 1.0, "options.top_k", [InvalidOptionsError]),
    ("options.top_k", 2**63, "options.top_k", [InvalidOptionsError]),
    ("options.stop", ["a", ""], "options.stop[1]", [InvalidOptionsError]),
    ("options.stop", ["a", 1], "options.stop[1]", [InvalidOptionsError]),
    ("options.extensions", {"a": 1}, "options.extensions.a", [InvalidOptionsError]),
    (
        "options.extensions",
        [],
        "options.extensions",
        [InvalidOptionsError, InvalidMetadataError],
    ),
    (
        "options.output_format",
        {"type": "xml"},
        "options.output_format.type",
        [InvalidOptionsError, InvalidOutputFormatError],
    ),
    (
        "options.output_format",
        {"type": "json", "name": "x"},
        "options.output_format.name",
        [InvalidOptionsError, InvalidOutputFormatError],
    ),
    (
        "options.output_format",
        {"type": "json_schema", "name": "x", "schema": True},
        "options.output_format.schema",
        [InvalidOptionsError, InvalidOutputFormatError],
    ),
    (
        "options.output_format",
        {"type": "json_schema", "name": "x", "schema": {"type": "x"}},
        "options.output_format.schema.type",
        [InvalidOptionsError, InvalidOutputFormatError],
    ),
]

SOUND_REQUEST = Request(
    user("x"),
    tool_results(ToolResult("c1", "geo", ToolOutput())),
    assistant("y"),
    tools=[ToolDefinition(name="geo", input_schema={"type": "object"})],
    tool_choice=ToolChoice("auto"),
    options=Options(top_k=1),
)


@pytest.mark.parametrize(("place", "wrong", "path", "kinds"), REQUEST_FAULTS)
def test_a_faulty_request_is_refused_with_the_path_of_the_fault(
    place: str, wrong: Any, path: str, kinds: Kinds
) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        Request.from_json(with_fault(SOUND_REQUEST, place, wrong))
    assert caught.value.path == path
    assert_causes(caught.value, kinds)


RESPONSE_FAULTS: list[tuple[str, Any, str, Kinds]] = [
    ("output", None, "output", []),
    ("choices", [], "choices", []),
    ("output.message", {"role": "user", "parts": []}, "output.message.parts", M),
    (
        "output.message",
        {"role": "user", "parts": [{"kind": "text", "text": "x"}]},
        "output.message.role",
        [],
    ),
    ("output.message.parts.0.text", 1, "output.message.parts[0].text", P),
    ("output", {}, "output.finish_reason", []),
    ("output.finish_reason", "end_turn", "output.finish_reason", []),
    ("output.metadata", {"logprobs": 1}, "output.metadata.logprobs", []),
    ("output.metadata", {"extra": {"": 1}}, "output.metadata.extra", [EmptyKeyError]),
    ("output.metadata", {"extra": 1}, "output.metadata.extra", [InvalidMetadataError]),
    ("metadata.id", " x", "metadata.id", []),
    ("metadata.usage", {"input_tokens": -1}, "metadata.usage.input_tokens", [InvalidUsageError]),
    ("metadata.usage", {"input_tokens": 1.0}, "metadata.usage.input_tokens", [InvalidUsageError]),
    ("metadata.usage", {"total": 1}, "metadata.usage.total", [InvalidUsageError]),
    ("metadata.created_at", "2024-01-01", "metadata.created_at", []),
    ("metadata.created_at", "2024-01-01T00:00:00", "metadata.created_at", []),
    ("metadata.created_at", "2024-01-01T00:00:00+24:00", "metadata.created_at", []),
    ("metadata.created_at", 1704067200, "metadata.created_at", []),
]
SOUND_RESPONSE = Response(Output(assistant("x"), "stop"), ResponseMetadata(id="r1"))


@pytest.mark.parametrize(("place", "wrong", "path", "kinds"), RESPONSE_FAULTS)
def test_a_faulty_response_is_refused_with_the_path_of_the_fault(
    place: str, wrong: Any, path: str, kinds: Kinds
) -> None:
    with pytest.raises(InvalidResponseError) as caught:
        Response.from_json(with_fault(SOUND_RESPONSE, place, wrong))
    assert caught.value.path == path
    assert_causes(caught.value, kinds)


DELTA_FAULTS: list[tuple[Any, str, Kinds]] = [
    ({}, "", []),
    ({"parts": []}, "", []),
    ({"parts": [{"kind": "tool_result"}]}, "parts[0].kind", []),
    ({"parts": [{"kind": "text", "text": ""}]}, "parts[0].text", []),
    ({"parts": [{"kind": "text", "text": "x", "media": {}}]}, "parts[0].media", []),
    (
        {"parts": [{"kind": "media", "media": {"mime": "x", "source": {}}}]},
        "parts[0].media.source.kind",
        [InvalidMediaError, InvalidSourceError],
    ),
    (
        {"parts": [{"kind": "tool_call", "tool_call": {"id": "c"}}]},
        "parts[0].tool_call.name",
        [InvalidToolCallError],
    ),
    (
        {"parts": [{"kind": "citation", "citation": {"source": {"kind": "x"}}}]},
        "parts[0].citation.source.kind",
        [InvalidCitationError],
    ),
    ({"message_metadata": 1}, "message_metadata", [InvalidMetadataError]),
    ({"finish_reason": "end"}, "finish_reason", []),
    ({"metadata": {"usage": {"output_tokens": -1}}}, "metadata.usage.output_tokens", []),
]


@pytest.mark.parametrize(("tree", "path", "kinds"), DELTA_FAULTS)
def test_a_faulty_delta_is_refused_with_the_path_of_the_fault(
    tree: Any, path: str, kinds: Kinds
) -> None:
    with pytest.raises(InvalidResponseError) as caught:
        ResponseDelta.from_json(json.dumps(tree))
    assert caught.value.path == path
    assert_causes(caught.value, kinds)


def test_a_part_of_another_kind_is_refused() -> None:
    with pytest.raises(InvalidPartError) as caught:
        TextPart.from_json('{"kind":"refusal","text":"no"}')
    assert caught.value.path == "kind"


def test_the_text_of_a_fault_does_not_lead_the_path_astray() -> None:
    with pytest.raises(InvalidSourceError) as caught:
        URISource.from_json(json.dumps({"kind": "uri", "uri": "/ - at `$.messages[9]`"}))
    assert caught.value.path == "uri"
    assert find_cause(caught.value, InvalidMessageError) is None


def test_numbers_no_float_can_hold_are_refused_everywhere() -> None:
    for text, path in [
        ('{"temperature":1e999}', "temperature"),
        ('{"extensions":{"a/b":[1e999]}}', "extensions['a/b']"),
    ]:
        with pytest.raises(InvalidOptionsError) as caught:
            Options.from_json(text)
        assert caught.value.path == path
    with pytest.raises(InvalidToolOutputError) as output:
        ToolOutput.from_json('{"details":-1e999}')
    assert output.value.path == "details"


def test_names_are_case_sensitive() -> None:
    with pytest.raises(InvalidUsageError):
        Usage.from_json('{"Input_Tokens":1}')


def with_fault(sound: Value, place: str, wrong: Any) -> str:
    """The JSON of a sound value with one thing in it replaced; steps are joined by dots."""
    tree = json.loads(sound.to_json())
    if not place:
        return json.dumps(wrong)
    *way, last = place.split(".")
    at = tree
    for step in way:
        at = at[int(step)] if isinstance(at, list) else at[step]
    if isinstance(at, list):
        at[int(last) :] = [wrong, *at[int(last) + 1 :]]
    else:
        at[last] = wrong
    return json.dumps(tree)


def assert_causes(error: BaseException, kinds: Kinds) -> None:
    """The causes are of these kinds, in this order, others may lie between; nothing else is."""
    cause = error.__cause__
    for kind in kinds:
        while cause is not None and type(cause) is not kind:
            cause = cause.__cause__
        assert cause is not None, f"no {kind.__name__} among the causes"
        cause = cause.__cause__
