"""What the values say of a fault, and that its neighbour is allowed."""

from __future__ import annotations

import math
from enum import StrEnum

import pytest

from chatport.chat import (
    Citation,
    CitationSource,
    EmptyKeyError,
    InvalidJSONError,
    InvalidMessageError,
    InvalidMetadataKeyError,
    InvalidMetadataValueError,
    InvalidOptionsError,
    InvalidOutputFormatError,
    InvalidPartError,
    InvalidSchemaError,
    InvalidToolOutputError,
    InvalidUsageError,
    InvalidValueError,
    JSONSchemaFormat,
    Media,
    MediaPart,
    Message,
    Metadata,
    Options,
    Output,
    OutputMetadata,
    ReasoningPart,
    ReferenceSource,
    Request,
    ResponseDelta,
    ResponseMetadata,
    TextPart,
    ToolCall,
    ToolChoice,
    ToolDefinition,
    ToolOutput,
    URISource,
    Usage,
    assistant,
    find_cause,
    system,
    tool_results,
    user,
)
from tests.chat.refused import GEO, IMAGE, LONE, MAX, RESULT, Make, at, bad

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
