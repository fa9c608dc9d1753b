"""Every rule of the values: what breaks it raises the value's class, with the path of the fault.

Beside each row of what is refused stands, where it could be mistaken, what is allowed.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import pytest

from chatport.chat import (
    BytesSource,
    Citation,
    CitationDelta,
    CitationSource,
    EmptyKeyError,
    InvalidCitationError,
    InvalidJSONError,
    InvalidMediaError,
    InvalidMessageError,
    InvalidMetadataKeyError,
    InvalidMetadataValueError,
    InvalidMIMEError,
    InvalidOptionsError,
    InvalidOutputFormatError,
    InvalidPartError,
    InvalidRequestError,
    InvalidResponseError,
    InvalidSchemaError,
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
    MediaPart,
    Message,
    Metadata,
    Options,
    Output,
    OutputMetadata,
    ReasoningDelta,
    ReasoningPart,
    ReferenceSource,
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
    ToolResultPart,
    URISource,
    Usage,
    assistant,
    find_cause,
    system,
    tool_results,
    user,
)

Make = Callable[[], Any]
LONE = "a\ud800"
"""Text with a lone surrogate."""
MAX = 2**63 - 1
CALL = ToolCall("c1", "geo")
RESULT = ToolResult("c1", "geo", ToolOutput())
IMAGE = Media.of_uri("image/png", "https://h.test/a.png")
CITATION = Citation.of_reference("doc")
OUTPUT = Output(assistant("hi"), "stop")
GEO = ToolDefinition(name="geo", input_schema={"type": "object"})


def bad(value: Any) -> Any:
    """A value of a type the constructor does not declare."""
    return value


def at(minutes: float) -> dt.datetime:
    """A moment with a UTC offset."""
    return dt.datetime(2024, 1, 1, tzinfo=dt.timezone(dt.timedelta(minutes=minutes)))


MEDIA: list[tuple[Make, type[InvalidValueError], str]] = [
    (lambda: Media("", IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media("image", IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media("image/", IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media("/png", IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media("image/p ng", IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media("image/png; name", IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media('image/png; name="a', IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media("image/png\n", IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media("image/" + LONE, IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media(bad(None), IMAGE.source), InvalidMIMEError, "mime"),
    (lambda: Media("image/png", bad(None)), InvalidSourceError, "source"),
    (lambda: Media("image/png", bad("https://h.test")), InvalidSourceError, "source"),
    (lambda: Media("image/png", IMAGE.source, id=LONE), InvalidMediaError, "id"),
    (lambda: Media("image/png", IMAGE.source, name=LONE), InvalidMediaError, "name"),
    (lambda: Media("image/png", IMAGE.source, name=bad(3)), InvalidMediaError, "name"),
    (
        lambda: Media("image/png", IMAGE.source, metadata=bad({"": 1})),
        InvalidMediaError,
        "metadata",
    ),
    (lambda: BytesSource(b""), InvalidSourceError, "bytes"),
    (lambda: BytesSource(bad("text")), InvalidSourceError, "bytes"),
    (lambda: URISource(""), InvalidSourceError, "uri"),
    (lambda: URISource("/x.png"), InvalidSourceError, "uri"),
    (lambda: URISource("x.png"), InvalidSourceError, "uri"),
    (lambda: URISource("https://"), InvalidSourceError, "uri"),
    (lambda: URISource("https:"), InvalidSourceError, "uri"),
    (lambda: URISource("https:?q"), InvalidSourceError, "uri"),
    (lambda: URISource("https://?q"), InvalidSourceError, "uri"),
    (lambda: URISource("https://#f"), InvalidSourceError, "uri"),
    (lambda: URISource("https://h est/"), InvalidSourceError, "uri"),
    (lambda: URISource("https://h.test/\n"), InvalidSourceError, "uri"),
    (lambda: URISource("1https://h.test"), InvalidSourceError, "uri"),
    (lambda: URISource("https://h.test/" + LONE), InvalidSourceError, "uri"),
    (lambda: ReferenceSource(""), InvalidSourceError, "ref"),
    (lambda: ReferenceSource(" \n"), InvalidSourceError, "ref"),
    (lambda: ReferenceSource(LONE), InvalidSourceError, "ref"),
    (lambda: Media.of_bytes("image/png", b""), InvalidSourceError, "source.bytes"),
    (lambda: Media.of_uri("image/png", "/x"), InvalidSourceError, "source.uri"),
    (lambda: Media.of_reference("image/png", " "), InvalidSourceError, "source.ref"),
    (
        lambda: Media.of_uri("image/png", "x:y", metadata={"a": object()}),
        InvalidMediaError,
        "metadata.a",
    ),
    (IMAGE.as_bytes, InvalidSourceError, "source"),
    (IMAGE.as_reference, InvalidSourceError, "source"),
    (lambda: Media.of_bytes("image/png", b"x").as_uri(), InvalidSourceError, "source"),
]

CITATIONS: list[tuple[Make, type[InvalidValueError], str]] = [
    (lambda: CitationSource(bad("url"), "x"), InvalidCitationError, "kind"),
    (lambda: CitationSource(bad(["uri"]), "x"), InvalidCitationError, "kind"),
    (lambda: CitationSource("reference", ""), InvalidCitationError, "value"),
    (lambda: CitationSource("reference", " doc"), InvalidCitationError, "value"),
    (lambda: CitationSource("reference", "doc\n"), InvalidCitationError, "value"),
    (lambda: CitationSource("reference", LONE), InvalidCitationError, "value"),
    (lambda: CitationSource("uri", "/relative"), InvalidCitationError, "value"),
    (lambda: CitationSource("uri", "data:,x"), InvalidCitationError, "value"),
    (lambda: CitationSource("uri", "urn:isbn:1"), InvalidCitationError, "value"),
    (lambda: CitationSource("uri", "https:///path"), InvalidCitationError, "value"),
    (lambda: CitationSource("uri", "https://h\x00.test"), InvalidCitationError, "value"),
    (lambda: Citation(bad("doc")), InvalidCitationError, "source"),
    (lambda: Citation.of_reference("doc", title=" t"), InvalidCitationError, "title"),
    (lambda: Citation.of_reference("doc", title=LONE), InvalidCitationError, "title"),
    (lambda: Citation.of_reference("doc", quote=LONE), InvalidCitationError, "quote"),
]

PARTS: list[tuple[Make, type[InvalidValueError], str]] = [
    (lambda: TextPart(""), InvalidPartError, "text"),
    (lambda: TextPart(bad(None)), InvalidPartError, "text"),
    (lambda: TextPart(LONE), InvalidPartError, "text"),
    (lambda: TextPart("", metadata=Metadata({"a": 1})), InvalidPartError, "text"),
    (lambda: TextPart("x", citations=bad([CITATION, "y"])), InvalidPartError, "citations[1]"),
    (lambda: TextPart("x", citations=bad("y")), InvalidPartError, "citations"),
    (lambda: TextPart("x", citations=bad({CITATION})), InvalidPartError, "citations"),
    (lambda: TextPart("x", citations=bad(1)), InvalidPartError, "citations"),
    (lambda: TextPart("x", metadata=bad({"": 1})), InvalidPartError, "metadata"),
    (lambda: TextPart("x", metadata=bad(0)), InvalidPartError, "metadata"),
    (lambda: MediaPart(bad(None)), InvalidPartError, "media"),
    (lambda: MediaPart(IMAGE, metadata=bad({"a": {1: 2}})), InvalidPartError, "metadata.a"),
    (lambda: ReasoningPart(), InvalidPartError, ""),
    (lambda: ReasoningPart(LONE), InvalidPartError, "text"),
    (lambda: ReasoningPart("x", bad("state")), InvalidPartError, "reasoning_state"),
    (lambda: ReasoningPart("x", metadata=bad([])), InvalidPartError, "metadata"),
    (lambda: ToolCallPart(bad(RESULT)), InvalidPartError, "tool_call"),
    (lambda: ToolCallPart(CALL, bad({"a": math.nan})), InvalidPartError, "metadata.a"),
    (lambda: ToolResultPart(bad(CALL)), InvalidPartError, "tool_result"),
    (lambda: ToolResultPart(RESULT, bad({"a": b"x"})), InvalidPartError, "metadata.a"),
    (lambda: RefusalPart(""), InvalidPartError, "text"),
    (lambda: RefusalPart("no", bad({1: 2})), InvalidPartError, "metadata"),
]

MESSAGES: list[tuple[Make, type[InvalidValueError], str]] = [
    (lambda: Message(bad("developer"), (TextPart("x"),)), InvalidMessageError, "role"),
    (lambda: Message(bad([]), (TextPart("x"),)), InvalidMessageError, "role"),
    (lambda: Message(bad(None), (TextPart("x"),)), InvalidMessageError, "role"),
    (lambda: Message("user", ()), InvalidMessageError, "parts"),
    (lambda: Message("user", bad("x")), InvalidMessageError, "parts"),
    (lambda: Message("user", bad(["x"])), InvalidMessageError, "parts[0]"),
    (lambda: user(), InvalidMessageError, "parts"),
    (lambda: user(""), InvalidMessageError, "parts[0].text"),
    (lambda: user("x", bad(3)), InvalidMessageError, "parts[1]"),
    (lambda: user("x", bad(["y"])), InvalidMessageError, "parts[1]"),
    (lambda: user("x", LONE), InvalidMessageError, "parts[1].text"),
    (lambda: user("x", metadata={"": 1}), InvalidMessageError, "metadata"),
    (lambda: user("x", metadata=bad([])), InvalidMessageError, "metadata"),
    (lambda: Message("user", (TextPart("x"),), bad({"a": 1j})), InvalidMessageError, "metadata.a"),
    (lambda: system("x", bad(IMAGE)), InvalidMessageError, "parts[1]"),
    (lambda: user(bad(CALL)), InvalidMessageError, "parts[0]"),
    (lambda: user(bad(ReasoningPart("x"))), InvalidMessageError, "parts[0]"),
    (lambda: user(bad(RefusalPart("x"))), InvalidMessageError, "parts[0]"),
    (lambda: assistant(bad(RESULT)), InvalidMessageError, "parts[0]"),
    (lambda: tool_results(RESULT, bad(CALL)), InvalidMessageError, "parts[1]"),
    (lambda: tool_results(bad("done")), InvalidMessageError, "parts[0]"),
]

TOOLS: list[tuple[Make, type[InvalidValueError], str]] = [
    (lambda: ToolCall("", "geo"), InvalidToolCallError, "id"),
    (lambda: ToolCall("c1", ""), InvalidToolCallError, "name"),
    (lambda: ToolCall(LONE, "geo"), InvalidToolCallError, "id"),
    (lambda: ToolCall("c1", LONE), InvalidToolCallError, "name"),
    (lambda: ToolCall("c1", "geo", LONE), InvalidToolCallError, "arguments"),
    (lambda: ToolCall("c1", "geo", bad({})), InvalidToolCallError, "arguments"),
    (lambda: ToolResult("", "geo", ToolOutput()), InvalidToolResultError, "id"),
    (lambda: ToolResult("c1", LONE, ToolOutput()), InvalidToolResultError, "name"),
    (lambda: ToolResult("c1", "geo", bad("Lima")), InvalidToolResultError, "output"),
    (lambda: ToolResult("c1", "geo", ToolOutput(), bad(1)), InvalidToolResultError, "is_error"),
    (lambda: ToolOutput(bad((ReasoningPart("x"),))), InvalidToolOutputError, "content[0]"),
    (lambda: ToolOutput(bad((TextPart("x"), "y"))), InvalidToolOutputError, "content[1]"),
    (lambda: ToolOutput(details=bad("")), InvalidToolOutputError, "details"),
    (lambda: ToolOutput(details=bad(" ")), InvalidToolOutputError, "details"),
    (lambda: ToolOutput(details=bad("{")), InvalidToolOutputError, "details"),
    (lambda: ToolOutput(details=bad(b"\xff")), InvalidToolOutputError, "details"),
    (lambda: ToolOutput(details=bad('{"a":1,"a":1}')), InvalidToolOutputError, "details"),
    (lambda: ToolOutput(details=bad(3)), InvalidToolOutputError, "details"),
    (lambda: ToolOutput(details=bad({"a": {3}})), InvalidToolOutputError, "details.a"),
    (lambda: ToolOutput.of_json([1, {"a": object()}]), InvalidToolOutputError, "details[1].a"),
    (lambda: ToolOutput.of_text(LONE), InvalidToolOutputError, "content[0].text"),
    (lambda: ToolOutput.of_text(bad(None)), InvalidToolOutputError, "content[0].text"),
    *(
        (
            lambda name=name: ToolDefinition(name=name, input_schema={"type": "object"}),
            InvalidToolDefinitionError,
            "name",
        )
        for name in ["", "a" * 65, "a b", "geo\n", "gé", "geo.x", LONE, bad(None)]
    ),
    *(
        (
            lambda schema=schema: ToolDefinition(name="geo", input_schema=schema),
            InvalidToolDefinitionError,
            "input_schema",
        )
        for schema in [
            {},
            {"type": ["object"]},
            {"type": "array"},
            "null",
            "[]",
            b"true",
            "",
            '{"type":"object","type":"object"}',
            '{"type":"object"} x',
            bad(None),
            bad(["type"]),
        ]
    ),
    (
        lambda: ToolDefinition(name="geo", description=LONE, input_schema={"type": "object"}),
        InvalidToolDefinitionError,
        "description",
    ),
    (lambda: ToolChoice(bad("any")), InvalidToolChoiceError, "mode"),
    (lambda: ToolChoice("auto", "geo"), InvalidToolChoiceError, "name"),
    (lambda: ToolChoice("named"), InvalidToolChoiceError, "name"),
    (lambda: ToolChoice("named", ""), InvalidToolChoiceError, "name"),
    (lambda: ToolChoice("named", "a b"), InvalidToolChoiceError, "name"),
    (lambda: ToolChoice("auto", None, bad("many")), InvalidToolChoiceError, "parallelism"),
    (lambda: ToolChoice("none", None, "single"), InvalidToolChoiceError, "parallelism"),
]

FORMATS: list[tuple[Make, type[InvalidValueError], str]] = [
    (lambda: JSONSchemaFormat(name="", schema={}), InvalidOutputFormatError, "name"),
    (lambda: JSONSchemaFormat(name=" a", schema={}), InvalidOutputFormatError, "name"),
    (lambda: JSONSchemaFormat(name=LONE, schema={}), InvalidOutputFormatError, "name"),
    (
        lambda: JSONSchemaFormat(name="a", description="b ", schema={}),
        InvalidOutputFormatError,
        "description",
    ),
    (lambda: JSONSchemaFormat(name="a", schema="true"), InvalidOutputFormatError, "schema"),
    (lambda: JSONSchemaFormat(name="a", schema="[]"), InvalidOutputFormatError, "schema"),
    (lambda: JSONSchemaFormat(name="a", schema="{"), InvalidOutputFormatError, "schema"),
    (lambda: JSONSchemaFormat(name="a", schema=bad(None)), InvalidOutputFormatError, "schema"),
    (
        lambda: JSONSchemaFormat(name="a", schema={"properties": {"x": {"type": "text"}}}),
        InvalidOutputFormatError,
        "schema.properties.x.type",
    ),
]

OPTIONS: list[tuple[Make, type[InvalidValueError], str]] = [
    *(
        (lambda name=name, value=value: Options(**{name: value}), InvalidOptionsError, name)
        for name, values in {
            "model": [" m", "m ", LONE, 3],
            "reasoning_effort": [" high", LONE],
            "frequency_penalty": [-2.1, 2.1, math.nan, math.inf, -math.inf, True, "1"],
            "presence_penalty": [-2.1, 2.1, math.nan, math.inf, 10**400],
            "temperature": [-0.1, 2.1, math.nan, math.inf],
            "top_p": [-0.1, 1.1, math.nan, math.inf],
            "max_output_tokens": [0, -1, 1.0, True, MAX + 1, 10**5000, "1"],
            "top_k": [0, -1, 1.0, False, MAX + 1],
            "stop": ["x", 3, {"a", "b"}, {"a": 1}],
            "output_format": ["json", 3],
            "extensions": [3, []],
        }.items()
        for value in values
    ),
    (lambda: Options(stop=["a", ""]), InvalidOptionsError, "stop[1]"),
    (lambda: Options(stop=[LONE]), InvalidOptionsError, "stop[0]"),
    (lambda: Options(stop=bad([None])), InvalidOptionsError, "stop[0]"),
    *(
        (
            lambda key=key: Options(extensions={key: 1}),
            InvalidOptionsError,
            f"extensions{'.' + key if key.isidentifier() else f'[{key!a}]'}",
        )
        for key in ["seed", "acme/", "/seed", "a/b/c", "acme/see d", "acme/\n", "a/½"]
    ),
    (lambda: Options(extensions={"": 1}), InvalidOptionsError, "extensions"),
    (lambda: Options(extensions={"a/b": print}), InvalidOptionsError, "extensions['a/b']"),
    (lambda: Options().overlay(bad(None)), InvalidOptionsError, ""),
]

REQUESTS: list[tuple[Make, type[InvalidValueError], str]] = [
    (lambda: Request(), InvalidRequestError, "messages"),
    (lambda: Request(bad("hello")), InvalidRequestError, "messages[0]"),
    (lambda: Request(bad([user("x")])), InvalidRequestError, "messages[0]"),
    (lambda: Request(bad(None)), InvalidRequestError, "messages[0]"),
    (lambda: Request(user("x"), system("y")), InvalidRequestError, "messages[1]"),
    (
        lambda: Request(system("a"), system("b"), user("x"), system("y")),
        InvalidRequestError,
        "messages[3]",
    ),
    (lambda: Request(user("x"), tools=bad([GEO, "geo"])), InvalidRequestError, "tools[1]"),
    (lambda: Request(user("x"), tools=bad(None)), InvalidRequestError, "tools"),
    (lambda: Request(user("x"), tools=[GEO, GEO]), InvalidRequestError, "tools[1].name"),
    (
        lambda: Request(user("x"), tool_choice=ToolChoice("auto")),
        InvalidRequestError,
        "tool_choice",
    ),
    (
        lambda: Request(user("x"), tools=[GEO], tool_choice=bad("auto")),
        InvalidRequestError,
        "tool_choice",
    ),
    (
        lambda: Request(user("x"), tools=[GEO], tool_choice=ToolChoice("named", "other")),
        InvalidRequestError,
        "tool_choice.name",
    ),
    (lambda: Request(user("x"), options=bad({})), InvalidRequestError, "options"),
    (lambda: Request(user("x"), options=bad(None)), InvalidRequestError, "options"),
    (lambda: Request(user("x")).replace(messages=()), InvalidRequestError, "messages"),
    (lambda: Request(user("x")).extend(system("y")), InvalidRequestError, "messages[1]"),
]

RESPONSES: list[tuple[Make, type[InvalidValueError], str]] = [
    (lambda: Usage(input_tokens=-1), InvalidUsageError, "input_tokens"),
    (lambda: Usage(output_tokens=-1), InvalidUsageError, "output_tokens"),
    (lambda: Usage(input_tokens=bad(1.0)), InvalidUsageError, "input_tokens"),
    (lambda: Usage(input_tokens=bad(None)), InvalidUsageError, "input_tokens"),
    (lambda: Usage(input_tokens=MAX + 1), InvalidUsageError, "input_tokens"),
    (lambda: Usage(input_tokens=MAX, output_tokens=1), InvalidUsageError, ""),
    (
        lambda: Usage(output_tokens=1, input_tokens=9, reasoning_tokens=2),
        InvalidUsageError,
        "reasoning_tokens",
    ),
    (lambda: Usage(output_tokens=1, reasoning_tokens=-1), InvalidUsageError, "reasoning_tokens"),
    (
        lambda: Usage(input_tokens=1, output_tokens=9, cache_read_input_tokens=2),
        InvalidUsageError,
        "cache_read_input_tokens",
    ),
    (
        lambda: Usage(input_tokens=1, output_tokens=9, cache_write_input_tokens=2),
        InvalidUsageError,
        "cache_write_input_tokens",
    ),
    (lambda: Usage() + Usage(input_tokens=MAX) + Usage(output_tokens=1), InvalidUsageError, ""),
    (lambda: OutputMetadata(bad({"": 1})), InvalidResponseError, "extra"),
    (lambda: Output(user("x"), "stop"), InvalidResponseError, "message.role"),
    (lambda: Output(bad("x"), "stop"), InvalidResponseError, "message"),
    (lambda: Output(None, bad("")), InvalidResponseError, "finish_reason"),
    (lambda: Output(None, bad("end_turn")), InvalidResponseError, "finish_reason"),
    (lambda: Output(None, bad(None)), InvalidResponseError, "finish_reason"),
    (lambda: Output(None, "stop", bad(None)), InvalidResponseError, "metadata"),
    (lambda: Response(bad(None)), InvalidResponseError, "output"),
    (lambda: Response(bad(assistant("x"))), InvalidResponseError, "output"),
    (lambda: Response(OUTPUT, bad(None)), InvalidResponseError, "metadata"),
    (lambda: ResponseMetadata(id=" r1"), InvalidResponseError, "id"),
    (lambda: ResponseMetadata(id=LONE), InvalidResponseError, "id"),
    (lambda: ResponseMetadata(model="m\n"), InvalidResponseError, "model"),
    (lambda: ResponseMetadata(usage=bad({})), InvalidResponseError, "usage"),
    (lambda: ResponseMetadata(created_at=bad("now")), InvalidResponseError, "created_at"),
    (
        lambda: ResponseMetadata(created_at=dt.datetime(2024, 1, 1)),
        InvalidResponseError,
        "created_at",
    ),
    (lambda: ResponseMetadata(created_at=at(0.5)), InvalidResponseError, "created_at"),
    (lambda: ResponseMetadata(extra=bad({"a": object})), InvalidResponseError, "extra.a"),
]

DELTAS: list[tuple[Make, type[InvalidValueError], str]] = [
    (lambda: TextDelta(""), InvalidResponseError, "text"),
    (lambda: TextDelta(LONE), InvalidResponseError, "text"),
    (lambda: TextDelta("x", bad({"": 1})), InvalidResponseError, "metadata"),
    (lambda: RefusalDelta(""), InvalidResponseError, "text"),
    (lambda: RefusalDelta("x", bad({"a": {1}})), InvalidResponseError, "metadata.a"),
    (lambda: ReasoningDelta(), InvalidResponseError, ""),
    (lambda: ReasoningDelta(LONE), InvalidResponseError, "text"),
    (lambda: ReasoningDelta("x", bad("y")), InvalidResponseError, "reasoning_state"),
    (lambda: ReasoningDelta("x", metadata=bad(1)), InvalidResponseError, "metadata"),
    (lambda: MediaDelta(bad(None)), InvalidResponseError, "media"),
    (lambda: MediaDelta(IMAGE, bad(1)), InvalidResponseError, "metadata"),
    (lambda: ToolCallDelta(bad(None)), InvalidResponseError, "tool_call"),
    (lambda: ToolCallDelta(CALL, bad(1)), InvalidResponseError, "metadata"),
    (lambda: CitationDelta(bad("doc")), InvalidResponseError, "citation"),
    (lambda: CitationDelta(CITATION, bad(1)), InvalidResponseError, "metadata"),
    (lambda: ResponseDelta(), InvalidResponseError, ""),
    (lambda: ResponseDelta(message_metadata=Metadata()), InvalidResponseError, ""),
    (lambda: ResponseDelta(bad("x")), InvalidResponseError, "parts[0]"),
    (lambda: ResponseDelta(bad(ToolResultPart(RESULT))), InvalidResponseError, "parts[0]"),
    (
        lambda: ResponseDelta(TextDelta("x"), message_metadata=bad({"": 1})),
        InvalidResponseError,
        "message_metadata",
    ),
    (lambda: ResponseDelta(finish_reason=bad("end")), InvalidResponseError, "finish_reason"),
    (lambda: ResponseDelta(finish_reason=bad("")), InvalidResponseError, "finish_reason"),
    (lambda: ResponseDelta(output_metadata=bad({})), InvalidResponseError, "output_metadata"),
    (lambda: ResponseDelta(metadata=bad({})), InvalidResponseError, "metadata"),
]

ROWS = [
    pytest.param(*row, id=f"{name}-{index}-{row[1].__name__}-{row[2]}")
    for name, rows in {
        "media": MEDIA,
        "citation": CITATIONS,
        "part": PARTS,
        "message": MESSAGES,
        "tool": TOOLS,
        "format": FORMATS,
        "options": OPTIONS,
        "request": REQUESTS,
        "response": RESPONSES,
        "delta": DELTAS,
    }.items()
    for index, row in enumerate(rows)
]


@pytest.mark.parametrize(("make", "kind", "path"), ROWS)
def test_it_is_refused_where_it_is_made(
    make: Make, kind: type[InvalidValueError], path: str
) -> None:
    with pytest.raises(InvalidValueError) as caught:
        make()
    assert type(caught.value) is kind
    assert caught.value.path == path
    assert caught.value.problem
    assert str(caught.value).isascii()


WORDS: list[tuple[Make, str]] = [
    (lambda: TextPart(bad(3)), "text: expected text, got int"),
    (lambda: TextPart("é\ud800"), "text: a lone surrogate at character 1"),
    (lambda: Options(model=" m"), "model: must not start or end with whitespace"),
    (
        lambda: ToolChoice(bad("any")),
        "mode: expected one of auto, none, required, named, got 'any'",
    ),
    (
        lambda: ToolChoice(bad(3)),
        "mode: expected one of auto, none, required, named, got int",
    ),
    (lambda: URISource("é" * 70), "uri: '" + r"\xe9" * 60 + "' is not an absolute URI"),
    (lambda: MediaPart(bad(b"x")), "media: expected Media, got bytes"),
    (
        lambda: ResponseDelta(bad(TextPart("x"))),
        (
            "parts[0]: expected TextDelta or MediaDelta or ReasoningDelta or ToolCallDelta or "
            "CitationDelta or RefusalDelta, got TextPart"
        ),
    ),
    (lambda: Message("user", bad("x")), "parts: expected a sequence, got str"),
    (lambda: user(bad(3)), "parts[0]: a user message cannot hold a int"),
    (lambda: Options(top_k=bad(1.0)), "top_k: expected a whole number, got float"),
    (lambda: Options(top_k=0), "top_k: must be from 1 to 9223372036854775807"),
    (lambda: Options(top_p=2), "top_p: must be from 0.0 to 1.0"),
    (lambda: Options(top_p=bad("1")), "top_p: expected a number, got str"),
    (
        lambda: ToolDefinition(name="t", input_schema=bad(3)),
        "input_schema: expected JSON, got int",
    ),
    (lambda: Metadata(bad(3)), "expected a mapping, got int"),
    (lambda: Metadata(bad({3: 1})), "expected text as a key, got int"),
    (lambda: Metadata({"a": 1j}), "a: complex has no JSON form"),
    (lambda: Metadata({"a": math.nan}), "a: nan has no JSON form"),
    (lambda: Metadata({"a": [{"b": LONE}]}), "a[0].b: a lone surrogate at character 1"),
]


@pytest.mark.parametrize(("make", "words"), WORDS)
def test_the_words_say_what_is_expected_and_what_came(make: Make, words: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        make()
    assert str(caught.value) == words


ALLOWED: list[Make] = [
    lambda: Media('image/png; name="x y"', IMAGE.source),
    lambda: Media("text/plain;charset=utf-8", IMAGE.source),
    lambda: Media("text/plain ; a=b ;c=d;", IMAGE.source),
    lambda: Media(r'a/b; c="\"\\"', IMAGE.source),
    lambda: URISource("data:,x"),
    lambda: URISource("data:text/plain;base64,QUJD"),
    lambda: URISource("file:///p"),
    lambda: URISource("file:/p"),
    lambda: URISource("https://user@h.test:8443/a?b#c"),
    lambda: URISource("https://[::1]/x"),
    lambda: URISource("https://bücher.test/a b"),
    lambda: ReferenceSource(" kept as given "),
    lambda: CitationSource("uri", "https://h.test"),
    lambda: CitationSource("reference", "/relative is a fine reference"),
    lambda: Citation.of_reference("doc", quote=" words with space around \n"),
    lambda: TextPart(" "),
    lambda: ReasoningPart("", b"state"),
    lambda: ReasoningPart("thought"),
    lambda: ToolCall("c1", "any name at all", "{"),
    lambda: ToolCall("c1", "geo", "\x00"),
    lambda: ToolOutput(),
    lambda: ToolOutput(details=bad("null")),
    lambda: ToolDefinition(name="a" * 64, input_schema='{"type": "object"}'),
    lambda: ToolDefinition(name="_-", input_schema={"type": "object", "pattern": "("}),
    lambda: ToolChoice("named", "geo", "allow"),
    lambda: JSONSchemaFormat(name="any name, with spaces", schema={}),
    lambda: JSONSchemaFormat(name="a", schema={"type": "string"}),
    lambda: Options(frequency_penalty=-2.0, presence_penalty=2, temperature=0, top_p=1),
    lambda: Options(frequency_penalty=2.0, presence_penalty=-2, temperature=2.0, top_p=0.0),
    lambda: Options(max_output_tokens=1, top_k=MAX),
    lambda: Options(stop=()),
    lambda: Options(stop=[" "]),
    lambda: Options(extensions={"acme/seed": 1, "ü.x_-/٣": None}),
    lambda: Request(tool_results(RESULT)),
    lambda: Request(system("a"), system("b")),
    lambda: Request(assistant("a"), assistant("b")),
    lambda: Request(user("x"), tools=[GEO], tool_choice=ToolChoice("named", "geo")),
    lambda: Usage(input_tokens=MAX),
    lambda: Usage(input_tokens=1, cache_read_input_tokens=1, cache_write_input_tokens=1),
    lambda: Output(None, "other"),
    lambda: ResponseMetadata(created_at=at(23 * 60)),
    lambda: ResponseMetadata(created_at=at(-23 * 60 - 59)),
    lambda: ResponseDelta(output_metadata=OutputMetadata()),
    lambda: ResponseDelta(metadata=ResponseMetadata()),
    lambda: ResponseDelta(message_metadata=Metadata({"a": 1})),
]


@pytest.mark.parametrize("make", ALLOWED)
def test_its_neighbour_is_allowed(make: Make) -> None:
    assert make() == make()


CAUSES: list[tuple[Make, list[type[InvalidValueError]]]] = [
    (lambda: user(""), [InvalidMessageError, InvalidPartError]),
    (lambda: user("x", metadata={"": 1}), [InvalidMessageError, EmptyKeyError]),
    (
        lambda: TextPart("x", metadata=bad({"a": math.inf})),
        [InvalidPartError, InvalidMetadataValueError, InvalidJSONError],
    ),
    (lambda: Options(extensions={"a": 1}), [InvalidOptionsError, InvalidMetadataKeyError]),
    (
        lambda: JSONSchemaFormat(name="a", schema={"type": "x"}),
        [InvalidOutputFormatError, InvalidSchemaError],
    ),
    (lambda: ToolOutput.of_text(LONE), [InvalidToolOutputError, InvalidPartError]),
    (lambda: ToolOutput(details=bad("{")), [InvalidToolOutputError, InvalidJSONError]),
]


@pytest.mark.parametrize(("make", "kinds"), CAUSES)
def test_the_errors_of_the_values_inside_are_its_causes(
    make: Make, kinds: list[type[InvalidValueError]]
) -> None:
    with pytest.raises(kinds[0]) as caught:
        make()
    for kind in kinds:
        assert type(find_cause(caught.value, kind)) is kind
    assert find_cause(caught.value, InvalidUsageError) is None


class Tone(StrEnum):
    """Words that are text, and more than text."""

    USER = "user"
    HIGH = "high"


def test_text_of_a_subclass_becomes_plain_text() -> None:
    message = Message(bad(Tone.USER), (TextPart(Tone.HIGH),))
    assert type(message.role) is str
    assert type(message.text()) is str
    assert message.to_json() == b'{"role":"user","parts":[{"kind":"text","text":"high"}]}'
    assert type(Options(stop=[Tone.HIGH]).stop[0]) is str  # type: ignore[index]


def test_a_subclass_of_a_value_is_refused_since_it_may_not_be_frozen() -> None:
    class Sloppy(TextPart):
        pass

    with pytest.raises(InvalidMessageError):
        Message("user", (Sloppy("x"),))


@pytest.mark.parametrize("name", ["model", "reasoning_effort"])
def test_empty_text_means_absent_where_text_is_optional(name: str) -> None:
    assert Options(**bad({name: ""})) == Options()
    assert ResponseMetadata(id="", model="") == ResponseMetadata()
    assert ToolChoice("auto", "") == ToolChoice("auto")
    assert Citation.of_reference("d", title="", quote="") == Citation.of_reference("d")
