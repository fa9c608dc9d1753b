"""One way to ask a model, in all the ways there are: plain or streamed, with or without a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from chatport import Request, Response, acollect, collect, user
from chatport.providers import openai
from chatport.providers.httpx2_transport import AsyncHttpx2Transport, Httpx2Transport
from chatport.providers.pyreqwest_transport import AsyncPyreqwestTransport, PyreqwestTransport

HELLO = Request(user("Hello"))

Ask = Callable[..., Response]

TRANSPORTS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "httpx2": (Httpx2Transport, AsyncHttpx2Transport),
    "pyreqwest": (PyreqwestTransport, AsyncPyreqwestTransport),
}


def ways() -> dict[str, Ask]:
    """The ways by name, each a function of a base address, a request and settings of the model."""
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
