"""A name for a chat's history: legacy put the last turns into the list when it was asked for next.

The new chat puts them there at once, so who looks by an older name sees more.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port import plan
from chatport.port.findings import Status
from tests.support.port import ported, refused

CHAT = 'chat = genai.GenerativeModel("m").start_chat()\n'
REFUSED = {
    "read behind a message": "said = chat.history\nchat.send_message('x')\nprint(len(said))\n",
    "read behind messages of a loop": "said = chat.history\n"
    "for question in 'xy':\n    chat.send_message(question)\nprint(len(said))\n",
    "read above the message of a loop": "said = chat.history\n"
    "for question in 'xy':\n    print(len(said))\n    chat.send_message(question)\n",
    "behind a function above that sends": "def ask(q):\n    return chat.send_message(q).text\n\n\n"
    "said = chat.history\nask('x')\nprint(len(said))\n",
    "behind a function that calls one that sends": "def ask(q):\n    return chat.send_message(q)\n"
    "\n\ndef talk():\n    ask('x')\n\n\nsaid = chat.history\ntalk()\nprint(len(said))\n",
    "in a function that is called behind a message": "said = chat.history\n\n\ndef show():\n"
    "    print(len(said))\n\n\nchat.send_message('x')\nshow()\n",
    "kept on an object": "class Log:\n    def __init__(self):\n        self.said = chat.history\n\n"
    "    def show(self):\n        print(len(self.said))\n\n\nlog = Log()\nchat.send_message('x')\n"
    "log.show()\n",
    "kept in a mapping": "box = {'said': chat.history}\nchat.send_message('x')\n"
    "print(len(box['said']))\n",
    "an argument, behind a message of the function": "def show(said):\n    chat.send_message('x')\n"
    "    print(len(said))\n\n\nshow(chat.history)\n",
    "named again on one way only": "said = chat.history\nif input():\n    chat.send_message('x')\n"
    "    if input():\n        said = chat.history\nprint(len(said))\n",
    "another name of the name": "said = chat.history\nturns = said\nchat.send_message('x')\n"
    "print(len(turns))\n",
}
PORTED = {
    "read before the next message": "chat.send_message('x')\nsaid = chat.history\n"
    "print(len(said))\nchat.send_message('y')\n",
    "named again behind the message": "said = chat.history\nprint(len(said))\n"
    "chat.send_message('x')\nsaid = chat.history\nprint(len(said))\n",
    "an argument of a function that sends nothing": "def show(said):\n    print(len(said))\n\n\n"
    "chat.send_message('x')\nshow(chat.history)\n",
    "named in each round": "for question in 'xy':\n    said = chat.history\n    print(len(said))\n"
    "    chat.send_message(question)\n",
    "a part": "said = chat.history[-2:]\nchat.send_message('x')\nprint(len(said))\n",
    "a copy that is kept on an object": "class Log:\n    def __init__(self):\n"
    "        self.said = list(chat.history)\n\n    def show(self):\n        print(len(self.said))\n"
    "\n\nlog = Log()\nchat.send_message('x')\nlog.show()\n",
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


@pytest.mark.parametrize(("question", "status"), [("ask()", "refused"), ("len('x')", "ported")])
def test_messages_of_other_modules_count(tmp_path: Path, question: str, status: str) -> None:
    (tmp_path / "talk.py").write_text(
        "import google.generativeai as genai\n\ngenai.configure(api_key='K')\n"
        + CHAT
        + "\n\ndef ask():\n    return chat.send_message('x').text\n"
    )
    (tmp_path / "app.py").write_text(
        f"from talk import ask, chat\n\nsaid = chat.history\nprint({question}, len(said))\n"
    )
    assert {file.status for file in plan([tmp_path], root=tmp_path).files} == {Status(status)}
