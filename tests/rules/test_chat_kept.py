"""Chats that are kept, given away and read."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            chats = {}


            def chat_of(user):
                if user not in chats:
                    chats[user] = genai.GenerativeModel("m").start_chat()
                return chats[user]


            print(chat_of("a").send_message("x").text)
            """,
            """
            chats = {}


            def chat_of(user):
                if user not in chats:
                    chats[user] = client.chats.create(model="m")
                return chats[user]


            print(chat_of("a").send_message(message="x").text)
            """,
            id="chat-in-a-dict",
        ),
        pytest.param(
            """
            chats = {}


            def start():
                chat = genai.GenerativeModel("m").start_chat()
                chats[hash(chat)] = chat
                return hash(chat), callable(chat)


            def say(which, text):
                return chats[which].send_message(text).text
            """,
            """
            chats = {}


            def start():
                chat = client.chats.create(model="m")
                chats[hash(chat)] = chat
                return hash(chat), callable(chat)


            def say(which, text):
                return chats[which].send_message(message=text).text
            """,
            id="chat-under-its-own-hash",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self):
                    self.model = genai.GenerativeModel("m")
                    self.chat = self.model.start_chat(history=[])

                def say(self, text):
                    return self.chat.send_message(text).text

                def reset(self):
                    self.chat = self.model.start_chat(history=[])
            """,
            """
            class Bot:
                def __init__(self):
                    self.chat = client.chats.create(model="m")

                def say(self, text):
                    return self.chat.send_message(message=text).text

                def reset(self):
                    self.chat = client.chats.create(model="m")
            """,
            id="chat-on-self",
        ),
        pytest.param(
            """
            chat = None


            def say(text):
                global chat
                if chat is None:
                    chat = genai.GenerativeModel("m").start_chat()
                return chat.send_message(text).text
            """,
            """
            chat = None


            def say(text):
                global chat
                if chat is None:
                    chat = client.chats.create(model="m")
                return chat.send_message(message=text).text
            """,
            id="none-first",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            print(chat.send_message(content="x").text)
            """,
            """
            chat = client.chats.create(model="m")
            print(chat.send_message(message="x").text)
            """,
            id="keyword-content",
        ),
        pytest.param(
            """
            def make():
                return genai.GenerativeModel("m").start_chat()


            print(make().send_message("x").text)
            """,
            """
            def make():
                return client.chats.create(model="m")


            print(make().send_message(message="x").text)
            """,
            id="chat-returned",
        ),
        pytest.param(
            """
            def say(chat, text):
                return chat.send_message(text).text


            print(say(genai.GenerativeModel("m").start_chat(), "x"))
            """,
            """
            def say(chat, text):
                return chat.send_message(message=text).text


            print(say(client.chats.create(model="m"), "x"))
            """,
            id="chat-as-argument",
        ),
        pytest.param(
            """
            def make():
                chat = genai.GenerativeModel("m").start_chat()

                def say(text):
                    return chat.send_message(text).text

                return say


            print(make()("x"))
            """,
            """
            def make():
                chat = client.chats.create(model="m")

                def say(text):
                    return chat.send_message(message=text).text

                return say


            print(make()("x"))
            """,
            id="chat-in-a-closure",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            for question in ["a", "b"]:
                chat = model.start_chat()
                print(chat.send_message(question).text)
            """,
            """
            for question in ["a", "b"]:
                chat = client.chats.create(model="m")
                print(chat.send_message(message=question).text)
            """,
            id="chats-in-a-loop",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            chat = model.start_chat()
            chat.send_message("x")
            chat = model.start_chat(history=chat.history)
            print(chat.send_message("y").text)
            """,
            """
            chat = client.chats.create(model="m")
            chat.send_message(message="x")
            chat = client.chats.create(model="m", history=chat.get_history(curated=True))
            print(chat.send_message(message="y").text)
            """,
            id="chat-rebound-with-history",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            chat = model.start_chat()
            chat.send_message("x")
            saved = list(chat.history)
            chat = model.start_chat(history=saved)
            print(chat.send_message("y").text)
            """,
            """
            chat = client.chats.create(model="m")
            chat.send_message(message="x")
            saved = list(chat.get_history(curated=True))
            chat = client.chats.create(model="m", history=saved)
            print(chat.send_message(message="y").text)
            """,
            id="history-copied",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            chat.send_message("x")
            print(len(chat.history))
            """,
            """
            chat = client.chats.create(model="m")
            chat.send_message(message="x")
            print(len(chat.get_history(curated=True)))
            """,
            id="history-len",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            chat = model.start_chat()
            chat.send_message("x")
            chat = model.start_chat(history=chat.history[-2:])
            print(chat.send_message("y").text)
            """,
            """
            chat = client.chats.create(model="m")
            chat.send_message(message="x")
            chat = client.chats.create(model="m", history=chat.get_history(curated=True)[-2:])
            print(chat.send_message(message="y").text)
            """,
            id="history-sliced",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            if not chat.history:
                print(chat.send_message("x").text)
            """,
            """
            chat = client.chats.create(model="m")
            if not chat.get_history(curated=True):
                print(chat.send_message(message="x").text)
            """,
            id="history-truth",
        ),
        pytest.param(
            """
            from flask import Flask

            app = Flask(__name__)


            @app.route("/")
            def ask():
                chat = genai.GenerativeModel("m").start_chat()
                return chat.send_message("x").text
            """,
            """
            from flask import Flask

            app = Flask(__name__)


            @app.route("/")
            def ask():
                chat = client.chats.create(model="m")
                return chat.send_message(message="x").text
            """,
            id="chat-returned-by-a-route",
        ),
        pytest.param(
            """
            import framework

            framework.show(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            import framework

            framework.show(client.models.generate_content(model="m", contents="x").text)
            """,
            id="response-to-a-framework",
        ),
        pytest.param(
            """
            import gradio

            chat = genai.GenerativeModel("m").start_chat()


            def respond(message, history):
                return chat.send_message(message).text


            gradio.ChatInterface(respond).launch()
            """,
            """
            import gradio

            chat = client.chats.create(model="m")


            def respond(message, history):
                return chat.send_message(message=message).text


            gradio.ChatInterface(respond).launch()
            """,
            id="gradio-function",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            print(bool(chat), chat.send_message("x").text)
            """,
            """
            chat = client.chats.create(model="m")
            print(bool(chat), chat.send_message(message="x").text)
            """,
            id="bool-of",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


@pytest.mark.parametrize(
    ("before", "codes"),
    [
        pytest.param(
            """
            import threading

            chat = genai.GenerativeModel("m").start_chat()
            t = threading.Thread(target=chat.send_message, args=("x",))
            t.start()
            """,
            {"method_used_as_value", "model_object_escapes"},
            id="send-to-thread",
        ),
        pytest.param(
            """
            import framework

            chat = genai.GenerativeModel("m").start_chat()
            framework.register(chat)
            """,
            {"model_object_escapes"},
            id="chat-to-a-framework",
        ),
        pytest.param(
            """
            import threading


            def work(chat):
                chat.send_message("x", stream=True)


            chat = genai.GenerativeModel("m").start_chat()
            threading.Thread(target=work, args=(chat,)).start()
            """,
            {"model_object_escapes"},
            id="chat-to-a-thread",
        ),
        pytest.param(
            """
            import pickle

            chat = genai.GenerativeModel("m").start_chat()
            pickle.dumps(chat)
            """,
            {"model_object_escapes"},
            id="pickled",
        ),
        pytest.param(
            """
            from flask import Flask

            app = Flask(__name__)


            @app.context_processor
            def inject():
                return {"chat": genai.GenerativeModel("m").start_chat()}
            """,
            {"model_object_escapes"},
            id="returned-object-of-a-callback",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
