from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest

import chatport.client
import chatport.tools
from chatport import (
    AuthorizationError,
    BatchState,
    Block,
    CallError,
    CallOutcome,
    ChatError,
    Failure,
    HistoryCommitError,
    InvalidClientError,
    InvalidMiddlewareError,
    InvalidOutputError,
    InvalidToolProposalError,
    OutputCompletionError,
    Request,
    ToolBatchError,
    ToolCall,
    ToolContinuationError,
    ToolLoopLimitError,
    ToolOutput,
    ToolResult,
    UnsafeContentError,
    assistant,
    user,
)
from chatport.testing import ScriptedModel, answer

from .conftest import Half

ASK, CALL = Request(user("hello")), ToolCall("1", "save", "{}")
PROPOSAL = answer(CALL)
RESULT = ToolResult("1", "save", ToolOutput.of_text("saved"))
STATE = BatchState(ASK, PROPOSAL, (CallOutcome(CALL, "failed", error=OSError("x")),))

ERRORS = [
    InvalidOutputError("wrong", PROPOSAL),
    OutputCompletionError("refusal", "no", PROPOSAL),
    InvalidToolProposalError("wrong", "tool_calls[0]", ASK, PROPOSAL, CALL),
    ToolBatchError(STATE, OSError("x")),
    ToolContinuationError(ASK, PROPOSAL, (RESULT,), OSError("x")),
    ToolContinuationError(ASK, PROPOSAL, (RESULT,), OSError("x"), assistant("so far")),
    ToolLoopLimitError(ASK, PROPOSAL, 3),
    HistoryCommitError("ada", (user("hi"),), answer("hello"), OSError("x")),
    UnsafeContentError(Block("input", "x")),
    Failure("failed", "no", reason=OSError("x")),
    Failure("rejected"),
    CallError(OSError("x"), "evidence"),
    AuthorizationError("save", OSError("x")),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_a_journey_to_another_process(error: Any) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    for name, value in vars(error).items():
        mine = getattr(copy, name)
        assert repr(mine) == repr(value), name


def _classes() -> Iterator[type]:
    for package in (chatport.client, chatport.tools):
        for name in package.__all__:
            value = getattr(package, name)
            if isinstance(value, type) and issubclass(value, BaseException):
                yield value


@pytest.mark.parametrize("kind", sorted(set(_classes()), key=repr), ids=lambda kind: kind.__name__)
def test_every_error_derives_from_one_base(kind: type) -> None:
    assert issubclass(kind, ChatError)
    assert kind.__doc__


@pytest.mark.parametrize("middleware", [7, len, [7], ["log"]])
def test_middleware_is_a_list_of_functions(half: Half, middleware: Any) -> None:
    made = type(half.client(half.script("x"))), type(half.stream_client(half.script("x")))
    for kind in made:
        with pytest.raises(InvalidMiddlewareError):
            kind(half.script("x"), middleware=middleware)


def test_a_client_of_nothing_is_told_apart_by_class() -> None:
    with pytest.raises(InvalidClientError):
        chatport.Client(None)  # type: ignore[arg-type]
    assert ScriptedModel("x").closed == 0
