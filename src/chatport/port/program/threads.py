"""Calls that run a function in a thread: which argument is the function."""

from __future__ import annotations

from msgspec import Struct


class Runner(Struct, frozen=True):
    """A call that calls one of its arguments with those behind it."""

    callee: int
    """The place of the function among the positional arguments."""
    named: bool = True
    """Whether keywords go to the function; if not, there must be none."""
    future: bool = False
    """Whether what the function returns is asked for by ``result()``."""
    takes: frozenset[str] = frozenset()
    """Keywords that do not go to the function: they are names of the call's own."""
    later: bool = False
    """Whether the function is not called yet: something else calls what this call gives."""


AWAITED = Runner(0)
RUNNERS = {
    "asyncio.to_thread": AWAITED,
    "fastapi.concurrency.run_in_threadpool": AWAITED,
    "starlette.concurrency.run_in_threadpool": AWAITED,
}
IN_EXECUTOR = Runner(1, named=False)
SUBMITTED = Runner(0, future=True)
HELD = Runner(0, later=True)


def runner(name: str) -> Runner | None:
    """How a call of something foreign runs a function, by its dotted name; None when it does
    not, as far as is known."""
    if name == "functools.partial":
        return HELD
    if name.endswith(".run_in_executor"):
        return IN_EXECUTOR
    if name.endswith("ThreadPoolExecutor().submit"):
        return SUBMITTED
    return RUNNERS.get(name)
