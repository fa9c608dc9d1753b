"""The four ways to ask a model of any provider: plain or streamed, with or without a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import ModuleType
from typing import Any

from chatport import Request, Response, acollect, collect, user

HELLO = Request(user("Hello"))
Ask = Callable[..., Response]


def ways(provider: ModuleType) -> dict[str, Ask]:
    """Each a function of a base address, a request, and settings of the model."""
    return {
        f"{'async ' if is_async else ''}{'stream' if streamed else 'call'}": _way(
            provider, is_async, streamed
        )
        for is_async in (False, True)
        for streamed in (False, True)
    }


def _way(provider: ModuleType, is_async: bool, streamed: bool) -> Ask:
    def ask(url: str, request: Request = HELLO, **settings: Any) -> Response:
        if not is_async:
            with provider.Model("m", base_url=url, key="secret", **settings) as model:
                return collect(model.stream(request)) if streamed else model.call(request)
        return asyncio.run(aask(url, request, **settings))

    async def aask(url: str, request: Request, **settings: Any) -> Response:
        async with provider.AsyncModel("m", base_url=url, key="secret", **settings) as model:
            if streamed:
                return await acollect(model.stream(request))
            return await model.call(request)

    return ask
