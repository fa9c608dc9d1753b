"""Middleware written once: for calls and streams, with and without an event loop."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from typing import Any, Generic, TypeVar, cast

from chatport.chat import InvalidMiddlewareError, Request, Response, ResponseDelta
from chatport.client.errors import NoStreamError
from chatport.tools._dual import ASYNC, SYNC, Runtime, lifted, lowered, run_now

M = TypeVar("M")
T = TypeVar("T")

Ask = Callable[[Request], Awaitable[Response]]
"""The model below, as a middleware's `Layer.on_call` sees it."""

Open = Callable[[Request], AsyncIterator[ResponseDelta]]
"""The streamer below, as a middleware's `Layer.on_stream` sees it."""


class Layer:
    """A middleware that works in all four clients. Override `on_call`, `on_stream`, or both.

    Both are written as coroutines; in a synchronous client they run to their end in the caller's
    thread. What is given as `run` differs between the two: await a value that may be asynchronous
    with ``run.resolve``.
    """

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        """Answer a request, by asking the model below or otherwise."""
        return await below(request)

    def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        """Answer a request in deltas. An asynchronous generator; it closes what it opens."""
        return below(request)

    def __call__(self, inner: M, /) -> M:
        """The model or streamer behind this middleware.

        Raises `InvalidMiddlewareError` for anything else.
        """
        layered = _Layered(self, inner)
        if not (hasattr(layered, "call") or hasattr(layered, "stream")):
            raise InvalidMiddlewareError(
                f"{type(self).__name__} was given {inner!r}, which neither calls nor streams"
            )
        return cast(M, layered)


class _Layered:
    """A model, a streamer, or both, behind a layer: it has the capabilities of what is inside."""

    call: Callable[[Request], Any]
    stream: Callable[[Request], Any]

    def __init__(self, layer: Layer, inner: Any) -> None:
        self._layer = layer
        self._inner = inner
        call = getattr(inner, "call", None)
        if callable(call):
            make = _async_call if inspect.iscoroutinefunction(call) else _sync_call
            self.call = make(layer.on_call, call)
        stream = getattr(inner, "stream", None)
        if callable(stream):
            self.stream = _stream(layer.on_stream, stream)

    def __repr__(self) -> str:
        return f"{self._layer!r}({self._inner!r})"


def _async_call(call: Any, below: Ask) -> Callable[[Request], Awaitable[Response]]:
    async def layered(request: Request) -> Response:
        response: Response = await call(request, below, ASYNC)
        return response

    return layered


def _sync_call(
    call: Callable[..., Coroutine[Any, Any, Response]], model: Callable[[Request], Response]
) -> Callable[[Request], Response]:
    async def ask(request: Request) -> Response:
        return model(request)

    def layered(request: Request) -> Response:
        return run_now(call(request, ask, SYNC))

    return layered


def _stream(stream: Any, inner: Callable[[Request], Any]) -> Callable[[Request], Any]:
    def layered(request: Request) -> DualStream[ResponseDelta]:
        return DualStream(lambda run: stream(request, opener(inner, run), run))

    return layered


def opener(streamer: Callable[[Request], Any], run: Runtime) -> Open:
    """A streamer's method as asynchronous code sees it, whichever kind it is of."""
    if run.is_async:
        return lambda request: _iterable(streamer(request), "__aiter__").__aiter__()
    return lambda request: lifted(_iterable(streamer(request), "__iter__"))


def _iterable(stream: Any, method: str) -> Any:
    if hasattr(stream, method):
        return stream
    if hasattr(stream, "__aiter__") or hasattr(stream, "__iter__"):
        kind = "asynchronous" if method == "__iter__" else "synchronous"
        raise NoStreamError(f"the streamer is {kind}, which this client is not")
    raise NoStreamError(f"the streamer returned {type(stream).__name__}, not an iterator of deltas")


class DualStream(Generic[T]):
    """A stream that is run the way it is consumed: by ``for`` or by ``async for``. Runs once."""

    __slots__ = ("_async", "_start", "_sync")

    def __init__(self, start: Callable[[Runtime], AsyncIterator[T]]) -> None:
        self._start = start
        self._sync: Iterator[T] | None = None
        self._async: AsyncIterator[T] | None = None

    def __iter__(self) -> Iterator[T]:
        if self._sync is None:
            self._sync = lowered(self._start(SYNC))
        return self._sync

    def __next__(self) -> T:
        return next(iter(self))

    def close(self) -> None:
        """End the stream; everything it holds is released when this returns."""
        if self._sync is None:
            self._sync = iter(())
        close = getattr(self._sync, "close", None)
        if close is not None:
            close()

    def __aiter__(self) -> AsyncIterator[T]:
        if self._async is None:
            self._async = self._start(ASYNC)
        return self._async

    async def __anext__(self) -> T:
        return await anext(aiter(self))

    async def aclose(self) -> None:
        """End the stream; everything it holds is released when this returns."""
        if self._async is None:
            self._async = _nothing()
        close = getattr(self._async, "aclose", None)
        if close is not None:
            await close()


async def _nothing() -> AsyncIterator[Any]:
    return
    yield
