"""What becomes of connections: reused, left, cancelled, shared by loops and threads, closed."""

from __future__ import annotations

import asyncio
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import chatport
from chatport import Request, collect, user
from chatport.providers import errors, openai
from chatport.providers.asyncio_transport import AsyncioTransport
from chatport.testing.openai_server import OpenAIServer, slow, text
from tests.providers.asking import HELLO, both, both_async


@both
def test_ten_streams_and_ten_calls_make_one_connection(
    server: OpenAIServer, make: Callable[[], Any]
) -> None:
    with openai.Model("m", base_url=server.url, transport=make()) as model:
        for _ in range(10):
            collect(model.stream(HELLO))
            model.call(HELLO)
    assert {exchange.connection for exchange in server.exchanges} == {1}


@both_async
def test_ten_asynchronous_streams_make_one_connection(
    server: OpenAIServer, amake: Callable[[], Any]
) -> None:
    async def run() -> None:
        async with openai.AsyncModel("m", base_url=server.url, transport=amake()) as model:
            for _ in range(10):
                await chatport.acollect(model.stream(HELLO))

    asyncio.run(run())
    assert {exchange.connection for exchange in server.exchanges} == {1}


@both
def test_a_stream_left_at_its_last_delta_has_given_its_connection_back(
    server: OpenAIServer, make: Callable[[], Any]
) -> None:
    with openai.Model("m", base_url=server.url, transport=make()) as model:
        for _ in range(3):
            stream = model.stream(HELLO)
            for delta in stream:
                if delta.finish_reason:
                    break
            stream.close()  # type: ignore[attr-defined]
    assert {exchange.connection for exchange in server.exchanges} == {1}


@both
def test_a_stream_left_early_has_dropped_its_connection(
    server: OpenAIServer, make: Callable[[], Any]
) -> None:
    server.answer_with(slow(text(*"abcdefgh"), 0.0, 0.1))
    with openai.Model("m", base_url=server.url, transport=make()) as model:
        stream = model.stream(HELLO)
        assert next(stream).metadata is not None
        stream.close()  # type: ignore[attr-defined]
        assert eventually(lambda: server.connections == 0)
        assert model.call(HELLO).text() == "Answer: Hello"


@both_async
@pytest.mark.parametrize("after", [0.0, 0.05, 0.15, 0.35])
def test_a_call_cancelled_at_any_time_leaves_nothing_behind(
    server: OpenAIServer, amake: Callable[[], Any], after: float
) -> None:
    server.answer_with(slow(text(*"abcdefgh"), 0.1, 0.1))

    async def run() -> None:
        async with openai.AsyncModel("m", base_url=server.url, transport=amake()) as model:

            async def read() -> None:
                async for _ in model.stream(HELLO):
                    pass

            task = asyncio.create_task(read())
            await asyncio.sleep(after)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert (await model.call(HELLO)).finish_reason == "stop"

    asyncio.run(run())
    assert eventually(lambda: server.connections == 0)


@both_async
def test_a_stream_cancelled_at_every_step_leaves_nothing_behind(
    server: OpenAIServer, amake: Callable[[], Any]
) -> None:
    async def run() -> None:
        async with openai.AsyncModel("m", base_url=server.url, transport=amake()) as model:
            for steps in range(60):
                task = asyncio.create_task(chatport.acollect(model.stream(HELLO)))
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                assert task.cancelled() or task.result().text() == "Answer: Hello"
            for _ in range(3):
                await asyncio.sleep(0)
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert (await model.call(HELLO)).text() == "Answer: Hello"

    asyncio.run(run())
    assert eventually(lambda: server.connections == 0)


def test_one_model_works_in_one_event_loop_after_the_other(server: OpenAIServer) -> None:
    model = openai.AsyncModel("m", base_url=server.url)

    async def ask() -> str:
        return (await model.call(HELLO)).text()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [asyncio.run(ask()) for _ in range(3)] == ["Answer: Hello"] * 3
    asyncio.run(model.aclose())


def test_event_loops_that_are_over_leave_nothing_in_a_model(server: OpenAIServer) -> None:
    transport = AsyncioTransport()
    model = openai.AsyncModel("m", base_url=server.url, transport=transport)

    async def ask() -> None:
        await model.call(HELLO)
        assert len(transport._pools) == 1

    for _ in range(5):
        asyncio.run(ask())
        assert transport._pools == {}


def test_one_model_works_in_several_event_loops_at_once(server: OpenAIServer) -> None:
    model = openai.AsyncModel("m", base_url=server.url)

    async def ask() -> list[str]:
        return [response.text() for response in await asyncio.gather(*map(model.call, [HELLO] * 5))]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: asyncio.run(ask()), range(4)))
    assert answers == [["Answer: Hello"] * 5] * 4


@both
def test_one_model_is_used_by_many_threads(server: OpenAIServer, make: Callable[[], Any]) -> None:
    with (
        openai.Model("m", base_url=server.url, transport=make()) as model,
        ThreadPoolExecutor(16) as pool,
    ):
        asked = [Request(user(f"number {index}")) for index in range(100)]
        answers = pool.map(lambda request: collect(model.stream(request)).text(), asked)
        assert list(answers) == [f"Answer: number {index}" for index in range(100)]


@both
def test_a_closed_model_says_so(server: OpenAIServer, make: Callable[[], Any]) -> None:
    model = openai.Model("m", base_url=server.url, transport=make())
    model.call(HELLO)
    model.close()
    model.close()
    with pytest.raises(errors.ClosedError, match="closed"):
        model.call(HELLO)
    unused = openai.Model("m", base_url=server.url, transport=make())
    unused.close()
    with pytest.raises(errors.ClosedError, match="closed"):
        collect(unused.stream(HELLO))


def test_a_model_that_is_forgotten_warns(server: OpenAIServer) -> None:
    forgotten = [openai.Model("m", base_url=server.url)]
    forgotten[0].call(HELLO)
    with pytest.warns(ResourceWarning, match="use it with `with`"):
        forgotten.clear()


def test_an_asynchronous_model_that_is_forgotten_warns_and_is_closed(server: OpenAIServer) -> None:
    async def run() -> None:
        forgotten = [openai.AsyncModel("m", base_url=server.url)]
        await forgotten[0].call(HELLO)
        with pytest.warns(ResourceWarning, match="use it with `async with`"):
            forgotten.clear()
        await asyncio.sleep(0)
        # The loop closes what was open, and not only at its end.
        assert await asyncio.to_thread(eventually, lambda: server.connections == 0)

    asyncio.run(run())


def test_streams_left_to_the_garbage_collector_stop_nobody(server: OpenAIServer) -> None:
    done = threading.Event()

    def work() -> None:
        with openai.Model("m", base_url=server.url) as model:
            for _ in range(30):
                next(model.stream(HELLO))
                model.call(HELLO)
        done.set()

    threading.Thread(target=work, daemon=True).start()
    assert done.wait(30)


def test_a_thousand_streams_at_once_lose_nothing(server: OpenAIServer) -> None:
    async def run() -> list[str]:
        async with openai.AsyncModel("m", base_url=server.url) as model:

            async def one(index: int) -> str:
                stream = model.stream(Request(user(f"number {index}")))
                return (await chatport.acollect(stream)).text()

            return await asyncio.gather(*map(one, range(1000)))

    assert asyncio.run(run()) == [f"Answer: number {index}" for index in range(1000)]


def eventually(happens: Callable[[], bool]) -> bool:
    for _ in range(100):
        if happens():
            return True
        time.sleep(0.02)
    return False
