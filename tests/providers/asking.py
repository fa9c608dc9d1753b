"""One way to ask a model, in all the ways there are: plain or streamed, with or without a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from chatport import Request, Response, acollect, collect, user
from chatport.providers import openai
from chatport.providers.asyncio_transport import AsyncioTransport
from chatport.providers.httpx2_transport import AsyncHttpx2Transport, Httpx2Transport
from chatport.providers.standard_transport import StandardTransport

HELLO = Request(user("Hello"))

Ask = Callable[..., Response]


class OwnHttpx2(Httpx2Transport):
    """A client of the user's own, who closes it."""

    def __init__(self) -> None:
        super().__init__(httpx2.Client())

    def close(self) -> None:
        super().close()
        self._client.close()


class OwnAsyncHttpx2(AsyncHttpx2Transport):
    """The same asynchronously."""

    def __init__(self) -> None:
        super().__init__(httpx2.AsyncClient())

    async def aclose(self) -> None:
        await super().aclose()
        await self._client.aclose()


TRANSPORTS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "default": (StandardTransport, AsyncioTransport),
    "httpx2": (OwnHttpx2, OwnAsyncHttpx2),
}


def _ways() -> dict[str, Ask]:
    return {
        f"{kind} {'async ' if is_async else ''}{'stream' if streamed else 'call'}": _way(
            kind, is_async, streamed
        )
        for kind in TRANSPORTS
        for is_async in (False, True)
        for streamed in (False, True)
    }


def _way(kind: str, is_async: bool, streamed: bool) -> Ask:
    def ask(url: str, request: Request = HELLO, **settings: Any) -> Response:
        make, amake = TRANSPORTS[kind]
        if not is_async:
            with openai.Model("m", base_url=url, transport=make(), **settings) as model:
                return collect(model.stream(request)) if streamed else model.call(request)

        async def run() -> Response:
            async with openai.AsyncModel("m", base_url=url, transport=amake(), **settings) as model:
                if streamed:
                    return await acollect(model.stream(request))
                return await model.call(request)

        return asyncio.run(run())

    return ask


WAYS = _ways()
"""By name, each a function of a base address, a request and settings of the model."""
STREAMING = [name for name in WAYS if "stream" in name]
every_way = pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
every_stream = pytest.mark.parametrize("ask", [WAYS[name] for name in STREAMING], ids=STREAMING)
both = pytest.mark.parametrize("make", [pair[0] for pair in TRANSPORTS.values()], ids=TRANSPORTS)
both_async = pytest.mark.parametrize(
    "amake", [pair[1] for pair in TRANSPORTS.values()], ids=TRANSPORTS
)
