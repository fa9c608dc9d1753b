"""Answers of the Gemini API: what they mean, whole or in a stream, and that they go back as is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chatport.chat import Message, Options, Request, Response, ResponseAccumulator, collect, user
from chatport.providers.errors import ContentBlockedError, UnexpectedAnswerError
from chatport.providers.gemini import GenerateContent
from chatport.providers.gemini.words import FINISH_REASONS
from chatport.providers.sse import Event
from tests.providers.gemini.answers import ANSWERS, Answered, chunk, whole

CODEC = GenerateContent()
ASKED = Request(user("Hello"), options=Options(model="m"))
each = pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)


def decoded(body: Any) -> Response:
    return CODEC.decode(ASKED, json.dumps(body).encode(), {})


def streamed(chunks: list[Any]) -> Response:
    decoder = CODEC.decoder(ASKED, {})
    events = [Event(json.dumps(one).encode()) for one in chunks]
    deltas = [delta for event in events for delta in decoder.feed(event)]
    return collect([*deltas, *decoder.finish()])


@each
def test_a_plain_answer(answer: Answered) -> None:
    response = decoded(whole(answer))
    assert (response.message.parts if response.message else ()) == answer.parts
    assert response.finish_reason == answer.reason
    assert response.usage == answer.usage


@each
def test_a_stream_amounts_to_the_plain_answer(answer: Answered) -> None:
    assert streamed(answer.chunks) == decoded(whole(answer))


@each
def test_an_answer_goes_back_as_it_came(answer: Answered) -> None:
    if not answer.parts:
        return
    message = Message("assistant", answer.parts)
    body = json.loads(CODEC.encode(ASKED.extend(message), stream=False).body)
    back = body["contents"][1]["parts"]
    sent = whole(answer)["candidates"][0]["content"]["parts"]
    assert _joined(back) == _joined(sent)


def test_a_field_that_is_null_is_not_there() -> None:
    candidate = {"content": {"parts": [{"text": "Hi"}]}, "finishReason": None, "index": None}
    last = {"candidates": [{"finishReason": "STOP", "safetyRatings": None}], "modelVersion": None}
    response = streamed([{"candidates": [candidate], "promptFeedback": None}, last])
    assert (response.text(), response.finish_reason) == ("Hi", "stop")
    assert response.output.metadata.extra == {"gemini/finish_reason": "STOP"}


def _joined(parts: list[Any]) -> list[Any]:
    """The parts with neighbours of text put together, and bytes in one spelling."""
    joined: list[Any] = []
    for part in parts:
        plain = {key: value for key, value in part.items() if key not in ("text", "thought")}
        if "inlineData" in part:
            part = {"inlineData": part["inlineData"] | {"data": "/w=="}}
        if part.get("text") == "" and not plain:
            continue
        if joined and not plain and set(part) == set(joined[-1]):
            joined[-1] = joined[-1] | {"text": joined[-1]["text"] + part["text"]}
        else:
            joined.append(part)
    return joined


@pytest.mark.parametrize(("word", "reason"), FINISH_REASONS.items())
def test_every_reason_for_the_end(word: str, reason: str) -> None:
    response = decoded(chunk({"text": "Hi"}, finish=word))
    assert response.finish_reason == reason
    assert response.output.metadata.extra["gemini/finish_reason"] == word


def test_a_call_in_an_answer_that_was_cut_is_no_reason_to_run_it() -> None:
    call = {"functionCall": {"name": "f", "args": {}}}
    assert decoded(chunk(call, finish="MAX_TOKENS")).finish_reason == "length"


@pytest.mark.parametrize("finish", ["TOMORROWS_REASON", None, "FINISH_REASON_UNSPECIFIED"])
def test_an_end_nobody_knows_is_an_error_with_what_came(finish: str | None) -> None:
    with pytest.raises(UnexpectedAnswerError):
        decoded(chunk({"text": "Hi"}, finish=finish))


def test_a_plain_answer_without_an_end_keeps_its_text() -> None:
    with pytest.raises(UnexpectedAnswerError, match="came to an end") as raised:
        decoded(chunk({"text": "Hi"}, finish=None))
    assert raised.value.partial is not None
    assert raised.value.partial.text() == "Hi"


def test_a_stream_without_an_end_gives_no_last_delta() -> None:
    decoder = CODEC.decoder(ASKED, {})
    deltas = decoder.feed(Event(json.dumps(chunk({"text": "Hi"}, finish=None)).encode()))
    accumulator = ResponseAccumulator()
    for delta in (*deltas, *decoder.finish()):
        accumulator.add(delta)
    assert accumulator.text() == "Hi"
    assert not decoder.done
    assert all(delta.finish_reason is None for delta in deltas)


@pytest.mark.parametrize(
    "reason", ["SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "JAILBREAK"]
)
def test_a_blocked_prompt_is_an_error_that_says_why_and_what_it_cost(reason: str) -> None:
    body = {"promptFeedback": {"blockReason": reason}, "usageMetadata": {"promptTokenCount": 3}}
    with pytest.raises(ContentBlockedError) as raised:
        decoded(body)
    assert raised.value.code == reason
    assert raised.value.usage is not None
    assert raised.value.usage.input_tokens == 3


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"candidates": []},
        {"candidates": "none"},
        {"candidates": [{"content": {"parts": [{"inlineData": {"data": "!"}}]}}]},
        {"candidates": [{"content": {"parts": [{"functionCall": {"args": {}}}]}}]},
        [],
        "<html>",
    ],
)
def test_what_is_no_answer_is_said_to_be_none(body: Any) -> None:
    with pytest.raises(UnexpectedAnswerError):
        decoded(body)


def test_html_is_quoted_in_the_error() -> None:
    with pytest.raises(UnexpectedAnswerError, match="<html>"):
        CODEC.decode(ASKED, b"<html><body>502 Bad Gateway</body></html>", {})


def test_calls_without_ids_have_stable_ones() -> None:
    calls = [{"functionCall": {"name": "f", "args": {"x": 1}}}] * 2
    body = chunk(*calls, responseId="r1")
    one, two = decoded(body).tool_calls
    assert one.id != two.id
    assert (one, two) == decoded(body).tool_calls == streamed([body]).tool_calls
    assert decoded(chunk(*calls, responseId="r2")).tool_calls[0].id != one.id


def test_ids_of_our_own_are_not_sent() -> None:
    response = decoded(chunk({"functionCall": {"name": "f", "args": {"x": 1}}}))
    assert response.message is not None
    body = json.loads(CODEC.encode(ASKED.extend(response.message), stream=False).body)
    assert body["contents"][1]["parts"] == [{"functionCall": {"name": "f", "args": {"x": 1}}}]


def test_digits_of_arguments_are_kept() -> None:
    text = (
        b'{"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": '
        b'{"b": 1.10, "a": 12345678901234567890.5}}}]}, "finishReason": "STOP"}]}'
    )
    (call,) = CODEC.decode(ASKED, text, {}).tool_calls
    assert call.arguments == '{"b":1.10,"a":12345678901234567890.5}'


def test_what_the_protocol_has_no_word_for_is_kept() -> None:
    rated = [{"category": "HARM_CATEGORY_HARASSMENT", "probability": "LOW"}]
    body = chunk(
        {"text": "Hi"},
        candidate={"safetyRatings": rated, "avgLogprobs": -0.1, "newsOfTomorrow": 1},
        responseId="r1",
        createTime="2026-11-30T12:00:00.5Z",
        modelStatus={"modelStage": "STABLE"},
    )
    response = decoded(body)
    extra = response.output.metadata.extra
    assert extra.decode("gemini/safety_ratings", list) == rated
    assert extra["gemini/avg_logprobs"] == -0.1
    assert extra["gemini/news_of_tomorrow"] == 1
    assert response.metadata.id == "r1"
    assert response.metadata.model == "m-1"
    assert response.metadata.created_at is not None
    assert response.metadata.extra["gemini/usage_metadata"]["totalTokenCount"] == 6  # type: ignore[index, call-overload]
    assert "gemini/model_status" in response.metadata.extra


def test_other_candidates_are_kept_beside_the_first() -> None:
    other = {"content": {"parts": [{"text": "Ho"}]}, "finishReason": "STOP", "index": 1}
    body = chunk({"text": "Hi"})
    body["candidates"].append(other)
    response = decoded(body)
    assert response.text() == "Hi"
    assert response.output.metadata.extra["gemini/other_candidates"][1]["index"] == 1  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    "body",
    [
        chunk({"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "$.x"}]}}),
        chunk({"functionCall": {"name": "f", "willContinue": True}}),
        chunk(
            {"functionCall": {"id": "c1", "name": "f"}}, {"functionCall": {"id": "c1", "name": "g"}}
        ),
        chunk({"text": "Hi"}, candidate={"groundingMetadata": 3}),
        chunk({"text": "Hi"}, createTime="yesterday"),
    ],
)
def test_what_contradicts_the_protocol_is_an_error(body: Any) -> None:
    with pytest.raises(UnexpectedAnswerError):
        decoded(body)


def test_parts_that_say_nothing_are_no_parts() -> None:
    response = decoded(chunk({}, {"text": ""}, {"text": "", "thought": True}, {"text": "Hi"}))
    assert response.message is not None
    assert len(response.message.parts) == 1


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        (b'[{"error": {"details": [{"retryDelay": "2s"}]}}]', 2),
        (b'{"error": {"details": [{"retryDelay": "xs"}, {"retryDelay": "3.5s"}]}}', 3.5),
        (b'{"error": {"details": [{"retryDelay": "-1s"}, {"retryDelay": "5"}, 7]}}', None),
        (b'{"error": {"details": {}}}', None),
        (b'{"error": "no"}', None),
        (b"<html>", None),
    ],
)
def test_how_long_to_wait(body: bytes, seconds: float | None) -> None:
    assert CODEC.error(429, body, {}).retry_after == seconds
    assert CODEC.error(429, body, {"retry-after": "9"}).retry_after == 9


def test_an_answer_that_says_no_cost_has_none() -> None:
    body = chunk({"text": "Hi"})
    del body["usageMetadata"]
    assert decoded(body).usage is None
    assert streamed([body]).usage is None
