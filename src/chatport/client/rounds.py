"""Middleware that runs the tools a model asks for: one batch, or rounds of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from chatport.chat import (
    InvalidValueError,
    Message,
    Request,
    Response,
    ResponseAccumulator,
    ResponseDelta,
    TextFormat,
    ToolCallDelta,
    ToolResult,
    Usage,
    tool_results,
)
from chatport.chat.cancellation import CallCancelledError
from chatport.client.errors import (
    BatchState,
    InvalidToolBatchError,
    ToolContinuationError,
    ToolLoopLimitError,
    mark_interrupted,
)
from chatport.client.layer import Ask, Layer, Open
from chatport.client.output import checked_response
from chatport.client.tool_batch import Batch, OnError, completed_batch, wanted_calls
from chatport.tools._dual import Runtime, closing
from chatport.tools.contract import Tool
from chatport.tools.registry import bind_all


@dataclass(frozen=True, slots=True)
class Round:
    """One batch that ran: the request, the answer that asked for it, and the results."""

    request: Request
    proposal: Response
    results: tuple[ToolResult, ...]


_recorder: ContextVar[list[Round] | None] = ContextVar("chatport_tool_rounds", default=None)


@contextmanager
def tool_rounds() -> Iterator[list[Round]]:
    """Collect the rounds of tools that run inside the block, called or streamed.

    The list grows as rounds complete: ``with tool_rounds() as rounds: client.call(request)``.
    """
    rounds: list[Round] = []
    token = _recorder.set(rounds)
    try:
        yield rounds
    finally:
        _recorder.reset(token)


class _ToolRounds(Layer):
    """What `SingleBatchTools` and `ToolLoop` have in common."""

    _hands_over: bool
    """Whether a wish for tools after the last round is the caller's to see, or an error."""

    def __init__(self, tools: tuple[Tool, ...], rounds: int, on_error: OnError) -> None:
        if not tools:
            raise InvalidToolBatchError("give it at least one tool", "tools")
        if on_error not in ("raise", "report"):
            raise InvalidToolBatchError(f"{on_error!r} is neither raise nor report", "on_error")
        try:
            self._bindings = bind_all(tools)
        except InvalidValueError as error:
            raise InvalidToolBatchError.around(error, "") from error
        self._definitions = tuple(binding.definition for binding in self._bindings.values())
        self._asynchronous = [name for name, bound in self._bindings.items() if bound.is_async]
        self._rounds = rounds
        self._on_error: OnError = on_error

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._bindings)})"

    async def on_call(self, request: Request, below: Ask, run: Runtime) -> Response:
        request = self._with_tools(request, run)
        response = checked_response(await below(request))
        usage = response.usage
        for _ in range(self._rounds):
            if not wanted_calls(response):
                break
            results, following = await self._run_batch(request, response, run)
            try:
                answer = checked_response(await below(following))
            except BaseException as error:
                if isinstance(error, Exception) and not isinstance(error, CallCancelledError):
                    raise ToolContinuationError(following, response, results, error) from error
                mark_interrupted(error, completed_batch(request, response, results))
                raise
            usage = _sum(usage, answer.usage)
            request, response = following, answer
        return self._last(request, _with_usage(response, usage))

    async def on_stream(
        self,
        request: Request,
        below: Open,
        run: Runtime,
    ) -> AsyncIterator[ResponseDelta]:
        request = self._with_tools(request, run)
        usage: Usage | None = None
        done: BatchState | None = None
        for number in range(self._rounds + 1):
            may_hold = number < self._rounds or not self._hands_over
            reading = _Reading(request, usage, may_hold=may_hold)
            try:
                async with closing(below(request)) as source:
                    async for delta in source:
                        for shown in reading.show(delta):
                            yield shown
                response = reading.accumulator.response()
            except BaseException as error:
                if done is None:
                    raise
                if isinstance(error, Exception) and not isinstance(error, CallCancelledError):
                    raise ToolContinuationError(
                        request,
                        done.proposal,
                        done.completed,
                        error,
                        reading.accumulator.message(),
                    ) from error
                mark_interrupted(error, done)
                raise
            if not wanted_calls(response) or number == self._rounds:
                self._last(request, response)
                for shown in reading.rest():
                    yield shown
                return
            for shown in reading.rest_without_calls():
                yield shown
            usage = _sum(usage, response.usage)
            results, following = await self._run_batch(request, response, run)
            done, request = completed_batch(request, response, results), following

    async def _run_batch(
        self, request: Request, response: Response, run: Runtime
    ) -> tuple[tuple[ToolResult, ...], Request]:
        batch = Batch(request, response, self._on_error)
        results = await batch.run(batch.admit(self._bindings), run)
        recorder = _recorder.get()
        if recorder is not None:
            recorder.append(Round(request, response, results))
        assert isinstance(response.message, Message)
        return results, request.extend(response.message, tool_results(*results))

    def _with_tools(self, request: Request, run: Runtime) -> Request:
        if not isinstance(request, Request):
            raise InvalidToolBatchError(f"expected a Request, got {type(request).__name__}")
        if self._asynchronous and not run.is_async:
            raise InvalidToolBatchError(
                f"{self._asynchronous[0]} is asynchronous; use AsyncClient", "tools"
            )
        foreign = self._foreign(request)
        if foreign is not None:
            raise InvalidToolBatchError(
                f"the request has {foreign} of its own, which belong to {type(self).__name__} here;"
                " to go on after an error, send its request to the model below this middleware",
                foreign,
            )
        return request.replace(tools=self._definitions)

    def _foreign(self, request: Request) -> str | None:
        """What the request brings that is not its business here; a tool choice needs tools."""
        return "tools" if request.tools else None

    def _last(self, request: Request, response: Response) -> Response:
        """The response after which no more tools are run."""
        if wanted_calls(response) and not self._hands_over:
            raise ToolLoopLimitError(request, response, self._rounds)
        return response


class SingleBatchTools(_ToolRounds):
    """Runs one batch of tools and lets the model answer: at most two model calls.

    Owns the request's tools and tool choice, so it cannot be stacked. Every call is admitted
    before any runs. The usage of both model calls is summed in the response; `tool_rounds` gives
    the first response. A second wish for tools is handed to the caller unexecuted.

    With ``on_error="report"`` a failing or refused call is told to the model as an error result
    instead of raising; what it is told is the `Failure`'s output, or that the tool failed, never
    an exception's text.

    Streamed, the deltas of the first answer are passed on as they come, without its tool calls;
    when JSON is wanted they are held back until it is known whether they are the answer.

    Raises, when made, `InvalidToolBatchError`. Raises, when used, `InvalidToolBatchError` for a
    request with tools, `InvalidToolProposalError`, `ToolBatchError`, and `ToolContinuationError`.
    """

    _hands_over = True

    def __init__(self, *tools: Tool, on_error: OnError = "raise") -> None:
        super().__init__(tools, 1, on_error)


class ToolLoop(_ToolRounds):
    """Runs tools in rounds until the model answers without asking for any.

    Otherwise a `SingleBatchTools`, with the same errors in every round. The request on any of them
    may be sent through the loop again, which goes on from there with a fresh count. Raises
    `ToolLoopLimitError` when `max_rounds` batches have run and the model still asks for tools.
    """

    _hands_over = False

    def __init__(self, *tools: Tool, max_rounds: int = 8, on_error: OnError = "raise") -> None:
        if not isinstance(max_rounds, int) or max_rounds < 1:
            raise InvalidToolBatchError(
                f"{max_rounds!r} is not a count of one or more", "max_rounds"
            )
        super().__init__(tools, max_rounds, on_error)

    def _foreign(self, request: Request) -> str | None:
        if request.tools == self._definitions:
            return None if request.tool_choice is None else "tool_choice"
        return super()._foreign(request)


class _Reading:
    """One answer as it streams in, deciding what may be passed on at once.

    Text goes out as it comes until a tool call appears: from there on all is held until the
    answer is complete and it is known whether its calls will be run. When JSON is wanted, all of
    it is held.
    """

    def __init__(self, request: Request, before: Usage | None, *, may_hold: bool) -> None:
        wanted = request.options.output_format
        self.accumulator = ResponseAccumulator()
        self._before = before
        self._may_hold = may_hold
        self._is_json = not (wanted is None or isinstance(wanted, TextFormat))
        self._holding = may_hold and self._is_json
        self._held: list[ResponseDelta] = []

    def show(self, delta: ResponseDelta) -> Iterator[ResponseDelta]:
        """Take in a delta; what of it may be passed on now."""
        self.accumulator.add(delta)
        delta = self._with_total(delta)
        if self._may_hold and (delta.finish_reason or _has_calls(delta)):
            self._holding = True
        if self._holding:
            self._held.append(delta)
        else:
            yield delta

    def rest(self) -> list[ResponseDelta]:
        """What was held, when this answer is the last."""
        return self._held

    def rest_without_calls(self) -> Iterator[ResponseDelta]:
        """What was held, when another answer follows: without calls and without an end."""
        for delta in self._held:
            parts = (
                [] if self._is_json else [p for p in delta.parts if type(p) is not ToolCallDelta]
            )
            if parts or delta.message_metadata or delta.metadata is not None:
                yield ResponseDelta(
                    *parts, message_metadata=delta.message_metadata, metadata=delta.metadata
                )

    def _with_total(self, delta: ResponseDelta) -> ResponseDelta:
        """Usage in a stream is cumulative, here over all its answers."""
        if self._before is None or delta.metadata is None or delta.metadata.usage is None:
            return delta
        total = self._before + delta.metadata.usage
        return delta.replace(metadata=delta.metadata.replace(usage=total))


def _has_calls(delta: ResponseDelta) -> bool:
    return any(isinstance(part, ToolCallDelta) for part in delta.parts)


def _sum(known: Usage | None, more: Usage | None) -> Usage | None:
    if known is None or more is None:
        return known or more
    return known + more


def _with_usage(response: Response, usage: Usage | None) -> Response:
    if usage == response.usage:
        return response
    return response.replace(metadata=response.metadata.replace(usage=usage))
