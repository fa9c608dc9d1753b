"""Answers of the Messages API: what they mean, whole or in a stream, and that they go back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chatport.chat import (
    JSONFormat,
    Options,
    ReasoningPart,
    Request,
    Response,
    ResponseAccumulator,
    TextPart,
    collect,
    user,
)
from chatport.providers.anthropic import Messages
from chatport.providers.anthropic.words import JSON_TOOL, STOP_REASONS
from chatport.providers.errors import OverloadedError, ServerError, UnexpectedAnswerError
from chatport.providers.sse import Event
from tests.providers.anthropic.answers import ANSWERS, Answered, text, whole

CODEC = Messages()
ASKED = Request(user("Hello"), options=Options(model="m"))
each = pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)


def event(told: Any) -> Event:
    return Event(json.dumps(told).encode(), told.get("type", ""))


def decoded(body: Any, asked: Request = ASKED) -> Response:
    return CODEC.decode(asked, json.dumps(body).encode(), {})


def streamed(events: list[Any], asked: Request = ASKED) -> Response:
    decoder = CODEC.decoder(asked, {})
    deltas = [delta for one in events for delta in decoder.feed(event(one))]
    assert decoder.done
    return collect([*deltas, *decoder.finish()])


@each
def test_a_plain_answer(answer: Answered) -> None:
    response = decoded(whole(answer))
    assert (response.message.parts if response.message else ()) == answer.parts
    assert response.finish_reason == answer.reason
    assert response.usage == answer.usage
    assert response.metadata.id == "msg_1"
    assert response.metadata.model == "claude-x"


@each
def test_a_stream_amounts_to_the_plain_answer(answer: Answered) -> None:
    assert streamed(answer.events) == decoded(whole(answer))


@each
def test_an_answer_goes_back_as_it_came(answer: Answered) -> None:
    message = decoded(whole(answer)).message
    if message is None:
        return
    body = json.loads(CODEC.encode(ASKED.extend(message), stream=False).body)
    explained = answer.end.get("stop_details") or {}
    said = [text(explained["explanation"])] if explained else []
    assert body["messages"][1]["content"] == answer.content + said


@pytest.mark.parametrize(("word", "reason"), STOP_REASONS.items())
def test_every_reason_for_the_end(word: str, reason: str) -> None:
    response = decoded(whole(Answered([text("Hi")], (), end={"stop_reason": word})))
    assert response.finish_reason == reason
    assert response.output.metadata.extra["anthropic/stop_reason"] == word


@pytest.mark.parametrize("end", [{"stop_reason": "tomorrows"}, {"stop_reason": None}, {}])
def test_an_end_nobody_knows_is_an_error(end: Any) -> None:
    with pytest.raises(UnexpectedAnswerError):
        decoded(whole(Answered([text("Hi")], (), end=end)))


def test_a_plain_answer_without_an_end_keeps_its_text() -> None:
    with pytest.raises(UnexpectedAnswerError, match="why it ended") as raised:
        decoded(whole(Answered([text("Hi")], (), end={})))
    assert raised.value.partial is not None
    assert raised.value.partial.text() == "Hi"


def test_a_stream_that_breaks_off_gives_no_last_delta() -> None:
    events = ANSWERS["text"].events[:-1]
    decoder = CODEC.decoder(ASKED, {})
    accumulator = ResponseAccumulator()
    for one in events:
        for delta in decoder.feed(event(one)):
            accumulator.add(delta)
    assert accumulator.text() == "Hello"
    assert not decoder.done
    assert decoder.finish() == ()


def test_an_error_in_a_stream_is_of_its_class() -> None:
    told = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    decoder = CODEC.decoder(ASKED, {})
    with pytest.raises(OverloadedError, match="Overloaded") as raised:
        decoder.feed(event(told | {"request_id": "req_1"}))
    assert raised.value.request_id == "req_1"
    assert raised.value.retryable


def test_an_error_body_of_a_successful_status_is_of_its_class() -> None:
    told = {"type": "error", "error": {"type": "api_error", "message": "Internal server error"}}
    with pytest.raises(ServerError, match="Internal"):
        decoded(told)


@pytest.mark.parametrize(
    "told",
    [
        {"type": "vertex_event", "delta": "of another shape"},
        {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta", "text": "!"}},
        {"type": "content_block_stop", "index": 9},
        {},
    ],
)
def test_events_nobody_knows_say_nothing(told: Any) -> None:
    events = ANSWERS["text"].events
    assert streamed([*events[:-1], told, events[-1]]).text() == "Hello"


def test_pieces_of_another_block_are_not_taken_for_this_ones() -> None:
    stray = {
        "type": "content_block_delta",
        "index": 7,
        "delta": {"type": "text_delta", "text": "!"},
    }
    events = ANSWERS["text"].events
    assert streamed([*events[:4], stray, *events[4:]]).text() == "Hello"


@pytest.mark.parametrize("data", [b"{not json", b"\xff", b""])
def test_an_event_that_is_no_json_is_quoted(data: bytes) -> None:
    with pytest.raises(UnexpectedAnswerError, match=r"not JSON|empty"):
        CODEC.decoder(ASKED, {}).feed(Event(data))


@pytest.mark.parametrize(
    "body",
    [{}, [], "<html>", {"type": "message", "content": "text"}, {"content": [{"type": "tool_use"}]}],
)
def test_what_is_no_answer_is_said_to_be_none(body: Any) -> None:
    with pytest.raises(UnexpectedAnswerError):
        decoded(body)


def test_the_tool_that_any_json_is_asked_with_is_the_answer() -> None:
    asked = ASKED.replace(options=ASKED.options.replace(output_format=JSONFormat()))
    call = {"type": "tool_use", "id": "toolu_1", "name": JSON_TOOL, "input": {"a": [1]}}
    answer = Answered([call], (), end={"stop_reason": "tool_use"})
    response = decoded(whole(answer), asked)
    assert response.message is not None
    assert response.message.parts == (TextPart('{"a":[1]}'),)
    assert response.finish_reason == "stop"
    assert streamed(answer.events, asked) == response


def test_what_the_protocol_has_no_word_for_is_kept() -> None:
    body = whole(
        Answered([text("Hi")], (), end={"stop_reason": "end_turn", "container": {"id": "c"}})
    )
    response = decoded(body | {"diagnostics": {"cache_miss_reason": None}})
    assert response.metadata.extra.decode("anthropic/usage", dict) == body["usage"]
    assert "anthropic/diagnostics" in response.metadata.extra
    assert response.output.metadata.extra.decode("anthropic/container", dict) == {"id": "c"}


def test_digits_of_arguments_are_kept() -> None:
    told = (
        b'{"content":[{"type":"tool_use","id":"t","name":"f","input":{"b": 1.10, "a": 1e2}}],'
        b'"stop_reason":"tool_use"}'
    )
    (call,) = CODEC.decode(ASKED, told, {}).tool_calls
    assert call.arguments == '{"b":1.10,"a":1e2}'


def test_pieces_of_a_block_of_tomorrow_are_put_into_it() -> None:
    start = {"type": "compaction", "content": "So ", "size": 1}
    deltas: list[Any] = [
        {"type": "compaction_delta", "content": "far", "size": 2},
        {"type": "compaction_delta", "content": "."},
        {"type": "input_json_delta", "partial_json": '{"a"'},
        {"type": "input_json_delta", "partial_json": ":1}"},
    ]
    begun, ping, *_, ended, stopped = ANSWERS["text"].events
    streamed_block = [
        {"type": "content_block_start", "index": 0, "content_block": start},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
    ]
    message = streamed([begun, ping, *streamed_block, ended, stopped]).message
    assert message is not None
    (part,) = message.parts
    assert isinstance(part, ReasoningPart)
    assert json.loads(part.reasoning_state) == start | {
        "content": "So far.",
        "size": 2,
        "input": {"a": 1},
    }


def test_pieces_of_other_kinds_say_nothing() -> None:
    blocks = [
        {"type": "text", "text": "Hi"},
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "redacted_thinking", "data": "d"},
        {"type": "tool_use", "id": "t", "name": "f", "input": {}},
    ]
    plain_events = Answered(blocks, (), end={"stop_reason": "tool_use"}).events
    events = []
    for one in plain_events:
        events.append(one)
        if one["type"] == "content_block_start":
            strange = {"type": "sparkle_delta", "sparkle": 1}
            events.append({"type": "content_block_delta", "index": one["index"], "delta": strange})
    assert streamed(events) == streamed(plain_events)


def test_a_call_whose_name_changes_is_an_error() -> None:
    calls = [{"type": "tool_use", "id": "t", "name": name, "input": {}} for name in "fg"]
    with pytest.raises(UnexpectedAnswerError):
        decoded(whole(Answered(calls, (), end={"stop_reason": "tool_use"})))


def test_an_answer_that_says_no_cost_has_none() -> None:
    body = whole(ANSWERS["text"])
    del body["usage"]
    assert decoded(body).usage is None
    events = [
        {name: value for name, value in one.items() if name != "usage"}
        for one in ANSWERS["text"].events
    ]
    events[0] = {"type": "message_start", "message": body | {"content": []}}
    assert streamed(events).usage is None
