"""A hundred thousand calls and streams on one model each, and what is left of them.

    python benchmarks/soak.py [CALLS]

Half of them are synchronous, from four threads; half asynchronous, fifty in flight, in several
event loops one after the other. Every tenth is a stream that is left early. Against a server on
loopback; prints memory, open files, threads and connections after each tenth, and ends with 1 when
the second half has grown by more than a megabyte or a file.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from wire_server import running

import chatport
from chatport import Request, user
from chatport.providers import AnyAsyncModel, AnyModel

STEPS, THREADS, IN_FLIGHT, LEFT_EARLY = 10, 4, 50, 10
ASK = Request(user("Why?"))
MEGABYTES, FILES = 1.0, 0


def once(model: AnyModel, number: int) -> None:
    """A call, or a stream that is left."""
    if number % LEFT_EARLY:
        model.call(ASK)
        return
    with contextlib.closing(model.stream(ASK)) as stream:  # type: ignore[type-var]
        next(stream)


async def aonce(model: AnyAsyncModel, number: int) -> None:
    """The same, asynchronously."""
    if number % LEFT_EARLY:
        await model.call(ASK)
        return
    async with contextlib.aclosing(model.stream(ASK)) as stream:  # type: ignore[type-var]
        await anext(stream)


async def many(model: AnyAsyncModel, calls: int) -> int:
    """So many, some in flight; the tasks that are left."""
    numbers = iter(range(calls))

    async def work() -> None:
        for number in numbers:
            await aonce(model, number)

    await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))
    return len(asyncio.all_tasks()) - 1


def resident() -> float:
    """Megabytes of memory, files and threads of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(calls: int) -> int:
    """Print a line a step; the exit code."""
    each = calls // STEPS // 2
    states: list[tuple[float, int]] = []
    with running() as url:
        model = chatport.model("openai:m", base_url=f"{url}/v1")
        amodel = chatport.async_model("openai:m", base_url=f"{url}/v1")
        print(f"{'calls':>8}{'MB':>9}{'files':>7}{'threads':>9}{'tasks':>7}")
        with model, ThreadPoolExecutor(THREADS) as pool:
            for step in range(1, STEPS + 1):
                for done in pool.map(lambda number: once(model, number), range(each)):
                    assert done is None
                tasks = asyncio.run(many(amodel, each))
                gc.collect()
                files = len(list(Path("/proc/self/fd").iterdir()))
                states.append((resident(), files))
                shown = f"{step * each * 2:>8}{states[-1][0]:>9.1f}{files:>7}"
                print(f"{shown}{threading.active_count():>9}{tasks:>7}", flush=True)
    half = states[STEPS // 2 - 1]
    grown = states[-1][0] - half[0], states[-1][1] - half[1]
    return int(grown[0] > MEGABYTES or grown[1] > FILES)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
