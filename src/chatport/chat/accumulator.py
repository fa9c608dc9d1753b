"""The one way from the deltas of a stream to a response."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable

from chatport.chat.delta import ResponseDelta
from chatport.chat.response import Response


class ResponseAccumulator:
    """Puts a streamed response together. Not safe for use by several threads at once.

    The cost of a delta does not depend on what came before it.
    """

    __slots__ = ()

    def add(self, delta: ResponseDelta) -> None:
        """Take in the next delta, whole or not at all.

        Raises `InvalidResponseError` for a delta after the finish reason, a citation that does not
        follow text, and a fragment that gives a known call another name; nothing has changed then
        and the stream can go on.
        """
        raise NotImplementedError

    def text(self) -> str:
        """The visible text so far."""
        raise NotImplementedError

    def response(self) -> Response:
        """The complete response.

        Raises `IncompleteStreamError` before a finish reason has been seen, and
        `InvalidResponseError` when the parts do not make a valid response.
        """
        raise NotImplementedError


def collect(stream: Iterable[ResponseDelta]) -> Response:
    """The response a stream of deltas amounts to. The stream is closed in any case.

    Raises what the stream raises, and what `ResponseAccumulator` raises.
    """
    raise NotImplementedError


async def acollect(stream: AsyncIterable[ResponseDelta]) -> Response:
    """The response an asynchronous stream of deltas amounts to. The stream is closed in any case.

    Raises what the stream raises, and what `ResponseAccumulator` raises.
    """
    raise NotImplementedError
