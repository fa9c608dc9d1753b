"""Trying again, with stamina's back-off."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from time import monotonic
from typing import Any, TypeAlias, TypedDict, TypeVar, overload

from chatport.chat import Request, Response, ResponseDelta
from chatport.chat.cancellation import checkpoint
from chatport.client.layer import Ask, Layer, Open
from chatport.client.middleware.failing import RetryOn, decider, is_transient
from chatport.tools._dual import Runtime, closing, lifted

M = TypeVar("M")


class _Waits(TypedDict):
    attempts: int
    timeout: float | None
    wait_initial: float
    wait_max: float
    wait_jitter: float


class Retry(Layer):
    """See `retry`."""

    def __init__(
        self,
        on: RetryOn = is_transient,
        attempts: int = 3,
        budget: float | None = 45.0,
        wait_initial: float = 0.5,
        wait_max: float = 20.0,
        wait_jitter: float = 1.0,
    ) -> None:
        if attempts < 1:
            raise ValueError(f"attempts is 1 or more, not {attempts}")
        self._decide = decider(on)
        self._budget = budget
        self._waits = _Waits(
            attempts=attempts,
            timeout=budget,
            wait_initial=wait_initial,
            wait_max=wait_max,
            wait_jitter=wait_jitter,
        )

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        started = monotonic()
        try:
            return await below(request)
        except Exception as error:
            failed = error
        async with closing(self._further_attempts(failed, started, run)) as attempts:
            async for attempt in attempts:
                with attempt:
                    return await below(request)
        raise AssertionError("the last attempt returns or raises")

    async def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        # Only until the first delta: what has been delivered cannot be taken back.
        async for delta in opened_stream(*await self._open(request, below, run)):
            yield delta

    async def _open(self, request: Request, below: Open, run: Runtime) -> Opened:
        started = monotonic()
        try:
            return await open_stream(request, below)
        except Exception as error:
            failed = error
        async with closing(self._further_attempts(failed, started, run)) as attempts:
            async for attempt in attempts:
                with attempt:
                    return await open_stream(request, below)
        raise AssertionError("the last attempt returns or raises")

    async def _further_attempts(
        self, failed: Exception, started: float, run: Runtime
    ) -> AsyncIterator[Any]:
        """Attempts after the first, which was made without stamina and so without its cost."""
        import stamina

        context = stamina.retry_context(on=self._backoff(started), **self._waits)
        first = True
        async for attempt in aiter(context) if run.is_async else lifted(iter(context)):
            if first:
                first = False
                with attempt:
                    raise failed
            else:
                checkpoint()
                yield attempt

    def _backoff(self, started: float) -> Callable[[Exception], bool | float]:
        def backoff(error: Exception) -> bool | float:
            if not isinstance(error, Exception) or not self._decide(error):
                return False
            asked = getattr(error, "retry_after", None)
            if not isinstance(asked, (int, float)) or asked < 0:
                return True
            spent = monotonic() - started
            # The provider wants more time than there is: waiting would only delay the error.
            if self._budget is not None and spent + asked > self._budget:
                return False
            return float(asked)

        return backoff


Opened: TypeAlias = tuple[ResponseDelta | None, AsyncIterator[ResponseDelta]]
"""A stream that has begun, with its first delta; None when it ended at once."""


async def open_stream(request: Request, below: Open) -> Opened:
    """Begin a stream, to see whether it can be."""
    source = below(request)
    try:
        return await anext(source), source
    except StopAsyncIteration:
        return None, source
    except BaseException:
        async with closing(source):
            raise


async def opened_stream(
    first: ResponseDelta | None, source: AsyncIterator[ResponseDelta]
) -> AsyncIterator[ResponseDelta]:
    """All deltas of a stream that has begun."""
    async with closing(source):
        if first is not None:
            yield first
            async for delta in source:
                yield delta


@overload
def retry(below: M, /) -> M: ...
@overload
def retry(
    *,
    on: RetryOn = is_transient,
    attempts: int = 3,
    budget: float | None = 45.0,
    wait_initial: float = 0.5,
    wait_max: float = 20.0,
    wait_jitter: float = 1.0,
) -> Retry: ...
def retry(below: Any = None, /, **settings: Any) -> Any:
    """Middleware that asks again after a transient failure: ``retry``, or ``retry(attempts=5)``.

    `on` says which errors are transient. `attempts` counts the first. `budget` is the time in
    seconds for all attempts and waits together. Between attempts it waits `wait_initial` seconds,
    then twice as long each time up to `wait_max`, and up to `wait_jitter` at random; an error's
    ``retry_after``, in seconds, is obeyed instead, and one that does not fit the budget ends it.
    The last error is raised as it is. A stream is tried again only until its first delta.

    Waiting and its test mode are stamina's: ``stamina.set_testing(True)`` waits for nothing.
    """
    return Retry(**settings) if below is None else Retry()(below)
