"""Turns taken out of a chat: from both lists that the new chat keeps, or not at all."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused

BOTH = """
            chat = client.chats.create(model="m")
            chat.send_message(message="x")
            {0}
            {1}
            chat.send_message(message="y")
            """

CHANGES = {
    "cleared": ("chat.history.clear()", "{}.clear()"),
    "set to nothing": ("chat.history = []", "{}.clear()"),
    "set to None": ("chat.history = None", "{}.clear()"),
    "the last ones kept": ("chat.history = chat.history[-2:]", "del {}[:-2]"),
    "the first ones left out": ("chat.history = chat.history[2:]", "del {}[:2]"),
    "the last ones left out": ("chat.history = chat.history[:-2]", "del {}[-2:]"),
    "popped": ("chat.history.pop()", "{}.pop()"),
    "the first one popped": ("chat.history.pop(0)", "{}.pop(0)"),
    "one deleted": ("del chat.history[0]", "del {}[0]"),
    "several deleted": ("del chat.history[-2:]", "del {}[-2:]"),
    "rewound": ("chat.rewind()", "del {}[-2:]"),
}


@pytest.mark.parametrize(("before", "change"), CHANGES.values(), ids=CHANGES)
def test_turns_are_taken_out_of_both_lists(before: str, change: str) -> None:
    source = BOTH.format(before, "").replace("\n            \n", "\n")
    source = source.replace(
        'client.chats.create(model="m")', 'genai.GenerativeModel("m").start_chat()'
    )
    lists = ("chat.get_history()", "chat.get_history(curated=True)")
    after = BOTH.format(*(change.format(one) for one in lists))
    assert ported(source.replace("message=", "")) == clean(after)


def test_an_attribute_and_a_branch_on_one_line() -> None:
    now = ported(
        """
        class Bot:
            def __init__(self):
                self.chat = genai.GenerativeModel("m").start_chat()

            def trim(self, keep):
                if len(self.chat.history) > keep: self.chat.history = self.chat.history[-keep:]
        """
    )
    assert (
        "if len(self.chat.get_history()) > keep: del self.chat.get_history()[:-keep]; "
        "del self.chat.get_history(curated=True)[:-keep]\n"
    ) in now


REFUSED = {
    "put in": 'chat.history.append({"role": "user", "parts": ["y"]})',
    "put in front": 'chat.history.insert(0, {"role": "user", "parts": ["y"]})',
    "set to turns": 'chat.history = [{"role": "user", "parts": ["y"]}]',
    "added to": "chat.history += []",
    "what was popped is read": "print(chat.history.pop())",
    "what was rewound is read": "sent, received = chat.rewind()",
    "a step": "chat.history = chat.history[::2]",
    "a middle": "chat.history = chat.history[1:3]",
    "a measure that may be none": "chat.history = chat.history[None if input() else 1:]",
    "a measure of anywhere": "chat.history = chat.history[settings.keep:]",
    "a measure with an effect": "chat.history = chat.history[int(input()):]",
    "one that is set": "chat.history[0] = None",
    "of another chat": "chat.history = other.history[2:]",
    "removed by value": "chat.history.remove(chat.history[0])",
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_other_changes_are_refused(change: str) -> None:
    source = f"""
        other = genai.GenerativeModel("m").start_chat()
        chat = genai.GenerativeModel("m").start_chat()
        chat.send_message("x")
        {change}
        chat.send_message("y")
        """
    assert refused(source) & {"history_write", "attribute_removed", "receiver_method_unmapped"}


KEPT = [
    "past = chat.history",
    "keep(chat.history)",
    "past = enumerate(chat.history)",
    "past = (turn.role for turn in chat.history)",
]


@pytest.mark.parametrize("kept", KEPT)
def test_a_list_that_somebody_keeps_is_not_emptied(kept: str) -> None:
    source = f"""
        def keep(turns):
            print(turns)

        chat = genai.GenerativeModel("m").start_chat()
        chat.send_message("x")
        {kept}
        chat.history = []
        """
    assert refused(source) == {"history_write"}


IN_ROUNDS = {
    "in the loop itself": "chat.history = []",
    "by what the loop calls": "again()",
    "while the loop waits": "yield turn",
}


@pytest.mark.parametrize("inside", IN_ROUNDS.values(), ids=IN_ROUNDS)
def test_a_list_is_not_emptied_between_the_rounds_over_it(inside: str) -> None:
    source = f"""
        chat = genai.GenerativeModel("m").start_chat()
        chat.send_message("x")

        def reset():
            chat.history = []

        def again():
            reset()

        def turns():
            for turn in chat.history:
                {inside}
        """
    assert refused(source) == {"history_write"}


def test_rounds_that_are_over_hold_nothing() -> None:
    now = ported(
        """
        chat = genai.GenerativeModel("m").start_chat()
        chat.send_message("x")
        for number, turn in enumerate(chat.history):
            print(number, turn.role)
        print(", ".join(turn.role for turn in chat.history))
        chat.history = []
        """
    )
    assert "chat.get_history(curated=True).clear()" in now


def test_rewinding_fails_where_that_is_waited_for() -> None:
    now = ported(
        """
        chat = genai.GenerativeModel("m").start_chat()
        try:
            chat.rewind()
        except IndexError:
            print("nothing was said")
        """
    )
    assert "    del chat.get_history()[-2], chat.get_history()[-1]\n" in now


def test_what_a_stream_left_is_not_counted() -> None:
    source = """
        chat = genai.GenerativeModel("m").start_chat()
        for chunk in chat.send_message("x", stream=True):
            print(chunk.text)
        chat.rewind()
        """
    assert refused(source) == {"receiver_method_unmapped"}


def test_a_chat_that_streams_may_be_cleared() -> None:
    source = """
        chat = genai.GenerativeModel("m").start_chat()
        for chunk in chat.send_message("x", stream=True):
            print(chunk.text)
        chat.history = []
        """
    assert "chat.get_history(curated=True).clear()" in ported(source)
