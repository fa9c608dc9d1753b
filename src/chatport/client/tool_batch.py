"""One batch of tool calls: admitted as a whole before anything runs, then run in order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, cast

from chatport.chat import (
    InvalidToolOutputError,
    Request,
    Response,
    ToolCall,
    ToolOutput,
    ToolResult,
)
from chatport.chat.cancellation import CallCancelledError
from chatport.client.errors import (
    BatchState,
    CallOutcome,
    InvalidToolProposalError,
    ToolBatchError,
    mark_interrupted,
)
from chatport.tools._dual import Runtime
from chatport.tools.contract import Binding, Invocation
from chatport.tools.errors import Failure, InvalidInvocationError

OnError = Literal["raise", "report"]
"""Whether a failing call ends everything, or is reported to the model as the call's result."""

Watcher = Callable[[ToolCall, Binding, Callable[[], Awaitable[ToolOutput]]], Awaitable[ToolOutput]]
"""Runs the execution it is given, and returns its output or raises its error."""

watcher: ContextVar[Watcher | None] = ContextVar("chatport_tool_watcher", default=None)
"""What every tool that runs in this context is run through; telemetry sets it."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A call that may run."""

    call: ToolCall
    binding: Binding
    invocation: Invocation


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that may not run, with what the model will be told of it."""

    call: ToolCall
    told: str


Prepared = Admitted | Refused


def wanted_calls(response: Response) -> tuple[ToolCall, ...]:
    """The calls a response authorises: none unless it ended in order to have tools run."""
    return response.tool_calls if response.finish_reason == "tool_calls" else ()


class Batch:
    """The calls one response asks for."""

    def __init__(self, request: Request, proposal: Response, on_error: OnError) -> None:
        self._request = request
        self._proposal = proposal
        self._report = on_error == "report"

    def admit(self, bindings: Mapping[str, Binding]) -> list[Prepared]:
        """Check every call before any runs.

        Raises `InvalidToolProposalError` for the first at fault. When failures are reported,
        calls at fault are refused and the others admitted; a repeated id is an error even so,
        because its results could not be told apart.
        """
        seen: set[str] = set()
        prepared: list[Prepared] = []
        for index, call in enumerate(wanted_calls(self._proposal)):
            path = f"tool_calls[{index}]"
            if call.id in seen:
                raise self._fault(f"the id {call.id!r} is there twice", path, call)
            seen.add(call.id)
            prepared.append(self._admit_one(bindings, call, path))
        return prepared

    def _admit_one(self, bindings: Mapping[str, Binding], call: ToolCall, path: str) -> Prepared:
        binding = bindings.get(call.name)
        if binding is None:
            problem = f"there is no tool {call.name!r}"
            if self._report:
                return Refused(call, problem)
            raise self._fault(problem, path, call)
        try:
            return Admitted(call, binding, binding.contract.prepare(call))
        except InvalidInvocationError as error:
            if self._report:
                return Refused(call, f"the arguments are not admitted: {error}")
            raise self._fault(f"{call.name}: {error}", path, call) from error

    def _fault(self, problem: str, path: str, call: ToolCall) -> InvalidToolProposalError:
        return InvalidToolProposalError(problem, path, self._request, self._proposal, call)

    async def run(self, prepared: Sequence[Prepared], run: Runtime) -> tuple[ToolResult, ...]:
        """Results in the order of the calls. Raises `ToolBatchError` for the first call that fails.

        Calls run one after the other; neighbours whose tools are `parallel` run together. A
        cancellation is let through between calls, with the state of the batch kept beside it.
        """
        outcomes = [CallOutcome(item.call, "not_started") for item in prepared]
        try:
            for _, group in groupby(range(len(prepared)), lambda i: _group(i, prepared[i])):
                positions = list(group)
                await run.checkpoint()
                await self._run_group(prepared, positions, outcomes, run)
            await run.checkpoint()
        except ToolBatchError:
            raise
        except BaseException as error:
            mark_interrupted(error, self._state(outcomes))
            raise
        return tuple(cast(ToolResult, outcome.result) for outcome in outcomes)

    async def _run_group(
        self,
        prepared: Sequence[Prepared],
        positions: Sequence[int],
        outcomes: list[CallOutcome],
        run: Runtime,
    ) -> None:
        for position in positions:
            outcomes[position] = CallOutcome(prepared[position].call, "unknown")
        jobs = [lambda item=prepared[position]: self._run_one(item, run) for position in positions]
        ended = await run.together(jobs) if len(jobs) > 1 else [await jobs[0]()]
        cancellations: list[BaseException] = []
        for position, outcome in zip(positions, ended, strict=True):
            if isinstance(outcome, CallOutcome):
                outcomes[position] = outcome
            else:
                cancellations.append(outcome)
        if cancellations:
            raise cancellations[0]  # before any failure: nobody is left to tell
        for position in positions:
            failure = outcomes[position].error
            if outcomes[position].state == "failed" and failure is not None:
                raise ToolBatchError(self._state(outcomes), failure)

    async def _run_one(self, item: Prepared, run: Runtime) -> CallOutcome:
        call = item.call
        if isinstance(item, Refused):
            return CallOutcome(call, "completed", _result(call, item.told, is_error=True))
        try:
            output = await _call(item, run)
            result = ToolResult(call.id, call.name, output)
        except CallCancelledError:
            raise
        except Exception as error:
            if self._report:
                told = _told(call, error)
                return CallOutcome(call, "completed", _result(call, told, is_error=True), error)
            return CallOutcome(call, "failed", error=error)
        return CallOutcome(call, "completed", result)

    def _state(self, outcomes: Sequence[CallOutcome]) -> BatchState:
        return BatchState(self._request, self._proposal, tuple(outcomes))


def completed_batch(
    request: Request, proposal: Response, results: Sequence[ToolResult]
) -> BatchState:
    """The state of a batch all of whose calls have completed."""
    calls = wanted_calls(proposal)
    outcomes = (
        CallOutcome(call, "completed", result) for call, result in zip(calls, results, strict=True)
    )
    return BatchState(request, proposal, tuple(outcomes))


async def _call(item: Admitted, run: Runtime) -> ToolOutput:
    async def execute() -> ToolOutput:
        output = await item.binding.run(item.invocation, run)
        if not isinstance(output, ToolOutput):
            name = type(output).__name__
            raise InvalidToolOutputError(f"the tool returned {name}, not ToolOutput")
        return output

    watch = watcher.get()
    return await (execute() if watch is None else watch(item.call, item.binding, execute))


def _group(position: int, item: Prepared) -> tuple[str, int]:
    """Neighbours with the same key run together."""
    if isinstance(item, Admitted) and item.binding.parallel:
        return ("together", 0)
    return ("alone", position)


def _told(call: ToolCall, error: Exception) -> ToolOutput | str:
    """What the model learns of a failure: what the tool meant for it, never an exception's text."""
    if isinstance(error, Failure) and error.output != ToolOutput():
        return error.output
    if isinstance(error, Failure):
        return f"{call.name} was {error.kind}"
    return f"{call.name} failed"


def _result(call: ToolCall, told: ToolOutput | str, *, is_error: bool) -> ToolResult:
    output = ToolOutput.of_text(told) if isinstance(told, str) else told
    return ToolResult(call.id, call.name, output, is_error)
