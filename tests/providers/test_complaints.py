"""Forty complaints that people made in public about clients of this kind, and what is right.

`RIGHT` is the table; each row has its number in the name of its test. Those about wires run over
one, on every wire where the row makes sense on it.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import pydantic
import pytest
import stamina
from typing_extensions import TypedDict

import chatport
from chatport import (
    JSON,
    AsyncStreamClient,
    CallCancelledError,
    ChatError,
    Client,
    Guard,
    InvalidOutputError,
    InvalidOutputFormatError,
    InvalidTemplateError,
    JSONSchema,
    Options,
    OutputCompletionError,
    ReasoningPart,
    Request,
    Response,
    ResponseDelta,
    SingleBatchTools,
    StreamClient,
    Template,
    TextDelta,
    ToolBatchError,
    ToolCall,
    ToolCallPart,
    ToolChoice,
    ToolDefinition,
    UnsupportedOptionError,
    acollect,
    collect,
    interrupted_batch,
    retry,
    timeout,
    tool,
    tool_results,
    user,
)
from chatport.chat import ToolOutput, ToolResult
from chatport.providers import errors
from chatport.providers.transport import Timeouts
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
    numbered = re.findall(r"^def test_(\d\d)_", Path(__file__).read_text("utf-8"), re.MULTILINE)
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


# Typed answers


@dataclass
class Person:
    name: str
    age: int


PERSON = JSONSchema(Person, name="person")


@every_wire
@pytest.mark.parametrize(
    ("text", "finish"), [('{"name": "Ada"', "stop"), ('{"name": 3, "age": 3}', "stop")]
)
def test_17_a_wrong_answer_raises_with_all_there_is_to_know(
    wire: Wire, text: str, finish: str
) -> None:
    sent = wire.reply(Said((text,), finish=finish), False)
    with Canned(sent) as server, wire.model(server.url) as model:
        client = Client(model)
        with pytest.raises(InvalidOutputError) as failed:
            client.output(HELLO, PERSON)
    response = failed.value.response
    assert response is not None
    assert (response.text(), response.finish_reason) == (text, finish)
    assert failed.value.__cause__ is not None


@pytest.mark.parametrize("name", ["chat", "responses", "messages"])
@pytest.mark.parametrize("form", [JSON(Person), PERSON, JSON(dict)], ids=["json", "schema", "dict"])
def test_18_a_refusal_is_a_refusal_on_every_path(name: str, form: Any) -> None:
    wire = WIRES[name]
    if name == "messages":
        form = PERSON  # which has no other way to ask for JSON but a tool
    for streams in (False, True):
        refused = wire.reply(Said((), refusal="I cannot."), streams)
        with Canned(refused) as server, wire.model(server.url) as model:
            whole, stream = Client(model), StreamClient(model)
            asked = [lambda: stream.output(HELLO, form).result()]  # noqa: B023 (called at once)
            asked += [] if streams else [lambda: whole.output(HELLO, form)]  # noqa: B023
            with pytest.raises(OutputCompletionError) as failed:
                asked[-1]()
        assert (failed.value.refusal, failed.value.finish_reason) == ("I cannot.", "refusal")


def test_19_every_error_derives_from_one_base() -> None:
    offered = [getattr(chatport, name) for name in chatport.__all__ if name.endswith("Error")]
    offered += [kind for name, kind in vars(errors).items() if name.endswith("Error")]
    assert len(offered) > 50
    # One that cancels is not to be caught with the others.
    others = {kind for kind in offered if not issubclass(kind, ChatError)}
    assert {kind.__name__ for kind in others} <= {"CallCancelledError", "CallTimeoutError"}


class Open(pydantic.BaseModel):
    name: str
    rest: dict[str, Any]


def test_20_an_open_object_is_sent_as_one() -> None:
    text = '{"name": "Ada", "rest": {"any": [1, {"deep": true}]}}'
    wire = WIRES["chat"]
    with Canned(wire.reply(Said((text,)), False)) as server, wire.model(server.url) as model:
        value = Client(model).output(HELLO, JSONSchema(Open))
        sent = server.exchanges[0].body["response_format"]["json_schema"]
    assert value.rest == {"any": [1, {"deep": True}]}
    assert "strict" not in sent
    assert sent["schema"]["properties"]["rest"].get("additionalProperties") is not False


class Defaulted(pydantic.BaseModel):
    name: str
    age: int = 36


def test_21_a_type_is_checked_when_it_is_bound() -> None:
    with pytest.raises(InvalidOutputFormatError):
        JSONSchema(Client)
    wire = WIRES["chat"]
    for kind, strict in ((Person, True), (Defaulted, False)):
        text = '{"name": "Ada", "age": 36}'
        with Canned(wire.reply(Said((text,)), False)) as server, wire.model(server.url) as model:
            Client(model).output(HELLO, JSONSchema(kind))
            sent = server.exchanges[0].body["response_format"]["json_schema"]
        assert sent.get("strict", False) is strict


def test_22_the_whole_is_validated_once_at_its_end() -> None:
    seen: list[Any] = []

    class Checked(pydantic.BaseModel):
        name: str
        nick: str | None

        @pydantic.model_validator(mode="before")
        @classmethod
        def see(cls, data: Any) -> Any:
            seen.append(data)
            return data

    pieces = ['{"na', 'me": "Ad', 'a", "nick"', ": null}"]
    deltas = [*(ResponseDelta(TextDelta(piece)) for piece in pieces)]
    model = ScriptedModel([*deltas, ResponseDelta(finish_reason="stop")])
    steps = list(StreamClient(model).output(ASK, JSON(Checked)))
    assert len(seen) == 1
    assert all(isinstance(step.value, dict) for step in steps if isinstance(step, chatport.Partial))
    (last,) = [step.value for step in steps if isinstance(step, chatport.Complete)]
    assert (last.name, last.nick) == ("Ada", None)


def test_23_a_check_that_breaks_off_lets_nothing_through() -> None:
    ran: list[str] = []

    @tool
    def wipe(path: str) -> str:
        ran.append(path)
        return "gone"

    def broken(authorization: Any) -> bool:
        raise KeyError("missing")

    call = ToolCall("1", "wipe", '{"path": "/"}')
    tools = SingleBatchTools(Guard(wipe, broken))
    with pytest.raises(ToolBatchError):
        Client(ScriptedModel(call), middleware=[tools]).call(ASK)
    assert ran == []


class Typed(TypedDict):
    name: str
    age: int


class Model(pydantic.BaseModel):
    name: str
    age: int


class Struct(msgspec.Struct):
    name: str
    age: int


@pytest.mark.parametrize("form", [JSON, JSONSchema])
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *((kind, '{"name":"Ada","age":36}') for kind in (Person, Typed, Model, Struct)),
        (list[str], '["a"]'),
        (int, "3"),
        (Literal["yes", "no"], '"yes"'),
        (list[Person], '[{"name":"Ada","age":36}]'),
    ],
)
def test_24_a_value_may_be_of_any_type(form: Any, kind: Any, text: str) -> None:
    value = Client(ScriptedModel(text)).output(ASK, form(kind))
    assert msgspec.json.decode(pydantic.TypeAdapter(kind).dump_json(value) if kind is not Struct
                               else msgspec.json.encode(value)) == json.loads(text)  # fmt: skip


# Providers


OPAQUE: dict[str, tuple[list[dict[str, Any]], str]] = {
    "responses": (
        [
            {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "b3BhcXVl+/=="},
            {
                "id": "fc_1",
                "type": "function_call",
                "status": "completed",
                "call_id": "c1",
                "name": "weather",
                "arguments": "{}",
            },
        ],
        "b3BhcXVl+/==",
    ),
    "messages": (
        [
            {"type": "thinking", "thinking": "Hm.", "signature": "b3BhcXVl+/=="},
            {"type": "redacted_thinking", "data": "aGlkZGVu"},
            {"type": "tool_use", "id": "c1", "name": "weather", "input": {}},
        ],
        "b3BhcXVl+/==",
    ),
    "gemini": (
        [
            {"text": "Hm.", "thought": True},
            {
                "functionCall": {"name": "weather", "args": {}},
                "thoughtSignature": "b3BhcXVlIGJ5dGVz",
            },
        ],
        "b3BhcXVlIGJ5dGVz",
    ),
}


@pytest.mark.parametrize("name", OPAQUE)
def test_25_what_a_provider_wants_back_goes_back(name: str) -> None:
    wire, (parts, opaque) = WIRES[name], OPAQUE[name]
    whole = wire.whole()
    if name == "responses":
        whole["output"] = parts
    elif name == "messages":
        whole |= {"content": parts, "stop_reason": "tool_use"}
    else:
        whole["candidates"][0]["content"]["parts"] = parts
    request = Request(user("Hi"), tools=[WEATHER])
    replies = (Reply((document(whole),)), wire.reply(Said(), False))
    with Canned(*replies) as server, wire.model(server.url) as model:
        message = model.call(request).message
        assert any(isinstance(part, ReasoningPart) for part in message.parts)
        (call,) = [part.tool_call for part in message.parts if isinstance(part, ToolCallPart)]
        result = tool_results(ToolResult(call.id, call.name, ToolOutput.of_text("Rain.")))
        model.call(Request(*request.messages, message, result, tools=[WEATHER]))
        sent = server.exchanges[1].content.decode()
    assert sent.count(opaque) == 1
    if name == "messages":
        assert sent.count("aGlkZGVu") == 1


LACKING = [
    ("chat", Options(top_k=3), "options.top_k"),
    ("responses", Options(stop=["x"]), "options.stop"),
    ("messages", Options(frequency_penalty=0.5), "options.frequency_penalty"),
    ("messages", Options(extensions={"openai/seed": 1}), "openai/seed"),
    ("gemini", Options(extensions={"anthropic/x": 1}), "anthropic/x"),
]


@pytest.mark.parametrize(("name", "options", "place"), LACKING)
def test_26_what_a_provider_does_not_have(name: str, options: Options, place: str) -> None:
    wire = WIRES[name]
    with Canned(wire.reply(Said(), False)) as server, wire.model(server.url) as model:
        for ask in (model.call, lambda request: collect(model.stream(request))):
            with pytest.raises(UnsupportedOptionError) as refused:
                ask(HELLO.replace(options=options))
            assert place in str(refused.value)
        assert server.exchanges == ()


MATRIX = [
    Options(max_output_tokens=7),
    Options(max_output_tokens=9, output_format=JSONSchema(Person).contract),
    Options(temperature=0.5, top_p=0.5, max_output_tokens=7),
]


@every_wire
@pytest.mark.parametrize("options", MATRIX)
@pytest.mark.parametrize("choice", [None, ToolChoice("required"), ToolChoice("named", "weather")])
def test_27_one_request_for_all_paths(
    wire: Wire, options: Options, choice: ToolChoice | None
) -> None:
    if wire is WIRES["messages"] and options.temperature is not None:
        options = options.replace(temperature=None, top_p=None)  # its models have none
    request = Request(user("Hi"), tools=[WEATHER], tool_choice=choice, options=options)
    sent = []
    for name, ask in wire.ways().items():
        with Canned(wire.reply(Said(), "stream" in name)) as server:
            ask(server.url, request)
            body = server.exchanges[0].body
        for only_streams in ("stream", "stream_options"):
            body.pop(only_streams, None)
        sent.append(body)
    assert sent == [sent[0]] * 4
    assert sent[0]


def test_28_streams_are_asked_for_their_usage() -> None:
    wire = WIRES["chat"]
    whole = {"prompt_tokens": 3, "completion_tokens": 4, "novelty": 5}
    events = wire.events()
    told = event({"choices": [], "usage": whole})
    with Canned(streamed(*events[:-2], told, events[-1])) as server:
        response = wire.ways()["stream"](server.url)
        assert server.exchanges[0].body["stream_options"] == {"include_usage": True}
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.output_tokens) == (3, 4)
    assert response.metadata.extra["openai/usage"] == whole


# Time


def test_29_a_deadline_for_all_attempts_together() -> None:
    now = [0.0]

    def model(request: Request) -> Response:
        now[0] += 30
        raise ConnectionError

    layers = [timeout(45, clock=lambda: now[0]), retry(attempts=9)]
    with stamina.set_testing(True, attempts=9), pytest.raises(TimeoutError):
        Client(chatport.FunctionModel(model), middleware=layers).call(ASK)
    assert now[0] == 60


@every_wire
def test_30_and_a_time_for_each(wire: Wire) -> None:
    silent = Reply((b"",), delay=5.0)
    with (
        stamina.set_testing(True, attempts=3),
        Canned(silent, silent, wire.reply(Said(), False)) as server,
        wire.model(server.url, timeouts=Timeouts(total=0.1)) as model,
    ):
        response = Client(model, middleware=[retry(attempts=3)]).call(HELLO)
        assert response.text() == "one two"
        assert len(server.exchanges) == 3


# Importing


def modules_after(program: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(run.stdout.split())


def test_31_importing_costs_little() -> None:
    bare = modules_after("")
    assert len(modules_after("import chatport") - bare) <= 5
    assert len(modules_after("from chatport import Client, Request, user") - bare) <= 100


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini"])
def test_32_with_any_provider(name: str) -> None:
    made = f"import chatport; chatport.model('{name}:m', key='k')"
    added = modules_after(made) - modules_after("")
    assert len(added) <= 200
    assert added.isdisjoint({"pydantic", "httpx2", "asyncio.base_events", name})


def test_33_importing_asks_no_network() -> None:
    program = (
        "import socket\n"
        "def refuse(*given): raise SystemExit('the network was asked')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "import chatport, chatport.providers, chatport.client, chatport.tools, chatport.chat\n"
        "[getattr(chatport, name) for name in chatport.__all__]\n"
        "[chatport.model(f'{name}:m', key='k') for name in ('openai', 'anthropic', 'gemini')]"
    )
    assert "chatport.providers.gemini.codec" in modules_after(program)


def test_34_the_command_line_loads_what_a_command_needs() -> None:
    program = (
        "import contextlib, io, sys\n"
        "from chatport.cli import main\n"
        "sys.argv = ['chatport', '--help']\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    main()"
    )
    loaded = modules_after(program)
    heavy = {"chatport.providers", "chatport.port.planner", "rich", "pydantic", "httptools"}
    assert loaded.isdisjoint(heavy)


# Memory, loops, types


@every_wire
def test_35_streams_leave_nothing_behind(wire: Wire) -> None:
    async def run(url: str) -> None:
        async with wire.async_model(url) as model:
            for _ in range(30):
                async for _ in AsyncStreamClient(model).stream(HELLO):
                    pass
                stream = AsyncStreamClient(model).stream(HELLO)
                await anext(aiter(stream))
                await stream.aclose()

    with Canned(wire.reply(Said(), True)) as server:
        held = []
        for _ in range(3):
            asyncio.run(run(server.url))
            server._exchanges.clear()
            assert eventually(lambda: server.connections == 0)
            gc.collect()
            held.append(len(gc.get_objects()))
    assert held[2] - held[1] < 300


@every_wire
def test_36_a_model_owns_its_connections(wire: Wire) -> None:
    with Canned(wire.reply(Said(), False)) as server:
        with wire.model(server.url) as shared:
            clients = [Client(shared) for _ in range(5)]
            assert [client.call(HELLO).text() for client in clients] == ["one two"] * 5
        assert {exchange.connection for exchange in server.exchanges} == {1}
        assert eventually(lambda: server.connections == 0)
        forgotten = [wire.model(server.url)]
        forgotten[0].call(HELLO)
        with pytest.warns(ResourceWarning, match="close"):
            forgotten.clear()


@every_wire
def test_37_no_event_loop_is_hidden(wire: Wire) -> None:
    async def run(url: str, model: Any) -> tuple[str, str]:
        with wire.model(url) as blocking:
            return blocking.call(HELLO).text(), (await model.call(HELLO)).text()

    with Canned(wire.reply(Said(), False)) as server:
        model = wire.async_model(server.url)
        for _ in range(3):
            assert asyncio.run(run(server.url, model)) == ("one two", "one two")


def test_38_any_sequence_is_taken() -> None:
    def messages() -> Iterator[chatport.Message]:
        yield user("a")
        yield user("b")

    tools = [WEATHER]
    requests = [
        Request(*messages(), tools=tools, options=Options(stop=["x"])),
        Request(*[user("a"), user("b")], tools=tuple(tools), options=Options(stop=("x",))),
        Request(*messages(), tools=iter(tools), options=Options(stop=iter("x"))),  # type: ignore[arg-type]
    ]
    assert len(set(requests)) == 1
    tools.clear()
    assert requests[0].tools == (WEATHER,)
    assert isinstance(requests[0].messages, tuple)
    assert requests[0].options.stop == ("x",)


def test_39_braces_and_values_are_text() -> None:
    assert user('{"json": {x}}').text() == '{"json": {x}}'
    template = Template('{"json": {x}} {{ name }}')
    assert template.names == {"name"}
    assert template.render({"name": "{{ name }}{% for %}"}) == '{"json": {x}} {{ name }}{% for %}'
    with pytest.raises(InvalidTemplateError, match="name"):
        template.render({})
    with pytest.raises(InvalidTemplateError, match="other"):
        template.require("other")
    with pytest.raises(InvalidTemplateError):
        Template("{{ name ")


@every_wire
def test_40_errors_are_of_their_class(wire: Wire) -> None:
    told = document({"error": {"message": "boom"}})
    refused = Reply((told,), 429, headers=(("retry-after", "7"),))
    ask = wire.ways()["call"]
    error = failing(ask, refused, errors.RateLimitedError)
    assert (error.status, error.retry_after, error.message) == (429, 7.0, "boom")
    lost = failing(ask, Reply(cut=-1), errors.TransportError)
    assert lost.__cause__ is not None
