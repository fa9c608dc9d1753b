"""The last answer of a chat, read behind code that may have sent something in between."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

OWN = """
chat = genai.GenerativeModel("m").start_chat()


class Log:
    def __len__(self):
        return len(chat.send_message("len").text)

    def __enter__(self):
        chat.send_message("enter")

    def __exit__(self, *rest):
        chat.send_message("exit")

    @property
    def size(self):
        return chat.send_message("size").text


class Book(Log):
    pass


def ask(question):
    return chat.send_message(question).text


def answers():
    yield ask("q")


def run():
    log, lazy, several = Log(), answers(), (ask(x) for x in "ab")
    {between}
    print(chat.last.text)
"""


@pytest.mark.parametrize(
    "between",
    [
        'chat.send_message("a"); print(len(log))',
        'chat.send_message("a"); print(len(Book()))',
        'chat.send_message("a"); print(log.size)',
        'chat.send_message("a"); print(list(map(ask, "b")))',
        'chat.send_message("a"); print(list(lazy))',
        'chat.send_message("a"); print(list(several))',
        'with log: chat.send_message("a")',
        'for _ in lazy: chat.send_message("a")',
    ],
)
def test_code_of_the_program_that_runs_between_is_refused(between: str) -> None:
    assert refused(OWN.replace("{between}", between)) == {"attribute_removed"}


@pytest.mark.parametrize(
    "between",
    [
        'chat.send_message("a"); print(len("abc"), list(map(str, [1])))',
        'print(len(log), ask("b")); chat.send_message("a")',
    ],
)
def test_code_of_others_that_runs_between_does_no_harm(between: str) -> None:
    assert "response.text" in ported(OWN.replace("{between}", between))
