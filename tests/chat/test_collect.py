"""Streams become a response: closed whatever happens, however they are cut."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatport.chat import (
    CitationDelta,
    IncompleteStreamError,
    InvalidResponseError,
    MediaDelta,
    MediaPart,
    PartDelta,
    ReasoningDelta,
    ReasoningPart,
    RefusalDelta,
    RefusalPart,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    TextDelta,
    TextPart,
    ToolCallDelta,
    ToolCallPart,
    acollect,
    collect,
)
from tests.chat import strategies
from tests.chat.deltas import STOP, parts_of


class Tap:
    """An iterator of deltas that knows whether it was closed."""

    def __init__(self, *deltas: Any) -> None:
        self.deltas = iter(deltas)
        self.closed = False

    def __iter__(self) -> Iterator[ResponseDelta]:
        return self

    def __next__(self) -> ResponseDelta:
        return next_or_raise(self.deltas)

    def close(self) -> None:
        self.closed = True


class AsyncTap:
    """The same, asynchronously."""

    def __init__(self, *deltas: Any) -> None:
        self.deltas = iter(deltas)
        self.closed = False

    def __aiter__(self) -> AsyncIterator[ResponseDelta]:
        return self

    async def __anext__(self) -> ResponseDelta:
        try:
            return next_or_raise(self.deltas)
        except StopIteration:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        self.closed = True


def next_or_raise(deltas: Iterator[Any]) -> ResponseDelta:
    item = next(deltas)
    if isinstance(item, Exception):
        raise item
    return item  # type: ignore[no-any-return]


STREAMS: list[tuple[list[Any], type[Exception] | None]] = [
    ([ResponseDelta(TextDelta("a")), STOP], None),
    ([ResponseDelta(TextDelta("a"))], IncompleteStreamError),
    ([], IncompleteStreamError),
    ([ResponseDelta(TextDelta("a")), ConnectionError("gone")], ConnectionError),
    ([STOP, STOP], InvalidResponseError),
    ([None], InvalidResponseError),
]


@pytest.mark.parametrize(("deltas", "error"), STREAMS)
def test_collect_closes_the_stream_whatever_happens(
    deltas: list[Any], error: type[Exception] | None
) -> None:
    tap = Tap(*deltas)
    if error is None:
        assert collect(tap).text() == "a"
    else:
        with pytest.raises(error):
            collect(tap)
    assert tap.closed


@pytest.mark.parametrize(("deltas", "error"), STREAMS)
def test_acollect_closes_the_stream_whatever_happens(
    deltas: list[Any], error: type[Exception] | None
) -> None:
    tap = AsyncTap(*deltas)
    if error is None:
        assert run(lambda: acollect(tap)).text() == "a"
    else:
        with pytest.raises(error):
            run(lambda: acollect(tap))
    assert tap.closed


def test_any_iterable_will_do() -> None:
    class Plain:
        def __aiter__(self) -> AsyncIterator[ResponseDelta]:
            return AsyncTap(STOP).__aiter__()

    assert collect((STOP,)) == collect(iter([STOP])) == run(lambda: acollect(Plain()))


def run(make: Callable[[], Any]) -> Any:
    """Drive a coroutine that waits for nothing."""
    coroutine = make()
    with pytest.raises(StopIteration) as done:
        coroutine.send(None)
    return done.value.value


@settings(deadline=None)
@given(st.lists(strategies.part_deltas, max_size=8), st.data())
def test_how_parts_are_spread_over_deltas_does_not_matter(
    parts: list[PartDelta], data: st.DataObject
) -> None:
    spread = ResponseAccumulator()
    whole = ResponseAccumulator()
    taken: list[PartDelta] = []
    for part in parts:
        try:
            spread.add(ResponseDelta(part))
        except InvalidResponseError:
            continue
        taken.append(part)
    while taken:
        size = data.draw(st.integers(1, len(taken)))
        whole.add(ResponseDelta(*taken[:size]))
        taken = taken[size:]
    spread.add(STOP)
    whole.add(STOP)
    assert spread.response() == whole.response()
    assert spread.text() == whole.text() == spread.response().text()


@settings(deadline=None)
@given(st.text(min_size=1), st.data())
def test_text_cut_anywhere_is_put_together_again(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, len(text)), max_size=5)) | {len(text)})
    pieces = [text[a:b] for a, b in zip([0, *cuts], cuts, strict=False)]
    deltas = [ResponseDelta(TextDelta(piece)) for piece in pieces]
    assert parts_of(*deltas) == (TextPart(text),)


@settings(deadline=None)
@given(strategies.responses)
def test_a_response_cut_into_deltas_is_put_together_again(response: Response) -> None:
    merged = collect(as_deltas(response))
    assert merged.text() == response.text()
    assert merged.metadata == response.metadata
    assert merged.output.metadata == response.output.metadata


def as_deltas(response: Response) -> Iterator[ResponseDelta]:
    message = response.message
    for index, part in enumerate(() if message is None else message.parts):
        match part:
            case TextPart(text, citations, metadata):
                yield ResponseDelta(TextDelta(text, metadata), *map(CitationDelta, citations))
            case ReasoningPart(text, state, metadata):
                yield ResponseDelta(ReasoningDelta(text, state, metadata))
            case RefusalPart(text, metadata):
                yield ResponseDelta(RefusalDelta(text, metadata))
            case MediaPart(media, metadata):
                yield ResponseDelta(MediaDelta(media, metadata))
            case ToolCallPart(tool_call, metadata):
                call_ = tool_call.replace(id=f"{index}")
                yield ResponseDelta(ToolCallDelta(call_, metadata))
    yield ResponseDelta(
        finish_reason=response.finish_reason,
        output_metadata=response.output.metadata,
        metadata=response.metadata,
    )
