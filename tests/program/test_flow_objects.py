"""The value flow through objects: attributes, slots, singletons, context managers."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            class Bot:
                __slots__ = ("model",)

                def __init__(self):
                    self.model = genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            """
            class Bot:
                __slots__ = ("model",)

                def __init__(self):
                    pass

                def ask(self, q):
                    return client.models.generate_content(model="m", contents=q).text


            print(Bot().ask("x"))
            """,
            id="slots",
        ),
        pytest.param(
            """
            class Bot:
                __slots__ = ("model",)

                def __init__(self, name):
                    self.model = genai.GenerativeModel(name, generation_config={"temperature": 0})

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot("m").ask("x"))
            """,
            """
            class Bot:
                __slots__ = ("model",)

                def __init__(self, name):
                    self.model = name

                def ask(self, q):
                    return client.models.generate_content(
                        model=self.model,
                        contents=q,
                        config=types.GenerateContentConfig(temperature=0),
                    ).text


            print(Bot("m").ask("x"))
            """,
            id="slots-config",
        ),
        pytest.param(
            """
            class Session:
                def __enter__(self):
                    self.chat = genai.GenerativeModel("m").start_chat()
                    return self.chat

                def __exit__(self, *exc):
                    return False


            with Session() as chat:
                print(chat.send_message("x").text)
            """,
            """
            class Session:
                def __enter__(self):
                    self.chat = client.chats.create(model="m")
                    return self.chat

                def __exit__(self, *exc):
                    return False


            with Session() as chat:
                print(chat.send_message(message="x").text)
            """,
            id="context-manager-class",
        ),
        pytest.param(
            """
            class Session:
                def __enter__(self):
                    self.chat = genai.GenerativeModel("m").start_chat()
                    return self

                def __exit__(self, *exc):
                    return False


            with Session() as s:
                print(s.chat.send_message("x").text)
            """,
            """
            class Session:
                def __enter__(self):
                    self.chat = client.chats.create(model="m")
                    return self

                def __exit__(self, *exc):
                    return False


            with Session() as s:
                print(s.chat.send_message(message="x").text)
            """,
            id="context-manager-self",
        ),
        pytest.param(
            """
            import copy

            model = copy.copy(genai.GenerativeModel("m"))
            print(model.generate_content("x").text)
            """,
            """
            import copy

            model = copy.copy("m")
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="copy",
        ),
        pytest.param(
            """
            class Models:
                _one = None

                @classmethod
                def get(cls):
                    if cls._one is None:
                        cls._one = genai.GenerativeModel("m")
                    return cls._one


            print(Models.get().generate_content("x").text)
            """,
            """
            class Models:
                _one = None

                @classmethod
                def get(cls):
                    if cls._one is None:
                        cls._one = "m"
                    return cls._one


            print(client.models.generate_content(model=Models.get(), contents="x").text)
            """,
            id="singleton",
        ),
        pytest.param(
            """
            import attr


            @attr.s(auto_attribs=True)
            class Bot:
                model: object

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot(genai.GenerativeModel("m")).ask("x"))
            """,
            """
            import attr


            @attr.s(auto_attribs=True)
            class Bot:
                model: object

                def ask(self, q):
                    return client.models.generate_content(model=self.model, contents=q).text


            print(Bot("m").ask("x"))
            """,
            id="attrs-",
        ),
        pytest.param(
            """
            import streamlit as st

            if "model" not in st.session_state:
                st.session_state.model = genai.GenerativeModel("m")
            print(st.session_state.model.generate_content("x").text)
            """,
            """
            import streamlit as st

            if "model" not in st.session_state:
                st.session_state.model = "m"
            print(client.models.generate_content(model=st.session_state.model, contents="x").text)
            """,
            id="session-state",
        ),
        pytest.param(
            """
            import streamlit as st

            if "chat" not in st.session_state:
                st.session_state["chat"] = genai.GenerativeModel("m").start_chat(history=[])
            print(st.session_state.chat.send_message("x").text)
            """,
            """
            import streamlit as st

            if "chat" not in st.session_state:
                st.session_state["chat"] = client.chats.create(model="m")
                st.session_state["client"] = client  # the chat needs it to stay open
            print(st.session_state.chat.send_message(message="x").text)
            """,
            id="session-state-item",
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
            from types import SimpleNamespace

            box = SimpleNamespace(model=genai.GenerativeModel("m"))
            print(box.model.generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="simple-namespace",
        ),
        pytest.param(
            """
            class Box:
                pass


            box = Box()
            setattr(box, "model", genai.GenerativeModel("m"))
            print(box.model.generate_content("x").text)
            """,
            {"model_object_escapes", "receiver_unresolved"},
            id="setattr-",
        ),
        pytest.param(
            """
            from contextlib import nullcontext

            with nullcontext(genai.GenerativeModel("m")) as model:
                print(model.generate_content("x").text)
            """,
            {"model_object_escapes", "receiver_unresolved"},
            id="contextlib-closing",
        ),
        pytest.param(
            """
            class Bot:
                _instance = None

                def __new__(cls):
                    if cls._instance is None:
                        cls._instance = super().__new__(cls)
                        cls._instance.model = genai.GenerativeModel("m")
                    return cls._instance

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            {"model_object_escapes", "receiver_unresolved"},
            id="new-singleton",
        ),
        pytest.param(
            """
            from enum import Enum


            class Models(Enum):
                FAST = genai.GenerativeModel("m")


            print(Models.FAST.value.generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="enum-",
        ),
        pytest.param(
            """
            from pydantic import BaseModel


            class Bot(BaseModel):
                model: object = None

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot(model=genai.GenerativeModel("m")).ask("x"))
            """,
            {"receiver_unresolved"},
            id="pydantic-model",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
