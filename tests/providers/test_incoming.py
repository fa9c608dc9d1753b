"""An answer is the same however it arrives, and no bytes are more than an error of ours."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chatport.providers.errors import TransportError
from chatport.providers.incoming import Incoming

PLAIN = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\ncontent-length: 5\r\n\r\nhello"
CHUNKED = (
    b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nx-a: 1\r\n\r\n"
    b"3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nx-late: 1\r\n\r\n"
)
HINTED = b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" + PLAIN
UNTIL_THE_END = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello"
EMPTY = b"HTTP/1.1 204 No Content\r\n\r\n"
ANSWERS = [PLAIN, CHUNKED, HINTED, UNTIL_THE_END, EMPTY, PLAIN + PLAIN]


def read(sent: bytes, cuts: Any = ()) -> tuple[Any, ...]:
    """What is known of an answer when its connection has ended."""
    incoming = Incoming()
    body = b""
    places = [0, *sorted(cuts), len(sent)]
    for start, end in pairwise(places):
        if start != end:
            incoming.feed(sent[start:end])
            body += incoming.take()
    incoming.end(None)
    body += incoming.take()
    failed = incoming.fault is not None
    return incoming.status, incoming.headers, body, incoming.is_over, failed, incoming.has_more


@pytest.mark.parametrize(
    ("sent", "status", "body"),
    [
        (PLAIN, 200, b"hello"),
        (CHUNKED, 200, b"hello"),
        (HINTED, 200, b"hello"),
        (UNTIL_THE_END, 200, b"hello"),
        (EMPTY, 204, b""),
    ],
)
def test_an_answer_is_read(sent: bytes, status: int, body: bytes) -> None:
    told = read(sent)
    assert (told[0], told[2], told[3], told[4], told[5]) == (status, body, True, False, False)
    assert "link" not in told[1]
    assert "x-late" not in told[1]


def test_what_nobody_has_asked_for_is_noticed_and_not_taken() -> None:
    status, _, body, is_over, failed, has_more = read(PLAIN + PLAIN)
    assert (status, body, is_over, failed, has_more) == (200, b"hello", True, False, True)
    assert read(PLAIN + b"garbage")[2:] == (b"hello", True, False, True)


@given(st.sampled_from(ANSWERS), st.lists(st.integers(0, 200), max_size=8))
def test_where_it_is_cut_makes_no_difference(sent: bytes, cuts: list[int]) -> None:
    assert read(sent, [cut for cut in cuts if cut < len(sent)]) == read(sent)


@given(st.sampled_from(ANSWERS[:3]), st.integers(0, 200))
def test_an_answer_that_ends_too_soon_is_a_fault(sent: bytes, end: int) -> None:
    assert read(sent[: min(end, len(sent) - 1)])[3:5] == (False, True)


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=4))
@example(b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhi", [])
@example(b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n", [])
def test_any_bytes_are_an_answer_or_a_fault(sent: bytes, cuts: list[int]) -> None:
    told = read(sent, [cut for cut in cuts if cut < len(sent)])
    assert told[3] or told[4]


@given(st.sampled_from(ANSWERS), st.integers(0, 120), st.binary(min_size=1, max_size=3))
def test_an_answer_with_other_bytes_in_it_is_an_answer_or_a_fault(
    sent: bytes, place: int, other: bytes
) -> None:
    told = read(sent[:place] + other + sent[place + len(other) :])
    assert told[3] or told[4]


def test_a_fault_is_an_error_of_ours_with_its_cause() -> None:
    incoming = Incoming()
    incoming.feed(b"SSH-2.0-OpenSSH\r\n")
    assert type(incoming.fault) is TransportError
    assert incoming.fault.__cause__ is not None
