"""One batch of tools: what is run, what is refused, and what an error keeps of it."""

from __future__ import annotations

from typing import Any

import pytest

from chatport import (
    Failure,
    Guard,
    InvalidInvocationError,
    InvalidToolBatchError,
    InvalidToolError,
    InvalidToolOutputError,
    InvalidToolProposalError,
    Request,
    Response,
    Round,
    SingleBatchTools,
    ToolBatchError,
    ToolCall,
    ToolChoice,
    ToolContinuationError,
    ToolDefinition,
    ToolOutput,
    Usage,
    tool_rounds,
    user,
)
from chatport.chat import find_cause
from chatport.testing import answer
from tests.client.batches import (
    HUNGRY,
    LARGE,
    SMALL,
    Kitchen,
    PartialError,
    burn,
    cook,
    results_of,
)

from .conftest import Half


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
