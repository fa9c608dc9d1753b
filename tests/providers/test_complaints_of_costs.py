"""Time, imports, memory, loops, types: complaints that `test_complaints` lists, from 29 on."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import stamina

import chatport
from chatport import (
    AsyncStreamClient,
    Client,
    InvalidTemplateError,
    Options,
    Request,
    Response,
    Template,
    retry,
    timeout,
    user,
)
from chatport.providers import errors
from chatport.providers.transport import Timeouts
from chatport.testing.loopback import Reply, document
from tests.providers.test_complaints import ASK, WEATHER
from tests.providers.test_faults import failing
from tests.providers.test_transport_connections import eventually
from tests.providers.wires import (
    HELLO,
    Canned,
    Said,
    Wire,
    every_wire,
)


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
