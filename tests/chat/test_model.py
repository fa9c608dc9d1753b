"""Models and streamers: what counts as one, functions as models, and wrapping."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from chatport.chat import (
    AsyncFunctionModel,
    AsyncFunctionStreamer,
    AsyncModel,
    AsyncStreamer,
    ChatError,
    FunctionModel,
    FunctionStreamer,
    InvalidMiddlewareError,
    Model,
    Output,
    Request,
    Response,
    ResponseDelta,
    Streamer,
    TextDelta,
    acollect,
    assistant,
    collect,
    user,
    wrap,
)
from tests.chat.test_collect import run

REQUEST = Request(user("hi"))
RESPONSE = Response(Output(assistant("hello"), "stop"))
DELTA = ResponseDelta(TextDelta("hello"), finish_reason="stop")


@FunctionModel
def model(request: Request) -> Response:
    assert request is REQUEST
    return RESPONSE


@AsyncFunctionModel
async def async_model(request: Request) -> Response:
    assert request is REQUEST
    return RESPONSE


@FunctionStreamer
def streamer(request: Request) -> Iterator[ResponseDelta]:
    assert request is REQUEST
    yield DELTA


@AsyncFunctionStreamer
async def async_streamer(request: Request) -> AsyncIterator[ResponseDelta]:
    assert request is REQUEST
    yield DELTA


def test_a_function_makes_a_model_or_a_streamer() -> None:
    assert model.call(REQUEST) is RESPONSE
    assert run(lambda: async_model.call(REQUEST)) is RESPONSE
    assert collect(streamer.stream(REQUEST)) == RESPONSE
    assert run(lambda: acollect(async_streamer.stream(REQUEST))) == RESPONSE


def test_the_capabilities_are_apart() -> None:
    assert isinstance(model, Model)
    assert isinstance(async_model, AsyncModel)
    assert isinstance(streamer, Streamer)
    assert isinstance(async_streamer, AsyncStreamer)
    assert not isinstance(model, Streamer)
    assert not isinstance(streamer, Model)


def test_a_repr_names_the_function() -> None:
    assert repr(model).startswith("FunctionModel(<function model at ")
    assert model.__wrapped__.__name__ == "model"


def tracing(name: str, log: list[str]) -> Callable[[Model], Model]:
    def middleware(inner: Model) -> Model:
        @FunctionModel
        def traced(request: Request) -> Response:
            log.append(f"{name} before")
            response = inner.call(request)
            log.append(f"{name} after")
            return response

        return traced

    return middleware


def test_the_first_middleware_is_outermost_and_none_is_skipped() -> None:
    log: list[str] = []
    wrapped = wrap(model, tracing("outer", log), None, tracing("inner", log))
    assert wrapped.call(REQUEST) is RESPONSE
    assert log == ["outer before", "inner before", "inner after", "outer after"]


def test_streamers_are_wrapped_alike() -> None:
    seen: list[str] = []

    def middleware(name: str) -> Callable[[Streamer], Streamer]:
        def layer(inner: Streamer) -> Streamer:
            @FunctionStreamer
            def relayed(request: Request) -> Iterator[ResponseDelta]:
                seen.append(name)
                yield from inner.stream(request)

            return relayed

        return layer

    wrapped = wrap(streamer, middleware("outer"), None, middleware("inner"))
    assert collect(wrapped.stream(REQUEST)) == RESPONSE
    assert seen == ["outer", "inner"]


def test_without_middleware_the_model_is_itself() -> None:
    assert wrap(model) is model
    assert wrap(model, None) is model


@pytest.mark.parametrize("position", [0, 1])
def test_a_middleware_that_returns_nothing_is_found_at_once(position: int) -> None:
    middleware: list[Any] = [lambda inner: inner, lambda inner: inner]
    middleware[position] = lambda inner: None
    with pytest.raises(InvalidMiddlewareError, match=rf"middleware\[{position}\]") as caught:
        wrap(model, *middleware)
    assert isinstance(caught.value, ChatError)
