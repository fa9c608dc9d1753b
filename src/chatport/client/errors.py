"""What can go wrong in a client, by class.

::

    ChatError
    ├── InvalidClientError              a client is made of something that is not a model
    │   ├── NoModelError
    │   └── NoStreamerError
    ├── NoStreamError                   a streamer or middleware returned nothing to iterate
    ├── InvalidOutputError              a response is not the value asked for
    │   └── OutputCompletionError       … because the model did not finish: cut off, filtered,
    refused
    ├── InvalidTemplateError
    ├── InvalidToolBatchError           tools, request or proposal unfit for a batch; nothing has
    run
    │   └── InvalidToolProposalError    … because of what the model asked for
    ├── ToolBatchError                  a tool failed; what ran before it is on the error
    ├── ToolContinuationError           every tool ran, the model call after them failed
    ├── ToolLoopLimitError              the rounds are used up; resumable
    ├── InvalidHistoryError             a store, or what it holds, is no history
    ├── HistoryCommitError              the model answered, and the answer could not be kept
    ├── InvalidSafeguardError           a safeguard is configured wrongly
    └── UnsafeContentError              a safeguard blocked a request or a response
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from chatport.chat import ChatError, InvalidValueError

if TYPE_CHECKING:
    from chatport.chat import FinishReason, Message, Request, Response, ToolCall, ToolResult


class InvalidClientError(ChatError, TypeError):
    """A client was made of something that lacks the capability it needs."""


class NoModelError(InvalidClientError):
    """What was given as a model cannot be called."""


class NoStreamerError(InvalidClientError):
    """What was given as a streamer cannot stream."""


class NoStreamError(ChatError, TypeError):
    """A streamer or a middleware returned nothing that can be iterated."""


class InvalidOutputError(ChatError):
    """A response is not a value of the format asked for; `response` is that response.

    The reason, such as a decoder's error, is the ``__cause__``.
    """

    def __init__(self, problem: str, response: Response | None = None) -> None:
        super().__init__(problem)
        self.response: Response | None = response


class OutputCompletionError(InvalidOutputError):
    """The model ended for another reason than having said it all, or it refused.

    `finish_reason` is the response's; `refusal` is the text of the refusal, empty if there is none.
    """

    def __init__(
        self, finish_reason: FinishReason, refusal: str, response: Response | None = None
    ) -> None:
        super().__init__("", response)
        self.args: tuple[Any, ...] = (finish_reason, refusal, response)
        self.finish_reason: FinishReason = finish_reason
        self.refusal: str = refusal

    def __str__(self) -> str:
        if self.refusal:
            return f"the model refused ({self.finish_reason}): {self.refusal}"
        return f"the model ended with {self.finish_reason}, not with stop"


class InvalidTemplateError(InvalidValueError):
    """A template does not parse, lacks a name, or makes no message of the data it is given."""


class InvalidToolBatchError(InvalidValueError):
    """Tools, request or configuration are unfit for a tool batch. Nothing has run."""


class InvalidToolProposalError(InvalidToolBatchError):
    """The model asked for what cannot be run; nothing has.

    An unknown tool, a repeated id, or arguments that are not admitted. `request` is what the model
    was sent and `proposal` its whole response; `call` is the one at fault. For arguments, the
    ``__cause__`` is the tool's `InvalidInvocationError`.
    """

    def __init__(
        self, problem: str, path: str, request: Request, proposal: Response, call: ToolCall
    ) -> None:
        super().__init__(problem, path)
        self.args: tuple[Any, ...] = (problem, path, request, proposal, call)
        self.request: Request = request
        self.proposal: Response = proposal
        self.call: ToolCall = call


CallState = Literal["completed", "failed", "unknown", "not_started"]
"""How far a call of a batch came. ``unknown``: it was running when the batch was cancelled."""


class CallOutcome(msgspec.Struct, frozen=True):
    """One call of a batch: how far it came, its result if completed, its exception if failed."""

    call: ToolCall
    state: CallState
    result: ToolResult | None = None
    error: BaseException | None = None


class BatchState(msgspec.Struct, frozen=True):
    """A batch as far as it came, with what is needed to go on from there."""

    request: Request
    """What the model was sent before it asked for the tools, these included."""
    proposal: Response
    """The model's whole response: text, all calls, metadata."""
    outcomes: tuple[CallOutcome, ...]
    """Every call of the proposal in its order, with how far it came."""

    @property
    def completed(self) -> tuple[ToolResult, ...]:
        """Results of the calls that succeeded, in the order of the proposal."""
        return tuple(item.result for item in self.outcomes if item.result is not None)


class ToolBatchError(ChatError):
    """A tool failed after the whole batch had been admitted. Nothing is rolled back or retried.

    The ``__cause__`` is the tool's exception, or what is wrong with its output. The failed call may
    have had effects.
    """

    def __init__(self, state: BatchState, cause: BaseException) -> None:
        super().__init__(state, cause)
        self.__cause__: BaseException | None = cause
        self.request: Request = state.request
        """What the model was sent before it asked for the tools, these included."""
        self.proposal: Response = state.proposal
        """The model's whole response: text, all calls, metadata."""
        self.outcomes: tuple[CallOutcome, ...] = state.outcomes
        """Every call of the proposal in its order, with how far it came."""
        self.completed: tuple[ToolResult, ...] = state.completed
        """Results of the calls that succeeded, in the order of the proposal."""
        failed = [index for index, item in enumerate(state.outcomes) if item.state == "failed"]
        self.failed_call: ToolCall = state.outcomes[failed[0]].call
        """The first call that failed."""
        self._position = failed[0] + 1

    def __str__(self) -> str:
        return (
            f"call {self._position} of {len(self.outcomes)}, {self.failed_call.name}"
            f" ({self.failed_call.id}), failed: {self.__cause__}"
        )


def interrupted_batch(error: BaseException) -> BatchState | None:
    """How far a batch of tools had come when this cancellation went through it.

    A cancellation passes a batch as it is, and is no `ToolBatchError`. What had completed by then
    is kept beside it; None when it passed no batch.
    """
    state = getattr(error, _STATE, None)
    return state if isinstance(state, BatchState) else None


def mark_interrupted(error: BaseException, state: BatchState) -> None:
    """Keep the state of a batch beside the cancellation that goes through it."""
    setattr(error, _STATE, state)


_STATE = "_chatport_batch"


class ToolContinuationError(ChatError):
    """Every tool has run, and the model call that followed failed.

    Send `request` to the model below the tool middleware to go on; the tools need not run again.
    The ``__cause__`` is the model's exception.
    """

    def __init__(
        self,
        request: Request,
        proposal: Response,
        completed: tuple[ToolResult, ...],
        cause: BaseException,
        partial: Message | None = None,
    ) -> None:
        super().__init__(request, proposal, completed, cause, partial)
        self.request: Request = request
        """The continuation: the messages so far, the proposal and all results."""
        self.proposal: Response = proposal
        """The model's response that asked for the tools."""
        self.completed: tuple[ToolResult, ...] = completed
        """All results, in the order of the proposal."""
        self.response: Response | None = getattr(cause, "response", None)
        """The response that came along with the failure, if one did."""
        self.partial: Message | None = partial
        """What had been streamed of the answer to `request`; None for a call."""
        self.__cause__: BaseException | None = cause

    def __str__(self) -> str:
        return (
            f"all {len(self.completed)} tools ran, but the model call after them failed: "
            f"{self.__cause__}"
        )


class ToolLoopLimitError(ChatError):
    """The model wants more rounds of tools than it was given.

    `request` resumes through a tool loop. `response` is the model's last; the tools it asks for
    have not run.
    """

    def __init__(self, request: Request, response: Response, rounds: int) -> None:
        super().__init__(request, response, rounds)
        self.request: Request = request
        self.response: Response = response
        self.rounds: int = rounds

    def __str__(self) -> str:
        return f"the model still asks for tools after {self.rounds} rounds"


class InvalidHistoryError(InvalidValueError):
    """What was given as a store or as a conversation is none, or a store holds no messages."""


class HistoryCommitError(ChatError):
    """The model answered, and the exchange could not be added to its conversation.

    The ``__cause__`` is the store's exception. `written` is what that says of how many messages
    were added all the same; None when it does not say.
    """

    def __init__(
        self,
        conversation: str,
        messages: tuple[Message, ...],
        response: Response,
        cause: BaseException,
    ) -> None:
        super().__init__(conversation, messages, response, cause)
        self.conversation: str = conversation
        self.messages: tuple[Message, ...] = messages
        """What was to be added: what was new in the request, and the answer."""
        self.response: Response = response
        """The model's answer, which is complete."""
        written = getattr(cause, "written", None)
        self.written: int | None = written if isinstance(written, int) else None
        self.__cause__: BaseException | None = cause

    def __str__(self) -> str:
        known = "" if self.written is None else f"; {self.written} were"
        return (
            f"the model answered, but {len(self.messages)} messages could not be added to "
            f"conversation {self.conversation!r}{known}: {self.__cause__}"
        )


class InvalidSafeguardError(InvalidValueError):
    """A safeguard or its matcher is configured wrongly."""


class Block(msgspec.Struct, frozen=True):
    """What a safeguard blocked: the side of the model, and the term when it may be told."""

    scope: Literal["input", "output"]
    term: str | None = None


class UnsafeContentError(ChatError):
    """A safeguard blocked a request or a response. `block` says which, and by what term.

    When a failure of the model came along, it is the ``__cause__``.
    """

    def __init__(self, block: Block) -> None:
        super().__init__(block)
        self.block: Block = block

    def __str__(self) -> str:
        found = f": found {self.block.term!r}" if self.block.term else ""
        return f"unsafe {self.block.scope}{found}"
