"""Every fault a wire can have, on every wire, in every way there is to ask."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from chatport import ChatError, ToolCallPart, acollect
from chatport.chat import Request, user
from chatport.providers import errors
from chatport.providers.transport import Timeouts
from chatport.testing.loopback import Reply, document
from tests.providers.test_leaks import more_objects
from tests.providers.test_transport_connections import eventually
from tests.providers.wires import (
    HELLO,
    WIRES,
    Ask,
    Canned,
    Said,
    Wire,
    dropped,
    every_call,
    every_stream,
    every_way,
    every_wire,
    holding,
    streamed,
)

KEY = "sk-very-secret-key"


def failing(ask: Ask, reply: Reply, kind: type[ChatError], **settings: Any) -> errors.ProviderError:
    """The error, exactly of this class, and with nothing of the connection left."""
    with Canned(reply) as server:
        with pytest.raises(kind) as failed:
            ask(server.url, key=KEY, **settings)
        assert eventually(lambda: server.connections == 0)
    assert type(failed.value) is kind
    assert isinstance(failed.value, errors.ProviderError)
    assert failed.value.provider in str(failed.value)
    assert KEY not in str(failed.value)
    return failed.value


def kept(error: errors.ProviderError) -> str:
    """The text that had come before an error."""
    return "" if error.partial is None else error.partial.text()


@every_way
def test_a_good_answer_is_read_so_that_the_faults_are_faults(
    wire: Wire, ask: Ask, streams: bool
) -> None:
    with Canned(wire.reply(Said(), streams)) as server:
        response = ask(server.url)
    assert (response.text(), response.finish_reason) == ("one two", "stop")


@every_way
def test_a_connection_cut_before_the_head(wire: Wire, ask: Ask, streams: bool) -> None:
    error = failing(ask, Reply(cut=-1), errors.TransportError)
    assert error.retryable
    assert error.__cause__ is not None


@every_call
def test_a_connection_cut_in_the_middle_of_a_body(wire: Wire, ask: Ask) -> None:
    body = document(wire.whole())
    failing(ask, dropped(Reply((body[: len(body) // 2],))), errors.TransportError)


@every_stream
def test_a_connection_cut_in_the_middle_of_an_event(wire: Wire, ask: Ask) -> None:
    events = wire.events()
    second = holding(events, "two")
    sent = dropped(streamed(*events[:second]), events[second][:-20])
    assert kept(failing(ask, sent, errors.TransportError)) == "one "


@every_stream
def test_a_connection_cut_in_the_middle_of_a_character(wire: Wire, ask: Ask) -> None:
    events = wire.events(Said(("one ", "x\u00e9y")))
    second = holding(events, "x\u00e9y")
    raw = events[second].replace(b"\\u00e9", "é".encode())
    sent = dropped(streamed(*events[:second]), raw[: raw.index(b"\xc3") + 1])
    assert kept(failing(ask, sent, errors.TransportError)) == "one "


@every_stream
def test_a_character_that_comes_in_two_pieces_is_whole(wire: Wire, ask: Ask) -> None:
    events = wire.events(Said(("one ", "x\u00e9y")))
    raw = b"".join(events).replace(b"\\u00e9", "é".encode())
    cut = raw.index(b"\xc3") + 1
    with Canned(streamed(raw[:cut], raw[cut:], pause=0.01)) as server:
        assert ask(server.url).text() == "one xéy"


@every_way
@pytest.mark.parametrize("body", [b"<html>Sign in</html>", b"", b"null", b"[]", b'{"a": "'])
def test_a_page_instead_of_json(wire: Wire, ask: Ask, streams: bool, body: bytes) -> None:
    failing(ask, Reply((body,), kind="text/html"), errors.UnexpectedAnswerError)
    failing(ask, Reply((body,)), errors.UnexpectedAnswerError)


@every_way
def test_an_error_with_status_200(wire: Wire, ask: Ask, streams: bool) -> None:
    assert "boom" in str(failing(ask, Reply((document(wire.fault),)), wire.told))


@every_stream
@pytest.mark.parametrize("named", [b"event: error\n", b""], ids=["named", "nameless"])
def test_an_error_inside_a_stream(wire: Wire, ask: Ask, named: bytes) -> None:
    events = wire.events()
    second = holding(events, "two")
    fault = named + b"data: " + document(wire.fault) + b"\n\n"
    error = failing(ask, streamed(*events[:second], fault), wire.told)
    assert (kept(error), error.message) == ("one ", "boom")


@every_stream
def test_an_event_that_is_no_json(wire: Wire, ask: Ask) -> None:
    events = wire.events()
    second = holding(events, "two")
    sent = streamed(*events[:second], b'data: {"broken\n\n', *events[second:])
    assert kept(failing(ask, sent, errors.UnexpectedAnswerError)) == "one "


@every_way
@pytest.mark.parametrize(("told", "seconds"), [(None, None), ("7", 7.0), ("0.5", 0.5)])
def test_status_429(
    wire: Wire, ask: Ask, streams: bool, told: str | None, seconds: float | None
) -> None:
    headers = () if told is None else (("retry-after", told),)
    refused = Reply((document({"error": {"message": "slow down"}}),), 429, headers=headers)
    error = failing(ask, refused, errors.RateLimitedError)
    assert (error.status, error.retry_after) == (429, seconds)
    assert error.retryable


@every_way
@pytest.mark.parametrize("body", [b"", b"<html>", b'{"error": {"message": "busy"}}'])
def test_status_529(wire: Wire, ask: Ask, streams: bool, body: bytes) -> None:
    error = failing(ask, Reply((body,), 529), errors.OverloadedError)
    assert error.status == 529
    assert error.retryable


@every_way
def test_ten_megabytes_in_one_piece(wire: Wire, ask: Ask, streams: bool) -> None:
    text = "x" * 10_000_000
    with Canned(wire.reply(Said((text,)), streams)) as server:
        assert ask(server.url).text() == text


@every_stream
def test_a_stream_that_ends_before_its_last_word(wire: Wire, ask: Ask) -> None:
    sent = streamed(*wire.events()[: -wire.ending])
    error = failing(ask, sent, errors.CutStreamError)
    assert kept(error) == "one two"
    assert error.retryable


@every_stream
def test_a_stream_without_a_single_event(wire: Wire, ask: Ask) -> None:
    failing(ask, streamed(b": nothing\n\n"), errors.CutStreamError)


@every_stream
def test_fragments_of_two_calls_that_cross(wire: Wire, ask: Ask) -> None:
    calls = (("a", "f", '{"n": 1}'), ("b", "g", '{"n": 2}'))
    with Canned(wire.reply(Said((), calls), True)) as server:
        response = ask(server.url)
    assert response.message is not None
    made = [part.tool_call for part in response.message.parts if isinstance(part, ToolCallPart)]
    assert [(call.name, json.loads(call.arguments)) for call in made] == [
        ("f", {"n": 1}),
        ("g", {"n": 2}),
    ]
    assert len({call.id for call in made}) == 2
    assert response.finish_reason == "tool_calls"


@every_stream
def test_what_the_server_says_besides_is_no_fault(wire: Wire, ask: Ask) -> None:
    unknown = b'event: novelty\ndata: {"type": "novelty", "object": "novelty"}\n\n'
    body = [piece for one in wire.events() for piece in (b": still here\n\n", one)]
    with Canned(streamed(unknown, *body)) as server:
        assert ask(server.url).text() == "one two"


@every_stream
def test_a_server_that_sends_a_byte_now_and_then(wire: Wire, ask: Ask) -> None:
    trickle = streamed(wire.events()[0], *[b":"] * 100, pause=0.05)
    failing(ask, trickle, errors.TimeoutError, timeouts=Timeouts(read=10.0, total=0.3))


@every_call
def test_a_body_that_comes_a_byte_now_and_then(wire: Wire, ask: Ask) -> None:
    trickle = Reply(tuple([b" "] * 100), pause=0.05)
    failing(ask, trickle, errors.TimeoutError, timeouts=Timeouts(read=10.0, total=0.3))


@every_way
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_to_another_host(wire: Wire, ask: Ask, streams: bool, status: int) -> None:
    with Canned(wire.reply(Said(), streams)) as other:
        elsewhere = other.url.replace("127.0.0.1", "localhost") + "/v1"
        sent = Reply(status=status, headers=(("location", elsewhere),))
        error = failing(ask, sent, errors.RedirectError)
        assert other.exchanges == ()
    assert "localhost" in str(error)


@every_way
@pytest.mark.parametrize("key", ["sk-a\n", "sk-a\r\nx-admin: 1", "sk-\u00e9"])
def test_a_key_that_cannot_travel(wire: Wire, ask: Ask, streams: bool, key: str) -> None:
    with Canned(wire.reply(Said(), streams)) as server:
        with pytest.raises(errors.AuthenticationError) as refused:
            ask(server.url, key=key)
        assert server.exchanges == ()
    assert key.strip() not in str(refused.value)


@every_wire
@pytest.mark.parametrize("streams", [False, True], ids=["call", "stream"])
def test_cancellation_at_every_step(wire: Wire, streams: bool) -> None:
    async def run(url: str) -> None:
        async with wire.async_model(url) as model:
            for steps in range(60):
                asked = acollect(model.stream(HELLO)) if streams else model.call(HELLO)
                task = asyncio.create_task(asked)
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.wait([task])
                assert task.cancelled() or task.result().text() == "one two"
                await asyncio.sleep(0)
                assert asyncio.all_tasks() == {asyncio.current_task()}
            asked = acollect(model.stream(HELLO)) if streams else model.call(HELLO)
            assert (await asked).text() == "one two"

    with Canned(wire.reply(Said(), streams)) as server:
        asyncio.run(run(server.url))
        assert eventually(lambda: server.connections == 0)


@every_wire
def test_a_thousand_streams_at_once(wire: Wire) -> None:
    async def run(url: str) -> None:
        async with wire.async_model(url) as model:

            async def one(number: int) -> str:
                return (await acollect(model.stream(Request(user(f"number {number}"))))).text()

            assert await asyncio.gather(*map(one, range(1000))) == ["one two"] * 1000
            assert asyncio.all_tasks() == {asyncio.current_task()}

    with Canned(wire.reply(Said(), True)) as server:

        def work() -> None:
            asyncio.run(run(server.url))
            asked = [exchange.content for exchange in server.exchanges]
            assert len(set(asked)) == 1000
            server._exchanges.clear()
            assert eventually(lambda: server.connections == 0)

        assert more_objects(work) < 1000


def test_arguments_that_are_no_json_are_kept_as_they_came() -> None:
    broken = '{"city": "Os'
    for name in ("chat", "responses"):
        wire = WIRES[name]
        for streams in (False, True):
            with Canned(wire.reply(Said((), (("a", "f", broken),)), streams)) as server:
                response = wire.ways()["stream" if streams else "call"](server.url)
            assert response.message is not None
            (part,) = response.message.parts
            assert isinstance(part, ToolCallPart)
            assert part.tool_call.arguments == broken
    wire = WIRES["messages"]
    events = wire.events(Said((), (("a", "f", '{"city": "Oslo"}'),)))
    last = next(place for place, one in enumerate(events) if b"slo" in one or b'lo\\"}' in one)
    with Canned(streamed(*events[:last], *events[last + 1 :])) as server:
        response = wire.ways()["stream"](server.url)
    assert response.message is not None
    (part,) = response.message.parts
    assert isinstance(part, ToolCallPart)
    assert not part.tool_call.arguments.endswith("}")


def test_calls_without_ids_are_given_the_same_ones_each_time() -> None:
    wire = WIRES["gemini"]
    said = Said((), (("", "f", '{"n": 1}'), ("", "f", '{"n": 2}')))
    seen = set()
    for name, ask in wire.ways().items():
        with Canned(wire.reply(said, "stream" in name)) as server:
            message = ask(server.url).message
        assert message is not None
        ids = [part.tool_call.id for part in message.parts if isinstance(part, ToolCallPart)]
        assert len(set(ids)) == 2
        seen.add(tuple(ids))
    assert len(seen) == 1


@every_stream
def test_a_slow_server_is_no_fault(wire: Wire, ask: Ask) -> None:
    with Canned(replace(wire.reply(Said(), True), pause=0.01)) as server:
        assert ask(server.url, timeouts=Timeouts(read=5.0, total=5.0)).text() == "one two"
