"""Models that answer from a script, for tests of what uses a model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import TypeAlias

from chatport.chat import (
    FinishReason,
    Output,
    Request,
    Response,
    ResponseDelta,
    ResponseMetadata,
    ToolCall,
    Usage,
    assistant,
    collect,
)
from chatport.client.deltas import deltas_of

Whole: TypeAlias = str | ToolCall | Response | BaseException
Pieces: TypeAlias = Sequence[ToolCall] | Sequence[ResponseDelta | BaseException]
Answer: TypeAlias = "Whole | Pieces | Callable[[Request], Answer]"
"""One answer of a script.

Text, or a response; a tool call or several; an exception to raise; deltas, with an exception among
them where the stream is to break; or a function of the request that gives any of these.
"""


class ScriptExhaustedError(AssertionError):
    """A scripted model was asked more often than its script has answers."""


class _Script:
    """The answers and what has been asked so far."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = answers
        self.requests: list[Request] = []
        """Every request, in order."""
        self.closed = 0
        """Streams that have ended, whether read to the end or left."""

    def assert_finished(self) -> None:
        """Raise `AssertionError` unless every answer has been given."""
        left = len(self._answers) - len(self.requests)
        if left:
            raise AssertionError(f"{left} of {len(self._answers)} answers were not asked for")

    def _next(self, request: Request) -> Answer:
        position = len(self.requests)
        if position >= len(self._answers):
            raise ScriptExhaustedError(
                f"asked {position + 1} times, the script has {len(self._answers)} answers"
            )
        self.requests.append(request)
        answer = self._answers[position]
        while callable(answer):
            answer = answer(request)
        return answer

    def _response(self, request: Request) -> Response:
        answer = self._next(request)
        if isinstance(answer, BaseException):
            raise answer
        if _is_deltas(answer):
            return collect(_or_raise(answer))
        return _as_response(answer)

    def _deltas(self, request: Request) -> Iterator[ResponseDelta]:
        answer = self._next(request)
        if isinstance(answer, BaseException):
            raise answer
        if _is_deltas(answer):
            yield from _or_raise(answer)
        else:
            yield from deltas_of(_as_response(answer), size=16)


class ScriptedModel(_Script):
    """A model and streamer that gives one answer of its script after the other."""

    def call(self, request: Request, /) -> Response:
        """The next answer."""
        return self._response(request)

    def stream(self, request: Request, /) -> Iterator[ResponseDelta]:
        """The next answer, in deltas."""
        try:
            yield from self._deltas(request)
        finally:
            self.closed += 1


class AsyncScriptedModel(_Script):
    """A `ScriptedModel` for asynchronous clients."""

    async def call(self, request: Request, /) -> Response:
        """The next answer."""
        return self._response(request)

    async def stream(self, request: Request, /) -> AsyncIterator[ResponseDelta]:
        """The next answer, in deltas."""
        try:
            for delta in self._deltas(request):
                yield delta
        finally:
            self.closed += 1


def answer(
    *parts: str | ToolCall,
    finish_reason: FinishReason | None = None,
    usage: Usage | None = None,
) -> Response:
    """A response of texts and tool calls, ended by ``stop``, or ``tool_calls`` if there are any."""
    calls = any(isinstance(part, ToolCall) for part in parts)
    reason = finish_reason or ("tool_calls" if calls else "stop")
    message = assistant(*parts) if parts else None
    return Response(Output(message, reason), ResponseMetadata(usage=usage))


def _is_deltas(given: object) -> bool:
    return isinstance(given, Sequence) and any(
        isinstance(item, (ResponseDelta, BaseException)) for item in given
    )


def _or_raise(steps: object) -> Iterator[ResponseDelta]:
    assert isinstance(steps, Sequence)
    for step in steps:
        if isinstance(step, BaseException):
            raise step
        yield step


def _as_response(given: object) -> Response:
    if isinstance(given, Response):
        return given
    if isinstance(given, (str, ToolCall)):
        return answer(given)
    if isinstance(given, Sequence) and all(isinstance(item, ToolCall) for item in given):
        return answer(*given)
    raise TypeError(f"{given!r} is no answer a script can give")
