"""Deltas become a response: merging, atomic refusal, completeness."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from chatport.chat import (
    Citation,
    CitationDelta,
    IncompleteStreamError,
    InvalidMessageError,
    InvalidResponseError,
    Media,
    MediaDelta,
    MediaPart,
    Metadata,
    Output,
    OutputMetadata,
    PartDelta,
    ReasoningDelta,
    ReasoningPart,
    RefusalDelta,
    RefusalPart,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    ResponseMetadata,
    TextDelta,
    TextPart,
    ToolCall,
    ToolCallDelta,
    ToolCallPart,
    Usage,
    assistant,
    collect,
    find_cause,
)
from tests.chat.deltas import STOP, parts_of

IMAGE = Media.of_bytes("image/png", b"x")
CITATION = Citation.of_reference("doc")
A, B = Metadata({"k": "a"}), Metadata({"k": "b"})


def call(arguments: str, id_: str = "c1", name: str = "geo", **metadata: object) -> ToolCallDelta:
    return ToolCallDelta(ToolCall(id_, name, arguments), Metadata(metadata))


MERGES: list[tuple[str, list[PartDelta], list[Any]]] = [
    ("text joins", [TextDelta("a"), TextDelta("b")], [TextPart("ab")]),
    (
        "text joins when the metadata is equal",
        [TextDelta("a", A), TextDelta("b", Metadata({"k": "a"}))],
        [TextPart("ab", (), A)],
    ),
    (
        "other metadata starts a new part",
        [TextDelta("a"), TextDelta("b", A), TextDelta("c", B), TextDelta("d")],
        [TextPart("a"), TextPart("b", (), A), TextPart("c", (), B), TextPart("d")],
    ),
    (
        "each kind is its own part",
        [TextDelta("a"), ReasoningDelta("b"), RefusalDelta("c"), TextDelta("d")],
        [TextPart("a"), ReasoningPart("b"), RefusalPart("c"), TextPart("d")],
    ),
    ("refusals join", [RefusalDelta("a"), RefusalDelta("b")], [RefusalPart("ab")]),
    (
        "reasoning joins text and state apart",
        [ReasoningDelta("a", b"1"), ReasoningDelta("b"), ReasoningDelta("", b"2")],
        [ReasoningPart("ab", b"12")],
    ),
    (
        "reasoning with other metadata is another part",
        [ReasoningDelta("a", b"1", A), ReasoningDelta("b", b"2", B)],
        [ReasoningPart("a", b"1", A), ReasoningPart("b", b"2", B)],
    ),
    (
        "a refusal keeps its metadata",
        [RefusalDelta("a", A), RefusalDelta("b", A), RefusalDelta("c")],
        [RefusalPart("ab", A), RefusalPart("c")],
    ),
    (
        "media never joins",
        [MediaDelta(IMAGE), MediaDelta(IMAGE, A)],
        [MediaPart(IMAGE), MediaPart(IMAGE, A)],
    ),
    (
        "text after media is a new part",
        [TextDelta("a"), MediaDelta(IMAGE), TextDelta("b")],
        [TextPart("a"), MediaPart(IMAGE), TextPart("b")],
    ),
    (
        "fragments join at the place of the first",
        [call("{"), TextDelta("a"), call("}"), TextDelta("b")],
        [ToolCallPart(ToolCall("c1", "geo", "{}")), TextPart("ab")],
    ),
    (
        "a new call parts the text around it",
        [TextDelta("a"), call(""), TextDelta("b")],
        [TextPart("a"), ToolCallPart(ToolCall("c1", "geo")), TextPart("b")],
    ),
    (
        "a fragment of a known call does not",
        [call(""), TextDelta("a"), call("x"), TextDelta("b"), call("y")],
        [ToolCallPart(ToolCall("c1", "geo", "xy")), TextPart("ab")],
    ),
    (
        "fragment metadata merges key by key and the later wins",
        [call("", a=1, b=1), call("", b=2), call("", c=3)],
        [ToolCallPart(ToolCall("c1", "geo"), Metadata({"a": 1, "b": 2, "c": 3}))],
    ),
    (
        "two calls stand in the order first seen",
        [call("a", "c2"), call("b", "c1"), call("c", "c2"), call("d", "c1")],
        [ToolCallPart(ToolCall("c2", "geo", "ac")), ToolCallPart(ToolCall("c1", "geo", "bd"))],
    ),
    (
        "a citation belongs to the text before it",
        [TextDelta("a"), CitationDelta(CITATION), CitationDelta(CITATION, A), TextDelta("b")],
        [TextPart("ab", (CITATION, CITATION))],
    ),
    (
        "a citation may follow a fragment of a known call",
        [call(""), TextDelta("a"), call("x"), CitationDelta(CITATION)],
        [ToolCallPart(ToolCall("c1", "geo", "x")), TextPart("a", (CITATION,))],
    ),
    (
        "a citation goes to the last text of several",
        [TextDelta("a"), TextDelta("b", A), CitationDelta(CITATION)],
        [TextPart("a"), TextPart("b", (CITATION,), A)],
    ),
]


@pytest.mark.parametrize(
    ("deltas", "parts"), [row[1:] for row in MERGES], ids=[row[0] for row in MERGES]
)
def test_merging(deltas: list[PartDelta], parts: list[Any]) -> None:
    assert parts_of(*map(ResponseDelta, deltas)) == tuple(parts), "one part a delta"
    assert parts_of(ResponseDelta(*deltas)) == tuple(parts), "all in one delta"


REFUSED: list[tuple[str, list[ResponseDelta], ResponseDelta, str]] = [
    ("a citation first of all", [], ResponseDelta(CitationDelta(CITATION)), "parts[0]"),
    (
        "a citation after a call",
        [ResponseDelta(TextDelta("a"), call(""))],
        ResponseDelta(CitationDelta(CITATION)),
        "parts[0]",
    ),
    (
        "a citation after media",
        [ResponseDelta(MediaDelta(IMAGE))],
        ResponseDelta(CitationDelta(CITATION)),
        "parts[0]",
    ),
    (
        "a citation after reasoning",
        [ResponseDelta(ReasoningDelta("a"))],
        ResponseDelta(CitationDelta(CITATION)),
        "parts[0]",
    ),
    (
        "a citation after a refusal in the same delta",
        [],
        ResponseDelta(TextDelta("a"), RefusalDelta("b"), CitationDelta(CITATION)),
        "parts[2]",
    ),
    (
        "a citation after a call in the same delta",
        [ResponseDelta(TextDelta("a"))],
        ResponseDelta(call(""), CitationDelta(CITATION)),
        "parts[1]",
    ),
    (
        "another name for a known call",
        [ResponseDelta(call(""))],
        ResponseDelta(TextDelta("x"), call("", name="other")),
        "parts[1].tool_call.name",
    ),
    (
        "two names for a call in one delta",
        [],
        ResponseDelta(call(""), call("", name="other")),
        "parts[1].tool_call.name",
    ),
    ("text after the finish", [STOP], ResponseDelta(TextDelta("x")), ""),
    ("the finish twice", [STOP], STOP, ""),
    (
        "usage after the finish",
        [STOP],
        ResponseDelta(metadata=ResponseMetadata(usage=Usage())),
        "",
    ),
]


def test_a_refusal_says_what_is_wrong() -> None:
    accumulator = ResponseAccumulator()
    with pytest.raises(IncompleteStreamError, match=r"^the stream ended without a finish reason$"):
        accumulator.response()
    accumulator.add(ResponseDelta(call("")))
    refusals: list[tuple[Any, str]] = [
        ("text", "expected ResponseDelta, got str"),
        (ResponseDelta(call("", name="other")), "call 'c1' is of 'geo' already"),
        (ResponseDelta(CitationDelta(CITATION)), "a citation must follow the text it belongs to"),
    ]
    for delta, message in refusals:
        with pytest.raises(InvalidResponseError) as caught:
            accumulator.add(delta)
        assert str(caught.value).removeprefix(caught.value.path).removeprefix(": ") == message
    accumulator.add(STOP)
    with pytest.raises(InvalidResponseError, match=r"^a delta after the one with the finish reas"):
        accumulator.add(STOP)


@pytest.mark.parametrize(
    ("before", "delta", "path"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_refusal_changes_nothing(
    before: list[ResponseDelta], delta: ResponseDelta, path: str
) -> None:
    accumulator, untouched = ResponseAccumulator(), ResponseAccumulator()
    for earlier in before:
        accumulator.add(earlier)
        untouched.add(earlier)
    loaded = delta.replace(
        message_metadata=A,
        output_metadata=OutputMetadata(B),
        metadata=ResponseMetadata(id="r9", model="m9", usage=Usage(input_tokens=9), extra=A),
    )
    with pytest.raises(InvalidResponseError) as caught:
        accumulator.add(loaded)
    assert caught.value.path == path
    if STOP not in before:
        for each in (accumulator, untouched):
            each.add(ResponseDelta(TextDelta("end"), finish_reason="stop"))
    assert accumulator.response() == untouched.response()


@pytest.mark.parametrize("wrong", [None, "text", TextDelta("x"), STOP.to_json()])
def test_what_is_no_delta_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidResponseError) as caught:
        ResponseAccumulator().add(wrong)
    assert str(caught.value) == f"expected ResponseDelta, got {type(wrong).__name__}"


def test_later_metadata_wins_and_usage_is_a_snapshot() -> None:
    early, late = dt.datetime(2024, 1, 1, tzinfo=dt.UTC), dt.datetime(2024, 1, 2, tzinfo=dt.UTC)
    response = collect(
        [
            ResponseDelta(
                metadata=ResponseMetadata(
                    id="r1",
                    model="m1",
                    usage=Usage(input_tokens=5, output_tokens=1, reasoning_tokens=1),
                    created_at=early,
                    extra=Metadata({"a": 1, "b": 1}),
                )
            ),
            ResponseDelta(
                message_metadata=Metadata({"a": 1, "b": 1}),
                output_metadata=OutputMetadata(Metadata({"x": 1, "y": 1})),
            ),
            ResponseDelta(metadata=ResponseMetadata(model="m2")),
            ResponseDelta(
                TextDelta("x"),
                metadata=ResponseMetadata(
                    usage=Usage(input_tokens=5, output_tokens=3), created_at=late
                ),
            ),
            ResponseDelta(
                message_metadata=Metadata({"b": 2}),
                finish_reason="length",
                output_metadata=OutputMetadata(Metadata({"y": 2})),
                metadata=ResponseMetadata(extra=Metadata({"b": 2})),
            ),
        ]
    )
    assert response == Response(
        Output(
            assistant("x", metadata={"a": 1, "b": 2}),
            "length",
            OutputMetadata(Metadata({"x": 1, "y": 2})),
        ),
        ResponseMetadata(
            id="r1",
            model="m2",
            usage=Usage(input_tokens=5, output_tokens=3),
            created_at=late,
            extra=Metadata({"a": 1, "b": 2}),
        ),
    )


def test_usage_that_was_never_reported_stays_unknown() -> None:
    assert collect([STOP]).usage is None
    zero = ResponseDelta(finish_reason="stop", metadata=ResponseMetadata(usage=Usage()))
    assert collect([zero]).usage == Usage()


def test_a_finish_reason_alone_makes_a_response_without_a_message() -> None:
    assert collect([STOP]) == Response(Output(None, "stop"))


def test_message_metadata_without_a_part_makes_no_valid_message() -> None:
    with pytest.raises(InvalidResponseError) as caught:
        collect([ResponseDelta(message_metadata=A), STOP])
    assert caught.value.path == "output.message.parts"
    assert find_cause(caught.value, InvalidMessageError)
    assert not isinstance(caught.value, IncompleteStreamError)


def test_a_stream_that_just_ends_is_an_error_that_has_what_came() -> None:
    accumulator = ResponseAccumulator()
    with pytest.raises(IncompleteStreamError) as nothing:
        accumulator.response()
    assert nothing.value.partial is None
    accumulator.add(ResponseDelta(TextDelta("Hel"), call("{")))
    accumulator.add(ResponseDelta(message_metadata=A))
    with pytest.raises(IncompleteStreamError) as caught:
        accumulator.response()
    assert caught.value.partial == assistant("Hel", ToolCall("c1", "geo", "{")).replace(metadata=A)
    assert caught.value.args[2] == caught.value.partial
    assert accumulator.message() == caught.value.partial
    accumulator.add(STOP)
    assert accumulator.response().message == caught.value.partial


def test_what_came_can_be_looked_at_along_the_way() -> None:
    accumulator = ResponseAccumulator()
    assert accumulator.text() == ""
    assert accumulator.message() is None
    accumulator.add(ResponseDelta(TextDelta("a"), ReasoningDelta("-"), RefusalDelta("!")))
    accumulator.add(ResponseDelta(TextDelta("b"), TextDelta("c", A), MediaDelta(IMAGE)))
    assert accumulator.text() == "abc"
    before = accumulator.message()
    accumulator.add(ResponseDelta(TextDelta("d"), call("")))
    assert accumulator.text() == "abcd"
    assert before is not None
    assert before.text() == "abc"


def test_responses_are_independent_snapshots() -> None:
    accumulator = ResponseAccumulator()
    accumulator.add(ResponseDelta(TextDelta("a"), finish_reason="stop"))
    assert accumulator.response() == accumulator.response()
    assert accumulator.response().text() == accumulator.text() == "a"
