"""Twenty-four awkward answers that most clients of this kind get wrong, and what is right of each.

`PROBES` is the table; each row has its number in the name of its test. They run over a real wire,
and on every wire and in every way to ask where the row makes sense there.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import stamina

from chatport import (
    Client,
    InvalidOutputError,
    InvalidToolProposalError,
    JSONSchema,
    OutputCompletionError,
    RefusalPart,
    Request,
    SingleBatchTools,
    StreamClient,
    ToolBatchError,
    acollect,
    collect,
    retry,
    tool,
    user,
)
from chatport.providers import errors
from chatport.testing.loopback import Reply, document
from tests.providers.test_faults import failing, kept
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

PROBES = {
    1: "a stream that ends cleanly without its last word is an error with the partial answer",
    2: "a stream whose connection is dropped is an error of ours with the partial answer",
    3: "an error that comes as an event is an error of ours with the partial answer",
    4: "an event of broken JSON is an error of ours, not a decoder's",
    5: "comments, CRLF, no blank after the colon, odd line ends in a text, cut characters: read",
    6: "an answer without an answer in it is an error of ours",
    7: "a page of HTML with status 200 is an error of ours",
    8: "an answer that does not say what it cost is an answer of unknown cost",
    9: "a text that was cut or filtered is flagged in the type",
    10: "an answer of nothing is told from an empty text",
    11: "a refusal is one, and its words are not lost",
    12: "a call is made once; how often it is repeated is said and seen",
    13: "a typed answer cut by its length is an error that names the length",
    14: "a typed answer that is refused is an error with the refusal",
    15: "a number as text is refused where a number is wanted",
    16: "a member nobody asked for is refused, or let through when that is said",
    17: "a member that is missing is an error of ours that keeps its cause",
    18: "JSON in a fence is refused, and that is written down",
    19: "arguments that are cut JSON are typed and can be gone on from",
    20: "a tool nobody knows is typed and can be gone on from",
    21: "ten streams read to their ends make one connection",
    22: "one client works in one event loop after the other",
    23: "streams left to the garbage collector stop nobody",
    24: "of three tools at once of which one fails, the results of the others are kept",
}


def test_every_probe_has_its_test() -> None:
    numbered = re.findall(r"^def test_(\d\d)_", Path(__file__).read_text("utf-8"), re.MULTILINE)
    assert sorted(map(int, set(numbered))) == list(PROBES)


@dataclass
class Person:
    name: str
    age: int


ADA = '{"name": "Ada", "age": 36}'
PERSON = JSONSchema(Person, name="person")


@every_stream
def test_01_the_end_without_a_last_word(wire: Wire, ask: Ask) -> None:
    sent = streamed(*wire.events()[: -wire.ending])
    assert kept(failing(ask, sent, errors.CutStreamError)) == "one two"


@every_stream
def test_02_a_dropped_connection(wire: Wire, ask: Ask) -> None:
    events = wire.events()
    sent = dropped(streamed(*events[: holding(events, "two")]))
    assert kept(failing(ask, sent, errors.TransportError)) == "one "


@every_stream
def test_03_an_error_as_an_event(wire: Wire, ask: Ask) -> None:
    events = wire.events()
    fault = b"event: error\ndata: " + document(wire.fault) + b"\n\n"
    sent = streamed(*events[: holding(events, "two")], fault)
    assert kept(failing(ask, sent, wire.told)) == "one "


@every_stream
def test_04_broken_json_in_an_event(wire: Wire, ask: Ask) -> None:
    events = wire.events()
    sent = streamed(*events[: holding(events, "two")], b"data: {broken\n\n")
    assert kept(failing(ask, sent, errors.UnexpectedAnswerError)) == "one "


@every_stream
def test_05_everything_that_server_sent_events_may_be(wire: Wire, ask: Ask) -> None:
    words = "a\u2028b\x85c\u000bd 日本語 🦜"
    body = b"".join(b": ping\n\n" + one for one in wire.events(Said((words,))))
    body = body.replace(json.dumps(words).encode(), json.dumps(words, ensure_ascii=False).encode())
    body = body.replace(b"data: ", b"data:").replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    assert b"\xe2\x80\xa8" in body
    with Canned(streamed(*[body[at : at + 7] for at in range(0, len(body), 7)])) as server:
        assert ask(server.url).text() == words


EMPTY: dict[str, list[Any]] = {
    "chat": [{"choices": []}, {"choices": None}, {}],
    "responses": [{"object": "response"}, {}],
    "messages": [{"type": "message"}, {}],
    "gemini": [{"candidates": []}, {"candidates": None}, {}],
}


@pytest.mark.parametrize("way", ["call", "async call"])
@pytest.mark.parametrize("name", EMPTY)
def test_06_no_answer_in_the_answer(name: str, way: str) -> None:
    for body in EMPTY[name]:
        failing(WIRES[name].ways()[way], Reply((document(body),)), errors.UnexpectedAnswerError)


@every_way
def test_07_a_page_with_status_200(wire: Wire, ask: Ask, streams: bool) -> None:
    page = b"<html><body>Sign in to the network</body></html>"
    error = failing(ask, Reply((page,), kind="text/html"), errors.UnexpectedAnswerError)
    assert "Sign in" in str(error)


def unpriced(value: Any) -> Any:
    """The same without a word about what it cost."""
    if isinstance(value, list):
        return [unpriced(item) for item in value]
    if not isinstance(value, dict):
        return value
    told = ("usage", "usageMetadata")
    return {name: unpriced(item) for name, item in value.items() if name not in told}


@every_call
def test_08_no_word_about_usage(wire: Wire, ask: Ask) -> None:
    with Canned(Reply((document(unpriced(wire.whole())),))) as server:
        response = ask(server.url)
    assert response.text() == "one two"
    assert response.usage is None


@every_way
@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_09_a_text_that_was_cut_or_filtered(
    wire: Wire, ask: Ask, streams: bool, finish: str
) -> None:
    with Canned(wire.reply(Said(finish=finish), streams)) as server:
        response = ask(server.url)
    assert response.text() == "one two"
    # Anthropic's word for a filter is that the model declined.
    declined = finish == "content_filter" and wire is WIRES["messages"]
    assert response.finish_reason == ("refusal" if declined else finish)


@every_way
def test_10_an_answer_of_nothing(wire: Wire, ask: Ask, streams: bool) -> None:
    with Canned(wire.reply(Said(()), streams)) as server:
        response = ask(server.url)
    assert response.message is None
    assert (response.text(), response.finish_reason) == ("", "stop")


@every_way
def test_11_a_refusal(wire: Wire, ask: Ask, streams: bool) -> None:
    pieces = ("I ",) if wire is WIRES["gemini"] else ()
    with Canned(wire.reply(Said(pieces, refusal="I cannot."), streams)) as server:
        response = ask(server.url)
    if wire is WIRES["gemini"]:  # which has no refusals, but policies that act
        assert (response.finish_reason, response.text()) == ("content_filter", "I ")
        return
    assert response.finish_reason == "refusal"
    assert response.message is not None
    assert response.message.parts == (RefusalPart("I cannot."),)


@every_wire
@pytest.mark.parametrize("attempts", [None, 1, 2, 4])
def test_12_how_often_a_call_is_made(wire: Wire, attempts: int | None) -> None:
    refused = Reply((b"{}",), 429, headers=(("retry-after-ms", "1"),))
    middleware = [] if attempts is None else [retry(attempts=attempts)]
    with stamina.set_testing(True, attempts=attempts or 1), Canned(refused) as server:
        with wire.model(server.url) as model, pytest.raises(errors.RateLimitedError):
            Client(model, middleware=middleware).call(HELLO)
        assert len(server.exchanges) == (attempts or 1)


def typed(wire: Wire, form: Any, said: Said, kind: type[Exception]) -> Any:
    """The error of a typed answer, which was asked for once."""
    with Canned(wire.reply(said, False)) as server:
        with wire.model(server.url) as model, pytest.raises(kind) as failed:
            Client(model).output(HELLO, form)
        assert len(server.exchanges) == 1
    assert type(failed.value) is kind
    return failed.value


@every_wire
def test_13_a_typed_answer_cut_by_its_length(wire: Wire) -> None:
    for text in ('{"name": "Ada", "a', ADA):
        error = typed(wire, PERSON, Said((text,), finish="length"), OutputCompletionError)
        assert error.finish_reason == "length"
        assert "length" in str(error)


@every_wire
def test_14_a_typed_answer_that_is_refused(wire: Wire) -> None:
    error = typed(wire, PERSON, Said((), refusal="I cannot."), OutputCompletionError)
    refused = ("", "content_filter") if wire is WIRES["gemini"] else ("I cannot.", "refusal")
    assert (error.refusal, error.finish_reason) == refused


@every_wire
def test_15_a_number_as_text(wire: Wire) -> None:
    said = Said(('{"name": "Ada", "age": "36"}',))
    assert "age" in str(typed(wire, PERSON, said, InvalidOutputError))


@every_wire
def test_16_a_member_too_many(wire: Wire) -> None:
    said = Said((ADA[:-1] + ', "more": 1}',))
    assert "more" in str(typed(wire, PERSON, said, InvalidOutputError))
    let_through = JSONSchema(Person, name="person", unknown="allow")
    with Canned(wire.reply(said, False)) as server, wire.model(server.url) as model:
        assert Client(model).output(HELLO, let_through) == Person("Ada", 36)


@every_wire
def test_17_a_member_that_is_missing(wire: Wire) -> None:
    error = typed(wire, PERSON, Said(('{"name": "Ada"}',)), InvalidOutputError)
    assert "age" in str(error)
    assert error.__cause__ is not None
    assert error.response.text() == '{"name": "Ada"}'


@every_wire
def test_18_json_in_a_fence(wire: Wire) -> None:
    typed(wire, PERSON, Said((f"```json\n{ADA}\n```",)), InvalidOutputError)
    page = Path(__file__).parents[2] / "docs" / "client" / "output.md"
    assert "fences" in page.read_text("utf-8")


@tool(parallel=True)
def weather(city: str) -> str:
    """The weather in a city."""
    if city == "Rome":
        raise RuntimeError("the database is down")
    return f"Rain in {city}."


def refused_call(wire: Wire, name: str, arguments: str) -> None:
    said = Said((), (("a", name, arguments),))
    sorry = wire.reply(Said(("Sorry.",)), False)
    with Canned(wire.reply(said, False), sorry) as server, wire.model(server.url) as model:
        client = Client(model, middleware=[SingleBatchTools(weather)])
        with pytest.raises(InvalidToolProposalError) as refused:
            client.call(HELLO)
        (call,) = refused.value.proposal.tool_calls
        assert (refused.value.call, call.name) == (call, name)
        assert len(server.exchanges) == 1
        told = user(f"{call.name} is not what I have; go on without it")
        assert client.call(Request(*HELLO.messages, told)).text() == "Sorry."


@pytest.mark.parametrize("name", ["chat", "responses"])
def test_19_arguments_that_are_cut(name: str) -> None:
    refused_call(WIRES[name], "weather", '{"city": "Os')


@every_wire
def test_20_a_tool_that_nobody_knows(wire: Wire) -> None:
    refused_call(wire, "forecast", '{"city": "Oslo"}')


@every_wire
def test_21_ten_streams_and_one_connection(wire: Wire) -> None:
    async def run(url: str) -> None:
        async with wire.async_model(url) as model:
            for _ in range(10):
                await acollect(model.stream(HELLO))

    with Canned(wire.reply(Said(), True)) as server:
        with wire.model(server.url) as model:
            for _ in range(10):
                collect(model.stream(HELLO))
        assert {exchange.connection for exchange in server.exchanges} == {1}
        asyncio.run(run(server.url))
        assert {exchange.connection for exchange in server.exchanges} == {1, 2}


@every_wire
def test_22_one_event_loop_after_the_other(wire: Wire) -> None:
    with Canned(wire.reply(Said(), False)) as server:
        model = wire.async_model(server.url)

        async def ask() -> str:
            text: str = (await model.call(HELLO)).text()
            return text

        assert [asyncio.run(ask()) for _ in range(3)] == ["one two"] * 3
        asyncio.run(model.aclose())


@every_wire
def test_23_streams_left_to_the_garbage_collector(wire: Wire) -> None:
    done = threading.Event()

    def work(url: str) -> None:
        with wire.model(url) as model:
            for _ in range(30):
                next(iter(StreamClient(model).stream(HELLO)))
        done.set()

    with Canned(wire.reply(Said(), True)) as server:
        threading.Thread(target=work, args=(server.url,), daemon=True).start()
        assert done.wait(30)


@every_wire
def test_24_three_tools_at_once_of_which_one_fails(wire: Wire) -> None:
    calls = tuple(
        (f"c{index}", "weather", f'{{"city": "{city}"}}')
        for index, city in enumerate(["Paris", "Rome", "Oslo"])
    )
    with Canned(wire.reply(Said((), calls), False)) as server, wire.model(server.url) as model:
        client = Client(model, middleware=[SingleBatchTools(weather)])
        with pytest.raises(ToolBatchError, match="database is down") as failed:
            client.call(HELLO)
    states = [outcome.state for outcome in failed.value.outcomes]
    assert states == ["completed", "failed", "completed"]
    said = [result.output.text() for result in failed.value.completed]
    assert said == ["Rain in Paris.", "Rain in Oslo."]
    assert isinstance(failed.value.__cause__, RuntimeError)
