"""Forty complaints that people made in public about clients of this kind, and what is right.

`RIGHT` is the table; each row has its number in the name of its test. Those about wires run over
one, on every wire where the row makes sense on it.
"""

from __future__ import annotations

import asyncio
import gc
import re
from pathlib import Path
from typing import Any

import pytest
import stamina

from chatport import (
    AsyncStreamClient,
    CallCancelledError,
    Client,
    Request,
    Response,
    SingleBatchTools,
    StreamClient,
    ToolBatchError,
    ToolCall,
    ToolCallPart,
    ToolDefinition,
    acollect,
    collect,
    interrupted_batch,
    retry,
    tool,
    user,
)
from chatport.providers import errors
from chatport.testing import ScriptedModel
from chatport.testing.loopback import Reply, document, event
from chatport.testing.openai_server import plain
from tests.providers.test_faults import failing, kept
from tests.providers.test_transport_connections import eventually
from tests.providers.wires import (
    HELLO,
    WIRES,
    Ask,
    Canned,
    Said,
    Wire,
    dropped,
    every_stream,
    every_wire,
    streamed,
)

RIGHT = {
    1: "a stream without a last word raises; the partial text and its cost are on the error",
    2: "only the provider's own word ends an answer: neither the body's end nor [DONE] does",
    3: "a stream that was read gives its connection back",
    4: "closing a stream early is silent, happens once, and in the caller's task",
    5: "a stream is an object with close; one that is forgotten makes no noise",
    6: "nothing is repeated after the first delta",
    7: "synchronous and asynchronous models raise the same error",
    8: "text and calls of one answer are both kept, in their order",
    9: "another id is another call, with or without an index",
    10: "chunks without choices or a role are read",
    11: "a call is complete at its end, and not before",
    12: "text before a call does not end the round, streamed or not",
    13: "one error holds every call of a batch with its state and result",
    14: "a cancelled batch keeps what was finished and says what is unknown",
    15: "a failing call is its own affair when the caller says so",
    16: "streamed and plain answers are the same value, which always has a JSON form",
    17: "a wrong answer raises with the text, the cause and the reason it ended",
    18: "a refusal is a refusal on every path",
    19: "every error derives from one base",
    20: "an open object is sent as one, not as an empty one",
    21: "a type is checked when it is bound; strict mode is asked only for what it takes",
    22: "partial values are plain data; the whole is validated once, at its end",
    23: "a check that breaks off lets nothing through",
    24: "a value may be of any type that has a JSON form",
    25: "what a provider wants back goes back byte for byte",
    26: "what a provider does not have is an error before anything is sent",
    27: "one request is made for all paths",
    28: "streams are asked for their usage, and what it holds is kept",
    29: "there is a deadline for all attempts together",
    30: "and a time for each, which is not the budget of all",
    31: "importing costs little",
    32: "with any provider",
    33: "importing asks no network",
    34: "the command line loads what a command needs",
    35: "streams leave nothing behind",
    36: "a model owns its connections, and says so when it is forgotten",
    37: "no event loop is hidden, and none is the last",
    38: "any sequence is taken, and an immutable one comes back",
    39: "braces are text unless they are a template, and values are never read again",
    40: "errors are of their class, with status, time to wait, and cause",
}


def test_every_complaint_has_its_test() -> None:
    files = sorted(Path(__file__).parent.glob("test_complaints*.py"))
    numbered = [
        number
        for file in files
        for number in re.findall(r"^def test_(\d\d)_", file.read_text("utf-8"), re.MULTILINE)
    ]
    assert sorted(map(int, set(numbered))) == list(RIGHT)


ASK = Request(user("hello"))
WEATHER = ToolDefinition(
    name="weather",
    input_schema={"type": "object", "properties": {"city": {"type": "string"}}},
)


@tool
def weather(city: str = "nowhere") -> str:
    """The weather in a city."""
    return f"Rain in {city}."


# Streaming


@every_stream
def test_01_a_stream_without_a_last_word(wire: Wire, ask: Ask) -> None:
    sent = streamed(*wire.events()[: -wire.ending])
    error = failing(ask, sent, errors.CutStreamError)
    assert kept(error) == "one two"
    if wire in (WIRES["messages"], WIRES["gemini"]):  # which tell the cost as they go
        assert error.usage is not None
        assert error.usage.input_tokens > 0


@pytest.mark.parametrize("done", [False, True])
def test_02_only_the_providers_word_ends_an_answer(done: bool) -> None:
    chunks = [
        {"choices": [{"index": 0, "delta": {"content": "one "}, "finish_reason": finish}]}
        for finish in (None, "stop")
    ]
    for way in ("stream", "async stream"):
        ask = WIRES["chat"].ways()[way]
        error = failing(ask, plain(chunks[0], done=done), errors.CutStreamError)
        assert kept(error) == "one "
        with Canned(plain(*chunks, done=done)) as server:
            assert ask(server.url).finish_reason == "stop"


@every_wire
def test_03_a_read_stream_gives_its_connection_back(wire: Wire) -> None:
    async def run(url: str) -> None:
        async with wire.async_model(url) as model:
            for _ in range(3):
                await acollect(model.stream(HELLO))

    with Canned(wire.reply(Said(), True)) as server:
        with wire.model(server.url) as model:
            for _ in range(3):
                collect(model.stream(HELLO))
        asyncio.run(run(server.url))
        used = [exchange.connection for exchange in server.exchanges]
    assert used == [1, 1, 1, 2, 2, 2]


@every_wire
def test_04_closing_early_is_silent(wire: Wire) -> None:
    async def run(url: str) -> list[Any]:
        heard: list[Any] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: heard.append(context))
        async with wire.async_model(url) as model:
            stream = AsyncStreamClient(model).stream(HELLO)
            await anext(aiter(stream))
            tasks = asyncio.all_tasks()
            await stream.aclose()
            await stream.aclose()
            assert asyncio.all_tasks() == tasks
            with pytest.raises(StopAsyncIteration):
                await anext(aiter(stream))
        return heard

    with Canned(wire.reply(Said(), True)) as server:
        assert asyncio.run(run(server.url)) == []
        assert eventually(lambda: server.connections == 0)


@every_wire
def test_05_a_forgotten_stream_makes_no_noise(wire: Wire, recwarn: pytest.WarningsRecorder) -> None:
    async def run(url: str) -> list[Any]:
        heard: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, told: heard.append(told))
        async with wire.async_model(url) as model:
            async for _ in AsyncStreamClient(model).stream(HELLO):
                break
            gc.collect()
            await asyncio.sleep(0.01)
        return heard

    with Canned(wire.reply(Said(), True)) as server:
        assert asyncio.run(run(server.url)) == []
        with wire.model(server.url) as model:
            stream = StreamClient(model).stream(HELLO)
            next(iter(stream))
            assert callable(stream.close)
            del stream
            gc.collect()
        assert eventually(lambda: server.connections == 0)
    assert [str(one.message) for one in recwarn] == []


@every_wire
def test_06_nothing_is_repeated_after_the_first_delta(wire: Wire) -> None:
    ran: list[str] = []

    @tool
    def save(note: str) -> str:
        ran.append(note)
        return "saved"

    said = Said(("one ",), (("a", "save", '{"note": "milk"}'),))
    events = wire.events(said)
    cut_off = dropped(streamed(*events[: -wire.ending]))
    heard: list[str] = []
    with stamina.set_testing(True, attempts=5), Canned(cut_off) as server:
        with wire.model(server.url) as model:
            middleware = [retry(attempts=5), SingleBatchTools(save)]
            client = StreamClient(model, middleware=middleware)
            with pytest.raises(errors.TransportError):
                heard += [delta.text() for delta in client.stream(HELLO)]
        assert len(server.exchanges) == 1
    assert ran == []


FAULTS: dict[str, Any] = {
    "no connection": lambda wire: Reply(cut=-1),
    "busy": lambda wire: Reply((document(wire.fault),), 503),
    "told in a stream": lambda wire: streamed(wire.events()[0], event(wire.fault, "error")),
    "cut": lambda wire: dropped(streamed(*wire.events()[:-1])),
    "not json": lambda wire: streamed(b"data: {\n\n"),
}


@every_wire
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_07_the_same_error_with_and_without_a_loop(wire: Wire, fault: Any) -> None:
    said = []
    for way in ("stream", "async stream"):
        with Canned(fault(wire)) as server:
            with pytest.raises(errors.ProviderError) as failed:
                wire.ways()[way](server.url)
            error = failed.value
            told = str(error).replace(server.url, "")
        facts = type(error), told, error.status, error.code, error.partial, error.usage
        said.append(facts)
    assert said[0] == said[1]


# Putting answers together


@every_stream
def test_08_text_and_calls_are_both_kept(wire: Wire, ask: Ask) -> None:
    said = Said(("one ", "two"), (("a", "weather", '{"city": "Oslo"}'),))
    with Canned(wire.reply(said, True)) as server:
        response = ask(server.url)
    assert response.text() == "one two"
    assert response.message is not None
    assert isinstance(response.message.parts[-1], ToolCallPart)
    assert response.finish_reason == "tool_calls"


@pytest.mark.parametrize("index", [{}, {"index": 0}], ids=["no index", "always the first"])
def test_09_another_id_is_another_call(index: dict[str, int]) -> None:
    def chunk(identity: str, arguments: str) -> dict[str, Any]:
        call = {"id": identity, "function": {"name": "f", "arguments": arguments}, **index}
        return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}

    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    sent = plain(chunk("a", '{"a":1}'), chunk("b", '{"b":2}'), end)
    with Canned(sent) as server:
        message = WIRES["chat"].ways()["stream"](server.url).message
    assert message is not None
    made = [part.tool_call for part in message.parts if isinstance(part, ToolCallPart)]
    assert made == [ToolCall("a", "f", '{"a":1}'), ToolCall("b", "f", '{"b":2}')]


def test_10_chunks_without_choices_or_a_role() -> None:
    sent = plain(
        {"choices": []},
        {"choices": None},
        {},
        {"choices": [{"index": 0, "delta": {"content": "Hi."}}]},
        {"choices": [{"index": 0, "delta": None, "finish_reason": "stop"}]},
        {"choices": [], "usage": None},
    )
    with Canned(sent) as server:
        assert WIRES["chat"].ways()["stream"](server.url).text() == "Hi."


@every_wire
def test_11_a_call_is_complete_at_its_end(wire: Wire) -> None:
    ran: list[str] = []

    @tool
    def save(note: str = "nothing") -> str:
        ran.append(note)
        return "saved"

    call = Said((), (("a", "save", '{"note": "milk"}'),))
    with (
        Canned(wire.reply(call, True), wire.reply(Said(("Saved.",)), True)) as server,
        wire.model(server.url) as model,
    ):
        client = StreamClient(model, middleware=[SingleBatchTools(save)])
        assert client.stream(HELLO).response().text() == "Saved."
    assert ran == ["milk"]


# Tools


@every_wire
@pytest.mark.parametrize("pieces", [("Let me see. ",), ("",)])
def test_12_text_before_a_call_does_not_end_the_round(wire: Wire, pieces: tuple[str]) -> None:
    call = Said(pieces, (("a", "weather", '{"city": "Oslo"}'),))
    last = Said(("Rain.",))
    for streams in (False, True):
        replies = (wire.reply(call, streams), wire.reply(last, streams))
        with Canned(*replies) as server, wire.model(server.url) as model:
            middleware = [SingleBatchTools(weather)]
            if streams:
                text = StreamClient(model, middleware=middleware).stream(HELLO).response().text()
            else:
                text = Client(model, middleware=middleware).call(HELLO).text()
            assert len(server.exchanges) == 2
            assert b"Rain in Oslo." in server.exchanges[1].content
        assert text.endswith("Rain.")


def failing_tool(error: BaseException) -> Any:
    @tool
    def fail() -> str:
        raise error

    return fail


THREE = [ToolCall(i, name, "{}") for i, name in [("1", "weather"), ("2", "fail"), ("3", "weather")]]


def test_13_one_error_holds_every_call() -> None:
    tools = SingleBatchTools(weather, failing_tool(RuntimeError("down")))
    with pytest.raises(ToolBatchError) as failed:
        Client(ScriptedModel(THREE), middleware=[tools]).call(ASK)
    told = [(one.call.id, one.state, one.result is not None) for one in failed.value.outcomes]
    assert told == [("1", "completed", True), ("2", "failed", False), ("3", "not_started", False)]
    assert str(failed.value.outcomes[1].error) == "down"


def test_14_a_cancelled_batch_keeps_what_was_finished() -> None:
    tools = SingleBatchTools(weather, failing_tool(CallCancelledError("enough")))
    with pytest.raises(CallCancelledError) as cancelled:
        Client(ScriptedModel(THREE), middleware=[tools]).call(ASK)
    state = interrupted_batch(cancelled.value)
    assert state is not None
    assert [one.state for one in state.outcomes] == ["completed", "unknown", "not_started"]
    assert [result.id for result in state.completed] == ["1"]
    assert state.proposal.tool_calls == tuple(THREE)


def test_15_a_failing_call_is_its_own_affair() -> None:
    tools = SingleBatchTools(weather, failing_tool(RuntimeError("secret")), on_error="report")
    model = ScriptedModel(THREE, "Sorry.")
    assert Client(model, middleware=[tools]).call(ASK).text() == "Sorry."
    sent = model.requests[1].to_json()
    assert sent.count(b"Rain in nowhere.") == 2
    assert b"secret" not in sent


@every_wire
def test_16_streamed_and_plain_answers_are_the_same_value(wire: Wire) -> None:
    said = Said(("one ", "two"), (("a", "weather", '{"city":"Oslo"}'),))
    made = []
    for streams in (False, True):
        with Canned(wire.reply(said, streams)) as server, wire.model(server.url) as model:
            if streams:
                response = StreamClient(model).stream(HELLO).response()
            else:
                response = Client(model).call(HELLO)
        assert Response.from_json(response.to_json()) == response
        made.append(response)
    assert made[0].output.message == made[1].output.message
    assert made[0].finish_reason == made[1].finish_reason
    assert made[0].usage == made[1].usage
