"""A deadline for a call or a stream."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from chatport.chat import Request, Response, ResponseDelta
from chatport.chat.cancellation import CallTimeoutError, CancelScope, innermost
from chatport.client.layer import Ask, Layer, Open
from chatport.tools._dual import Runtime, closing

T = TypeVar("T")


class Timeout(Layer):
    """See `timeout`."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        if not seconds > 0:
            raise ValueError(f"a timeout is more than 0 seconds, not {seconds}")
        self._seconds = seconds
        self._clock = clock

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        scope = CancelScope(self._seconds, self._clock)
        if run.is_async:
            response = await _within(scope, below(request))
        else:
            entered = innermost.set(scope)  # at a third of the cost of `with scope`
            try:
                response = await below(request)
            finally:
                innermost.reset(entered)
        if self._clock() >= scope.deadline:
            error = CallTimeoutError(f"the call took longer than {self._seconds:g} s")
            error.response = response
            raise error
        return response

    async def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        scope = CancelScope(self._seconds, self._clock)
        async with closing(below(request)) as source:
            while True:
                try:
                    if run.is_async:
                        delta = await _within(scope, anext(source))
                    else:
                        with scope:
                            delta = await anext(source)
                except StopAsyncIteration:
                    return
                scope.check()
                yield delta


async def _within(scope: CancelScope, work: Awaitable[T]) -> T:
    """The work's result, in the scope, interrupted at its deadline."""
    limit = asyncio.timeout(scope.remaining)
    with scope:
        try:
            async with limit:
                return await work
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise CallTimeoutError(f"the call took longer than {scope.seconds:g} s") from error


def timeout(seconds: float, *, clock: Callable[[], float] = time.monotonic) -> Timeout:
    """Middleware that ends what is below it with `CallTimeoutError` after this many seconds.

    Under asyncio the model is interrupted. A synchronous model cannot be: it finds the time left in
    `chatport.remaining`, from which a transport takes its socket timeouts, and what comes too late
    is raised as the error all the same, a response on its ``response``. A stream's time is that of
    all its deltas together. Outside `retry` this is the time for all attempts, inside for each.
    """
    return Timeout(seconds, clock)
