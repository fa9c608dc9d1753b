"""What a provider implements and a middleware wraps: models and streamers, sync and async."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Protocol, TypeAlias, overload, runtime_checkable

from chatport.chat.delta import ResponseDelta
from chatport.chat.errors import InvalidMiddlewareError
from chatport.chat.request import Request
from chatport.chat.response import Response


@runtime_checkable
class Model(Protocol):
    """Answers a request. What it raises is an error of the call; a response is complete."""

    def call(self, request: Request, /) -> Response:
        """The response to the request."""
        ...


@runtime_checkable
class AsyncModel(Protocol):
    """Answers a request, asynchronously."""

    async def call(self, request: Request, /) -> Response:
        """The response to the request."""
        ...


@runtime_checkable
class Streamer(Protocol):
    """Answers a request in deltas.

    Work starts with the first delta asked for. Usage is cumulative. The last delta has the finish
    reason. Closing the iterator early releases everything before it returns.
    """

    def stream(self, request: Request, /) -> Iterator[ResponseDelta]:
        """The deltas of the response."""
        ...


@runtime_checkable
class AsyncStreamer(Protocol):
    """Answers a request in deltas, asynchronously; otherwise like `Streamer`."""

    def stream(self, request: Request, /) -> AsyncIterator[ResponseDelta]:
        """The deltas of the response."""
        ...


Middleware: TypeAlias = Callable[[Model], Model]
AsyncMiddleware: TypeAlias = Callable[[AsyncModel], AsyncModel]
StreamMiddleware: TypeAlias = Callable[[Streamer], Streamer]
AsyncStreamMiddleware: TypeAlias = Callable[[AsyncStreamer], AsyncStreamer]


class _FromFunction:
    """A capability made of one function."""

    __slots__ = ("__wrapped__",)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.__wrapped__!r})"  # type: ignore[attr-defined]


class FunctionModel(_FromFunction):
    """A model made of a function; also a decorator."""

    __slots__ = ()

    def __init__(self, function: Callable[[Request], Response], /) -> None:
        self.__wrapped__ = function

    def call(self, request: Request, /) -> Response:
        """Call the function."""
        return self.__wrapped__(request)


class AsyncFunctionModel(_FromFunction):
    """An asynchronous model made of a coroutine function; also a decorator."""

    __slots__ = ()

    def __init__(self, function: Callable[[Request], Awaitable[Response]], /) -> None:
        self.__wrapped__ = function

    async def call(self, request: Request, /) -> Response:
        """Call the function."""
        return await self.__wrapped__(request)


class FunctionStreamer(_FromFunction):
    """A streamer made of a generator function; also a decorator."""

    __slots__ = ()

    def __init__(self, function: Callable[[Request], Iterator[ResponseDelta]], /) -> None:
        self.__wrapped__ = function

    def stream(self, request: Request, /) -> Iterator[ResponseDelta]:
        """Call the function."""
        return self.__wrapped__(request)


class AsyncFunctionStreamer(_FromFunction):
    """An asynchronous streamer made of an asynchronous generator function; also a decorator."""

    __slots__ = ()

    def __init__(self, function: Callable[[Request], AsyncIterator[ResponseDelta]], /) -> None:
        self.__wrapped__ = function

    def stream(self, request: Request, /) -> AsyncIterator[ResponseDelta]:
        """Call the function."""
        return self.__wrapped__(request)


@overload
def wrap(inner: Model, *middleware: Middleware | None) -> Model: ...
@overload
def wrap(inner: AsyncModel, *middleware: AsyncMiddleware | None) -> AsyncModel: ...
@overload
def wrap(inner: Streamer, *middleware: StreamMiddleware | None) -> Streamer: ...
@overload
def wrap(inner: AsyncStreamer, *middleware: AsyncStreamMiddleware | None) -> AsyncStreamer: ...
def wrap(inner: Any, *middleware: Callable[[Any], Any] | None) -> Any:
    """The model, or streamer, behind middleware; the first is outermost, None is skipped.

    Raises `InvalidMiddlewareError` when a middleware returns None.
    """
    for index in reversed(range(len(middleware))):
        layer = middleware[index]
        if layer is None:
            continue
        inner = layer(inner)
        if inner is None:
            raise InvalidMiddlewareError(f"middleware[{index}] returned None, not a model")
    return inner
