from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chatport import (
    Citation,
    IncompleteStreamError,
    Media,
    Output,
    ReasoningPart,
    RefusalPart,
    Request,
    Response,
    ResponseDelta,
    TextDelta,
    TextPart,
    ToolCall,
    Usage,
    assistant,
    collect,
    user,
)
from chatport.client import deltas_of
from chatport.testing import AsyncScriptedModel, ScriptedModel, ScriptExhaustedError, answer

ASK = Request(user("hello"))


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("text", answer("text")),
        (ToolCall("1", "x"), answer(ToolCall("1", "x"))),
        ([ToolCall("1", "x"), ToolCall("2", "y")], answer(ToolCall("1", "x"), ToolCall("2", "y"))),
        (answer("x", usage=Usage()), answer("x", usage=Usage())),
        (lambda request: request.messages[0].text(), answer("hello")),
        (
            [ResponseDelta(TextDelta("a"), finish_reason="length")],
            answer("a", finish_reason="length"),
        ),
    ],
)
def test_a_script_answers_calls_and_streams_alike(given: Any, wanted: Response) -> None:
    model = ScriptedModel(given, given)
    assert model.call(ASK) == wanted
    assert collect(model.stream(ASK)) == wanted
    assert model.requests == [ASK, ASK]
    model.assert_finished()
    later = AsyncScriptedModel(given)
    assert asyncio.run(later.call(ASK)) == wanted


def test_a_script_raises_what_it_holds() -> None:
    model = ScriptedModel(ConnectionError("cut"), [ResponseDelta(TextDelta("a")), OSError("cut")])
    with pytest.raises(ConnectionError):
        model.call(ASK)
    with pytest.raises(OSError, match="cut"):
        model.call(ASK)
    with pytest.raises(IncompleteStreamError):
        ScriptedModel([ResponseDelta(TextDelta("a"))]).call(ASK)


def test_a_script_ends() -> None:
    model = ScriptedModel("one", "two")
    model.call(ASK)
    with pytest.raises(AssertionError, match="1 of 2 answers were not asked for"):
        model.assert_finished()
    model.call(ASK)
    with pytest.raises(ScriptExhaustedError, match="asked 3 times, the script has 2"):
        model.call(ASK)


def test_a_script_holds_answers_only() -> None:
    with pytest.raises(TypeError, match="no answer"):
        ScriptedModel(7).call(ASK)  # type: ignore[arg-type]


def test_an_answer_ends_as_its_parts_say() -> None:
    assert answer("x").finish_reason == "stop"
    assert answer(ToolCall("1", "x")).finish_reason == "tool_calls"
    assert answer(finish_reason="length").message is None


EVERYTHING = Response(
    Output(
        assistant(
            ReasoningPart("think", b"state"),
            ReasoningPart("", b"only"),
            TextPart("some text that is long", (Citation.of_uri("https://a.test/x"),)),
            Media.of_bytes("image/png", b"x"),
            ToolCall("1", "x", '{"a": "some arguments"}'),
            ToolCall("2", "y"),
            RefusalPart("no"),
            metadata={"a": 1},
        ),
        "other",
    )
)


@pytest.mark.parametrize("size", [None, 1, 5, 1000])
def test_deltas_amount_to_the_response_they_are_of(size: int | None) -> None:
    # Reasoning parts that follow each other are one part to an accumulator.
    whole = collect(deltas_of(EVERYTHING, size=size))
    assert collect(deltas_of(whole, size=size)) == whole
    assert whole.tool_calls == EVERYTHING.tool_calls
    assert whole.text() == EVERYTHING.text()
    assert collect(deltas_of(Response(Output(None, "stop")))) == Response(Output(None, "stop"))
