"""Tools that are cancelled, fail, or run side by side: nothing that was done is lost."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import Any

import pytest

from chatport import (
    CallCancelledError,
    CallTimeoutError,
    Failure,
    InvalidToolProposalError,
    Request,
    Response,
    SingleBatchTools,
    ToolBatchError,
    ToolCall,
    cancellable,
    interrupted_batch,
    tool,
)
from chatport.testing import answer
from tests.client.batches import (
    HUNGRY,
    Kitchen,
    burn,
    cook,
    results_of,
)

from .conftest import Half

# Failures told to the model


def test_failures_are_told_to_the_model_when_asked(half: Half, kitchen: Kitchen) -> None:
    tools = SingleBatchTools(
        kitchen.cook, kitchen.failing(RuntimeError("secret path")), on_error="report"
    )
    calls = [
        cook("1", "soup"),
        burn("2"),
        ToolCall("3", "fly", "{}"),
        ToolCall("4", "cook", '{"dish": 7}'),
    ]
    model = half.script(calls, "Sorry.")
    assert half.call(half.client(model, tools), HUNGRY).text() == "Sorry."
    (one, two, three, four) = results_of(model.requests[1])
    assert one == ("1", "soup cooked", False)
    assert two == ("2", "burn failed", True)
    assert three == ("3", "there is no tool 'fly'", True)
    assert four[2]
    assert "not admitted" in str(four[1])
    assert kitchen.ran == ["soup", "toast!"]


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (Failure("failed", "out of salt", reason=OSError("secret")), "out of salt"),
        (Failure("failed", reason=OSError("secret")), "burn was failed"),
        (Failure("rejected"), "burn was rejected"),
    ],
)
def test_a_failure_says_what_the_model_may_know(
    half: Half, kitchen: Kitchen, failure: Failure, told: str
) -> None:
    tools = SingleBatchTools(kitchen.failing(failure), on_error="report")
    model = half.script(burn("1"), "Sorry.")
    half.call(half.client(model, tools), HUNGRY)
    assert results_of(model.requests[1]) == [("1", told, True)]


def test_a_repeated_id_cannot_be_reported(half: Half, kitchen: Kitchen) -> None:
    model = half.script([cook("1", "soup"), cook("1", "rice")], "never")
    with pytest.raises(InvalidToolProposalError):
        half.call(half.client(model, SingleBatchTools(kitchen.cook, on_error="report")), HUNGRY)


# Cancellation


def test_a_cancellation_between_tools_stops_and_keeps_what_was_done(half: Half) -> None:
    ran: list[str] = []
    with cancellable() as scope:

        @tool
        def cook(dish: str) -> str:
            ran.append(dish)
            scope.cancel()
            return "ok"

        calls = [ToolCall(i, "cook", f'{{"dish": "{i}"}}') for i in "123"]
        model = half.script(calls, "never")
        with pytest.raises(CallCancelledError) as caught:
            half.call(half.client(model, SingleBatchTools(cook)), HUNGRY)
    state = interrupted_batch(caught.value)
    assert state is not None
    assert [outcome.state for outcome in state.outcomes] == [
        "completed",
        "not_started",
        "not_started",
    ]
    assert [result.id for result in state.completed] == ["1"]
    assert (ran, len(model.requests)) == (["1"], 1)


def test_a_deadline_that_passes_in_a_tool_ends_the_call_before_the_follow_up(half: Half) -> None:
    now = [0.0]

    @tool
    def cook(dish: str) -> str:
        now[0] += 10
        return "ok"

    model = half.script(ToolCall("1", "cook", '{"dish": "a"}'), "never")
    with (
        cancellable(5, clock=lambda: now[0]) as scope,
        pytest.raises(CallTimeoutError, match="longer than 5 s") as caught,
    ):
        half.call(half.client(model, SingleBatchTools(cook)), HUNGRY)
    assert scope.remaining == 0
    state = interrupted_batch(caught.value)
    assert state is not None
    assert [outcome.state for outcome in state.outcomes] == ["completed"]


@pytest.mark.parametrize("on_error", ["raise", "report"])
def test_a_cancellation_within_a_tool_leaves_its_outcome_unknown(
    half: Half, kitchen: Kitchen, on_error: Any
) -> None:
    for error in (CallCancelledError("x"), asyncio.CancelledError(), KeyboardInterrupt()):
        if half.asynchronous and isinstance(error, KeyboardInterrupt):
            continue
        tools = SingleBatchTools(kitchen.cook, kitchen.failing(error), on_error=on_error)
        model = half.script([cook("1", "soup"), burn("2"), cook("3", "rice")], "never")
        with pytest.raises(type(error)) as caught:
            half.call(half.client(model, tools), HUNGRY)
        if half.asynchronous and not isinstance(error, CallCancelledError):
            continue  # asyncio makes a cancellation anew on its way out of the task
        state = interrupted_batch(caught.value)
        assert state is not None
        states = [outcome.state for outcome in state.outcomes]
        assert states == ["completed", "unknown", "not_started"]
        assert tuple(outcome.call for outcome in state.outcomes) == state.proposal.tool_calls


def test_what_was_reported_counts_as_completed_when_a_cancellation_follows(half: Half) -> None:
    with cancellable() as scope:

        @tool
        def burn(dish: str) -> str:
            scope.cancel()
            raise error

        error = RuntimeError("x")
        calls = [ToolCall("1", "fly"), ToolCall("2", "burn", '{"dish": "a"}'), burned("3")]
        model = half.script(calls, "never")
        with pytest.raises(CallCancelledError) as caught:
            half.call(half.client(model, SingleBatchTools(burn, on_error="report")), HUNGRY)
    state = interrupted_batch(caught.value)
    assert state is not None
    assert [outcome.state for outcome in state.outcomes] == ["completed"] * 2 + ["not_started"]
    assert [outcome.call for outcome in state.outcomes] == calls
    assert [outcome.error for outcome in state.outcomes] == [None, error, None]
    assert [result.is_error for result in state.completed] == [True, True]


def burned(id: str) -> ToolCall:  # noqa: A002
    return ToolCall(id, "burn", '{"dish": "toast"}')


def test_a_call_cancelled_while_the_model_answers_runs_no_tool(
    half: Half, kitchen: Kitchen
) -> None:
    with cancellable() as scope:

        def model(request: Request) -> Response:
            scope.cancel()
            return answer(cook("1", "soup"))

        with pytest.raises(CallCancelledError):
            half.call(half.client(half.model(model), SingleBatchTools(kitchen.cook)), HUNGRY)
    assert kitchen.ran == []


def test_cancelling_the_task_stops_between_tools() -> None:
    ran: list[str] = []
    half = Half(asynchronous=True)
    kept: list[Any] = []

    async def main() -> None:
        @tool
        async def cook(dish: str) -> str:
            ran.append(dish)
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            return "ok"

        calls = [ToolCall(i, "cook", f'{{"dish": "{i}"}}') for i in "12"]
        client = half.client(half.script(calls, "never"), SingleBatchTools(cook))
        try:
            await client.call(HUNGRY)
        except asyncio.CancelledError as error:
            kept.append(interrupted_batch(error))
            raise

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert ran == ["1"]
    assert [outcome.state for outcome in kept[0].outcomes] == ["completed", "not_started"]


def both_ways(half: Half, tools: Any, *script: Any) -> list[tuple[Any, Any]]:
    """A call and a stream to be run, each with the model it will ask."""
    one, two = half.script(*script), half.script(*script)
    stream = half.stream_client(two, tools).stream(HUNGRY)
    return [
        (partial(half.call, half.client(one, tools), HUNGRY), one),
        (partial(half.read, stream, []), two),
    ]


def test_a_cancelled_follow_up_keeps_what_was_done(half: Half, kitchen: Kitchen) -> None:
    calls = [cook("1", "soup"), cook("2", "rice")]
    tools = SingleBatchTools(kitchen.cook)
    for work, model in both_ways(half, tools, calls, CallCancelledError("x")):
        with pytest.raises(CallCancelledError) as caught:
            work()
        state = interrupted_batch(caught.value)
        assert state is not None
        assert state.request == model.requests[0]
        assert state.proposal == answer(*calls)
        assert [outcome.call for outcome in state.outcomes] == calls
        assert {outcome.state for outcome in state.outcomes} == {"completed"}
        texts = [result.output.text() for result in state.completed]
        assert texts == ["soup cooked", "rice cooked"]


def test_a_cancelled_first_call_has_no_batch(half: Half, kitchen: Kitchen) -> None:
    for work, _ in both_ways(half, SingleBatchTools(kitchen.cook), CallCancelledError("x")):
        with pytest.raises(CallCancelledError) as caught:
            work()
        assert interrupted_batch(caught.value) is None


def test_a_cancellation_comes_before_a_failure(half: Half) -> None:
    @tool(parallel=True)
    def meet(who: str) -> str:
        raise CallCancelledError("x") if who == "2" else RuntimeError(who)

    model = half.script([meet_call("1"), meet_call("2")], "never")
    with pytest.raises(CallCancelledError) as caught:
        half.call(half.client(model, SingleBatchTools(meet)), HUNGRY)
    state = interrupted_batch(caught.value)
    assert state is not None
    assert [outcome.state for outcome in state.outcomes] == ["failed", "unknown"]


def meet_call(who: str) -> ToolCall:
    return ToolCall(who, "meet", f'{{"who": "{who}"}}')


def test_an_error_without_a_batch_has_no_state() -> None:
    assert interrupted_batch(RuntimeError()) is None


# Calls side by side


def meeting(half: Half, people: int, error: Exception | None = None) -> tuple[Any, list[str]]:
    """A parallel tool that ends only when all its calls have begun."""
    began: list[str] = []
    if half.asynchronous:
        everybody = asyncio.Event()

        async def wait() -> None:
            if len(began) == people:
                everybody.set()
            await everybody.wait()

        @tool(parallel=True)
        async def meet(who: str) -> str:
            began.append(who)
            await wait()
            if error is not None and who == "2":
                raise error
            return who

        return meet, began

    barrier = threading.Barrier(people)

    @tool(name="meet", parallel=True)
    def meet_sync(who: str) -> str:
        began.append(who)
        barrier.wait(10)
        if error is not None and who == "2":
            raise error
        return who

    return meet_sync, began


def test_parallel_tools_run_side_by_side_and_answer_in_order(half: Half, kitchen: Kitchen) -> None:
    together, began = meeting(half, 3)
    calls = [meet_call("1"), meet_call("2"), meet_call("3"), cook("4", "soup")]
    model = half.script(calls, "done")
    half.call(half.client(model, SingleBatchTools(together, kitchen.cook)), HUNGRY)
    assert sorted(began) == ["1", "2", "3"]
    assert [row[0] for row in results_of(model.requests[1])] == ["1", "2", "3", "4"]


def test_a_parallel_tool_that_fails_does_not_lose_its_neighbours(
    half: Half, kitchen: Kitchen
) -> None:
    together, _ = meeting(half, 3, RuntimeError("late"))
    calls = [meet_call("1"), meet_call("2"), meet_call("3"), cook("4", "soup")]
    model = half.script(calls, "never")
    with pytest.raises(ToolBatchError) as caught:
        half.call(half.client(model, SingleBatchTools(together, kitchen.cook)), HUNGRY)
    states = [outcome.state for outcome in caught.value.outcomes]
    assert states == ["completed", "failed", "completed", "not_started"]
    assert [result.id for result in caught.value.completed] == ["1", "3"]
    assert caught.value.failed_call == meet_call("2")
    assert kitchen.ran == []


def test_a_cancellation_in_a_parallel_tool_keeps_its_neighbours_results(half: Half) -> None:
    together, _ = meeting(half, 2, CallCancelledError("x"))  # type: ignore[arg-type]
    model = half.script([meet_call("1"), meet_call("2")], "never")
    with pytest.raises(CallCancelledError) as caught:
        half.call(half.client(model, SingleBatchTools(together)), HUNGRY)
    state = interrupted_batch(caught.value)
    assert state is not None
    assert [outcome.state for outcome in state.outcomes] == ["completed", "unknown"]
