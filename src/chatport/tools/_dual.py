"""One copy of the logic, run with or without an event loop.

Everything that both the synchronous and the asynchronous half do is written once, as coroutines
and asynchronous generators over a `Runtime`. Under asyncio they are awaited as they are. Without
it, the synchronous runtime lends them coroutines that never suspend, so that one ``send`` runs
them to their end, in the caller's thread: no event loop, no second copy, and the types check in
both.
"""

from __future__ import annotations

import contextvars
import inspect
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar, cast

from chatport.chat.cancellation import checkpoint

T = TypeVar("T")


class Runtime(Protocol):
    """What differs between running with and without an event loop."""

    is_async: bool

    async def resolve(self, value: T | Awaitable[T]) -> T:
        """The value, awaited when it is an awaitable."""

    async def blocking(self, function: Callable[..., T], *args: Any) -> T:
        """The result of a function that may take its time."""

    async def together(
        self, jobs: Sequence[Callable[[], Coroutine[Any, Any, T]]]
    ) -> list[T | BaseException]:
        """Run all jobs at the same time, to their ends; results or exceptions in order."""

    async def checkpoint(self) -> None:
        """Let a cancellation through, if there is one."""


class SyncRuntime:
    """Without an event loop. Coroutines made here never suspend."""

    is_async = False

    async def resolve(self, value: T | Awaitable[T]) -> T:
        if inspect.isawaitable(value):
            if inspect.iscoroutine(value):
                value.close()
            raise TypeError(
                "something asynchronous was given to a synchronous client; use the async client"
            )
        return value

    async def blocking(self, function: Callable[..., T], *args: Any) -> T:
        return function(*args)

    async def together(
        self, jobs: Sequence[Callable[[], Coroutine[Any, Any, T]]]
    ) -> list[T | BaseException]:
        from concurrent.futures import ThreadPoolExecutor

        def run(job: Callable[[], Coroutine[Any, Any, T]]) -> T | BaseException:
            try:
                return run_now(job())
            except BaseException as error:
                return error

        with ThreadPoolExecutor(max_workers=len(jobs)) as pool:
            contexts = [contextvars.copy_context() for _ in jobs]
            futures = [
                pool.submit(context.run, run, job)
                for context, job in zip(contexts, jobs, strict=True)
            ]
            return [future.result() for future in futures]

    async def checkpoint(self) -> None:
        checkpoint()


class AsyncRuntime:
    """Under asyncio."""

    is_async = True

    async def resolve(self, value: T | Awaitable[T]) -> T:
        if inspect.isawaitable(value):
            return await value
        return value

    async def blocking(self, function: Callable[..., T], *args: Any) -> T:
        import asyncio

        # In the loop's own thread it would stop every other task.
        return await asyncio.to_thread(function, *args)

    async def together(
        self, jobs: Sequence[Callable[[], Coroutine[Any, Any, T]]]
    ) -> list[T | BaseException]:
        import asyncio

        return list(await asyncio.gather(*(job() for job in jobs), return_exceptions=True))

    async def checkpoint(self) -> None:
        import asyncio

        await asyncio.sleep(0)
        checkpoint()


SYNC = SyncRuntime()
ASYNC = AsyncRuntime()


def run_now(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that does not suspend."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: T = stop.value  # not `cast`, which is a call at run time, in every middleware
        return result
    coroutine.close()
    raise RuntimeError("a synchronous call tried to wait for an event loop; use the async client")


async def lifted(items: Iterable[T]) -> AsyncIterator[T]:
    """A synchronous stream as an asynchronous one that never suspends. Closes what it iterates."""
    try:
        for item in items:
            yield item
    finally:
        close = getattr(items, "close", None)
        if close is not None:
            close()


def lowered(items: AsyncIterator[T]) -> Iterator[T]:
    """An asynchronous stream that never suspends, as a synchronous one. Closes it in any case."""
    try:
        while True:
            try:
                item: T = run_now(cast(Coroutine[Any, Any, T], items.__anext__()))
            except StopAsyncIteration:
                return
            yield item
    finally:
        close = getattr(items, "aclose", None)
        if close is not None:
            run_now(close())


@asynccontextmanager
async def closing(items: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """The stream, closed at the end of the block when it can be closed."""
    try:
        yield items
    finally:
        close = getattr(items, "aclose", None)
        if close is not None:
            await close()
