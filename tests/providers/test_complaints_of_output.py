"""Typed answers and providers: the complaints that `test_complaints` lists, from 17 on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
import pydantic
import pytest
from typing_extensions import TypedDict

import chatport
from chatport import (
    JSON,
    ChatError,
    Client,
    Guard,
    InvalidOutputError,
    InvalidOutputFormatError,
    JSONSchema,
    Options,
    OutputCompletionError,
    ReasoningPart,
    Request,
    ResponseDelta,
    SingleBatchTools,
    StreamClient,
    TextDelta,
    ToolBatchError,
    ToolCall,
    ToolCallPart,
    ToolChoice,
    UnsupportedOptionError,
    collect,
    tool,
    tool_results,
    user,
)
from chatport.chat import ToolOutput, ToolResult
from chatport.providers import errors
from chatport.testing import ScriptedModel
from chatport.testing.loopback import Reply, document, event
from tests.providers.test_complaints import ASK, WEATHER
from tests.providers.wires import (
    HELLO,
    WIRES,
    Canned,
    Said,
    Wire,
    every_wire,
    streamed,
)


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
