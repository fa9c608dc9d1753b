"""What a type checker sees. Checked by mypy in `test_examples`; not run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, assert_type

import msgspec
import pydantic
from typing_extensions import TypedDict

from chatport import (
    JSON,
    AsyncClient,
    AsyncStreamClient,
    Client,
    Complete,
    JSONSchema,
    Options,
    OutputFormat,
    Partial,
    Request,
    Response,
    ResponseDelta,
    SingleBatchTools,
    StreamClient,
    Template,
    Text,
    ToolCall,
    ToolOutput,
    assistant,
    tool,
    user,
)
from chatport.chat import AsyncModel, AsyncStreamer, Message, Model, Streamer, wrap
from chatport.testing import AsyncScriptedModel, ScriptedModel


@dataclass
class Data:
    value: int


class BaseModel(pydantic.BaseModel):
    value: int


class Struct(msgspec.Struct):
    value: int


class Dict(TypedDict):
    value: int


request = Request(user("?"), options=Options(temperature=0.5, stop=["\n"]))
client = Client(ScriptedModel("x"), middleware=[SingleBatchTools()])
streams = StreamClient(ScriptedModel("x"), middleware=[SingleBatchTools()])


def calls() -> None:
    assert_type(client.call(request), Response)
    assert_type(client.output(request, Text()), str)
    assert_type(client.output(request, JSON(Data)), Data)
    assert_type(client.output(request, JSONSchema(Data, name="data")), Data)
    assert_type(client.output(request, JSON(BaseModel)), BaseModel)
    assert_type(client.output(request, JSON(Struct)), Struct)
    assert_type(client.output(request, JSON(Dict)), Dict)
    assert_type(client.output(request, JSON(list[int])), list[int])
    assert_type(JSON(Data), OutputFormat[Data])


def reads() -> None:
    for delta in streams.stream(request):
        assert_type(delta, ResponseDelta)
    with streams.stream(request) as stream:
        assert_type(stream.response(), Response)
    for step in streams.output(request, JSON(Data)):
        assert_type(step, Partial | Complete[Data])
        if isinstance(step, Complete):
            assert_type(step.value, Data)
    assert_type(streams.output(request, JSON(Data)).result(), Data)


async def asynchronous() -> None:
    later = AsyncClient(AsyncScriptedModel("x"), middleware=[SingleBatchTools()])
    assert_type(await later.call(request), Response)
    assert_type(await later.output(request, JSON(Data)), Data)
    late = AsyncStreamClient(AsyncScriptedModel("x"), middleware=[SingleBatchTools()])
    async for delta in late.stream(request):
        assert_type(delta, ResponseDelta)
    assert_type(await late.output(request, JSON(Data)).result(), Data)


@tool
def plain(x: int, y: Literal["a"] = "a") -> str:
    return f"{x}{y}"


@tool(name="late", parallel=True)
async def late(x: int) -> ToolOutput:
    return ToolOutput.of_text(str(x))


def tools() -> None:
    assert_type(plain(1, y="a"), str)
    SingleBatchTools(plain, late)
    assert_type(assistant(ToolCall("1", "x")), Message)


def middleware(below: Model) -> Model:
    return below


def wrapped(stream: AsyncStreamer, call: AsyncModel, flow: Streamer) -> None:
    assert_type(wrap(ScriptedModel("x"), middleware, None), Model)
    assert_type(wrap(call, SingleBatchTools()), AsyncModel)
    assert_type(wrap(stream, SingleBatchTools()), AsyncStreamer)
    assert_type(wrap(flow, SingleBatchTools()), Streamer)


def prompts() -> None:
    prompt = Template("{{ x }}")
    assert_type(prompt.render({"x": 1}), str)
    assert_type(prompt.user_message({"x": 1}), Message)


def items(deltas: Iterator[ResponseDelta]) -> str:
    return "".join(delta.text() for delta in deltas)
