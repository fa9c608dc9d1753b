"""Blocked messages under broad handlers: the handler meets them no more, and that is said."""

from __future__ import annotations

import pytest

from tests.support.port import warned

CODE = "blocked_message_comes_back"
HEAD = """
chat = genai.GenerativeModel("m").start_chat()
"""


@pytest.mark.parametrize(
    "source",
    [
        """
try:
    reply = chat.send_message("x")
except Exception:
    reply = None
print(reply)
        """,
        """
try:
    reply = chat.send_message("x")
    print(len(reply.candidates))
except:
    print("no answer")
        """,
        """
def ask(text):
    return chat.send_message(text)

try:
    ask("x")
except Exception:
    print("no answer")
        """,
    ],
)
def test_a_handler_that_met_them_is_told_of(source: str) -> None:
    assert CODE in {code for _, code in warned(HEAD + source)}


@pytest.mark.parametrize(
    "source",
    [
        'chat.send_message("x")',
        'try:\n    chat.send_message("x")\nexcept OSError:\n    print()',
        'try:\n    print()\nexcept Exception:\n    chat.send_message("x")',
        'try:\n    r = chat.send_message("x")\n    print(r.text)\nexcept Exception:\n    print()',
        'try:\n    for c in chat.send_message("x", stream=True): print(c)\nexcept Exception: pass',
    ],
)
def test_nothing_is_said_where_no_handler_met_them_or_still_does(source: str) -> None:
    assert CODE not in {code for _, code in warned(HEAD + source)}
