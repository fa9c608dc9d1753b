"""Where other clients give a wrong answer without a word, or lose what was done.

Each row is a trouble that was measured or reported in clients of this kind, with what is right.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pydantic
import pytest

from chatport import (
    JSON,
    AsyncClient,
    ChatError,
    Failure,
    FunctionTool,
    IncompleteStreamError,
    InvalidOutputError,
    OutputCompletionError,
    RefusalDelta,
    Request,
    ResponseDelta,
    SingleBatchTools,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
    retry,
    timeout,
    tool,
    user,
)
from chatport.testing import AsyncScriptedModel, ScriptedModel, answer

from .conftest import Half

ASK = Request(user("hello"))


class Person(pydantic.BaseModel):
    name: str
    age: int


def test_a_stream_that_ends_without_saying_so_is_no_answer(half: Half) -> None:
    for deltas in ([], [ResponseDelta(TextDelta("cut te"))]):
        streamer = half.streamer(lambda request, deltas=deltas: (delta for delta in deltas))
        with pytest.raises(IncompleteStreamError):
            half.read(half.stream_client(streamer).stream(ASK), [])


def test_an_answer_cut_by_its_length_says_so_in_its_type(half: Half) -> None:
    model = half.script(answer("cut te", finish_reason="length"))
    assert half.call(half.client(model), ASK).finish_reason == "length"


@pytest.mark.parametrize(
    ("deltas", "refusal", "reason"),
    [
        ([ResponseDelta(RefusalDelta("I can"), finish_reason=None)], "I cannot", "refusal"),
        ([], "not", "stop"),
    ],
)
def test_a_refusal_is_a_refusal_streamed_or_not(
    half: Half, deltas: list[ResponseDelta], refusal: str, reason: Any
) -> None:
    rest = refusal.removeprefix("I can") if deltas else refusal
    steps = [*deltas, ResponseDelta(RefusalDelta(rest), finish_reason=reason)]
    with pytest.raises(OutputCompletionError) as called:
        half.output(half.client(half.script(steps)), ASK, JSON(Person))
    stream = half.stream_client(half.script(steps)).output(ASK, JSON(Person))
    with pytest.raises(OutputCompletionError) as streamed:
        half.run(stream.result())
    assert called.value.refusal == streamed.value.refusal == refusal


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Ada", "age": "36"}',
        '{"name": "Ada", "age": 36, "extra": 1}',
        '{"name": "Ada"}',
        '```json\n{"name": "Ada", "age": 36}\n```',
        '{"name": "Ada", "age"',
        "null",
    ],
)
def test_a_wrong_answer_is_an_error_of_ours_with_its_cause(half: Half, text: str) -> None:
    with pytest.raises(InvalidOutputError) as caught:
        half.output(half.client(half.script(text)), ASK, JSON(Person))
    assert caught.value.__cause__ is not None
    assert caught.value.response is not None
    assert isinstance(caught.value, ChatError)


def test_a_call_streamed_in_pieces_runs_once_and_only_when_whole(half: Half) -> None:
    ran: list[dict[str, Any]] = []

    @tool
    def save(note: str = "nothing") -> str:
        ran.append({"note": note})
        return "saved"

    pieces = ["", '{"no', 'te": "mi', 'lk"}']
    deltas = [
        ResponseDelta(TextDelta("Let me see.")),
        *(ResponseDelta(ToolCallDelta(ToolCall("1", "save", piece))) for piece in pieces),
        ResponseDelta(finish_reason="tool_calls"),
    ]
    for kind in (half.client, half.stream_client):
        client = kind(half.script(deltas, "Saved."), SingleBatchTools(save))
        if kind == half.client:
            assert half.call(client, ASK).text() == "Saved."
        else:
            assert half.run(client.stream(ASK).response()).text() == "Let me see.Saved."
    assert ran == [{"note": "milk"}, {"note": "milk"}]


def test_text_before_a_call_does_not_end_the_round(half: Half) -> None:
    save: FunctionTool[[], str] = tool(name="save")(lambda: "saved")
    given = answer("First I save it.", ToolCall("1", "save"))
    client = half.client(half.script(given, "Done."), SingleBatchTools(save))
    assert half.call(client, ASK).text() == "Done."


def test_no_exceptions_text_reaches_the_model_by_accident(half: Half) -> None:
    @tool
    def query(q: str) -> str:
        raise RuntimeError(f"password in {q}")

    @tool
    def refuse(q: str) -> str:
        raise Failure("failed", reason=RuntimeError("password"))

    calls = [ToolCall("1", "query", '{"q": "x"}'), ToolCall("2", "refuse", '{"q": "x"}')]
    model = half.script(calls, "Sorry.")
    half.call(half.client(model, SingleBatchTools(query, refuse, on_error="report")), ASK)
    assert b"password" not in model.requests[1].to_json()


def test_an_answer_without_usage_is_an_answer(half: Half) -> None:
    assert half.call(half.client(half.script("x")), ASK).usage is None
    assert half.call(half.client(half.script(answer("x", usage=Usage()))), ASK).usage == Usage()


def test_a_total_deadline_bounds_all_attempts(half: Half) -> None:
    now = [0.0]

    def model(request: Request) -> Any:
        now[0] += 30
        raise ConnectionError

    client = half.client(half.model(model), timeout(45, clock=lambda: now[0]), retry(attempts=9))
    import stamina

    with stamina.set_testing(True, attempts=9), pytest.raises(TimeoutError):
        half.call(client, ASK)
    assert now[0] == 60


def test_a_client_lives_through_several_event_loops() -> None:
    client = AsyncClient(AsyncScriptedModel("a", "b", "c"))
    assert [asyncio.run(client.call(ASK)).text() for _ in "abc"] == ["a", "b", "c"]


def test_an_abandoned_asynchronous_stream_is_closed_without_a_noise() -> None:
    model = AsyncScriptedModel("one two three four five six")

    async def main() -> None:
        from chatport import AsyncStreamClient

        async for _ in AsyncStreamClient(model, middleware=[retry]).stream(ASK):
            break
        gc.collect()
        await asyncio.sleep(0)

    asyncio.run(main())
    assert model.closed == 1


def test_lists_and_tuples_of_anything_suitable_are_taken() -> None:
    from chatport import Client, Options

    request = Request(*[user("a"), user("b")], options=Options(stop=("x", "y")))
    assert Client(ScriptedModel("x"), middleware=(retry,)).call(request).text() == "x"
    assert Client(ScriptedModel("x"), middleware=iter([retry])).call(request).text() == "x"
