"""Clients that call a model, with and without an event loop."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from chatport.chat import (
    AsyncFunctionModel,
    AsyncMiddleware,
    AsyncModel,
    InvalidMiddlewareError,
    InvalidOutputFormatError,
    InvalidRequestError,
    Middleware,
    Model,
    Request,
    Response,
    wrap,
)
from chatport.client.errors import NoModelError
from chatport.client.output import OutputFormat, checked_response

T = TypeVar("T")


class Client:
    """Calls a model through middleware. Immutable, and as thread-safe as the model is.

    The first middleware is outermost; None among them is skipped. A request is a frozen value, so
    what was sent is what the caller holds, whatever a middleware or the model does.

    Raises `NoModelError` for a model that cannot be called and `InvalidMiddlewareError` for a
    middleware that returns no model. A `Client` is itself a `Model`.
    """

    __slots__ = ("_call",)

    def __init__(self, model: Model, *, middleware: Iterable[Middleware | None] = ()) -> None:
        outermost = wrap(_synchronous(model), *checked_layers(middleware))
        self._call: Callable[[Request], Response] = _synchronous(outermost).call

    def call(self, request: Request, /) -> Response:
        """The model's response. Raises what the model or a middleware raises, unchanged.

        Raises `InvalidRequestError` for anything but a `Request`, before the model is asked, and
        `InvalidResponseError` when what comes back is not a `Response`.
        """
        return checked_response(self._call(checked_request(request)))

    def output(self, request: Request, format: OutputFormat[T], /) -> T:  # noqa: A002
        """The model's answer as a value: ``client.output(request, JSON(Answer))`` is an ``Answer``.

        Raises `InvalidOutputFormatError` when the request has an output format of its own,
        `OutputCompletionError` when the model did not finish or refused, `InvalidOutputError`
        when the answer is not such a value.
        """
        prepared = checked_format(format).prepare(checked_request(request))
        return format.parse(self._call(prepared))


class AsyncClient:
    """Calls an asynchronous model through middleware; otherwise a `Client`."""

    __slots__ = ("_call",)

    def __init__(
        self, model: AsyncModel, *, middleware: Iterable[AsyncMiddleware | None] = ()
    ) -> None:
        outermost = wrap(_asynchronous(model), *checked_layers(middleware))
        self._call = _callable(outermost).call

    async def call(self, request: Request, /) -> Response:
        """The model's response. See `Client.call`."""
        return checked_response(await self._call(checked_request(request)))

    async def output(self, request: Request, format: OutputFormat[T], /) -> T:  # noqa: A002
        """The model's answer as a value. See `Client.output`."""
        prepared = checked_format(format).prepare(checked_request(request))
        return format.parse(await self._call(prepared))


def checked_layers(middleware: Iterable[T]) -> tuple[T, ...]:
    """The middleware as given; anything but functions and None is an `InvalidMiddlewareError`."""
    if not isinstance(middleware, Iterable):
        raise InvalidMiddlewareError(f"middleware is a list of functions, not {middleware!r}")
    layers = tuple(middleware)
    for position, layer in enumerate(layers):
        if layer is not None and not callable(layer):
            raise InvalidMiddlewareError(f"middleware[{position}] cannot be called: {layer!r}")
    return layers


def _callable(model: Any) -> Any:
    if not callable(getattr(model, "call", None)):
        raise NoModelError(f"{model!r} is no model: it has no method call")
    return model


def _synchronous(model: Any) -> Any:
    if inspect.iscoroutinefunction(_callable(model).call):
        raise NoModelError(f"{model!r} is asynchronous; use AsyncClient")
    return model


def _asynchronous(model: Any) -> Any:
    """The model with a method that is seen to be a coroutine function, which middleware go by."""
    if inspect.iscoroutinefunction(_callable(model).call):
        return model

    async def call(request: Request) -> Response:
        response = model.call(request)
        if not inspect.isawaitable(response):
            raise NoModelError(f"{model!r} is synchronous; use Client")
        return cast(Response, await response)

    return AsyncFunctionModel(call)


def checked_request(request: Request) -> Request:
    """The request, which is valid because it exists; anything else is an `InvalidRequestError`."""
    if not isinstance(request, Request):
        raise InvalidRequestError(f"expected a Request, got {type(request).__name__}")
    return request


def checked_format(output_format: OutputFormat[T]) -> OutputFormat[T]:
    """The format; anything else is an `InvalidOutputFormatError`."""
    if not isinstance(output_format, OutputFormat):
        raise InvalidOutputFormatError(
            f"expected Text(), JSON(…) or JSONSchema(…), got {type(output_format).__name__}"
        )
    return output_format
