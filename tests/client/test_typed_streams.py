from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from chatport import (
    JSON,
    Complete,
    InvalidOutputError,
    InvalidOutputFormatError,
    JSONSchema,
    Options,
    OutputCompletionError,
    Partial,
    RefusalDelta,
    Request,
    ResponseDelta,
    Text,
    TextDelta,
    TextFormat,
    user,
)
from chatport.client import partial
from chatport.client.partial import PartialJSON
from chatport.testing import answer

from .conftest import Half


@dataclass
class Poem:
    title: str
    lines: list[str]


POEM = '{"title": "Rain", "lines": ["drop", "drop by drop"]}'


def deltas(text: str, size: int, reason: Any = "stop") -> list[ResponseDelta]:
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    return [*(ResponseDelta(TextDelta(p)) for p in parts), ResponseDelta(finish_reason=reason)]


@pytest.mark.parametrize("made", [JSON, JSONSchema])
def test_a_value_grows_and_ends_validated(half: Half, question: Request, made: Any) -> None:
    client = half.stream_client(half.script(deltas(POEM, 7)))
    steps = half.read(client.output(question, made(Poem)), [])
    *partial, last = steps
    assert last == Complete(Poem("Rain", ["drop", "drop by drop"]))
    assert all(isinstance(step, Partial) for step in partial)
    values = [step.value for step in partial]
    assert values[:3] == [{}, {"title": "Rai"}, {"title": "Rain"}]
    assert values[-1] == {"title": "Rain", "lines": ["drop", "drop by drop"]}


def test_text_grows(half: Half, question: Request) -> None:
    steps = half.read(
        half.stream_client(half.script(deltas("abcd", 2))).output(question, Text()), []
    )
    assert steps == [Partial("ab"), Partial("abcd"), Complete("abcd")]


def test_the_result_may_be_had_at_once(half: Half, question: Request) -> None:
    stream = half.stream_client(half.script(POEM)).output(question, JSON(Poem))
    assert half.run(stream.result()).title == "Rain"
    with pytest.raises(RuntimeError, match="read or closed"):
        half.run(stream.result())
    assert stream.text() == POEM


def test_only_a_finished_valid_answer_is_complete(half: Half, question: Request) -> None:
    def read(*script: Any) -> Any:
        stream = half.stream_client(half.script(*script)).output(question, JSON(Poem))
        return half.run(stream.result())

    with pytest.raises(OutputCompletionError) as cut:
        read(deltas(POEM, 7, "length"))
    assert cut.value.finish_reason == "length"
    with pytest.raises(OutputCompletionError) as refused:
        read([ResponseDelta(RefusalDelta("no")), ResponseDelta(finish_reason="stop")])
    assert refused.value.refusal == "no"
    with pytest.raises(InvalidOutputError):
        read('{"title": "Rain"}')
    with pytest.raises(InvalidOutputError):
        read("not json at all")


def test_a_typed_stream_checks_request_and_format_when_read(half: Half, question: Request) -> None:
    model = half.script("never")
    client = half.stream_client(model)
    own = Request(user("x"), options=Options(output_format=TextFormat()))
    for request, wanted in [(own, Text()), (question, None)]:
        with pytest.raises(InvalidOutputFormatError):
            half.read(client.output(request, wanted), [])
    assert model.requests == []


def test_leaving_a_typed_stream_closes_it(half: Half, question: Request) -> None:
    model = half.script(deltas(POEM, 7))
    half.read(half.stream_client(model).output(question, JSON(Poem)), [], limit=2)
    assert model.closed == 1
    assert answer("x").text() == "x"


def test_partial_reading_is_linear() -> None:
    reading = PartialJSON()
    count = 0
    text = '["' + "x" * 100_000 + '"]'
    for start in range(0, len(text), 10):
        count += reading.feed(text[start : start + 10])
    # Every reading is a sixty-fourth longer than the last: hundreds, not ten thousand.
    assert count < 1000
    assert isinstance(reading.value, list)


def test_partial_reading_ignores_what_is_no_json() -> None:
    reading = PartialJSON()
    assert not reading.feed("Here: ")
    assert not reading.feed('{"a"')
    assert reading.value is None


@pytest.mark.parametrize("unit", ["[", '{"a":'])
def test_ten_megabytes_of_nesting_stream_and_are_no_value(
    half: Half, question: Request, unit: str
) -> None:
    pieces = deltas(unit * (10_000_000 // len(unit)), 1_000_000)
    steps: list[Any] = []
    with pytest.raises(InvalidOutputError, match="not one strict JSON document: recursion limit"):
        half.read(
            half.stream_client(half.script(pieces)).output(question, JSON(dict[str, Any])), steps
        )
    assert steps == []


def test_reading_a_growing_text_again_stays_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def noted(text: str) -> int:
        read.append(len(text))
        return len(read)

    monkeypatch.setattr(partial, "_read", noted)
    growing = PartialJSON()
    changes = [growing.feed("x" * 100) for _ in range(10_000)]
    assert changes[:64] == [True] * 64, "a short text is read with every piece"
    assert sum(read) < 64 * 1_000_000
    long = [length for length in read if length > 100_000]
    for before, after in pairwise(long):
        assert before // 8 <= after - before < before // 8 + 100
    assert len(read) == sum(changes)
