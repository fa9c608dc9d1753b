from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from chatport import (
    JSON,
    CallCancelledError,
    CallTimeoutError,
    Failure,
    Guard,
    InvalidInvocationError,
    InvalidToolBatchError,
    InvalidToolError,
    InvalidToolOutputError,
    InvalidToolProposalError,
    JSONFormat,
    Options,
    OutputCompletionError,
    Request,
    Response,
    Round,
    SchemaTool,
    SingleBatchTools,
    ToolBatchError,
    ToolCall,
    ToolChoice,
    ToolContinuationError,
    ToolDefinition,
    ToolLoop,
    ToolLoopLimitError,
    ToolOutput,
    ToolResultPart,
    Usage,
    assistant,
    cancellable,
    interrupted_batch,
    tool,
    tool_rounds,
    user,
)
from chatport.chat import find_cause
from chatport.testing import answer

from .conftest import Half


class Kitchen:
    """Tools that note what they did."""

    def __init__(self, asynchronous: bool = False) -> None:
        self.ran: list[str] = []

        @tool
        def cook(dish: str) -> str:
            self.ran.append(dish)
            return f"{dish} cooked"

        @tool(name="cook")
        async def cook_later(dish: str) -> str:
            await asyncio.sleep(0)
            self.ran.append(dish)
            return f"{dish} cooked"

        self.cook: Any = cook_later if asynchronous else cook

    def failing(self, error: BaseException) -> Any:
        @tool
        def burn(dish: str) -> str:
            self.ran.append(f"{dish}!")
            raise error

        return burn


@pytest.fixture(params=["blocking", "coroutine"])
def kitchen(request: pytest.FixtureRequest, half: Half) -> Kitchen:
    if request.param == "coroutine" and not half.asynchronous:
        return Kitchen()  # a synchronous client has blocking tools only
    return Kitchen(asynchronous=request.param == "coroutine")


def cook(id: str, dish: str) -> ToolCall:  # noqa: A002
    return ToolCall(id, "cook", f'{{"dish": "{dish}"}}')


def burn(id: str, dish: str = "toast") -> ToolCall:  # noqa: A002
    return ToolCall(id, "burn", f'{{"dish": "{dish}"}}')


HUNGRY = Request(user("I am hungry."))


def results_of(request: Request) -> list[tuple[str, str | None, bool]]:
    parts = [part for part in request.messages[-1].parts if isinstance(part, ToolResultPart)]
    results = [part.tool_result for part in parts]
    return [(result.id, result.output.text(), result.is_error) for result in results]


def test_s38_calls_run_in_order_and_the_model_gets_their_results(
    half: Half, kitchen: Kitchen
) -> None:
    model = half.script([cook("1", "soup"), cook("2", "rice")], "Enjoy.")
    client = half.client(model, SingleBatchTools(kitchen.cook))
    assert half.call(client, HUNGRY).text() == "Enjoy."
    assert kitchen.ran == ["soup", "rice"]
    first, second = model.requests
    assert [d.name for d in first.tools] == [d.name for d in second.tools] == ["cook"]
    assert first.tool_choice is None
    assert second.tool_choice is None
    assert [message.role for message in second.messages] == ["user", "assistant", "tool"]
    assert results_of(second) == [("1", "soup cooked", False), ("2", "rice cooked", False)]
    assert Request(user("I am hungry.")) == HUNGRY


@pytest.mark.parametrize("choice", [None, ToolChoice("auto")])
def test_s39_a_request_with_tools_of_its_own_is_refused(
    half: Half, kitchen: Kitchen, choice: ToolChoice | None
) -> None:
    model = half.script("never")
    own = ToolDefinition(name="x", input_schema={"type": "object"})
    with pytest.raises(InvalidToolBatchError, match="belong to SingleBatchTools"):
        half.call(
            half.client(model, SingleBatchTools(kitchen.cook)),
            Request(user("hi"), tools=[own], tool_choice=choice),
        )
    assert model.requests == []


def test_s40_a_batch_needs_tools_of_distinct_names() -> None:
    cook = Kitchen().cook
    for tools, path in [((), "tools"), ((cook, cook), "tools[1]"), ((cook, None), "tools[1]")]:
        with pytest.raises(InvalidToolBatchError) as caught:
            SingleBatchTools(*tools)
        assert caught.value.path == path
        assert caught.value.problem
    assert isinstance(caught.value.__cause__, InvalidToolError)
    with pytest.raises(InvalidToolBatchError, match="on_error: 'ignore' is neither"):
        SingleBatchTools(cook, on_error="ignore")  # type: ignore[arg-type]


FAULTS = {
    "unknown": ToolCall("2", "fly", "{}"),
    "wrong type": ToolCall("2", "cook", '{"dish": 7}'),
    "twice": ToolCall("2", "cook", '{"dish": "a", "dish": "b"}'),
    "cut": ToolCall("2", "cook", '{"dish": "a'),
    "repeated id": cook("1", "rice"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_s41_one_call_at_fault_stops_the_batch_before_anything_runs(
    half: Half, kitchen: Kitchen, fault: str
) -> None:
    model = half.script([cook("1", "soup"), FAULTS[fault]], "never")
    with pytest.raises(InvalidToolProposalError) as caught:
        half.call(half.client(model, SingleBatchTools(kitchen.cook)), HUNGRY)
    error = caught.value
    assert isinstance(error, InvalidToolBatchError)
    assert error.path == "tool_calls[1]"
    assert error.call == FAULTS[fault]
    assert error.request == model.requests[0]
    assert error.proposal.tool_calls == (cook("1", "soup"), FAULTS[fault])
    told = {"unknown": "no tool 'fly'", "repeated id": "'1' is there twice"}
    assert told.get(fault, "cook: arguments") in str(error)
    about_arguments = fault in ("wrong type", "twice", "cut")
    assert (find_cause(error, InvalidInvocationError) is not None) == about_arguments
    assert (kitchen.ran, len(model.requests)) == ([], 1)


def test_s42_a_second_wish_for_tools_goes_to_the_caller(half: Half, kitchen: Kitchen) -> None:
    model = half.script(cook("1", "soup"), cook("2", "rice"), "never")
    response = half.call(half.client(model, SingleBatchTools(kitchen.cook)), HUNGRY)
    assert response == answer(cook("2", "rice"))
    assert (kitchen.ran, len(model.requests)) == (["soup"], 2)


@pytest.mark.parametrize("reason", ["stop", "length", "content_filter", "refusal", "other"])
def test_s43_a_call_is_authorised_by_the_finish_reason_alone(
    half: Half, kitchen: Kitchen, reason: Any
) -> None:
    given = answer(cook("1", "soup"), finish_reason=reason)
    model = half.script(given)
    assert half.call(half.client(model, SingleBatchTools(kitchen.cook)), HUNGRY) is given
    assert kitchen.ran == []


def test_s43_no_call_runs_nothing(half: Half, kitchen: Kitchen) -> None:
    given = answer("just words", finish_reason="tool_calls")
    model = half.script(given)
    assert half.call(half.client(model, SingleBatchTools(kitchen.cook)), HUNGRY) is given


def test_s44_a_failing_tool_leaves_what_was_done_on_the_error(half: Half, kitchen: Kitchen) -> None:
    inner = OSError("stove")
    failure = Failure("failed", "no fire", reason=inner)
    model = half.script([cook("1", "soup"), burn("2"), cook("3", "rice")], "never")
    tools = SingleBatchTools(kitchen.cook, kitchen.failing(failure))
    with pytest.raises(ToolBatchError) as caught:
        half.call(half.client(model, tools), HUNGRY)
    error = caught.value
    assert [(r.id, r.output.text()) for r in error.completed] == [("1", "soup cooked")]
    assert error.failed_call == burn("2")
    assert [outcome.state for outcome in error.outcomes] == ["completed", "failed", "not_started"]
    assert tuple(outcome.call for outcome in error.outcomes) == error.proposal.tool_calls
    assert [outcome.error for outcome in error.outcomes] == [None, failure, None]
    assert find_cause(error, Failure) is failure
    assert find_cause(error, OSError) is None
    assert error.request.messages[0].text() == "I am hungry."
    assert [d.name for d in error.request.tools] == ["cook", "burn"]
    assert error.proposal.tool_calls == (cook("1", "soup"), burn("2"), cook("3", "rice"))
    assert "call 2 of 3, burn (2), failed" in str(error)
    assert (kitchen.ran, len(model.requests)) == (["soup", "toast!"], 1)


def test_s45_an_output_that_is_none_is_a_failure_of_its_call(half: Half, kitchen: Kitchen) -> None:
    class Odd:
        definition = ToolDefinition(name="burn", input_schema={"type": "object"})

        def __init__(self, make: Any) -> None:
            self.make = make

        def call(self, invocation: Any) -> Any:
            return self.make()

    for make, problem in (
        (lambda: ToolOutput(details="{broken"), "details"),
        (lambda: None, "the tool returned NoneType, not ToolOutput"),
        (lambda: "burned", "the tool returned str, not ToolOutput"),
    ):
        model = half.script([cook("1", "soup"), burn("2")], "never")
        with pytest.raises(ToolBatchError) as caught:
            half.call(half.client(model, SingleBatchTools(kitchen.cook, Odd(make))), HUNGRY)
        assert find_cause(caught.value, InvalidToolOutputError)
        assert problem in str(caught.value)
        assert len(caught.value.completed) == 1


def test_s46_what_is_on_an_error_cannot_be_changed(half: Half, kitchen: Kitchen) -> None:
    model = half.script([cook("1", "soup"), burn("2")])
    tools = SingleBatchTools(kitchen.cook, kitchen.failing(RuntimeError("x")))
    with pytest.raises(ToolBatchError) as caught:
        half.call(half.client(model, tools), HUNGRY)
    error = caught.value
    for target, name in [
        (error.proposal, "output"),
        (error.request, "messages"),
        (error.completed[0], "output"),
        (error.failed_call, "arguments"),
        (error.outcomes[0], "state"),
    ]:
        with pytest.raises(AttributeError):
            setattr(target, name, None)


class PartialError(Exception):
    def __init__(self, response: Response) -> None:
        super().__init__("interrupted")
        self.response = response


def test_s47_a_failing_follow_up_keeps_all_results(half: Half, kitchen: Kitchen) -> None:
    partial = answer("Enj", finish_reason="length")
    interrupted = PartialError(partial)
    model = half.script([cook("1", "soup"), cook("2", "rice")], interrupted)
    with pytest.raises(ToolContinuationError) as caught:
        half.call(half.client(model, SingleBatchTools(kitchen.cook)), HUNGRY)
    error = caught.value
    assert error.response is partial
    assert find_cause(error, PartialError) is interrupted
    assert [(r.id, r.output.text()) for r in error.completed] == [
        ("1", "soup cooked"),
        ("2", "rice cooked"),
    ]
    assert error.request == model.requests[1]
    assert error.proposal.tool_calls == (cook("1", "soup"), cook("2", "rice"))
    assert "all 2 tools ran" in str(error)


def test_s48_the_request_of_the_error_goes_on_without_the_tools(
    half: Half, kitchen: Kitchen
) -> None:
    model = half.script(cook("1", "soup"), ConnectionError("cut"), "done")
    with pytest.raises(ToolContinuationError) as caught:
        half.call(half.client(model, SingleBatchTools(kitchen.cook)), HUNGRY)
    assert half.run(model.call(caught.value.request)).text() == "done"
    assert kitchen.ran == ["soup"]


def test_s49_a_batch_cannot_be_stacked(half: Half, kitchen: Kitchen) -> None:
    model = half.script("never")
    tools = SingleBatchTools(kitchen.cook)
    with pytest.raises(InvalidToolBatchError):
        half.call(half.client(model, tools, tools), HUNGRY)
    assert (kitchen.ran, model.requests) == ([], [])


def test_s50_a_recorder_sees_what_passes_its_place(half: Half, kitchen: Kitchen) -> None:
    class Recorder:
        """Keeps the roles of every finished exchange that passes."""

        def __init__(self) -> None:
            self.kept: list[list[str]] = []

        def __call__(self, below: Any) -> Any:
            def call(request: Request) -> Response:
                response: Response = below.call(request)
                return self.keep(request, response)

            async def call_async(request: Request) -> Response:
                return self.keep(request, await below.call(request))

            from chatport import AsyncFunctionModel, FunctionModel

            return AsyncFunctionModel(call_async) if half.asynchronous else FunctionModel(call)

        def keep(self, request: Request, response: Response) -> Response:
            self.kept.append([message.role for message in request.messages])
            return response

    outside, inside = Recorder(), Recorder()
    model = half.script(cook("1", "soup"), "Enjoy.")
    half.call(half.client(model, outside, SingleBatchTools(kitchen.cook), inside), HUNGRY)
    assert outside.kept == [["user"]]
    assert inside.kept == [["user"], ["user", "assistant", "tool"]]


def test_s51_a_guarded_tool_is_authorised_once_and_runs_once(half: Half, kitchen: Kitchen) -> None:
    asked: list[tuple[str, str]] = []

    def authorizer(authorization: Any) -> bool:
        asked.append((authorization.definition.name, authorization.arguments))
        return True

    model = half.script(cook("1", "soup"), "Enjoy.")
    half.call(half.client(model, SingleBatchTools(Guard(kitchen.cook, authorizer))), HUNGRY)
    assert asked == [("cook", '{"dish": "soup"}')]
    assert (kitchen.ran, len(model.requests)) == (["soup"], 2)


def test_a_batch_needs_a_request(half: Half, kitchen: Kitchen) -> None:
    model = half.script("never")
    with pytest.raises(InvalidToolBatchError, match="expected a Request, got NoneType"):
        half.run(SingleBatchTools(kitchen.cook)(model).call(None))
    assert model.requests == []


def test_the_first_call_fails_as_it_is(half: Half, kitchen: Kitchen) -> None:
    error = ConnectionError("cut")
    with pytest.raises(ConnectionError) as caught:
        half.call(half.client(half.script(error), SingleBatchTools(kitchen.cook)), HUNGRY)
    assert caught.value is error


def test_an_asynchronous_tool_needs_an_asynchronous_client() -> None:
    half = Half(asynchronous=False)
    model = half.script("never")
    tools = SingleBatchTools(Kitchen(asynchronous=True).cook)
    with pytest.raises(InvalidToolBatchError, match="cook is asynchronous; use AsyncClient"):
        half.call(half.client(model, tools), HUNGRY)
    with pytest.raises(InvalidToolBatchError, match="cook is asynchronous"):
        half.read(half.stream_client(model, tools).stream(HUNGRY), [])
    assert model.requests == []


# What the whole costs, and the rounds it took


SMALL, LARGE = Usage(input_tokens=10, output_tokens=2), Usage(input_tokens=30, output_tokens=5)


@pytest.mark.parametrize(
    ("first", "second", "total"),
    [
        (SMALL, LARGE, Usage(input_tokens=40, output_tokens=7)),
        (SMALL, None, SMALL),
        (None, LARGE, LARGE),
        (None, None, None),
    ],
)
def test_the_usage_of_both_calls_is_summed(
    half: Half, kitchen: Kitchen, first: Any, second: Any, total: Any
) -> None:
    script = [answer(cook("1", "soup"), usage=first), answer("Enjoy.", usage=second)]
    tools = SingleBatchTools(kitchen.cook)
    assert half.call(half.client(half.script(*script), tools), HUNGRY).usage == total
    stream = half.stream_client(half.script(*script), tools).stream(HUNGRY)
    assert half.run(stream.response()).usage == total


def test_the_first_response_can_be_had(half: Half, kitchen: Kitchen) -> None:
    given = answer("Wait.", cook("1", "soup"))
    model = half.script(given, "Enjoy.", given, "Enjoy.")
    tools = SingleBatchTools(kitchen.cook)
    with tool_rounds() as rounds:
        half.call(half.client(model, tools), HUNGRY)
        half.read(half.stream_client(model, tools).stream(HUNGRY), [])
    assert [type(item) for item in rounds] == [Round, Round]
    assert rounds[0].proposal == rounds[1].proposal == given
    assert rounds[0].request == model.requests[0]
    assert rounds[0].results[0].output.text() == "soup cooked"


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


# Typed output around tools


def test_a_typed_answer_after_tools(half: Half, kitchen: Kitchen) -> None:
    model = half.script(cook("1", "soup"), '{"done": true}', cook("2", "a"), cook("3", "b"))
    client = half.client(model, SingleBatchTools(kitchen.cook))
    assert half.output(client, HUNGRY, JSON(dict[str, bool])) == {"done": True}
    formats = {request.options.output_format for request in model.requests}
    assert len(formats) == 1
    with pytest.raises(OutputCompletionError) as caught:
        half.output(client, HUNGRY, JSON(dict[str, bool]))
    assert caught.value.finish_reason == "tool_calls"


# Rounds


def test_a_streamed_loop_sums_the_usage_of_all_rounds(half: Half, kitchen: Kitchen) -> None:
    script = [answer(cook(str(n), "x"), usage=SMALL) for n in range(3)]
    model = half.script(*script, answer("Enjoy.", usage=SMALL))
    stream = half.stream_client(model, ToolLoop(kitchen.cook)).stream(HUNGRY)
    assert half.run(stream.response()).usage == Usage(input_tokens=40, output_tokens=8)


def test_a_loop_runs_rounds_until_the_model_answers(half: Half, kitchen: Kitchen) -> None:
    script = [
        answer(cook("1", "soup"), usage=SMALL),
        answer(cook("2", "rice"), usage=SMALL),
        answer("Enjoy.", usage=SMALL),
    ]
    model = half.script(*script)
    response = half.call(half.client(model, ToolLoop(kitchen.cook)), HUNGRY)
    assert (response.text(), kitchen.ran) == ("Enjoy.", ["soup", "rice"])
    assert response.usage == Usage(input_tokens=30, output_tokens=6)
    roles = [message.role for message in model.requests[2].messages]
    assert roles == ["user", "assistant", "tool", "assistant", "tool"]


def test_a_loop_is_bounded_and_goes_on_from_its_request(half: Half, kitchen: Kitchen) -> None:
    model = half.script(cook("1", "a"), cook("2", "b"), cook("3", "c"), cook("4", "d"), "Enough.")
    client = half.client(model, ToolLoop(kitchen.cook, max_rounds=2))
    with pytest.raises(ToolLoopLimitError, match="after 2 rounds") as caught:
        half.call(client, HUNGRY)
    assert kitchen.ran == ["a", "b"]
    assert caught.value.response.tool_calls == (cook("3", "c"),)
    assert half.call(client, caught.value.request).text() == "Enough."
    assert kitchen.ran == ["a", "b", "d"]


def test_a_loop_goes_on_after_a_lost_connection(half: Half, kitchen: Kitchen) -> None:
    model = half.script(cook("1", "a"), cook("2", "b"), ConnectionError("cut"), "Enjoy.")
    client = half.client(model, ToolLoop(kitchen.cook))
    with pytest.raises(ToolContinuationError) as caught:
        half.call(client, HUNGRY)
    assert half.call(client, caught.value.request).text() == "Enjoy."
    assert kitchen.ran == ["a", "b"]


def test_a_loop_refuses_tools_that_are_not_its_own(half: Half, kitchen: Kitchen) -> None:
    other = ToolDefinition(name="x", input_schema={"type": "object"})
    client = half.client(half.script("never"), ToolLoop(kitchen.cook))
    with pytest.raises(InvalidToolBatchError):
        half.call(client, Request(user("hi"), tools=[other]))
    with pytest.raises(InvalidToolBatchError):
        half.call(
            client,
            Request(
                user("hi"), tools=[kitchen.cook.definition], tool_choice=ToolChoice("required")
            ),
        )


def test_what_a_batch_refuses_is_named_with_its_place_and_what_to_do() -> None:
    kitchen = Kitchen()
    half = Half(asynchronous=False)
    definition = kitchen.cook.definition

    @tool
    async def later() -> str:
        return "x"

    def use(request: Any, *tools: Any) -> None:
        half.call(half.client(half.script("never"), SingleBatchTools(*tools)), request)

    below = "to go on after an error, send its request to the model below this middleware"
    refusals: list[tuple[Callable[[], object], str, str]] = [
        (lambda: SingleBatchTools(), "tools", "give it at least one tool"),
        (lambda: use(HUNGRY, later), "tools", "later is asynchronous; use AsyncClient"),
        (lambda: use(HUNGRY.replace(tools=(definition,)), kitchen.cook), "tools", below),
        (
            lambda: SingleBatchTools(kitchen.cook)(half.script()).call("hi"),
            "",
            "expected a Request, got str",
        ),
    ]
    for refused, path, message in refusals:
        with pytest.raises(InvalidToolBatchError) as caught:
            refused()
        assert caught.value.path == path
        assert message in str(caught.value)
    named = HUNGRY.replace(tools=(definition,), tool_choice=ToolChoice("auto"))
    with pytest.raises(InvalidToolBatchError, match="the request has tool_choice") as caught:
        half.call(half.client(half.script("never"), ToolLoop(kitchen.cook)), named)
    assert caught.value.path == "tool_choice"


def test_a_loop_has_eight_rounds_unless_told_otherwise(kitchen: Kitchen) -> None:
    half = Half(asynchronous=False)
    model = half.script(*(cook(str(number), "soup") for number in range(9)))
    with pytest.raises(ToolLoopLimitError, match="after 8 rounds"):
        half.call(half.client(model, ToolLoop(Kitchen().cook)), HUNGRY)
    assert len(model.requests) == 9


@pytest.mark.parametrize("rounds", [0, -1, None, 1.5])
def test_a_loop_needs_a_count(rounds: Any) -> None:
    with pytest.raises(InvalidToolBatchError, match=f"max_rounds: {rounds!r} is not a count"):
        ToolLoop(Kitchen().cook, max_rounds=rounds)


# Streams


def shown(half: Half, client: Any, request: Request = HUNGRY) -> tuple[str, Response]:
    stream = client.stream(request)
    deltas: list[Any] = []
    half.read(stream, deltas)
    from chatport import collect

    return "".join(delta.text() for delta in deltas), collect(deltas)


def test_a_streamed_batch_runs_the_tools_and_goes_on(half: Half, kitchen: Kitchen) -> None:
    given = answer("Wait.", cook("1", "soup"), " Soon.")
    model = half.script(given, "Enjoy.")
    text, response = shown(half, half.stream_client(model, SingleBatchTools(kitchen.cook)))
    assert text == "Wait. Soon.Enjoy."
    assert response.tool_calls == ()
    assert response.finish_reason == "stop"
    assert kitchen.ran == ["soup"]
    assert results_of(model.requests[1]) == [("1", "soup cooked", False)]
    assert model.requests[1].messages[1] == given.message
    assert model.closed == 2


def test_a_streamed_answer_without_tools_is_passed_on_as_it_comes(
    half: Half, kitchen: Kitchen
) -> None:
    model = half.script("A text that takes more than one delta.")
    client = half.stream_client(model, SingleBatchTools(kitchen.cook))
    seen = half.read(client.stream(HUNGRY), [], limit=1)
    assert len(seen) == 1
    assert model.closed == 1


def test_a_streamed_call_that_is_not_authorised_is_passed_on(half: Half, kitchen: Kitchen) -> None:
    given = answer(cook("1", "soup"), finish_reason="stop")
    client = half.stream_client(half.script(given), SingleBatchTools(kitchen.cook))
    assert shown(half, client)[1] == given
    given = answer(cook("2", "rice"))
    client = half.stream_client(
        half.script(cook("1", "soup"), given), SingleBatchTools(kitchen.cook)
    )
    assert shown(half, client)[1] == given


def test_json_is_streamed_only_from_the_answer_it_is_in(half: Half, kitchen: Kitchen) -> None:
    given = answer("Let me see. ", cook("1", "soup"), usage=SMALL)
    client = half.stream_client(
        half.script(given, answer('{"done": true}', usage=LARGE)), SingleBatchTools(kitchen.cook)
    )
    assert half.run(client.output(HUNGRY, JSON(dict[str, bool])).result()) == {"done": True}
    client = half.stream_client(half.script('{"done": false}'), SingleBatchTools(kitchen.cook))
    assert half.run(client.output(HUNGRY, JSON(dict[str, bool])).result()) == {"done": False}


def test_a_streamed_follow_up_that_breaks_keeps_the_results(half: Half, kitchen: Kitchen) -> None:
    from chatport import IncompleteStreamError, ResponseDelta, TextDelta

    for broken in (
        [ResponseDelta(TextDelta("Enj")), ConnectionError("cut")],
        [ResponseDelta(TextDelta("Enj"))],
    ):
        model = half.script(cook("1", "soup"), broken)
        stream = half.stream_client(model, SingleBatchTools(kitchen.cook)).stream(HUNGRY)
        with pytest.raises(ToolContinuationError) as caught:
            half.read(stream, [])
        assert [result.id for result in caught.value.completed] == ["1"]
        assert caught.value.request == model.requests[1]
        assert caught.value.proposal == answer(cook("1", "soup"))
        assert str(caught.value).endswith(str(caught.value.__cause__))
        assert isinstance(caught.value.__cause__, (ConnectionError, IncompleteStreamError))
        assert stream.text() == "Enj"


def test_a_streamed_follow_up_that_breaks_tells_what_had_come(half: Half, kitchen: Kitchen) -> None:
    from chatport import ResponseDelta, TextDelta

    interrupted = PartialError(answer("Enj", finish_reason="length"))
    as_json = HUNGRY.replace(options=Options(output_format=JSONFormat()))
    for layer, wanted, seen in (
        (SingleBatchTools(kitchen.cook), HUNGRY, "Enj"),
        (ToolLoop(kitchen.cook), as_json, ""),  # held until it is known to be the last
    ):
        model = half.script(cook("1", "soup"), [ResponseDelta(TextDelta("Enj")), interrupted])
        stream = half.stream_client(model, layer).stream(wanted)
        with pytest.raises(ToolContinuationError) as caught:
            half.read(stream, [])
        assert caught.value.response is interrupted.response
        assert caught.value.__cause__ is interrupted
        assert caught.value.partial == assistant("Enj")
        assert stream.text() == seen
    model = half.script(cook("1", "soup"), [interrupted])
    with pytest.raises(ToolContinuationError) as caught:
        half.read(half.stream_client(model, SingleBatchTools(kitchen.cook)).stream(HUNGRY), [])
    assert caught.value.partial is None


def test_a_streamed_tool_that_fails_raises_the_same_error(half: Half, kitchen: Kitchen) -> None:
    tools = SingleBatchTools(kitchen.cook, kitchen.failing(RuntimeError("x")))
    model = half.script([cook("1", "soup"), burn("2")], "never")
    with pytest.raises(ToolBatchError) as caught:
        half.read(half.stream_client(model, tools).stream(HUNGRY), [])
    assert len(caught.value.completed) == 1
    model = half.script(ConnectionError("first"))
    with pytest.raises(ConnectionError):
        half.read(half.stream_client(model, tools).stream(HUNGRY), [])


def test_a_streamed_loop_runs_rounds_and_is_bounded(half: Half, kitchen: Kitchen) -> None:
    model = half.script(cook("1", "a"), cook("2", "b"), "Enjoy.")
    client = half.stream_client(model, ToolLoop(kitchen.cook, max_rounds=2))
    assert shown(half, client)[0] == "Enjoy."
    assert kitchen.ran == ["a", "b"]
    model = half.script(cook("1", "c"), cook("2", "d"))
    client = half.stream_client(model, ToolLoop(kitchen.cook, max_rounds=1))
    seen: list[Any] = []
    with pytest.raises(ToolLoopLimitError) as caught:
        half.read(client.stream(HUNGRY), seen)
    assert [part for delta in seen for part in delta.parts] == []
    assert caught.value.request == model.requests[1]
    assert kitchen.ran == ["a", "b", "c"]


class Pulled:
    """Counts the deltas that have been asked of a streamer's answers."""

    def __init__(self, half: Half, *answers: list[Any]) -> None:
        self.counts: list[int] = []
        remaining = list(answers)

        def stream(request: Request) -> Any:
            position = len(self.counts)
            self.counts.append(0)
            for delta in remaining.pop(0):
                self.counts[position] += 1
                yield delta

        self.streamer = half.streamer(stream)


def texts(*pieces: str, reason: Any = "stop") -> list[Any]:
    from chatport import ResponseDelta, TextDelta

    return [
        *(ResponseDelta(TextDelta(piece)) for piece in pieces),
        ResponseDelta(finish_reason=reason),
    ]


def wish(reason: Any = "tool_calls") -> list[Any]:
    from chatport import ResponseDelta, ToolCallDelta

    return [
        ResponseDelta(ToolCallDelta(cook("1", "soup"))),
        ResponseDelta(finish_reason=reason),
    ]


def test_text_is_passed_on_before_the_next_is_there(half: Half, kitchen: Kitchen) -> None:
    tools = SingleBatchTools(kitchen.cook)
    first = Pulled(half, texts("a", "b", "c"))
    half.read(half.stream_client(first.streamer, tools).stream(HUNGRY), [], limit=1)
    assert first.counts == [1]
    second = Pulled(half, wish(), texts("a", "b", "c"))
    half.read(half.stream_client(second.streamer, tools).stream(HUNGRY), [], limit=1)
    assert second.counts == [2, 1]


def test_json_of_the_last_answer_is_passed_on_as_it_comes(half: Half, kitchen: Kitchen) -> None:
    tools = SingleBatchTools(kitchen.cook)
    pulled = Pulled(half, wish(), texts('{"a"', ": 1", "}"))
    client = half.stream_client(pulled.streamer, tools)
    half.read(client.output(HUNGRY, JSON(dict[str, int])), [], limit=1)
    assert pulled.counts == [2, 1]
    first = Pulled(half, texts('{"a"', ": 1", "}"))
    client = half.stream_client(first.streamer, tools)
    half.read(client.output(HUNGRY, JSON(dict[str, int])), [], limit=1)
    assert first.counts == [4]


def test_the_calls_of_a_last_answer_are_passed_on_as_they_come(
    half: Half, kitchen: Kitchen
) -> None:
    pulled = Pulled(half, wish(), wish())
    client = half.stream_client(pulled.streamer, SingleBatchTools(kitchen.cook))
    seen = half.read(client.stream(HUNGRY), [], limit=1)
    assert pulled.counts == [2, 1]
    assert seen[0].parts


def test_metadata_of_a_round_is_passed_on(half: Half, kitchen: Kitchen) -> None:
    given = answer(cook("1", "soup"))
    assert given.message is not None
    marked = given.message.replace(metadata={"mark": 1})
    given = given.replace(output=given.output.replace(message=marked))
    model = half.script(given, "Enjoy.")
    stream = half.stream_client(model, SingleBatchTools(kitchen.cook)).stream(HUNGRY)
    message = half.run(stream.response()).message
    assert message is not None
    assert message.metadata == {"mark": 1}


def test_the_middleware_names_its_tools() -> None:
    made = SingleBatchTools(Kitchen().cook, SchemaTool(str, name="put", schema={"type": "object"}))
    assert repr(made) == "SingleBatchTools(cook, put)"
    assert assistant("x").text() == "x"
    assert Options() == Options()
