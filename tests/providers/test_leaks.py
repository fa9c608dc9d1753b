"""Nothing stays behind: no memory, no connection, no task, no file; and no fork is minded."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import chatport
from chatport import Request, collect, user
from chatport.providers import openai
from chatport.testing.openai_server import OpenAIServer, cut, slow, text
from tests.providers.asking import HELLO
from tests.providers.test_transport_connections import eventually

GROWTH = 100_000
"""Bytes that memory may have grown by; a hundredth of what is kept when each call leaves 10 kB."""


def more_objects(work: Callable[[], object]) -> int:
    """Objects that are alive after work done twice, and were not after the first time."""
    held = []
    for _ in range(2):
        work()
        gc.collect()
        held.append(len(gc.get_objects()))
    return held[1] - held[0]


def growth(server: OpenAIServer, work: Callable[[], object]) -> int:
    """Bytes that are in use after work done twice, and were not after the first time."""
    work()
    tracemalloc.start()
    try:
        held = []
        for _ in range(2):
            work()
            server._exchanges.clear()
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    return held[1] - held[0]


def test_a_thousand_calls_and_streams_leave_nothing(server: OpenAIServer) -> None:
    with openai.Model("m", base_url=server.url) as model:

        def work() -> None:
            for _ in range(500):
                model.call(HELLO)
                collect(model.stream(HELLO))

        assert growth(server, work) < GROWTH
        assert server.connections == 1


def test_a_thousand_streams_at_once_leave_nothing(server: OpenAIServer) -> None:
    async def run() -> None:
        async with openai.AsyncModel("m", base_url=server.url) as model:

            async def one(index: int) -> None:
                response = await chatport.acollect(model.stream(Request(user(f"number {index}"))))
                assert response.text() == f"Answer: number {index}"

            await asyncio.gather(*map(one, range(1000)))
            await asyncio.sleep(0)
            assert asyncio.all_tasks() == {asyncio.current_task()}

    def work() -> None:
        asyncio.run(run())
        server._exchanges.clear()

    assert more_objects(work) < 1000
    assert eventually(lambda: server.connections == 0)


def test_streams_that_fail_or_are_left_leave_nothing(server: OpenAIServer) -> None:
    with openai.Model("m", base_url=server.url) as model:

        def work() -> None:
            server.answer_with(*[cut(text("one ", "two"), 2), slow(text(*"abc"), 0.0, 0.001)] * 100)
            for _ in range(100):
                with pytest.raises(chatport.ChatError):
                    collect(model.stream(HELLO))
                stream = model.stream(HELLO)
                next(stream)
                stream.close()  # type: ignore[attr-defined]

        assert growth(server, work) < GROWTH
    assert eventually(lambda: server.connections == 0)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts files as Linux lists them")
def test_closing_gives_every_file_back(server: OpenAIServer) -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    models = [openai.Model("m", base_url=server.url) for _ in range(20)]
    for model in models:
        model.call(HELLO)
        model.close()
    assert eventually(lambda: server.connections == 0)
    assert eventually(lambda: len(os.listdir("/proc/self/fd")) == before)  # noqa: PTH208


FORKING = """
import asyncio, os, sys
from chatport import Request, acollect, collect, user
from chatport.providers import openai

url = sys.argv[1]
model, amodel = openai.Model("m", base_url=url), openai.AsyncModel("m", base_url=url)

def ask(who):
    return [model.call(Request(user(f"{who} {n}"))).text() for n in range(20)]

async def aask(who):
    return [(await amodel.call(Request(user(f"{who} {n}")))).text() for n in range(20)]

assert ask("before")[0] == "Answer: before 0"
asyncio.run(aask("before"))
stream = model.stream(Request(user("open over the fork")))
next(stream)
child = os.fork()
who = "child" if child == 0 else "parent"
wanted = [f"Answer: {who} {n}" for n in range(20)]
assert ask(who) == wanted and asyncio.run(aask(who)) == wanted
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert "".join(delta.text() for delta in stream) == "Answer: open over the fork"
model.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no system without fork has children like that")
def test_parent_and_child_go_on_after_a_fork(server: OpenAIServer) -> None:
    run = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-W",
            "ignore::DeprecationWarning",
            "-c",
            FORKING,
            server.url,
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (0, "")
    numbers: dict[str, set[int]] = {"child": set(), "parent": set()}
    for exchange in server.exchanges:
        who = exchange.body["messages"][0]["content"].split()[0]
        if who in numbers:
            numbers[who].add(exchange.connection)
    assert numbers["child"].isdisjoint(numbers["parent"])
