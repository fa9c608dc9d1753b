"""Streams whose request is sent in another place than it was."""

from __future__ import annotations

import pytest

from tests.support.port import warned

HEAD = """
import google.generativeai as genai

genai.configure(api_key="K")
model = genai.GenerativeModel("m")
chat = model.start_chat()
"""
OPEN = 'pieces = model.generate_content("a", stream=True)\n'
READ = "for piece in pieces:\n    print(len(piece.candidates))\n"


def says(source: str) -> bool:
    return any(warning == "stream_sent_when_read" for _, warning in warned(HEAD + source))


@pytest.mark.parametrize(
    "between",
    [
        pytest.param('print(model.generate_content("b").candidates)\n', id="an-answer"),
        pytest.param('print(chat.send_message("b").candidates)\n', id="a-message"),
        pytest.param('print(model.count_tokens("b").total_tokens)\n', id="a-count"),
        pytest.param(
            'others = model.generate_content("b", stream=True)\n'
            "for other in others:\n    print(len(other.candidates))\n",
            id="a-stream-that-is-read-first",
        ),
    ],
)
def test_a_request_before_the_stream_is_read_is_warned_of(between: str) -> None:
    assert says(OPEN + between + READ)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(OPEN + READ, id="nothing-in-between"),
        pytest.param(OPEN + "print('…')\n" + READ, id="no-request-in-between"),
        pytest.param(OPEN + READ + 'print(model.generate_content("b").candidates)\n', id="behind"),
        pytest.param('print(model.generate_content("b").candidates)\n' + OPEN + READ, id="before"),
        pytest.param(
            'for piece in model.generate_content("a", stream=True):\n'
            "    print(len(piece.candidates))\n",
            id="read-at-once",
        ),
        pytest.param(
            OPEN
            + 'others = model.generate_content("b", stream=True)\n'
            + READ
            + "for other in others:\n    print(len(other.candidates))\n",
            id="two-in-their-order",
        ),
        pytest.param(
            OPEN + 'def ask():\n    return model.generate_content("b").candidates\n' + READ,
            id="in-another-function",
        ),
    ],
)
def test_what_keeps_its_order_is_not_warned_of(source: str) -> None:
    assert not says(source)


def test_a_stream_that_is_handed_out_before_a_request_is_warned_of() -> None:
    assert says(f"""
def tell():
    {OPEN.strip()}
    print(model.generate_content("b").candidates)
    return pieces


{READ.replace("pieces", "tell()")}""")


def test_a_request_of_a_helper_before_the_stream_is_read_is_warned_of() -> None:
    helper = "def ask():\n    return model.generate_content('b').candidates\n\n\n"
    assert says(helper + OPEN + "print(ask())\n" + READ)
    assert not says(helper + "print(ask())\n" + OPEN + READ)
