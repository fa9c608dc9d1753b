"""The class of a chat: its objects are of another one where every message is awaited."""

from __future__ import annotations

import pytest

from tests.support.port import clean, refused, whole_ported

ASYNC = """
        import google.generativeai as genai

        genai.configure(api_key="K")
        model = genai.GenerativeModel("m")
        kept = {}

        async def ask(name, question):
            if not isinstance(kept.get(name), genai.ChatSession):
                kept[name] = model.start_chat()
            return await tell(kept[name], question)

        async def tell(chat: genai.ChatSession, question: str) -> str:
            return (await chat.send_message_async(question)).text
        """
SYNC = """
        import google.generativeai as genai

        genai.configure(api_key="K")

        class Bot:
            chat: genai.ChatSession

            def __init__(self) -> None:
                self.chat = genai.GenerativeModel("m").start_chat()

            def ask(self, question):
                assert isinstance(self.chat, genai.ChatSession)
                return self.chat.send_message(question).text
        """


def test_chats_that_are_awaited() -> None:
    now = whole_ported(clean(ASYNC))
    assert "if not isinstance(kept.get(name), chats.AsyncChat):" in now
    assert "async def tell(chat: chats.AsyncChat, question: str) -> str:" in now


def test_chats_that_are_not() -> None:
    now = whole_ported(clean(SYNC))
    assert "    chat: chats.Chat\n" in now
    assert "assert isinstance(self.chat, chats.Chat)" in now


def test_each_place_is_told_by_what_gets_there() -> None:
    now = whole_ported(clean(ASYNC) + clean(SYNC).partition('"K")')[2])
    assert "if not isinstance(kept.get(name), chats.AsyncChat):" in now
    assert "async def tell(chat: chats.AsyncChat, question: str) -> str:" in now
    assert "assert isinstance(self.chat, chats.Chat)" in now


@pytest.mark.parametrize(
    "asked",
    [
        "isinstance(found, genai.ChatSession)",
        "isinstance(found, (int, genai.ChatSession))",
        "issubclass(type(found), genai.ChatSession)",
        "type(found) is genai.ChatSession",
        "[genai.ChatSession]",
    ],
)
def test_what_asks_for_two_classes_at_once_is_refused(asked: str) -> None:
    before = (
        clean(ASYNC) + clean(SYNC).partition('"K")')[2] + f"\n\nfound = input()\nprint({asked})\n"
    )
    assert "type_reference" in refused(before)


@pytest.mark.parametrize("given", ["self.chat = other", "self.chat = other or None"])
def test_an_annotation_of_a_class_is_not_asked_where_its_values_are_known(given: str) -> None:
    before = f"""
        import google.generativeai as genai

        genai.configure(api_key="K")

        class Bot:
            chat: genai.ChatSession

            def __init__(self, other):
                {given}

            def ask(self, question):
                return self.chat.send_message(question).text

        print(Bot(genai.GenerativeModel("m").start_chat()).ask("x"))
        """
    assert "self.chat.send_message(message=question)" in whole_ported(before)


@pytest.mark.parametrize(
    "owner",
    [
        "class Bot:",
        "from dataclasses import dataclass\n\n        @dataclass\n        class Bot:",
        "from pydantic import BaseModel\n\n        class Bot(BaseModel):",
    ],
)
def test_an_annotation_speaks_for_what_is_not_seen(owner: str) -> None:
    before = f"""
        import google.generativeai as genai

        genai.configure(api_key="K")

        {owner}
            chat: genai.ChatSession

            def ask(self, question):
                return self.chat.send_message(question).text
        """
    assert "receiver_unresolved" in refused(before)


@pytest.mark.parametrize(
    "asked",
    [
        "type(model) is genai.GenerativeModel",
        "type(model) == genai.GenerativeModel",
        "genai == model",
        "genai.GenerativeModel or 1",
        "model in (genai.GenerativeModel,)",
    ],
)
def test_a_comparison_with_a_name_of_the_sdk_is_a_use_of_it(asked: str) -> None:
    before = f"""
        model = genai.GenerativeModel("m")
        print(model.generate_content("x").text)
        print({asked})
        """
    assert refused(before) & {"type_reference", "usage_unmapped"}


def test_an_annotation_speaks_for_what_is_seen_to_be_something_else() -> None:
    before = """
        import google.generativeai as genai
        from google import genai as new

        genai.configure(api_key="K")

        class Kept:
            chat: genai.ChatSession

            def __init__(self, chat):
                self.chat = chat

            def __len__(self):
                return len(self.chat.history)

        print(len(Kept(new.Client().chats.create(model="m"))))
        """
    assert "receiver_unresolved" in refused(before)
