"""Turns put into a chat and taken out of it: in the list that the new chat sends."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused

CHANGED = """
            chat = client.chats.create(model="m")
            chat.send_message(message="x")
            {0}
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
    "what was popped is read": ("print(chat.history.pop().role)", "print({}.pop().role)"),
    "removed by value": ("chat.history.remove(chat.history[0])", "{}.remove({}[0])"),
    "a step": ("chat.history = chat.history[::2]", "{}[:] = {}[::2]"),
    "a middle": ("chat.history = chat.history[1:3]", "{}[:] = {}[1:3]"),
    "a measure that may be none": (
        "chat.history = chat.history[None if input() else 1:]",
        "{}[:] = {}[None if input() else 1:]",
    ),
    "a measure with an effect": (
        "chat.history = chat.history[int(input()):]",
        "{}[:] = {}[int(input()):]",
    ),
    "some of them": (
        "chat.history = [turn for turn in chat.history if turn.parts]",
        "{}[:] = [turn for turn in {} if turn.parts]",
    ),
    "a copy": ("chat.history = chat.history.copy()", "{}[:] = {}.copy()"),
    "put in": (
        'chat.history.append({"role": "user", "parts": ["y"]})',
        '{}.append(types.Content(role="user", parts=[types.Part(text="y")]))',
    ),
    "put in front": (
        'chat.history.insert(0, {"role": "user", "parts": "y"})',
        '{}.insert(0, types.Content(role="user", parts=[types.Part(text="y")]))',
    ),
    "several put in": (
        'chat.history.extend([{"role": "user", "parts": ["y"]}])',
        '{}.extend([types.Content(role="user", parts=[types.Part(text="y")])])',
    ),
    "one that is set": (
        'chat.history[0] = {"role": "user", "parts": ["y"]}',
        '{}[0] = types.Content(role="user", parts=[types.Part(text="y")])',
    ),
    "its own turns again": ("chat.history += chat.history[:2]", "{}.extend({}[:2])"),
    "reversed": ("chat.history.reverse()", "{}.reverse()"),
}


@pytest.mark.parametrize(("before", "change"), CHANGES.values(), ids=CHANGES)
def test_the_list_that_is_sent_is_changed(before: str, change: str) -> None:
    source = CHANGED.format(before).replace(
        'client.chats.create(model="m")', 'genai.GenerativeModel("m").start_chat()'
    )
    after = CHANGED.format(change.format(*2 * ["chat.get_history(curated=True)"]))
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
        "if len(self.chat.get_history(curated=True)) > keep: "
        "del self.chat.get_history(curated=True)[:-keep]\n"
    ) in now


REFUSED = {
    "something else put in": "chat.history.append(1)",
    "a turn of anywhere with an effect": "chat.history.append(settings.turn())",
    "text": 'chat.history.append("y")',
    "a turn with more keys": 'chat.history.append({"role": "user", "parts": ["y"], "at": 1})',
    "set to text": 'chat.history = "y"',
    "one set to nothing": "chat.history[0] = None",
    "multiplied": "chat.history *= 2",
    "what was rewound is read": "sent, received = chat.rewind()",
    "set among others": "chat.history, kept = [], 1",
    "set twice over": "chat.history = kept = []",
    "read as a mapping": 'chat.history.append({"role": "user", "parts": ["y"]})\n'
    '        print(chat.history[-1]["parts"][0])',
    "keyword": "chat.history.insert(0, object=1)",
    "by a generator": "chat.history.extend(turn for turn in settings.turns)",
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
    assert refused(source) <= {
        "history_write", "receiver_method_unmapped", "history_parts_shape_incompatible"
    }  # fmt: skip


KEPT = [
    "past = chat.history",
    "kept.append(chat.history)",
    "keep(chat.history)",
    "past = enumerate(chat.history)",
    "past = (turn.role for turn in chat.history)",
]


@pytest.mark.parametrize("kept", KEPT)
def test_a_list_that_somebody_keeps_is_not_emptied(kept: str) -> None:
    source = f"""
        kept = []

        def keep(turns):
            kept.append(turns)

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
    turns = "chat.get_history(curated=True)"
    assert f"    del {turns}[-2], {turns}[-1]\n" in now


def test_a_chat_that_streams_may_be_cleared() -> None:
    source = """
        chat = genai.GenerativeModel("m").start_chat()
        for chunk in chat.send_message("x", stream=True):
            print(chunk.text)
        chat.history = []
        """
    assert "chat.get_history(curated=True).clear()" in ported(source)


def test_turns_that_legacy_made_objects_of_become_objects() -> None:
    now = ported(
        """
        chat = genai.GenerativeModel("m").start_chat()
        said = [{"role": "user", "parts": ["a"]}]
        chat.history = said
        print(said[0]["parts"])
        """
    )
    assert "chat.get_history(curated=True)[:] = [\n    types.Content(\n" in now
    assert "    for turn in said\n" in now


def test_a_function_may_choose_the_turns() -> None:
    now = ported(
        """
        def newest(turns, count=4):
            return turns[-count:] if len(turns) > count else turns


        chat = genai.GenerativeModel("m").start_chat()


        def ask(question):
            answer = chat.send_message(question)
            chat.history = newest(chat.history)
            kept = chat.history
            print(len(kept))
            return answer
        """
    )
    turns = "chat.get_history(curated=True)"
    assert f"    {turns}[:] = newest({turns})\n" in now
    assert f"    kept = {turns}\n" in now


NAMED = {
    "read behind another write": "kept = chat.history\n            again()\n",
    "read in the next round": "print(kept)\n            kept = chat.history\n",
    "kept by a function inside": "kept = chat.history\n            later = lambda: kept\n",
    "kept while it waits": "kept = chat.history\n            yield\n            print(kept)\n",
}


@pytest.mark.parametrize("inside", NAMED.values(), ids=NAMED)
def test_a_name_for_the_old_list_is_no_name_for_the_new_one(inside: str) -> None:
    source = f"""
        chat = genai.GenerativeModel("m").start_chat()

        def again():
            ask()

        def ask():
            kept = []
            chat.send_message("x")
            chat.history = chat.history[-2:]
            {inside}            print(kept)
        """
    assert refused(source) == {"history_write"}


def test_a_turn_of_anywhere_is_made_an_object_where_it_is_none() -> None:
    now = ported(
        """
        chat = genai.GenerativeModel("m").start_chat()
        chat.history.append(settings.turn)
        """
    )
    assert (
        """\
chat.get_history(curated=True).append(
    settings.turn
    if isinstance(settings.turn, types.Content)
"""
        in now
    )


def test_a_turn_that_is_read_keeps_its_shape() -> None:
    now = ported(
        """
        chat = genai.GenerativeModel("m").start_chat()
        turn = {"role": "user", "parts": ["y"]}
        chat.history.append(turn)
        print(turn["parts"][0])
        """
    )
    assert 'turn = {"role": "user", "parts": ["y"]}\n' in now
    assert '    parts=types.UserContent(parts=turn["parts"]).parts,\n' in now
