"""Conversations remembered, and put before what is asked next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterable
from threading import Lock
from typing import Protocol

from chatport.chat import Message, Request, Response, ResponseAccumulator, ResponseDelta
from chatport.chat.cancellation import CallCancelledError
from chatport.client.conversations import checked_conversation, current
from chatport.client.errors import HistoryCommitError, InvalidHistoryError
from chatport.client.layer import Ask, Layer, Open
from chatport.client.output import checked_response
from chatport.tools._dual import Runtime, closing


class HistoryStore(Protocol):
    """Where conversations are kept. Either method may be asynchronous, for asynchronous clients."""

    def read(self, conversation: str, /) -> Iterable[Message] | Awaitable[Iterable[Message]]:
        """The messages of a conversation, oldest first; none of one that is new."""

    def append(self, conversation: str, messages: tuple[Message, ...], /) -> Awaitable[None] | None:
        """Add messages to the end of a conversation, all of them or, better than some, none.

        An error that stopped in between may say in an attribute `written` how many were added.
        """


class InMemoryHistory:
    """Conversations kept for as long as this object lives. Safe to share between threads."""

    def __init__(self) -> None:
        self._conversations: dict[str, tuple[Message, ...]] = {}
        self._lock = Lock()

    def read(self, conversation: str, /) -> tuple[Message, ...]:
        """The messages of a conversation, oldest first; none of one that is new."""
        return self._conversations.get(conversation, ())

    def append(self, conversation: str, messages: tuple[Message, ...], /) -> None:
        """Add messages to the end of a conversation."""
        with self._lock:
            self._conversations[conversation] = (*self.read(conversation), *messages)

    def forget(self, conversation: str, /) -> None:
        """Drop a conversation; one that is not there is dropped already."""
        with self._lock:
            self._conversations.pop(conversation, None)


class History(Layer):
    """See `history`."""

    def __init__(self, store: HistoryStore, conversation: str | None) -> None:
        for method in ("read", "append"):
            if not callable(getattr(store, method, None)):
                raise InvalidHistoryError(f"{store!r} has no method {method}", "store")
        if conversation is not None:
            checked_conversation(conversation)
        self._store = store
        self._conversation = conversation

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        conversation = self._conversation or current.get()
        if conversation is None:
            return await below(request)
        whole = await self._with_what_was_said(request, conversation, run)
        response = checked_response(await below(whole))
        await self._keep(request, response, conversation, run)
        return response

    async def on_stream(
        self, request: Request, below: Open, run: Runtime
    ) -> AsyncIterator[ResponseDelta]:
        conversation = self._conversation or current.get()
        whole = request
        if conversation is not None:
            whole = await self._with_what_was_said(request, conversation, run)
        accumulator = ResponseAccumulator()
        async with closing(below(whole)) as source:
            async for delta in source:
                accumulator.add(delta)
                yield delta
        if conversation is not None:
            await self._keep(request, accumulator.response(), conversation, run)

    async def _with_what_was_said(
        self, request: Request, conversation: str, run: Runtime
    ) -> Request:
        stored = _checked(await run.resolve(self._store.read(conversation)))
        systems, fresh = _parted(request)
        spoken = (message for message in stored if message.role != "system")
        return request.replace(messages=(*systems, *spoken, *fresh))

    async def _keep(
        self, request: Request, response: Response, conversation: str, run: Runtime
    ) -> None:
        """Add the exchange, unless it goes on with tools or has no answer."""
        if response.message is None or response.tool_calls:
            return
        messages = (*_parted(request)[1], response.message)
        try:
            await run.resolve(self._store.append(conversation, messages))
        except CallCancelledError:
            raise
        except Exception as error:
            raise HistoryCommitError(conversation, messages, response, error) from error


def _checked(said: Iterable[Message]) -> tuple[Message, ...]:
    if not isinstance(said, Iterable):
        raise InvalidHistoryError(f"the store returned {type(said).__name__}, no list of messages")
    stored = tuple(said)
    for index, message in enumerate(stored):
        if not isinstance(message, Message):
            kind = type(message).__name__
            raise InvalidHistoryError(f"the store returned {kind}, not Message", f"[{index}]")
    return stored


def _parted(request: Request) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """The system messages, which lead, and the others."""
    messages = request.messages
    systems = sum(message.role == "system" for message in messages)
    return messages[:systems], messages[systems:]


def history(store: HistoryStore, *, conversation: str | None = None) -> History:
    """Middleware that remembers a conversation: a request says only what is new.

    What was said before goes between the request's system messages and its others. When the model
    has answered, what was new and the answer are added in one write; system messages are not kept.
    An answer that asks for tools is not the end of an exchange: outside `SingleBatchTools` or
    `ToolLoop` the question and the answer are kept, inside them the calls and their results too. A
    stream is kept when it has been read to its end; one that breaks or is left is not.

    The conversation is the one given here, or that of the block `chatport.conversation` around the
    call; without either nothing is read or kept. Calls of one conversation at the same time do not
    see one another, and each is kept whole.

    Raises `InvalidHistoryError` for what is no store or no conversation. While it is used it raises
    what the store's `read` raises, before the model is asked; `InvalidHistoryError` when that
    returns something else than messages; and `HistoryCommitError`, with the answer on it, when
    `append` fails.
    """
    return History(store, conversation)
