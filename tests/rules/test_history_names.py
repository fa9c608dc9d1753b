"""A name for a chat's history: legacy put the last turns into the list when it was asked for next.

The new chat puts them there at once, so who looks by an older name sees more.
"""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

CHAT = 'chat = genai.GenerativeModel("m").start_chat()\n'
REFUSED = {
    "read behind a message": "said = chat.history\nchat.send_message('x')\nprint(len(said))\n",
    "read behind messages of a loop": "said = chat.history\n"
    "for question in 'xy':\n    chat.send_message(question)\nprint(len(said))\n",
}
PORTED = {
    "read before the next message": "chat.send_message('x')\nsaid = chat.history\n"
    "print(len(said))\nchat.send_message('y')\n",
    "named again behind the message": "said = chat.history\nprint(len(said))\n"
    "chat.send_message('x')\nsaid = chat.history\nprint(len(said))\n",
    "a copy": "said = list(chat.history)\nchat.send_message('x')\nprint(len(said))\n",
    "behind a message of another chat": "other = genai.GenerativeModel('m').start_chat()\n"
    "said = chat.history\nother.send_message('x')\nprint(len(said))\n",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_an_older_name_for_the_list_is_not_read_behind_a_message(body: str) -> None:
    assert "history_write" in refused(CHAT + body)


@pytest.mark.parametrize("body", PORTED.values(), ids=PORTED)
def test_a_name_that_sees_the_same_turns_is_ported(body: str) -> None:
    assert "chat.get_history(curated=True)" in ported(CHAT + body)
