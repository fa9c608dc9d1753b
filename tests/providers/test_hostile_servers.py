"""Servers that break the rules of HTTP, of events, or of good manners."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any

import pytest

from chatport.chat import ToolCallPart
from chatport.providers import errors, openai
from chatport.providers.transport import Timeouts
from tests.providers.asking import HELLO, STREAMING, WAYS, Ask, every_stream, every_way
from tests.providers.raw_server import EVENTS, HEAD, RawServer, chunk, whole

CHUNKED = b"transfer-encoding: chunked\r\n\r\n"
ENDLESS = Timeouts(connect=5.0, read=None, total=None)
DEFAULTS = [name for name in WAYS if name.startswith("default")]
every_default = pytest.mark.parametrize("ask", [WAYS[name] for name in DEFAULTS], ids=DEFAULTS)
default_streams = pytest.mark.parametrize(
    "ask", [WAYS[name] for name in DEFAULTS if "stream" in name]
)


def streams(ask: Ask) -> bool:
    return ask in [WAYS[name] for name in STREAMING]


def document(text: str = "Hi.") -> bytes:
    choice = {"message": {"content": text}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice]}).encode()


def event(delta: Any, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice]}, ensure_ascii=False).encode() + b"\n\n"


STREAM = event({"content": "Hi."}) + event({}, "stop") + b"data: [DONE]\n\n"


def answer(ask: Ask) -> bytes:
    """A good answer to either way of asking."""
    return EVENTS + CHUNKED + chunk(STREAM) + chunk(b"") if streams(ask) else whole(document())


@every_way
@pytest.mark.parametrize(
    "sent",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 \xff\xfe nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon here\x00\r\n\r\n",
        b"HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"",
    ],
)
def test_what_is_no_http_is_an_error_of_ours(ask: Ask, sent: bytes) -> None:
    with RawServer([sent], closes=True) as server, pytest.raises(errors.ProviderError):
        ask(server.url)


@every_way
def test_a_body_that_is_shorter_than_it_says_is_cut(ask: Ask) -> None:
    with (
        RawServer([whole(document(), length=10_000)], closes=True) as server,
        pytest.raises(errors.TransportError),
    ):
        ask(server.url)


@every_way
def test_a_body_that_is_longer_than_it_says_is_no_answer(ask: Ask) -> None:
    with (
        RawServer([whole(document(), length=10)]) as server,
        pytest.raises(errors.ProviderError),
    ):
        ask(server.url)


def test_a_connection_on_which_more_came_than_was_asked_for_is_not_used_again() -> None:
    smuggled = whole(document("Somebody else's answer."))
    with (
        RawServer([whole(document()) + smuggled], [whole(document("Mine."))]) as server,
        openai.Model("m", base_url=server.url) as model,
    ):
        assert model.call(HELLO).text() == "Hi."
        assert model.call(HELLO).text() == "Mine."
        assert server.connections == 2


@every_stream
@pytest.mark.parametrize("size", [b"zz\r\n", b"-5\r\n", b"ffffffffffffffffffff\r\nabc", b"5;"])
def test_chunks_that_are_none_break_off_the_answer(ask: Ask, size: bytes) -> None:
    sent = EVENTS + CHUNKED + chunk(event({"content": "Hi."})) + size
    with (
        RawServer([sent], closes=True) as server,
        pytest.raises(errors.ProviderError) as failed,
    ):
        ask(server.url)
    assert failed.value.partial is None or failed.value.partial.text() == "Hi."


@every_stream
def test_events_that_come_byte_by_byte_are_read(ask: Ask) -> None:
    words = "naïve 日本語 🦜\u2028\x85"
    body = event({"content": words}).replace(b"\n", b"\r\n") + event({}, "stop")
    pieces = [EVENTS + CHUNKED, *(chunk(bytes([byte])) for byte in body), chunk(b"")]
    with RawServer(pieces) as server:
        assert ask(server.url).text() == words


@every_stream
def test_an_event_that_is_no_utf_8_is_no_answer(ask: Ask) -> None:
    body = event({"content": "Hi."}) + event({"content": "é"}).replace(b"\xc3", b"\xff")
    with (
        RawServer([EVENTS + CHUNKED + chunk(body) + chunk(b"")]) as server,
        pytest.raises(errors.UnexpectedAnswerError) as failed,
    ):
        ask(server.url)
    assert failed.value.partial is not None
    assert failed.value.partial.text() == "Hi."


@every_way
@pytest.mark.parametrize("status", [200, 500])
def test_json_that_is_nested_without_end_is_no_answer(ask: Ask, status: int) -> None:
    deep = b"[" * 200_000
    head = (EVENTS if streams(ask) and status == 200 else HEAD).replace(b"200", b"%d" % status)
    body = b"data: " + deep + b"\n\n" if streams(ask) and status == 200 else deep
    sent = head + b"content-length: %d\r\n\r\n" % len(body) + body
    with RawServer([sent]) as server, pytest.raises(errors.ProviderError) as failed:
        ask(server.url)
    kind = errors.UnexpectedAnswerError if status == 200 else errors.ServerError
    assert type(failed.value) is kind


@every_way
def test_the_body_of_an_error_that_swells_without_end_is_read_to_a_bound(ask: Ask) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    sent = whole(bomb, extra=b"content-encoding: gzip\r\n").replace(b"200", b"500", 1)
    with RawServer([sent]) as server, pytest.raises(errors.ServerError):
        ask(server.url)


@every_default
@pytest.mark.parametrize(
    ("encoding", "body", "said"),
    [
        (b"gzip", b"no gzip at all", "not compressed as it says"),
        (b"gzip", gzip.compress(document() * 50, mtime=0)[:60], "ends in the middle"),
        (b"deflate", zlib.compress(document())[:-9], "ends in the middle"),
        (b"br", b"\x0b\x02", "not asked for"),
    ],
)
def test_a_body_that_is_badly_compressed_is_no_answer(
    ask: Ask, encoding: bytes, body: bytes, said: str
) -> None:
    sent = whole(body, extra=b"content-encoding: %s\r\n" % encoding)
    if streams(ask):
        sent = sent.replace(b"application/json", b"text/event-stream")
    with (
        RawServer([sent]) as server,
        pytest.raises(errors.UnexpectedAnswerError, match=said),
    ):
        ask(server.url)


@every_way
def test_a_server_that_never_answers_is_given_up_when_the_total_time_is_over(ask: Ask) -> None:
    with RawServer([None]) as server, pytest.raises(errors.TimeoutError):
        ask(server.url, timeouts=Timeouts(read=None, total=0.2))


@every_stream
def test_a_server_that_falls_silent_is_given_up_when_the_total_time_is_over(ask: Ask) -> None:
    begun = EVENTS + CHUNKED + chunk(event({"content": "Hi."}))
    with RawServer([begun, None]) as server, pytest.raises(errors.TimeoutError) as failed:
        ask(server.url, timeouts=Timeouts(read=None, total=0.3))
    assert failed.value.partial is not None
    assert failed.value.partial.text() == "Hi."


@every_default
def test_a_head_that_never_ends_is_given_up_when_the_total_time_is_over(ask: Ask) -> None:
    with (
        RawServer([b"HTTP/1.1 200 OK\r\ncontent-ty", None]) as server,
        pytest.raises(errors.TimeoutError),
    ):
        ask(server.url, timeouts=Timeouts(read=None, total=0.2))


@default_streams
def test_a_server_that_does_not_hang_up_after_the_last_event_holds_nobody(ask: Ask) -> None:
    with RawServer([EVENTS + CHUNKED + chunk(STREAM), None]) as server:
        assert ask(server.url, timeouts=ENDLESS).text() == "Hi."


@every_stream
def test_what_comes_after_the_last_event_is_not_read(ask: Ask) -> None:
    more = chunk(event({"content": "and more"}) * 10) * 1000
    with RawServer([EVENTS + CHUNKED + chunk(STREAM), more]) as server:
        assert ask(server.url).text() == "Hi."


@every_stream
def test_arguments_of_five_megabytes_in_ten_thousand_pieces_are_whole(ask: Ask) -> None:
    piece = "x" * 500
    call = {"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"text": "'}}
    more = {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
    body = event({"tool_calls": [call]}) + event(more) * 10_000
    body += event({"tool_calls": [{"index": 0, "function": {"arguments": '"}'}}]})
    body += event({}, "tool_calls") + b"data: [DONE]\n\n"
    with RawServer([EVENTS + b"content-length: %d\r\n\r\n" % len(body) + body]) as server:
        response = ask(server.url)
    assert response.message is not None
    (part,) = response.message.parts
    assert isinstance(part, ToolCallPart)
    assert json.loads(part.tool_call.arguments) == {"text": piece * 10_000}


@every_way
def test_an_answer_of_http_1_0_ends_with_its_connection(ask: Ask) -> None:
    kind = b"text/event-stream" if streams(ask) else b"application/json"
    body = STREAM if streams(ask) else document()
    sent = b"HTTP/1.0 200 OK\r\ncontent-type: " + kind + b"\r\n\r\n" + body
    with RawServer([sent], closes=True) as server:
        assert ask(server.url).text() == "Hi."


@every_way
def test_the_server_may_say_continue_first(ask: Ask) -> None:
    with RawServer([b"HTTP/1.1 100 Continue\r\n\r\n" + answer(ask)]) as server:
        assert ask(server.url).text() == "Hi."
