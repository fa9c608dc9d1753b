"""The numbered scenarios of the chat protocol that concern its values.

The number is the scenario's; the other tests of this folder go further into each.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from typing import Any

import pytest

from chatport.chat import (
    BytesSource,
    Citation,
    CitationDelta,
    InvalidCitationError,
    InvalidMIMEError,
    InvalidOptionsError,
    InvalidPartError,
    InvalidRequestError,
    InvalidResponseError,
    InvalidSourceError,
    InvalidToolDefinitionError,
    InvalidUsageError,
    JSONFormat,
    JSONSchemaFormat,
    Media,
    Message,
    Options,
    Output,
    ReasoningDelta,
    ReasoningPart,
    Request,
    Response,
    ResponseAccumulator,
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
    collect,
    system,
    tool_results,
    user,
)

GEO = ToolDefinition(name="geo", input_schema={"type": "object"})
STOP = ResponseDelta(finish_reason="stop")


def refused_json(kind: Any, tree: Any) -> Exception:
    with pytest.raises(kind.fault) as caught:
        kind.from_json(json.dumps(tree))
    return caught.value


def test_s05_a_request_without_messages() -> None:
    with pytest.raises(InvalidRequestError):
        Request()
    refused_json(Request, {"messages": []})


def test_s06_nothing_that_holds_a_request_can_change_it() -> None:
    request = Request(
        user("x", Media.of_bytes("a/b", b"x", metadata={"k": [1]}), metadata={"k": {"a": 1}}),
        assistant(ReasoningPart("r", b"state"), ToolCall("c1", "geo")),
        tool_results(ToolResult("c1", "geo", ToolOutput.of_text("Lima"))),
        tools=[GEO],
        options=Options(max_output_tokens=5, temperature=1, extensions={"a/b": {"c": 1}}),
    )
    text = request.to_json()
    call, result = request.messages[1].parts[1], request.messages[2].parts[0]
    attempts: list[Any] = [
        lambda: request.messages[0].metadata["k"].update(a=2),  # type: ignore[union-attr]
        lambda: request.messages[0].parts[1].media.metadata["k"].append(2),  # type: ignore[union-attr]
        lambda: request.messages[0].parts[1].media.source.data.clear(),  # type: ignore[union-attr]
        lambda: setattr(request.messages[1].parts[0], "reasoning_state", b""),
        lambda: setattr(call.tool_call, "name", "x"),  # type: ignore[union-attr]
        lambda: setattr(result.tool_result.output.content[0], "text", "x"),  # type: ignore[union-attr]
        lambda: request.tools[0].input_schema.value().clear(),  # type: ignore[union-attr]
        lambda: request.options.extensions["a/b"].clear(),  # type: ignore[union-attr]
        lambda: setattr(request.options, "max_output_tokens", 1),
        lambda: setattr(request.options, "temperature", 0.0),
        lambda: request.messages.append(user("y")),  # type: ignore[attr-defined]
        lambda: setattr(request, "messages", ()),
    ]
    for attempt in attempts:
        with pytest.raises(AttributeError):
            attempt()
    assert request.to_json() == text


def test_s07_no_stops_is_present_and_empty() -> None:
    request = Request(user("x"), options=Options(stop=[]))
    assert request.options.stop == ()
    assert Request.from_json(request.to_json()).options.stop == ()
    assert Request(user("x")).options.stop is None


def test_s16_a_format_is_set_on_a_copy() -> None:
    request = Request(user("x"))
    options = request.options.replace(output_format=JSONFormat())
    assert request.replace(options=options).options.output_format == JSONFormat()
    assert request.options.output_format is None


def test_s28_a_schema_cannot_be_overwritten() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {}}}
    contract = JSONSchemaFormat(name="answer", schema=schema)
    schema["properties"]["b"] = {}
    with pytest.raises(AttributeError):
        contract.schema = None  # type: ignore[misc,assignment]
    assert contract.schema.text == '{"type":"object","properties":{"a":{}}}'


def test_s59_system_messages_lead_and_a_lone_tool_message_is_valid() -> None:
    with pytest.raises(InvalidRequestError):
        Request(user("x"), system("y"))
    lone = Request(tool_results(ToolResult("c1", "geo", ToolOutput())))
    assert Request.from_json(lone.to_json()) == lone


def test_s60_a_tool_choice_needs_its_tools() -> None:
    with pytest.raises(InvalidRequestError):
        Request(user("x"), tool_choice=ToolChoice("auto"))
    with pytest.raises(InvalidRequestError):
        Request(user("x"), tools=[GEO], tool_choice=ToolChoice("named", "other"))
    named = ToolChoice("named", "geo")
    assert Request(user("x"), tools=[GEO], tool_choice=named).tool_choice == named


@pytest.mark.parametrize(
    "tree",
    [
        {"kind": "text", "text": "x", "reasoning_state": "c2ln"},
        {"kind": "text", "text": ""},
        {"kind": "text"},
        {"kind": "text", "metadata": {"a": 1}},
        {"kind": "refusal", "text": "x", "citations": []},
        {
            "kind": "reasoning",
            "text": "x",
            "citations": [{"source": {"kind": "reference", "value": " "}}],
        },
    ],
)
def test_s61_a_part_holds_its_own_payload_and_no_other(tree: dict[str, Any]) -> None:
    kind = {"text": TextPart, "reasoning": ReasoningPart}.get(tree["kind"], TextPart)
    assert type(refused_json(kind, tree)) is InvalidPartError
    error = refused_json(Message, {"role": "assistant", "parts": [tree]})
    assert type(error.__cause__) is InvalidPartError


def test_s62_citations_name_a_proper_source() -> None:
    with pytest.raises(InvalidCitationError):
        Citation.of_uri("/relative")
    with pytest.raises(InvalidCitationError):
        Citation.of_reference(" doc ")
    with pytest.raises(InvalidCitationError):
        Citation.of_reference("doc", title=" title ")


def test_s63_tool_names_and_schemas() -> None:
    assert ToolDefinition(name="a" * 64, input_schema={"type": "object"}).name == "a" * 64
    with pytest.raises(InvalidToolDefinitionError):
        ToolDefinition(name="a" * 65, input_schema={"type": "object"})
    for schema in ("{}", '{"type":"array"}', "null", "[]"):
        with pytest.raises(InvalidToolDefinitionError):
            ToolDefinition(name="geo", input_schema=schema)


@pytest.mark.parametrize(
    "wrong",
    [
        {"frequency_penalty": -2.1},
        {"presence_penalty": math.nan},
        {"temperature": math.inf},
        {"max_output_tokens": 0},
        {"reasoning_effort": " high"},
        {"stop": [""]},
        {"top_p": 1.1},
    ],
)
def test_s64_options_out_of_range(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionsError):
        Options(**wrong)


def test_s64_the_bounds_themselves_are_in_range() -> None:
    low = Options(
        frequency_penalty=-2, presence_penalty=-2, temperature=0, top_p=0, max_output_tokens=1
    )
    high = Options(frequency_penalty=2, presence_penalty=2, temperature=2, top_p=1, top_k=2**63 - 1)
    assert Options.from_json(low.to_json()) == low
    assert Options.from_json(high.to_json()) == high


def test_s65_a_faulty_document_leaves_no_trace() -> None:
    options = Options(temperature=1.0)
    refused_json(Options, {"temperature": 3, "model": "m"})
    assert options == Options(temperature=1.0)


def test_s66_usage() -> None:
    for wrong in (
        {"input_tokens": -1},
        {"input_tokens": 2**63 - 1, "output_tokens": 1},
        {"output_tokens": 1, "reasoning_tokens": 2},
        {"input_tokens": 1, "cache_read_input_tokens": 2},
        {"input_tokens": 1, "cache_write_input_tokens": 2},
    ):
        with pytest.raises(InvalidUsageError):
            Usage(**wrong)
    for text, usage in (
        (b'{"output":{"finish_reason":"stop"},"metadata":{"id":"r"}}', None),
        (b'{"output":{"finish_reason":"stop"},"metadata":{"id":"r","usage":{}}}', Usage()),
    ):
        response = Response.from_json(text)
        assert response.usage == usage
        assert response.to_json() == text


@pytest.mark.parametrize(
    ("moment", "valid"),
    [
        ("10000-01-01T00:00:00Z", False),
        ("-001-01-01T00:00:00Z", False),
        ("2024-01-01T00:00:00+24:00", False),
        ("2024-01-01T00:00:00+01:00:30", False),
        ("0001-01-01T00:00:00Z", True),
        ("9999-12-31T23:59:59Z", True),
        ("2024-01-01T00:00:00+23:00", True),
    ],
)
def test_s67_times(moment: str, valid: bool) -> None:
    tree = {"output": {"finish_reason": "stop"}, "metadata": {"created_at": moment}}
    if valid:
        response = Response.from_json(json.dumps(tree))
        assert json.loads(response.to_json()) == tree
    else:
        refused_json(Response, tree)


def test_s67_an_offset_with_seconds() -> None:
    zone = dt.timezone(dt.timedelta(hours=1, seconds=30))
    with pytest.raises(InvalidResponseError):
        ResponseMetadata(created_at=dt.datetime(2024, 1, 1, tzinfo=zone))


@pytest.mark.parametrize("arguments", ["", "{", "a\x00b", '{"a": 1.0}', "é\U0001f600"])
def test_s68_arguments_are_kept_exactly(arguments: str) -> None:
    call = ToolCall("c1", "geo", arguments)
    assert ToolCall.from_json(call.to_json()) == call
    response = collect([ResponseDelta(ToolCallDelta(call)), STOP])
    assert response.tool_calls == (call,)


def test_s69_parts_come_together_in_order() -> None:
    response = collect(
        [
            ResponseDelta(
                ReasoningDelta("step "),
                metadata=ResponseMetadata(model="m1", usage=Usage(output_tokens=1)),
            ),
            ResponseDelta(
                ReasoningDelta("one"), TextDelta("hel"), ToolCallDelta(ToolCall("c", "t", "{"))
            ),
            ResponseDelta(
                ToolCallDelta(ToolCall("c", "t", "}")),
                TextDelta("lo"),
                finish_reason="tool_calls",
                metadata=ResponseMetadata(model="m2", usage=Usage(output_tokens=9)),
            ),
        ]
    )
    assert response == Response(
        Output(
            assistant(ReasoningPart("step one"), "hel", ToolCall("c", "t", "{}"), "lo"),
            "tool_calls",
        ),
        ResponseMetadata(model="m2", usage=Usage(output_tokens=9)),
    )


def test_s70_interleaved_calls() -> None:
    fragments = [("a", "1"), ("b", "x"), ("a", "2"), ("b", "y"), ("a", "3")]
    response = collect(
        [
            *(ResponseDelta(ToolCallDelta(ToolCall(id_, "t", text))) for id_, text in fragments),
            STOP,
        ]
    )
    assert response.tool_calls == (ToolCall("a", "t", "123"), ToolCall("b", "t", "xy"))


def test_s71_citations_follow_text_or_nothing_changes() -> None:
    accumulator = ResponseAccumulator()
    citation = CitationDelta(Citation.of_reference("doc"))
    accumulator.add(ResponseDelta(TextDelta("said"), citation))
    accumulator.add(ResponseDelta(ToolCallDelta(ToolCall("c", "t"))))
    with pytest.raises(InvalidResponseError):
        accumulator.add(
            ResponseDelta(
                citation,
                TextDelta("lost"),
                finish_reason="stop",
                metadata=ResponseMetadata(id="lost"),
            )
        )
    assert accumulator.text() == "said"
    accumulator.add(ResponseDelta(TextDelta("!"), citation, finish_reason="tool_calls"))
    cited = (citation.citation,)
    call = ToolCallPart(ToolCall("c", "t"))
    message = assistant(TextPart("said", cited), call, TextPart("!", cited))
    assert accumulator.response() == Response(Output(message, "tool_calls"))


def test_s72_a_call_keeps_its_name() -> None:
    first, other = ToolCallDelta(ToolCall("c", "t")), ToolCallDelta(ToolCall("c", "u"))
    within = ResponseAccumulator()
    with pytest.raises(InvalidResponseError):
        within.add(ResponseDelta(first, other))
    assert within.message() is None
    across = ResponseAccumulator()
    across.add(ResponseDelta(first))
    with pytest.raises(InvalidResponseError):
        across.add(ResponseDelta(TextDelta("lost"), other, finish_reason="stop"))
    assert across.message() == assistant(ToolCall("c", "t"))


def test_s73_a_stream_is_complete_with_its_finish_reason() -> None:
    accumulator = ResponseAccumulator()
    with pytest.raises(InvalidResponseError):
        accumulator.response()
    accumulator.add(ResponseDelta(TextDelta("partial")))
    with pytest.raises(InvalidResponseError):
        accumulator.response()
    assert accumulator.text() == "partial"
    accumulator.add(STOP)
    assert accumulator.response() == Response(Output(assistant("partial"), "stop"))
    assert accumulator.response() == accumulator.response()


def test_s74_deltas_that_are_none() -> None:
    accumulator = ResponseAccumulator()
    nothing: Any = None
    with pytest.raises(InvalidResponseError):
        accumulator.add(nothing)
    with pytest.raises(InvalidResponseError):
        ResponseDelta()
    accumulator.add(STOP)
    for late in (STOP, ResponseDelta(metadata=ResponseMetadata(usage=Usage()))):
        with pytest.raises(InvalidResponseError):
            accumulator.add(late)


@pytest.mark.parametrize(
    "tree",
    [
        '{"parts":[{"kind":"text","text":"\\ud800"}]}',
        '{"metadata":{"id":"\\ud800"}}',
        '{"metadata":{"model":"\\ud800"}}',
        '{"parts":[{"kind":"tool_call","tool_call":{"id":"\\ud800","name":"t"}}]}',
        '{"parts":[{"kind":"tool_call","tool_call":{"id":"c","name":"t","arguments":"\\udc00"}}]}',
    ],
)
def test_s75_a_lone_surrogate_is_refused_never_repaired(tree: str) -> None:
    with pytest.raises(InvalidResponseError):
        ResponseDelta.from_json(tree)
    with pytest.raises(InvalidResponseError):
        ResponseDelta.from_json(tree.encode().replace(b"\\ud800", b"\xed\xa0\x80"))


def test_s75_nor_can_one_be_made() -> None:
    with pytest.raises(InvalidResponseError):
        TextDelta("\ud800")
    with pytest.raises(InvalidResponseError):
        ResponseMetadata(model="\ud800")


def test_s82_media_must_be_of_a_type_and_from_somewhere() -> None:
    for mime in ("", "image"):
        with pytest.raises(InvalidMIMEError):
            Media(mime, URISource("https://h.test/a"))
    for make in (
        lambda: BytesSource(b""),
        lambda: URISource("relative.png"),
        lambda: URISource("https://"),
        lambda: Media.of_reference("image/png", " "),
    ):
        with pytest.raises(InvalidSourceError):
            make()
    for source in (
        {"kind": "uri", "uri": "https://h.test", "ref": "x"},
        {"kind": "file", "uri": "https://h.test"},
        {"uri": "https://h.test"},
    ):
        error = refused_json(Media, {"mime": "image/png", "source": source})
        assert type(error.__cause__) is InvalidSourceError


def test_s83_media_gives_its_payload_of_its_kind_only() -> None:
    media = Media.of_bytes("image/png", bytearray(b"x"))  # type: ignore[arg-type]
    assert type(media.as_bytes()) is bytes
    for wrong in (media.as_uri, media.as_reference, Media.of_uri("a/b", "x:y").as_bytes):
        with pytest.raises(InvalidSourceError):
            wrong()
