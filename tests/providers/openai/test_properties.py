"""Whatever OpenAI's two protocols answer: a value, or an error of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.chat import Request, Response, user
from chatport.chat.options import Options
from chatport.providers.connection import Connection, Endpoint, Reading
from chatport.providers.errors import ProviderError
from chatport.providers.openai import Chat, Responses
from chatport.providers.sse import EventParser
from chatport.testing.loopback import Reply
from chatport.testing.openai_server_script import Answer, calls, message, refusal, text
from tests.providers.wire_strategies import QUICK, lookalikes, names_in, outcome, spoiled

ASKED = Request(user("Hello"), options=Options(model="m"))
SAID = [
    text("one ", "two"),
    Answer(("so",), reasoning="because"),
    calls(("a", "f", '{"x": 1}'), ("b", "g", "{}")),
    refusal("no"),
    message(content="x", annotations=[{"type": "url_citation", "url_citation": {"url": "h"}}]),
]
STREAM = {"stream": True, "stream_options": {"include_usage": True}}


def documents(reply: Reply) -> list[Any]:
    """The JSON documents in a reply, without the word that ends a stream."""
    parser = EventParser()
    events = [event for piece in reply.pieces for event in parser.feed(piece)]
    return [json.loads(one.data) for one in events if one.data != b"[DONE]"]


CHAT = Chat(), [said.chat({}) for said in SAID], [said.chat(STREAM) for said in SAID]
RESPONSES = (
    Responses(),
    [said.response({}) for said in SAID],
    [said.response(STREAM) for said in SAID],
)
both = pytest.mark.parametrize(
    ("codec", "wholes", "streams"), [CHAT, RESPONSES], ids=["chat", "responses"]
)
WORDS = ["stop", "length", "tool_calls", "function", "text", "output_text", "message", "reasoning"]


@both
@QUICK
@given(data=st.data())
def test_an_answer_is_a_response_or_the_documented_error(
    codec: Any, wholes: list[Reply], streams: list[Reply], data: st.DataObject
) -> None:
    bodies = [json.loads(reply.pieces[0]) for reply in wholes]
    answer = data.draw(spoiled(bodies, lookalikes(names_in(bodies), WORDS)))
    connection = Connection(codec, Endpoint("http://localhost"))
    body = json.dumps(answer).encode()
    made = outcome(lambda: connection.decode(ASKED, 200, body, {}, ""))
    assert isinstance(made, Response | ProviderError)


@both
@QUICK
@given(data=st.data())
def test_a_stream_gives_deltas_that_fit_together_or_the_documented_error(
    codec: Any, wholes: list[Reply], streams: list[Reply], data: st.DataObject
) -> None:
    chunks = [documents(reply) for reply in streams]
    told = data.draw(spoiled(chunks, lookalikes(names_in(chunks), WORDS)))
    reading = Reading(Connection(codec, Endpoint("http://localhost")), ASKED, {})
    events = told if isinstance(told, list) else []
    body = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
    made = outcome(lambda: [*reading.take(body), *reading.finish()])
    assert isinstance(made, list | ProviderError)


@both
@QUICK
@given(data=st.data())
def test_bytes_are_no_answer(
    codec: Any, wholes: list[Reply], streams: list[Reply], data: st.DataObject
) -> None:
    deep = st.just(b"[" * 100_000) | st.just(b'{"a":' * 100_000)
    body = data.draw(st.binary(max_size=40) | deep)
    with pytest.raises(ProviderError):
        codec.decode(ASKED, body, {})
    assert isinstance(codec.error(500, body, {}), ProviderError)
