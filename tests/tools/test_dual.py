"""One copy of the logic, run with and without an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextvars import ContextVar
from typing import Any

import pytest

from chatport import CallCancelledError, cancellable
from chatport.tools._dual import ASYNC, SYNC, closing, lifted, lowered, run_now


async def later(value: Any = "value") -> Any:
    return value


class Numbers:
    """A stream that notes that it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    def each(self) -> Iterator[int]:
        try:
            yield from (1, 2, 3)
        finally:
            self.closed += 1

    async def each_later(self) -> AsyncIterator[int]:
        try:
            for number in (1, 2, 3):
                yield number
        finally:
            self.closed += 1


def test_a_value_is_awaited_only_where_there_is_a_loop() -> None:
    async def both() -> tuple[Any, Any]:
        return await ASYNC.resolve(later()), await ASYNC.resolve("value")

    assert asyncio.run(both()) == ("value", "value")
    assert run_now(SYNC.resolve("value")) == "value"
    with pytest.raises(TypeError, match="use the async client"):
        run_now(SYNC.resolve(later()))


class Promise:
    """Awaitable, and no coroutine."""

    def __await__(self) -> Any:
        yield


def test_any_awaitable_is_refused_without_a_loop() -> None:
    with pytest.raises(TypeError, match="something asynchronous"):
        run_now(SYNC.resolve(Promise()))


def test_what_waits_without_a_loop_is_an_error_and_is_ended() -> None:
    ended = []

    async def waits() -> None:
        try:
            await Promise()
        finally:
            ended.append(True)

    with pytest.raises(RuntimeError, match="tried to wait for an event loop"):
        run_now(waits())
    assert ended == [True]


def test_a_blocking_function_leaves_the_loop_its_thread() -> None:
    here = threading.get_ident()
    assert run_now(SYNC.blocking(threading.get_ident)) == here
    assert asyncio.run(ASYNC.blocking(threading.get_ident)) != here


mark: ContextVar[str] = ContextVar("mark", default="unset")


@pytest.mark.parametrize("asynchronous", [False, True])
def test_jobs_run_at_the_same_time_to_their_ends_in_the_callers_context(asynchronous: bool) -> None:
    meeting = threading.Barrier(2, timeout=10)

    async def meet(name: str) -> str:
        if asynchronous:
            await asyncio.to_thread(meeting.wait)
        else:
            meeting.wait()
        return f"{name} in {mark.get()}"

    async def fail() -> str:
        raise OSError("disk")

    async def run(runtime: Any) -> Any:
        return await runtime.together([lambda: meet("a"), fail, lambda: meet("b")])

    token = mark.set("context")
    try:
        ended = asyncio.run(run(ASYNC)) if asynchronous else run_now(run(SYNC))
    finally:
        mark.reset(token)
    assert [ended[0], ended[2]] == ["a in context", "b in context"]
    assert isinstance(ended[1], OSError)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_checkpoint_lets_a_cancellation_through(asynchronous: bool) -> None:
    def checkpoint() -> None:
        if asynchronous:
            asyncio.run(ASYNC.checkpoint())
        else:
            run_now(SYNC.checkpoint())

    checkpoint()
    with cancellable() as scope:
        scope.cancel()
        with pytest.raises(CallCancelledError):
            checkpoint()


def test_a_stream_goes_both_ways_and_is_closed_once() -> None:
    numbers = Numbers()
    assert list(lowered(lifted(numbers.each()))) == [1, 2, 3]
    assert numbers.closed == 1
    assert list(lowered(numbers.each_later())) == [1, 2, 3]
    assert numbers.closed == 2


def test_a_stream_that_is_left_is_closed() -> None:
    numbers = Numbers()
    stream = lowered(lifted(numbers.each()))
    assert next(stream) == 1
    stream.close()  # type: ignore[attr-defined]
    assert numbers.closed == 1

    async def leave() -> int:
        async with closing(numbers.each_later()) as source:
            async for number in source:
                return number
        return 0

    assert asyncio.run(leave()) == 1
    assert numbers.closed == 2


class Bare:
    """An iterator that cannot be closed, of either kind."""

    def __init__(self) -> None:
        self.left = [2, 1]

    def __iter__(self) -> Bare:
        return self

    def __next__(self) -> int:
        if not self.left:
            raise StopIteration
        return self.left.pop()

    def __aiter__(self) -> Bare:
        return self

    async def __anext__(self) -> int:
        if not self.left:
            raise StopAsyncIteration
        return self.left.pop()


def test_what_cannot_be_closed_is_read_all_the_same() -> None:
    assert list(lowered(Bare())) == [1, 2]
    assert list(lowered(lifted(Bare()))) == [1, 2]

    async def read() -> list[int]:
        async with closing(Bare()) as source:
            return [number async for number in source]

    assert asyncio.run(read()) == [1, 2]
