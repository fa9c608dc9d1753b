"""Answers remembered."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, MutableMapping

from chatport.chat import (
    InvalidResponseError,
    Request,
    Response,
    ResponseAccumulator,
    ResponseDelta,
)
from chatport.client.deltas import deltas_of
from chatport.client.layer import Ask, Layer, Open
from chatport.tools._dual import Runtime, closing

CACHED = "chatport/cached"
"""The key in a response's metadata that says it was remembered."""


class Cache(Layer):
    """See `cache`."""

    def __init__(self, store: MutableMapping[str, bytes], namespace: str) -> None:
        self._store = store
        self._namespace = namespace

    def key(self, request: Request) -> str:
        """Under which the answer to a request is kept."""
        digest = hashlib.sha256(self._namespace.encode() + b"\0" + request.to_json())
        return digest.hexdigest()

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        key = self.key(request)
        known = self._find(key)
        if known is not None:
            return known
        response = await below(request)
        self._keep(key, response)
        return response

    async def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        key = self.key(request)
        known = self._find(key)
        if known is not None:
            for delta in deltas_of(known):
                yield delta
            return
        accumulator = ResponseAccumulator()
        async with closing(below(request)) as source:
            async for delta in source:
                accumulator.add(delta)
                yield delta
        self._keep(key, accumulator.response())

    def _find(self, key: str) -> Response | None:
        data = self._store.get(key)
        if data is None:
            return None
        try:
            response = Response.from_json(data)
        except InvalidResponseError:
            return None  # written by something else; it will be written again
        extra = response.metadata.extra.merge({CACHED: True})
        return response.replace(metadata=response.metadata.replace(extra=extra))

    def _keep(self, key: str, response: Response) -> None:
        if response.finish_reason == "stop":
            self._store[key] = response.to_json()


def cache(store: MutableMapping[str, bytes], *, namespace: str = "") -> Cache:
    """Middleware that remembers complete answers in a mapping of text to bytes.

    An answer is found by the whole request; give each model its own `namespace`, because a request
    need not name its model. Only answers that ended with ``stop`` are kept. A remembered answer
    carries ``chatport/cached`` in its metadata, and the usage it had. A `dict`, a `shelve`, or
    anything else with the methods of a mapping will do.
    """
    return Cache(store, namespace)
