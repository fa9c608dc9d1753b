"""Histories that are looked at after a stream: its pieces are joined to one turn."""

from __future__ import annotations

import pytest

from tests.support.port import refused, warned, whole_ported

HEAD = """
        import os

        import google.generativeai as genai

        genai.configure(api_key="K")
        chat = genai.GenerativeModel("m").start_chat()
"""
DEFINED = "\n\n\ndef stream_message(chat, **message):\n"

JOINED = {
    "in a loop": (
        'for chunk in chat.send_message("x", stream=True):\n            print(chunk.text)',
        'for chunk in stream_message(chat, message="x"):\n',
    ),
    "bound to a name": (
        (
            'pieces = chat.send_message("x", stream=True)\n'
            '        print("".join(piece.text for piece in pieces))'
        ),
        'pieces = stream_message(chat, message="x")\n',
    ),
    "with a configuration": (
        (
            'pieces = chat.send_message("x", generation_config={"top_k": 1}, stream=True)\n'
            "        print([piece.text for piece in pieces])"
        ),
        'stream_message(chat, message="x", config=types.GenerateContentConfig(top_k=1))\n',
    ),
    "a break of a loop inside": (
        (
            'for chunk in chat.send_message("x", stream=True):\n'
            "            for part in chunk.parts:\n                break"
        ),
        'for chunk in stream_message(chat, message="x"):\n',
    ),
    "given on": (
        (
            'def pieces():\n            yield from chat.send_message("x", stream=True)\n\n'
            "        print(list(pieces()))"
        ),
        'yield from stream_message(chat, message="x")\n',
    ),
}


@pytest.mark.parametrize(("streamed", "now"), JOINED.values(), ids=JOINED)
def test_the_pieces_are_joined(streamed: str, now: str) -> None:
    after = whole_ported(f"{HEAD}\n        {streamed}\n        print(len(chat.history))\n")
    assert now in after
    assert after.count(DEFINED) == 1
    assert "print(len(chat.get_history(curated=True)))" in after


def test_the_function_is_defined_once_below_the_imports() -> None:
    after = whole_ported(
        HEAD
        + """
        def say(question):
            for chunk in chat.send_message(question, stream=True):
                print(chunk.text)

        say("x")
        for chunk in chat.send_message("y", stream=True):
            print(chunk.text)
        chat.rewind()
        """
    )
    assert after.startswith("import os\n\nfrom google import genai\nfrom google.genai import types")
    assert after.count("def stream_message(") == 1
    assert after.count("in stream_message(chat, message=") == 2


def test_a_name_that_is_taken_is_left_to_its_owner() -> None:
    after = whole_ported(
        HEAD
        + """
        def stream_message():
            for chunk in chat.send_message("x", stream=True):
                print(chunk.text)
            print(len(chat.history))
        """
    )
    assert "def stream_chat_message(chat, **message):\n" in after
    assert 'in stream_chat_message(chat, message="x"):\n' in after


UNREAD = {
    "nobody looks": "",
    "it is emptied": "chat.history = []",
    "it is cleared": "chat.history.clear()",
    "another one is read": "other = genai.GenerativeModel('m').start_chat()\n"
    "        print(len(other.history))",
}


@pytest.mark.parametrize("behind", UNREAD.values(), ids=UNREAD)
def test_what_nobody_looks_at_is_streamed_by_the_chat(behind: str) -> None:
    after = whole_ported(
        HEAD
        + f"""
        for chunk in chat.send_message("x", stream=True):
            print(chunk.text)
        {behind}
        """
    )
    assert 'for chunk in chat.send_message_stream(message="x"):\n' in after
    assert "def stream_message" not in after


def test_later_messages_send_what_they_sent() -> None:
    source = (
        HEAD
        + """
        for chunk in chat.send_message("x", stream=True):
            print(chunk.text)
        print(len(chat.history), chat.send_message("y").text)
        """
    )
    assert "stream_history_shape" not in {warning for _, warning in warned(source)}


REFUSED = {
    "left early": 'for chunk in chat.send_message("x", stream=True):\n            break\n'
    "        print(len(chat.history))",
    "left where a test holds": "def ask():\n"
    '            for chunk in chat.send_message("x", stream=True):\n'
    "                if chunk.text:\n                    return chunk\n\n"
    "        ask()\n        print(len(chat.history))",
    "never read": 'pieces = chat.send_message("x", stream=True)\n        print(len(chat.history))',
    "looked at between the pieces": 'for chunk in chat.send_message("x", stream=True):\n'
    "            print(len(chat.history))",
    "looked at by what runs between": "def count():\n            print(len(chat.history))\n\n"
    '        for chunk in chat.send_message("x", stream=True):\n            count()',
    "one of two is left early": 'for chunk in chat.send_message("x", stream=True):\n'
    "            print(chunk.text)\n"
    '        for chunk in chat.send_message("y", stream=True):\n            break\n'
    "        print(len(chat.history))",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_a_history_that_legacy_may_not_have_had_is_refused(source: str) -> None:
    assert "stream_history_read" in refused(f"{HEAD}\n        {source}\n")
