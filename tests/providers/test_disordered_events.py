"""Streams whose events are lost, come twice or in another order, in every protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.chat import Request, Response, collect, user
from chatport.chat.options import Options
from chatport.providers.anthropic import Messages
from chatport.providers.connection import Connection, Endpoint, Reading
from chatport.providers.errors import CutStreamError, ProviderError
from chatport.providers.gemini import GenerateContent
from chatport.providers.openai import Chat, Responses
from tests.providers.anthropic import answers as anthropic
from tests.providers.gemini import answers as gemini
from tests.providers.openai.test_properties import CHAT, RESPONSES, documents
from tests.providers.wire_strategies import QUICK, outcome

ASKED = Request(user("Hello"), options=Options(model="m"))
STREAMS: dict[str, tuple[Any, list[list[Any]]]] = {
    "chat": (Chat(), [documents(reply) for reply in CHAT[2]]),
    "responses": (Responses(), [documents(reply) for reply in RESPONSES[2]]),
    "messages": (Messages(), [answer.events for answer in anthropic.ANSWERS.values()]),
    "gemini": (GenerateContent(), [answer.chunks for answer in gemini.ANSWERS.values()]),
}
every_protocol = pytest.mark.parametrize(("codec", "streams"), STREAMS.values(), ids=STREAMS)


def read(codec: Any, events: list[Any]) -> Response | Exception:
    """What a body with these events amounts to, or the error of ours."""
    connection = Connection(codec, Endpoint("http://localhost"))
    reading = Reading(connection, ASKED, {})
    body = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
    return outcome(lambda: collect([*reading.take(body), *reading.finish()]))


@every_protocol
def test_in_order_each_is_a_response(codec: Any, streams: list[list[Any]]) -> None:
    for events in streams:
        assert isinstance(read(codec, events), Response | ProviderError)
    assert any(isinstance(read(codec, events), Response) for events in streams)


@every_protocol
@QUICK
@given(data=st.data())
def test_events_in_disorder_are_a_response_or_an_error_of_ours(
    codec: Any, streams: list[list[Any]], data: st.DataObject
) -> None:
    events = list(data.draw(st.sampled_from(streams)))
    for _ in range(data.draw(st.integers(1, 4))):
        here = data.draw(st.integers(0, len(events) - 1))
        match data.draw(st.sampled_from(["lost", "twice", "moved"])):
            case "lost" if len(events) > 1:
                del events[here]
            case "twice":
                events.insert(data.draw(st.integers(0, len(events))), events[here])
            case _:
                events.insert(data.draw(st.integers(0, len(events) - 1)), events.pop(here))
    assert isinstance(read(codec, events), Response | ProviderError)


@every_protocol
def test_a_stream_that_is_cut_anywhere_before_its_last_word_is_no_response(
    codec: Any, streams: list[list[Any]]
) -> None:
    for events in streams:
        if not isinstance(read(codec, events), Response):
            continue
        whole_from = next(
            count for count in range(len(events) + 1) if not _is_cut(codec, events[:count])
        )
        for count in range(whole_from):
            assert _is_cut(codec, events[:count])
        assert whole_from > 0


def _is_cut(codec: Any, events: list[Any]) -> bool:
    return isinstance(read(codec, events), CutStreamError)
