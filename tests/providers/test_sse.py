"""Server-sent events, however the network cuts them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.providers.errors import UnexpectedAnswerError
from chatport.providers.sse import Event, EventParser

WHOLE = [
    ("one event", b"data: 1\n\n", [Event(b"1")]),
    ("no space after the colon", b"data:1\n\n", [Event(b"1")]),
    ("only the first space belongs to the syntax", b"data:  1\n\n", [Event(b" 1")]),
    ("lines that end in CRLF", b"data: 1\r\n\r\ndata: 2\r\n\r\n", [Event(b"1"), Event(b"2")]),
    ("lines that end in CR", b"data: 1\r\rdata: 2\r\r", [Event(b"1"), Event(b"2")]),
    ("a named event", b"event: ping\ndata: {}\n\n", [Event(b"{}", "ping")]),
    ("a name lasts for its event", b"event: a\ndata: 1\n\ndata: 2\n\n",
     [Event(b"1", "a"), Event(b"2")]),
    ("data of several lines", b"data: {\ndata: }\n\n", [Event(b"{\n}")]),
    ("an empty line of data", b"data\ndata: 1\n\n", [Event(b"\n1")]),
    ("comments", b": keep-alive\n\n:x\ndata: 1\n:y\n\n", [Event(b"1")]),
    ("fields nobody needs", b"id: 7\nretry: 3\nother: 1\ndata: 1\n\n", [Event(b"1")]),
    ("a name without data is no event", b"event: ping\n\n", []),
    ("no blank line at the end", b"data: 1\n\ndata: 2\n", [Event(b"1"), Event(b"2")]),
    ("no line end at the end", b"data: 1\n\ndata: 2", [Event(b"1"), Event(b"2")]),
    ("a byte order mark", b"\xef\xbb\xbfdata: 1\n\n", [Event(b"1")]),
    ("what only str.splitlines takes for a line end",
     "data: a\u2028b\u0085c\x0bd\n\n".encode(), [Event("a\u2028b\u0085c\x0bd".encode())]),
    ("characters of many bytes", "data: ж€😀\n\n".encode(), [Event("ж€😀".encode())]),
    ("nothing", b"", []),
]  # fmt: skip


def parsed(pieces: list[bytes]) -> list[Event]:
    parser = EventParser()
    events = [event for piece in pieces for event in parser.feed(piece)]
    return events + parser.finish()


@pytest.mark.parametrize(("body", "events"), [row[1:] for row in WHOLE], ids=[r[0] for r in WHOLE])
def test_events_of_a_body(body: bytes, events: list[Event]) -> None:
    assert parsed([body]) == events


@pytest.mark.parametrize(("body", "events"), [row[1:] for row in WHOLE], ids=[r[0] for r in WHOLE])
def test_events_of_a_body_that_comes_byte_by_byte(body: bytes, events: list[Event]) -> None:
    assert parsed([body[at : at + 1] for at in range(len(body))]) == events


@given(
    lines=st.lists(
        st.sampled_from([b"data: 1", b"data:", b"event: e", b":c", b"", b"", "data: ж".encode()])
    ),
    end=st.sampled_from([b"\n", b"\r\n", b"\r"]),
    cuts=st.lists(st.integers(0, 200)),
)
def test_where_a_body_is_cut_changes_nothing(
    lines: list[bytes], end: bytes, cuts: list[int]
) -> None:
    body = b"".join(line + end for line in lines)
    bounds = [0, *sorted(min(cut, len(body)) for cut in cuts), len(body)]
    pieces = [body[a:b] for a, b in itertools.pairwise(bounds)]
    assert parsed(pieces) == parsed([body])
    assert parsed(pieces) == parsed([body.replace(end, b"\n")])


def test_an_event_comes_with_the_piece_that_completes_it() -> None:
    parser = EventParser()
    assert parser.feed(b"data: 1\n") == []
    assert parser.feed(b"\nda") == [Event(b"1")]
    assert parser.feed(b"ta: 2\r\n\r") == [Event(b"2")]
    assert parser.feed(b"\ndata: 3\n\n") == [Event(b"3")]


def test_nothing_of_an_event_is_kept_once_it_is_given() -> None:
    parser = EventParser(limit=100)
    for _ in range(1000):
        assert len(parser.feed(b"data: " + b"x" * 50 + b"\n\n")) == 1


@pytest.mark.parametrize(
    "body", [b"data: " + b"x" * 101, b"data: x\n" * 100, b":" + b"x" * 200], ids=len
)
def test_an_event_beyond_the_limit_is_refused(body: bytes) -> None:
    parser = EventParser(limit=100)
    with pytest.raises(UnexpectedAnswerError, match="more than 100 bytes"):
        parsed_by(parser, body)


def parsed_by(parser: EventParser, body: bytes) -> None:
    for at in range(0, len(body), 10):
        parser.feed(body[at : at + 10])


def test_an_event_of_ten_megabytes_is_read_in_linear_time() -> None:
    piece = b"x" * 65536
    parser = EventParser()
    parser.feed(b"data: ")
    for _ in range(160):
        assert parser.feed(piece) == []
    (event,) = parser.feed(b"\n\n")
    assert len(event.data) == 160 * 65536
