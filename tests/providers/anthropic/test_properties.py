"""Whatever is asked or answered: an encoding or the documented refusal, a value or an error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.chat import Request, Response, ResponseAccumulator, UnsupportedError, user
from chatport.chat.options import Options
from chatport.providers.anthropic import Messages
from chatport.providers.anthropic.decode import KINDS as KINDS_READ
from chatport.providers.anthropic.words import STOP_REASONS
from chatport.providers.codec import WireRequest
from chatport.providers.errors import ProviderError
from chatport.providers.sse import Event
from tests.providers.anthropic.answers import ANSWERS, whole
from tests.providers.wire_strategies import QUICK, lookalikes, names_in, outcome, requests, spoiled

CODEC = Messages()
ASKED = Request(user("Hello"), options=Options(model="m"))

KINDS = [*KINDS_READ, "text_delta", "input_json_delta", "citations_delta", "signature_delta"]
BLOCKS = ["text", "tool_use", "thinking", "redacted_thinking", "server_tool_use", "error"]
WORDS = [*STOP_REASONS, *KINDS, *BLOCKS, "a", "https://h.test/x", "{}"]

STREAMS = [answer.events for answer in ANSWERS.values()]
WHOLES = [whole(answer) for answer in ANSWERS.values()]
JSON = lookalikes(names_in([STREAMS, WHOLES]), WORDS)
MARKS = [
    "anthropic/blocks",
    "anthropic/block",
    "anthropic/redacted",
    "anthropic/citations",
    "anthropic/cache_control",
    "anthropic/text",
    "anthropic/",
    "gemini/signed",
]
own_extensions = st.dictionaries(
    st.sampled_from(
        [
            "anthropic/beta",
            "anthropic/tools",
            "anthropic/output_config",
            "anthropic/messages",
            "anthropic/thinking",
        ]
    ),
    lookalikes(["messages", "model", "format", "effort"], ["a"]),
    max_size=2,
)


@QUICK
@given(requests(own_extensions, MARKS), st.booleans())
def test_a_request_is_encoded_or_refused_with_the_place(request: Request, stream: bool) -> None:
    made = outcome(lambda: CODEC.encode(request, stream=stream))
    if isinstance(made, WireRequest):
        assert json.loads(made.body)["messages"]
    else:
        assert isinstance(made, UnsupportedError)
        assert made.path.startswith(("messages", "tools", "tool_choice", "options"))


@QUICK
@given(spoiled(WHOLES, JSON))
def test_an_answer_is_a_response_or_the_documented_error(answer: Any) -> None:
    body = json.dumps(answer).encode()
    made = outcome(lambda: CODEC.decode(ASKED, body, {}))
    assert isinstance(made, Response | ProviderError)


@QUICK
@given(st.binary(max_size=40) | st.just(b"[" * 100_000) | st.just(b'{"a":' * 100_000))
def test_bytes_are_no_answer(body: bytes) -> None:
    with pytest.raises(ProviderError) as raised:
        CODEC.decode(ASKED, body, {})
    assert raised.value.provider == "anthropic"


@QUICK
@given(spoiled(STREAMS, JSON))
def test_a_stream_gives_deltas_that_fit_together_or_the_documented_error(chunks: Any) -> None:
    decoder = CODEC.decoder(ASKED, {})
    events = [Event(json.dumps(one).encode()) for one in _list(chunks)]
    given = outcome(lambda: [delta for event in events for delta in decoder.feed(event)])
    if isinstance(given, list):
        last = outcome(decoder.finish)
        given += [] if isinstance(last, ProviderError) else last
        accumulator = ResponseAccumulator()
        for delta in given:
            accumulator.add(delta)
    else:
        assert isinstance(given, ProviderError)


@QUICK
@given(st.integers(200, 599), st.binary(max_size=30) | JSON)
def test_an_error_is_made_of_any_body(status: int, told: Any) -> None:
    body = told if isinstance(told, bytes) else json.dumps({"error": told}).encode()
    error = CODEC.error(status, body, {})
    assert error.status == status
    assert error.message


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
