"""A codec at an endpoint over a transport: the models and streamers that clients call."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final, Self

from chatport.chat.cancellation import checkpoint
from chatport.providers import errors
from chatport.providers.connection import Connection, Reading, deadline_of, is_stream
from chatport.providers.errors import ProviderError, UnexpectedAnswerError
from chatport.providers.transport import MAX_BODY, MAX_ERROR_BODY

if TYPE_CHECKING:
    from chatport.chat import Request, Response, ResponseDelta
    from chatport.providers.transport import (
        Answer,
        AsyncAnswer,
        AsyncTransport,
        Call,
        Transport,
    )

DRAIN_SECONDS: Final = 1.0
DRAIN_BYTES: Final = 64 * 1024
"""What the end of a body is waited for once the provider has said that nothing follows."""


class ProviderModel:
    """A model and streamer at a provider. Thread-safe; one pool of connections, made when needed.

    Close it, or use it with ``with``. A stream that is left early has dropped its connection when
    ``close`` of its iterator returns; one read to its end has given it back.

    Raises `ProviderError` by its subclasses; one that ends a stream has the `partial` message.
    `UnsupportedError`, `MissingKeyError` and faults of the key come before anything is sent.
    """

    def __init__(self, connection: Connection, transport: Transport) -> None:
        self._connection = connection
        self._transport = transport

    def call(self, request: Request, /) -> Response:
        """The response to the request."""
        connection = self._connection
        request = connection.resolved(request)
        key = self._key()
        call = connection.prepare(request, key, stream=False)
        with connection.told(key):
            answer = self._transport.open(call)
            try:
                body = _whole(answer, call)
            finally:
                answer.close()
        return connection.decode(request, answer.status, body, answer.headers, key)

    def stream(self, request: Request, /) -> Iterator[ResponseDelta]:
        """The deltas of the response, as they come."""
        connection = self._connection
        request = connection.resolved(request)
        key = self._key()
        call = connection.prepare(request, key, stream=True)
        deadline = deadline_of(call.timeouts)
        reading: Reading | None = None
        with connection.told(key):
            answer = self._transport.open(call)
            try:
                if not 200 <= answer.status < 300 or not is_stream(answer.headers):
                    body = _whole(answer, call)
                    connection.decode(request, answer.status, body, answer.headers, key)
                    raise _not_streamed()
                reading = Reading(connection, request, answer.headers, deadline)
                pieces = answer.pieces()
                try:
                    for piece in pieces:
                        checkpoint()
                        yield from reading.take(piece)
                        if reading.done:
                            break
                    yield from reading.finish()
                finally:
                    if reading.done:
                        _drain(pieces)
            except ProviderError as error:
                if reading is not None:
                    reading.mark(error)
                raise
            finally:
                answer.close()

    def close(self) -> None:
        """Close every connection. May be called again."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return described(self._connection, type(self))

    def _key(self) -> str:
        key = self._connection.key()
        if inspect.isawaitable(key):
            if inspect.iscoroutine(key):
                key.close()
            raise TypeError("the key is given asynchronously; use the asynchronous model")
        return key


class AsyncProviderModel:
    """A `ProviderModel` for asynchronous clients. Works in any event loop, also in several.

    Close it in the loop it was used in with ``aclose`` or ``async with``; at the end of the loop it
    closes what it had open there.
    """

    def __init__(self, connection: Connection, transport: AsyncTransport) -> None:
        self._connection = connection
        self._transport = transport

    async def call(self, request: Request, /) -> Response:
        """The response to the request."""
        connection = self._connection
        request = connection.resolved(request)
        key = await self._key()
        call = connection.prepare(request, key, stream=False)
        with connection.told(key):
            async with _within(call.timeouts.total):
                answer = await self._transport.open(call)
                try:
                    body = await _awhole(answer)
                finally:
                    await answer.aclose()
        return connection.decode(request, answer.status, body, answer.headers, key)

    async def stream(self, request: Request, /) -> AsyncIterator[ResponseDelta]:
        """The deltas of the response, as they come."""
        connection = self._connection
        request = connection.resolved(request)
        key = await self._key()
        call = connection.prepare(request, key, stream=True)
        deadline = deadline_of(call.timeouts)
        reading: Reading | None = None
        with connection.told(key):
            async with _within(call.timeouts.total):
                answer = await self._transport.open(call)
            try:
                if not 200 <= answer.status < 300 or not is_stream(answer.headers):
                    async with _within(call.timeouts.total):
                        body = await _awhole(answer)
                    connection.decode(request, answer.status, body, answer.headers, key)
                    raise _not_streamed()
                reading = Reading(connection, request, answer.headers, deadline)
                async with aclosing(answer.pieces()) as pieces:
                    try:
                        async for piece in pieces:
                            for delta in reading.take(piece):
                                yield delta
                            if reading.done:
                                break
                        for delta in reading.finish():
                            yield delta
                    finally:
                        if reading.done:
                            await _adrain(pieces)
            except ProviderError as error:
                if reading is not None:
                    reading.mark(error)
                raise
            finally:
                await answer.aclose()

    async def aclose(self) -> None:
        """Close the connections of this event loop. May be called again."""
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return described(self._connection, type(self))

    async def _key(self) -> str:
        key = self._connection.key()
        return await key if inspect.isawaitable(key) else key


def _whole(answer: Answer, call: Call) -> bytes:
    """The whole body, in the time there is; of an error's only so much."""
    deadline = deadline_of(call.timeouts)
    left = limit = _limit(answer.status)
    pieces: list[bytes] = []
    for piece in answer.pieces():
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            _check_length(answer.status, limit)
            break
        if deadline is not None and monotonic() > deadline:
            raise errors.TimeoutError("the answer took longer than the total timeout")
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


async def _awhole(answer: AsyncAnswer) -> bytes:
    left = limit = _limit(answer.status)
    pieces: list[bytes] = []
    async with aclosing(answer.pieces()) as source:
        async for piece in source:
            pieces.append(piece)
            left -= len(piece)
            if left < 0:
                _check_length(answer.status, limit)
                break
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _limit(status: int) -> int:
    return MAX_BODY if 200 <= status < 300 else MAX_ERROR_BODY


def _check_length(status: int, limit: int) -> None:
    """A body that goes on beyond its limit is cut when it is an error's, and refused otherwise."""
    if 200 <= status < 300:
        raise errors.UnexpectedAnswerError(f"an answer of more than {limit} bytes", status=status)


def _drain(pieces: Iterator[bytes]) -> None:
    """Read the rest of a body that has nothing more to say, so that its connection can be kept."""
    left = DRAIN_BYTES
    try:
        for piece in pieces:
            left -= len(piece)
            if left < 0:
                return
    except ProviderError:  # the answer is whole; only the connection is lost
        return


async def _adrain(pieces: AsyncIterator[bytes]) -> None:
    import asyncio  # synchronous programs do without

    left = DRAIN_BYTES
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            async for piece in pieces:
                left -= len(piece)
                if left < 0:
                    return
    except (ProviderError, builtins.TimeoutError):
        return


@asynccontextmanager
async def _within(seconds: float | None) -> AsyncIterator[None]:
    """So many seconds for the block, or a `TimeoutError` of ours."""
    import asyncio

    try:
        async with asyncio.timeout(seconds):
            yield
    except builtins.TimeoutError as error:
        if isinstance(error, ProviderError):
            raise
        raise errors.TimeoutError(f"no whole answer within {seconds:g} s") from error


def _not_streamed() -> UnexpectedAnswerError:
    return UnexpectedAnswerError("a stream was asked for, and a whole answer came")


def described(connection: Connection, kind: type) -> str:
    """A model as text: its name and address."""
    name = connection.options.model
    provider, url = connection.codec.provider, connection.endpoint.base_url
    return f"<{kind.__name__} {provider} {name!r} at {url}>"
