"""The last answer of a chat, which the new SDK does not keep: it is given a name where it comes."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused, warned

CHAT = """
            chat = genai.GenerativeModel("m").start_chat()
"""


def told(source: str) -> str:
    """A row behind the making of its chat."""
    return CHAT.lstrip("\n") + source.lstrip("\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            chat.send_message("x")
            print(chat.last.text)
            """,
            """
            response = chat.send_message(message="x")
            print(response.text)
            """,
            id="behind-a-message",
        ),
        pytest.param(
            """
            r = chat.send_message("x")
            print(chat.last.text)
            """,
            """
            r = chat.send_message(message="x")
            print(r.text)
            """,
            id="the-answer-has-a-name",
        ),
        pytest.param(
            """
            for q in ["a", "b"]:
                if q == "a":
                    chat.send_message("one")
                else:
                    chat.send_message("two")
                print(chat.last.text)
            print(chat.last.text)
            """,
            None,
            id="a-loop-may-not-run",
        ),
        pytest.param(
            """
            chat.send_message("zero")
            for q in ["a", "b"]:
                if q == "a":
                    chat.send_message("one")
                print(chat.last.text)
            print(chat.last.text)
            """,
            """
            response = chat.send_message(message="zero")
            for q in ["a", "b"]:
                if q == "a":
                    response = chat.send_message(message="one")
                print(response.text)
            print(response.text)
            """,
            id="what-may-come-between",
        ),
        pytest.param(
            """
            def ask(question):
                chat.send_message(question)
                return chat.last.text
            print(ask("x"), ask("y"))
            """,
            """
            def ask(question):
                response = chat.send_message(message=question)
                return response.text
            print(ask("x"), ask("y"))
            """,
            id="in-a-function",
        ),
        pytest.param(
            """
            def tidy(text):
                return text.strip()

            def ask(question):
                chat.send_message(question)
                return tidy(chat.last.text)
            print(ask("x"))
            """,
            """
            def tidy(text):
                return text.strip()

            def ask(question):
                response = chat.send_message(message=question)
                return tidy(response.text)
            print(ask("x"))
            """,
            id="handed-to-the-program",
        ),
        pytest.param(
            """
            class Answer:
                def __init__(self, *said):
                    self.said = said

                def first(self, sep):
                    return self.said[0].split(sep)

            def ask(question):
                chat.send_message(question)
                return Answer([str(chat.last.text) for _ in "ab"])
            print(ask("x").said)
            """,
            """
            class Answer:
                def __init__(self, *said):
                    self.said = said

                def first(self, sep):
                    return self.said[0].split(sep)

            def ask(question):
                response = chat.send_message(message=question)
                return Answer([str(response.text) for _ in "ab"])
            print(ask("x").said)
            """,
            id="handed-to-a-class-of-the-program",
        ),
        pytest.param(
            """
            response = "taken"
            chat.send_message("x")
            print(chat.last.text, response)
            """,
            """
            response = "taken"
            answer = chat.send_message(message="x")
            print(answer.text, response)
            """,
            id="a-name-that-is-free",
        ),
        pytest.param(
            """
            try:
                chat.send_message("x")
                print(chat.last.text)
            except Exception:
                print("sorry")
            """,
            """
            try:
                response = chat.send_message(message="x")
                if response.text is None:
                    raise ValueError("the answer holds no text")
                print(response.text)
            except Exception:
                print("sorry")
            """,
            id="under-a-handler",
        ),
        pytest.param(
            """
            try:
                chat.send_message("x")
                print(chat.last.text)
                chat.send_message("y")
                print(chat.last.text)
            except Exception:
                print("sorry")
            """,
            """
            try:
                response = chat.send_message(message="x")
                if response.text is None:
                    raise ValueError("the answer holds no text")
                print(response.text)
                response = chat.send_message(message="y")
                if response.text is None:
                    raise ValueError("the answer holds no text")
                print(response.text)
            except Exception:
                print("sorry")
            """,
            id="each-answer-has-its-guard",
        ),
        pytest.param(
            """
            while True:
                if input() == "again":
                    chat = genai.GenerativeModel("m").start_chat()
                    continue
                chat.send_message("x")
                print(chat.last.text)
            """,
            """
            while True:
                if input() == "again":
                    chat = client.chats.create(model="m")
                    continue
                response = chat.send_message(message="x")
                print(response.text)
            """,
            id="a-chat-made-anew",
        ),
    ],
)
def test_reads(before: str, after: str | None) -> None:
    if after is None:
        assert refused(told(before)) == {"attribute_removed"}
        return
    made = '            chat = client.chats.create(model="m")\n'
    assert ported(told(before)) == clean(made + after.lstrip("\n"))


REFUSED = {
    "nothing was sent": """
            print(chat.last)
            chat.send_message("x")
            """,
    "a message that may fail": """
            try:
                chat.send_message("x")
            except Exception:
                pass
            print(chat.last.text)
            """,
    "a message whose failure a context ends": """
            from contextlib import suppress
            with suppress(Exception):
                chat.send_message("x")
            print(chat.last.text)
            """,
    "a message whose failure a context of the program ends": """
            class Quiet:
                def __enter__(self):
                    pass

                def __exit__(self, *error):
                    return True

            with Quiet():
                chat.send_message("x")
            print(chat.last.text)
            """,
    "a message in a branch": """
            if input():
                chat.send_message("x")
            print(chat.last.text)
            """,
    "sent somewhere else": """
            def ask():
                chat.send_message("x")
            ask()
            print(chat.last.text)
            """,
    "sent again somewhere else": """
            def again():
                chat.send_message("y")
            chat.send_message("x")
            again()
            print(chat.last.text)
            """,
    "sent again in the same statement": """
            def again():
                chat.send_message("y")
                return "again"
            chat.send_message("x")
            print(again(), chat.last.text)
            """,
    "handed over beside what sends": """
            def again(text=""):
                chat.send_message("y")
                return "again"
            def ask():
                chat.send_message("x")
                print(again(), again(chat.last.text))
            ask()
            """,
    "handed on by what sends, round after round": """
            def again(text):
                chat.send_message(text)
                return "again"
            def ask():
                chat.send_message("x")
                print([again(chat.last.text) for _ in "ab"])
            ask()
            """,
    "handed on by what sends, then read once more": """
            def again(text):
                chat.send_message(text)
            def ask():
                chat.send_message("x")
                again(chat.last.text)
                print(chat.last.text)
            ask()
            """,
    "handed on by what sends, in a loop": """
            def again(text):
                chat.send_message(text)
                return text
            def ask():
                chat.send_message("x")
                while again(chat.last.text):
                    pass
            ask()
            """,
    "handed to what a function that sends gives back": """
            def again():
                chat.send_message("y")
                return str
            def ask():
                chat.send_message("x")
                print(again()(chat.last.text))
            ask()
            """,
    "handed over with a function that is called at once": """
            def again():
                chat.send_message("y")
                return "y"
            def ask():
                chat.send_message("x")
                print(max("ab", key=lambda _: again()), chat.last.text)
            ask()
            """,
    "under another name": """
            other = chat
            chat.send_message("x")
            other.send_message("y")
            print(chat.last.text)
            """,
    "the chat is another one": """
            chat.send_message("x")
            chat = genai.GenerativeModel("m").start_chat()
            print(chat.last)
            """,
    "an answer inside an expression": """
            print(chat.send_message("x").text)
            print(chat.last.text)
            """,
    "an answer under two names": """
            a = chat.send_message("x")
            b = chat.send_message("y")
            print(chat.last.text, a.text, b.text)
            """,
    "a name that is given to something else": """
            a = chat.send_message("x")
            a = a.text
            print(chat.last.text)
            """,
    "a stream": """
            for chunk in chat.send_message("x", stream=True):
                print(chunk.text)
            print(chat.last.text)
            """,
    "the history was read, which empties it": """
            chat.send_message("x")
            print(len(chat.history))
            print(chat.last)
            """,
    "written": """
            chat.send_message("x")
            chat.last = None
            """,
}


@pytest.mark.parametrize("before", REFUSED.values(), ids=REFUSED)
def test_refuses(before: str) -> None:
    assert refused(told(before)) & {"attribute_removed", "response_shape_changed"}


def test_an_attribute_of_the_object() -> None:
    before = """
        class Bot:
            def __init__(self):
                self.chat = genai.GenerativeModel("m").start_chat()

            def ask(self, question):
                self.chat.send_message(question)
                return self.chat.last.text

            def again(self):
                return self.ask("again")
        """
    assert "        response = self.chat.send_message(message=question)\n" in ported(before)
    assert "        return response.text\n" in ported(before)


def test_a_method_that_may_send_between_is_refused() -> None:
    before = """
        class Bot:
            def __init__(self):
                self.chat = genai.GenerativeModel("m").start_chat()

            def ask(self, question):
                self.chat.send_message(question)
                self.note()
                return self.chat.last.text

            def note(self):
                self.chat.send_message("note")
        """
    assert refused(before) == {"attribute_removed"}


@pytest.mark.parametrize("between", ["yield", "await sleep(1)"])
def test_others_may_send_where_a_function_waits(between: str) -> None:
    before = f"""
        from asyncio import sleep

        class Bot:
            def __init__(self):
                self.chat = genai.GenerativeModel("m").start_chat()

            async def ask(self, question):
                await self.chat.send_message_async(question)
                {between}
                print(self.chat.last.text)
        """
    assert refused(before) == {"attribute_removed"}


def test_a_chat_that_nobody_else_has_is_not_sent_to_meanwhile() -> None:
    before = """
        from asyncio import sleep

        async def ask(question):
            chat = genai.GenerativeModel("m").start_chat()
            await chat.send_message_async(question)
            await sleep(1)
            print(chat.last.text)
        """
    assert "    print(response.text)\n" in ported(before)


def test_says_at_the_message_that_the_text_may_be_none() -> None:
    before = told("""
            chat.send_message("x")
            print(chat.last.text)
            """)
    assert warned(before) == [(2, "response_text_may_be_none")]
