"""Every behaviour of the clients is tested in both halves: the tests ask a `Half`, not a client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

import pytest

from chatport import (
    AsyncClient,
    AsyncFunctionModel,
    AsyncFunctionStreamer,
    AsyncStreamClient,
    Client,
    FunctionModel,
    FunctionStreamer,
    OutputFormat,
    Request,
    Response,
    ResponseDelta,
    StreamClient,
    user,
)
from chatport.testing import AsyncScriptedModel, ScriptedModel
from tests.client.batches import Kitchen

T = TypeVar("T")


class Half:
    """One half of the client, synchronous or not, behind blocking functions."""

    def __init__(self, *, asynchronous: bool) -> None:
        self.asynchronous = asynchronous

    def script(self, *answers: Any) -> Any:
        return AsyncScriptedModel(*answers) if self.asynchronous else ScriptedModel(*answers)

    def model(self, function: Callable[[Request], Response]) -> Any:
        if not self.asynchronous:
            return FunctionModel(function)

        async def call(request: Request) -> Response:
            return function(request)

        return AsyncFunctionModel(call)

    def streamer(self, function: Callable[[Request], Iterable[ResponseDelta]]) -> Any:
        if not self.asynchronous:
            return FunctionStreamer(function)

        async def stream(request: Request) -> Any:
            items = iter(function(request))
            try:
                for item in items:
                    yield item
            finally:
                items.close()

        return AsyncFunctionStreamer(stream)

    def client(self, model: Any, *middleware: Any) -> Any:
        made = AsyncClient if self.asynchronous else Client
        return made(model, middleware=middleware)

    def stream_client(self, streamer: Any, *middleware: Any) -> Any:
        made = AsyncStreamClient if self.asynchronous else StreamClient
        return made(streamer, middleware=middleware)

    def call(self, client: Any, request: Request) -> Response:
        return self.run(client.call(request))

    def output(self, client: Any, request: Request, output_format: OutputFormat[T]) -> T:
        return self.run(client.output(request, output_format))

    def read(self, stream: Any, into: list[Any], limit: int | None = None) -> list[Any]:
        """Read a stream into a list, also when it raises; leave it after `limit` items."""

        async def read_async() -> None:
            async with stream:
                async for item in stream:
                    into.append(item)
                    if len(into) == limit:
                        break

        if self.asynchronous:
            asyncio.run(read_async())
        else:
            for item in stream:
                into.append(item)
                if len(into) == limit:
                    break
        return into

    def run(self, value: Any) -> Any:
        return asyncio.run(_awaited(value)) if self.asynchronous else value


async def _awaited(value: Coroutine[Any, Any, T]) -> T:
    return await value


@pytest.fixture(params=["sync", "async"])
def half(request: pytest.FixtureRequest) -> Half:
    return Half(asynchronous=request.param == "async")


@pytest.fixture
def question() -> Request:
    return Request(user("What is six times seven?"))


@pytest.fixture(params=["blocking", "coroutine"])
def kitchen(request: pytest.FixtureRequest, half: Half) -> Kitchen:
    if request.param == "coroutine" and not half.asynchronous:
        return Kitchen()  # a synchronous client has blocking tools only
    return Kitchen(asynchronous=request.param == "coroutine")
