"""Typed output around tools, rounds of them, and streams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chatport import (
    JSON,
    InvalidToolBatchError,
    JSONFormat,
    Options,
    OutputCompletionError,
    Request,
    Response,
    SchemaTool,
    SingleBatchTools,
    ToolBatchError,
    ToolChoice,
    ToolContinuationError,
    ToolDefinition,
    ToolLoop,
    ToolLoopLimitError,
    Usage,
    assistant,
    tool,
    user,
)
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
    texts,
)

from .conftest import Half

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
