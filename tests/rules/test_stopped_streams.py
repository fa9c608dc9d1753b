"""A stream that was stopped broke legacy's chat; the new chat goes on, and that is said."""

from __future__ import annotations

import pytest

from tests.support.port import warned

CHAT = "chat = genai.GenerativeModel('m').start_chat()\n"
STREAM = "for chunk in chat.send_message('x', stream=True):\n    print(len(chunk.candidates))\n"
TOLD = {
    "a message behind the stream": CHAT + STREAM + "chat.send_message('y')\n",
    "a stream in each round": CHAT + "for q in 'ab':\n"
    "    for chunk in chat.send_message(q, stream=True):\n        print(len(chunk.candidates))\n",
    "a history that is looked at": CHAT + STREAM + "print(len(chat.history))\n",
    "a chat of the module": CHAT + "\n\ndef ask(q):\n"
    "    for chunk in chat.send_message(q, stream=True):\n        print(len(chunk.candidates))\n",
}
NOT_TOLD = {
    "nothing behind the stream": CHAT + STREAM,
    "a chat of its own in each round": "for q in 'ab':\n"
    "    chat = genai.GenerativeModel('m').start_chat()\n"
    "    for chunk in chat.send_message(q, stream=True):\n        print(len(chunk.candidates))\n",
    "messages that are no streams": CHAT + "chat.send_message('x')\nchat.send_message('y')\n",
    "a stream of a model": "model = genai.GenerativeModel('m')\n"
    "for chunk in model.generate_content('x', stream=True):\n    print(len(chunk.candidates))\n",
}


@pytest.mark.parametrize("program", TOLD.values(), ids=TOLD)
def test_a_chat_that_goes_on_behind_a_stream_is_told(program: str) -> None:
    assert [code for _, code in warned(program)].count("stopped_stream_goes_on") == 1


@pytest.mark.parametrize("program", NOT_TOLD.values(), ids=NOT_TOLD)
def test_a_chat_that_ends_is_not(program: str) -> None:
    assert "stopped_stream_goes_on" not in {code for _, code in warned(program)}
