"""A codec at an endpoint over a transport: the models and streamers that clients call."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from chatport.chat.cancellation import checkpoint
from chatport.providers.connection import Connection, Reading, is_stream
from chatport.providers.errors import ProviderError, UnexpectedAnswerError
from chatport.providers.transport import MAX_BODY, MAX_ERROR_BODY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatport.chat import Request, Response, ResponseDelta
    from chatport.providers.transport import (
        Answer,
        AsyncAnswer,
        AsyncTransport,
        Call,
        Transport,
    )

Whole: TypeAlias = "tuple[int, bytes, Mapping[str, str]]"
"""The status, the body and the headers of an answer."""

MAX_PAGES: Final = 100
"""Pages of a list of models, which a server could go on with for ever."""
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
        return connection.decode(request, *self._answer(call, key), key)

    def stream(self, request: Request, /) -> Iterator[ResponseDelta]:
        """The deltas of the response, as they come."""
        connection = self._connection
        request = connection.resolved(request)
        key = self._key()
        call = connection.prepare(request, key, stream=True)
        reading: Reading | None = None
        try:
            answer = self._transport.open(call)
            try:
                if not 200 <= answer.status < 300 or not is_stream(answer.headers):
                    body = _whole(answer)
                    connection.decode(request, answer.status, body, answer.headers, key)
                    raise _not_streamed()
                reading = Reading(connection, request, answer.headers)
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
                        _drain(answer, pieces)
            finally:
                answer.close()
        except ProviderError as error:
            if reading is not None:
                reading.mark(error)
            raise connection.told(error, key) from error.__cause__

    def models(self) -> list[str]:
        """The names of the models that the provider has for this key; it is asked."""
        connection = self._connection
        key = self._key()
        names: list[str] = []
        page: str | None = None
        for _ in range(MAX_PAGES):
            call = connection.asked_models(page, key)
            some, page = connection.models(*self._answer(call, key), key)
            names += some
            if page is None:
                break
        return names

    def close(self) -> None:
        """Close every connection. May be called again."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return described(self._connection, type(self))

    def _answer(self, call: Call, key: str) -> Whole:
        try:
            answer = self._transport.open(call)
            try:
                return answer.status, _whole(answer), answer.headers
            finally:
                answer.close()
        except ProviderError as error:
            raise self._connection.told(error, key) from error.__cause__

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
        return connection.decode(request, *await self._answer(call, key), key)

    async def stream(self, request: Request, /) -> AsyncIterator[ResponseDelta]:
        """The deltas of the response, as they come."""
        connection = self._connection
        request = connection.resolved(request)
        key = await self._key()
        call = connection.prepare(request, key, stream=True)
        reading: Reading | None = None
        try:
            answer = await self._transport.open(call)
            try:
                if not 200 <= answer.status < 300 or not is_stream(answer.headers):
                    body = await _awhole(answer)
                    connection.decode(request, answer.status, body, answer.headers, key)
                    raise _not_streamed()
                reading = Reading(connection, request, answer.headers)
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
            finally:
                await answer.aclose()
        except ProviderError as error:
            if reading is not None:
                reading.mark(error)
            raise connection.told(error, key) from error.__cause__

    async def models(self) -> list[str]:
        """The names of the models that the provider has for this key; it is asked."""
        connection = self._connection
        key = await self._key()
        names: list[str] = []
        page: str | None = None
        for _ in range(MAX_PAGES):
            call = connection.asked_models(page, key)
            some, page = connection.models(*await self._answer(call, key), key)
            names += some
            if page is None:
                break
        return names

    async def aclose(self) -> None:
        """Close the connections of this event loop. May be called again."""
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return described(self._connection, type(self))

    async def _answer(self, call: Call, key: str) -> Whole:
        try:
            answer = await self._transport.open(call)
            try:
                return answer.status, await _awhole(answer), answer.headers
            finally:
                await answer.aclose()
        except ProviderError as error:
            raise self._connection.told(error, key) from error.__cause__

    async def _key(self) -> str:
        key = self._connection.key()
        return await key if inspect.isawaitable(key) else key


def _whole(answer: Answer) -> bytes:
    """The whole body; of an error's only so much."""
    taking = Taking(answer.status)
    if (fill := getattr(answer, "fill", None)) is not None:
        fill(taking.is_enough)
        return taking.body()
    for piece in answer.pieces():
        if taking.is_enough(piece):
            break
    return taking.body()


async def _awhole(answer: AsyncAnswer) -> bytes:
    taking = Taking(answer.status)
    if (fill := getattr(answer, "fill", None)) is not None:
        await fill(taking.is_enough)
        return taking.body()
    async with aclosing(answer.pieces()) as source:
        async for piece in source:
            if taking.is_enough(piece):
                break
    return taking.body()


class Taking:
    """A body as it is taken in, up to what is read of one with this status."""

    __slots__ = ("_is_success", "_left", "_pieces")

    def __init__(self, status: int) -> None:
        self._is_success = 200 <= status < 300
        self._left = MAX_BODY if self._is_success else MAX_ERROR_BODY
        self._pieces: list[bytes] = []

    def is_enough(self, piece: bytes) -> bool:
        """Take a piece; whether no more is needed. Raises when an answer comes to no end."""
        self._pieces.append(piece)
        self._left -= len(piece)
        if self._left < 0 and self._is_success:
            raise UnexpectedAnswerError(f"an answer of more than {MAX_BODY} bytes")
        return self._left < 0

    def body(self) -> bytes:
        """What was taken."""
        pieces = self._pieces
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _drain(answer: Answer, pieces: Iterator[bytes]) -> None:
    """Read the rest of a body that has nothing more to say, so that its connection can be kept."""
    if (hurry := getattr(answer, "hurry", None)) is not None:
        hurry(DRAIN_SECONDS)
    left = DRAIN_BYTES
    try:
        for piece in pieces:
            left -= len(piece)
            if left < 0:
                return
    except ProviderError:  # the answer is whole; only the connection is lost
        return


async def _adrain(pieces: AsyncGenerator[bytes, None]) -> None:
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


def _not_streamed() -> UnexpectedAnswerError:
    return UnexpectedAnswerError("a stream was asked for, and a whole answer came")


def described(connection: Connection, kind: type) -> str:
    """A model as text: its name and address."""
    name = connection.options.model
    provider, url = connection.codec.provider, connection.endpoint.base_url
    return f"<{kind.__name__} {provider} {name!r} at {url}>"
