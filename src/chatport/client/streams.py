"""Clients that stream, with and without an event loop, and the streams they return."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Self, TypeAlias, TypeVar

from chatport.chat import (
    AsyncStreamer,
    AsyncStreamMiddleware,
    Request,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    Streamer,
    StreamMiddleware,
    wrap,
)
from chatport.client.clients import checked_format, checked_layers, checked_request
from chatport.client.errors import NoStreamerError
from chatport.client.layer import DualStream, opener
from chatport.client.output import OutputFormat
from chatport.client.partial import PartialJSON, PlainJSON
from chatport.tools._dual import Runtime, closing

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Partial:
    """What of the answer can be read so far: text, or plain JSON values. Not validated."""

    value: PlainJSON


@dataclass(frozen=True, slots=True)
class Complete(Generic[T]):
    """The whole answer, validated. The last step of a typed stream."""

    value: T


Step: TypeAlias = Partial | Complete[T]


class StreamClient:
    """Streams a model's answer through middleware. Immutable; as safe to share as the streamer is.

    The first middleware is outermost; None among them is skipped. Raises `NoStreamerError` and
    `InvalidMiddlewareError`.
    """

    __slots__ = ("_stream",)

    def __init__(
        self, streamer: Streamer, *, middleware: Iterable[StreamMiddleware | None] = ()
    ) -> None:
        self._stream = _streaming(wrap(_streaming(streamer), *checked_layers(middleware))).stream

    def stream(self, request: Request, /) -> Stream:
        """The deltas of the answer. Nothing starts or raises before the first is asked for.

        Use it once, in a ``for`` loop or a ``with`` block; leaving either releases the
        connection. It raises what the streamer or a middleware raises, `InvalidResponseError` for
        deltas that do not fit together, and `IncompleteStreamError` when they end without a
        finish reason.
        """
        return Stream(_deltas(self._stream, request))

    def output(self, request: Request, format: OutputFormat[T], /) -> OutputStream[T]:  # noqa: A002
        """The answer as a value that grows: `Partial` steps, then one `Complete`, validated.

        Raises, while it is iterated, what `stream` and `Client.output` raise.
        """
        return OutputStream(_steps(self._stream, request, format))


class AsyncStreamClient:
    """Streams an asynchronous model's answer; otherwise a `StreamClient`."""

    __slots__ = ("_stream",)

    def __init__(
        self, streamer: AsyncStreamer, *, middleware: Iterable[AsyncStreamMiddleware | None] = ()
    ) -> None:
        self._stream = _streaming(wrap(_streaming(streamer), *checked_layers(middleware))).stream

    def stream(self, request: Request, /) -> AsyncStream:
        """The deltas of the answer. See `StreamClient.stream`.

        Prefer ``async with``: an ``async for`` that is left early closes its stream only later.
        """
        return AsyncStream(_deltas(self._stream, request))

    def output(
        self,
        request: Request,
        format: OutputFormat[T],  # noqa: A002
        /,
    ) -> AsyncOutputStream[T]:
        """The answer as a value that grows. See `StreamClient.output`."""
        return AsyncOutputStream(_steps(self._stream, request, format))


class _Started(Generic[T]):
    """A stream about to run, with the accumulator it will fill."""

    __slots__ = ("accumulator", "steps")

    def __init__(self, run: Callable[[Runtime, ResponseAccumulator], AsyncIterator[T]]) -> None:
        self.accumulator: ResponseAccumulator = ResponseAccumulator()
        accumulator = self.accumulator
        self.steps: DualStream[T] = DualStream(lambda runtime: run(runtime, accumulator))


class _SyncSteps(Generic[T]):
    __slots__ = ("_started",)

    def __init__(self, started: _Started[T]) -> None:
        self._started = started

    def __iter__(self) -> Iterator[T]:
        return iter(self._started.steps)

    def __next__(self) -> T:
        return next(self._started.steps)

    def close(self) -> None:
        """End the stream; what it holds is released when this returns. May be repeated."""
        self._started.steps.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def text(self) -> str:
        """The visible text received so far, also after an error."""
        return self._started.accumulator.text()

    def response(self) -> Response:
        """The complete response, reading on to the end first. Raises what reading raises."""
        for _ in self._started.steps:
            pass
        return self._started.accumulator.response()


class _AsyncSteps(Generic[T]):
    __slots__ = ("_started",)

    def __init__(self, started: _Started[T]) -> None:
        self._started = started

    def __aiter__(self) -> AsyncIterator[T]:
        return aiter(self._started.steps)

    async def __anext__(self) -> T:
        return await anext(self._started.steps)

    async def aclose(self) -> None:
        """End the stream; what it holds is released when this returns. May be repeated."""
        await self._started.steps.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def text(self) -> str:
        """The visible text received so far, also after an error."""
        return self._started.accumulator.text()

    async def response(self) -> Response:
        """The complete response, reading on to the end first. Raises what reading raises."""
        async for _ in self._started.steps:
            pass
        return self._started.accumulator.response()


class Stream(_SyncSteps[ResponseDelta]):
    """The deltas of one answer. Runs once; iterating further goes on where it stopped."""

    __slots__ = ()


class AsyncStream(_AsyncSteps[ResponseDelta]):
    """The deltas of one answer. Runs once; iterating further goes on where it stopped."""

    __slots__ = ()


class OutputStream(_SyncSteps[Step[T]]):
    """The steps of one typed answer. `result` reads to the end."""

    __slots__ = ()

    def result(self) -> T:
        """The validated value, without the steps before it. Raises what reading raises."""
        for step in self:
            if isinstance(step, Complete):
                return step.value
        raise RuntimeError("the stream has been read or closed already")


class AsyncOutputStream(_AsyncSteps[Step[T]]):
    """The steps of one typed answer. `result` reads to the end."""

    __slots__ = ()

    async def result(self) -> T:
        """The validated value, without the steps before it. Raises what reading raises."""
        async for step in self:
            if isinstance(step, Complete):
                return step.value
        raise RuntimeError("the stream has been read or closed already")


def _streaming(streamer: Any) -> Any:
    if not callable(getattr(streamer, "stream", None)):
        raise NoStreamerError(f"{streamer!r} is no streamer: it has no method stream")
    return streamer


def _deltas(streamer: Callable[[Request], Any], request: Request) -> _Started[ResponseDelta]:
    async def run(
        runtime: Runtime, accumulator: ResponseAccumulator
    ) -> AsyncIterator[ResponseDelta]:
        checked_request(request)
        async with closing(opener(streamer, runtime)(request)) as source:
            async for delta in source:
                accumulator.add(delta)
                yield delta
        # A stream is whole when it said so, not when it merely ended.
        accumulator.response()

    return _Started(run)


def _steps(
    streamer: Callable[[Request], Any], request: Request, output_format: OutputFormat[T]
) -> _Started[Step[T]]:
    async def run(runtime: Runtime, accumulator: ResponseAccumulator) -> AsyncIterator[Step[T]]:
        prepared = checked_format(output_format).prepare(checked_request(request))
        partial = PartialJSON() if output_format.is_json else None
        async with closing(opener(streamer, runtime)(prepared)) as source:
            async for delta in source:
                accumulator.add(delta)
                text = delta.text()
                if not text:
                    continue
                if partial is None:
                    yield Partial(accumulator.text())
                elif partial.feed(text):
                    yield Partial(partial.value)
        yield Complete(output_format.parse(accumulator.response()))

    return _Started(run)
