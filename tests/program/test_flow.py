"""The value flow: through which code a model or chat is followed, and where it is given up."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            box = dict(model=genai.GenerativeModel("m"))
            print(box["model"].generate_content("x").text)
            """,
            """
            box = dict(model="m")
            print(client.models.generate_content(model=box["model"], contents="x").text)
            """,
            id="dict-call",
        ),
        pytest.param(
            """
            from collections import deque

            pool = deque([genai.GenerativeModel("m")])
            print(pool[0].generate_content("x").text)
            """,
            """
            from collections import deque

            pool = deque(["m"])
            print(client.models.generate_content(model=pool[0], contents="x").text)
            """,
            id="deque",
        ),
        pytest.param(
            """
            import itertools

            pool = itertools.cycle([genai.GenerativeModel("m"), genai.GenerativeModel("n")])
            print(next(pool).generate_content("x").text)
            """,
            """
            import itertools

            pool = itertools.cycle(["m", "n"])
            print(client.models.generate_content(model=next(pool), contents="x").text)
            """,
            id="itertools-cycle",
        ),
        pytest.param(
            """
            import random

            pool = [genai.GenerativeModel("m"), genai.GenerativeModel("n")]
            print(random.choice(pool).generate_content("x").text)
            """,
            """
            import random

            pool = ["m", "n"]
            print(client.models.generate_content(model=random.choice(pool), contents="x").text)
            """,
            id="random-choice",
        ),
        pytest.param(
            """
            from collections import defaultdict

            chats = defaultdict(lambda: genai.GenerativeModel("m").start_chat())
            print(chats["a"].send_message("x").text)
            """,
            """
            from collections import defaultdict

            chats = defaultdict(lambda: client.chats.create(model="m"))
            print(chats["a"].send_message(message="x").text)
            """,
            id="defaultdict",
        ),
        pytest.param(
            """
            chats = {}
            model = genai.GenerativeModel("m")
            chat = chats.setdefault("a", model.start_chat())
            print(chat.send_message("x").text)
            """,
            """
            chats = {}
            chat = chats.setdefault("a", client.chats.create(model="m"))
            print(chat.send_message(message="x").text)
            """,
            id="setdefault",
        ),
        pytest.param(
            """
            models = {"a": genai.GenerativeModel("m")}
            print(models.get("a").generate_content("x").text)
            """,
            """
            models = {"a": "m"}
            print(client.models.generate_content(model=models.get("a"), contents="x").text)
            """,
            id="dict-get",
        ),
        pytest.param(
            """
            models = {"a": genai.GenerativeModel("m")}
            print(models.get("b", models["a"]).generate_content("x").text)
            """,
            """
            models = {"a": "m"}
            print(client.models.generate_content(
                model=models.get("b", models["a"]),
                contents="x",
            ).text)
            """,
            id="dict-get-default",
        ),
        pytest.param(
            """
            models = {"a": genai.GenerativeModel("m")}
            for model in models.values():
                print(model.generate_content("x").text)
            """,
            """
            models = {"a": "m"}
            for model in models.values():
                print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="dict-values",
        ),
        pytest.param(
            """
            models = [genai.GenerativeModel("m")]
            print(models.pop().generate_content("x").text)
            """,
            """
            models = ["m"]
            print(client.models.generate_content(model=models.pop(), contents="x").text)
            """,
            id="list-pop",
        ),
        pytest.param(
            """
            models = [genai.GenerativeModel("m"), genai.GenerativeModel("n")]
            for i in range(len(models)):
                print(models[i].generate_content("x").text)
            """,
            """
            models = ["m", "n"]
            for i in range(len(models)):
                print(client.models.generate_content(model=models[i], contents="x").text)
            """,
            id="list-index-loop",
        ),
        pytest.param(
            """
            from functools import lru_cache


            @lru_cache(maxsize=None)
            def model(name):
                return genai.GenerativeModel(name)


            print(model("m").generate_content("x").text)
            """,
            """
            from functools import lru_cache


            @lru_cache(maxsize=None)
            def model(name):
                return name


            print(client.models.generate_content(model=model("m"), contents="x").text)
            """,
            id="lru-cache",
        ),
        pytest.param(
            """
            from functools import cached_property


            class Bot:
                @cached_property
                def model(self):
                    return genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            """
            from functools import cached_property


            class Bot:
                @cached_property
                def model(self):
                    return "m"

                def ask(self, q):
                    return client.models.generate_content(model=self.model, contents=q).text


            print(Bot().ask("x"))
            """,
            id="cached-property",
        ),
        pytest.param(
            """
            import functools


            def logged(function):
                @functools.wraps(function)
                def inner(*args, **kwargs):
                    return function(*args, **kwargs)

                return inner


            @logged
            def make():
                return genai.GenerativeModel("m")


            print(make().generate_content("x").text)
            """,
            """
            import functools


            def logged(function):
                @functools.wraps(function)
                def inner(*args, **kwargs):
                    return function(*args, **kwargs)

                return inner


            @logged
            def make():
                return "m"


            print(client.models.generate_content(model=make(), contents="x").text)
            """,
            id="user-decorator",
        ),
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
            def ask(**kw):
                return kw["model"].generate_content("x").text


            print(ask(model=genai.GenerativeModel("m")))
            """,
            """
            def ask(**kw):
                return client.models.generate_content(model=kw["model"], contents="x").text


            print(ask(model="m"))
            """,
            id="kwargs-passed",
        ),
        pytest.param(
            """
            def ask(*a):
                return a[0].generate_content("x").text


            print(ask(genai.GenerativeModel("m")))
            """,
            """
            def ask(*a):
                return client.models.generate_content(model=a[0], contents="x").text


            print(ask("m"))
            """,
            id="args-passed",
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
            from dataclasses import dataclass


            @dataclass
            class Bot:
                model: object

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot(genai.GenerativeModel("m")).ask("x"))
            """,
            """
            from dataclasses import dataclass


            @dataclass
            class Bot:
                model: object

                def ask(self, q):
                    return client.models.generate_content(model=self.model, contents=q).text


            print(Bot("m").ask("x"))
            """,
            id="dataclass-passed",
        ),
        pytest.param(
            """
            def ask(q, model=genai.GenerativeModel("m")):
                return model.generate_content(q).text


            print(ask("x"))
            """,
            """
            def ask(q, model="m"):
                return client.models.generate_content(model=model, contents=q).text


            print(ask("x"))
            """,
            id="default-parameter",
        ),
        pytest.param(
            """
            ask = lambda q, model=genai.GenerativeModel("m"): model.generate_content(q).text
            print(ask("x"))
            """,
            """
            ask = lambda q, model="m": client.models.generate_content(
                model=model,
                contents=q,
            ).text
            print(ask("x"))
            """,
            id="lambda-default",
        ),
        pytest.param(
            """
            models = [[genai.GenerativeModel("m")]]
            print(models[0][0].generate_content("x").text)
            """,
            """
            models = [["m"]]
            print(client.models.generate_content(model=models[0][0], contents="x").text)
            """,
            id="nested-list",
        ),
        pytest.param(
            """
            import asyncio


            async def make():
                return genai.GenerativeModel("m")


            model = asyncio.run(make())
            print(model.generate_content("x").text)
            """,
            """
            import asyncio


            async def make():
                return "m"


            model = asyncio.run(make())
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="asyncio-run-returned",
        ),
        pytest.param(
            """
            import asyncio


            def make():
                return genai.GenerativeModel("m")


            async def main():
                model = await asyncio.to_thread(make)
                print(model.generate_content("x").text)


            asyncio.run(main())
            """,
            """
            import asyncio


            def make():
                return "m"


            async def main():
                model = await asyncio.to_thread(make)
                print(client.models.generate_content(model=model, contents="x").text)


            asyncio.run(main())
            """,
            id="to-thread-returned",
        ),
        pytest.param(
            """
            import asyncio


            async def make(name):
                return genai.GenerativeModel(name)


            async def main():
                models = await asyncio.gather(make("m"), make("n"))
                print(models[0].generate_content("x").text)


            asyncio.run(main())
            """,
            """
            import asyncio


            async def make(name):
                return name


            async def main():
                models = await asyncio.gather(make("m"), make("n"))
                print(client.models.generate_content(model=models[0], contents="x").text)


            asyncio.run(main())
            """,
            id="gather-returned",
        ),
        pytest.param(
            """
            def ask(model, q):
                return model.generate_content(q).text


            options = {"model": genai.GenerativeModel("m"), "q": "x"}
            print(ask(**options))
            """,
            """
            def ask(model, q):
                return client.models.generate_content(model=model, contents=q).text


            options = {"model": "m", "q": "x"}
            print(ask(**options))
            """,
            id="double-star",
        ),
        pytest.param(
            """
            def ask(model, q):
                return model.generate_content(q).text


            print(ask(*(genai.GenerativeModel("m"), "x")))
            """,
            """
            def ask(model, q):
                return client.models.generate_content(model=model, contents=q).text


            print(ask(*("m", "x")))
            """,
            id="star-call",
        ),
        pytest.param(
            """
            def ask(model, q):
                return model.generate_content(q).text


            def patiently(*args, **kwargs):
                return ask(*args, **kwargs)


            print(patiently(genai.GenerativeModel("m"), q="x"))
            """,
            """
            def ask(model, q):
                return client.models.generate_content(model=model, contents=q).text


            def patiently(*args, **kwargs):
                return ask(*args, **kwargs)


            print(patiently("m", q="x"))
            """,
            id="star-passed-on",
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
            from fastapi import FastAPI, Request

            app = FastAPI()
            app.state.model = genai.GenerativeModel("m")


            @app.get("/")
            def ask(request: Request, q: str):
                return request.app.state.model.generate_content(q).text
            """,
            {"receiver_unresolved"},
            id="app-state",
        ),
        pytest.param(
            """
            from flask import Flask, current_app

            app = Flask(__name__)
            app.config["MODEL"] = genai.GenerativeModel("m")


            @app.route("/")
            def ask():
                return current_app.config["MODEL"].generate_content("x").text
            """,
            {"receiver_unresolved"},
            id="app-config",
        ),
        pytest.param(
            """
            from flask import g


            def before():
                g.model = genai.GenerativeModel("m")


            def ask():
                return g.model.generate_content("x").text
            """,
            {"receiver_unresolved"},
            id="flask-g",
        ),
        pytest.param(
            """
            import queue

            q = queue.Queue()
            q.put(genai.GenerativeModel("m"))
            print(q.get().generate_content("x").text)
            """,
            {"model_object_escapes", "receiver_unresolved"},
            id="queue",
        ),
        pytest.param(
            """
            from contextvars import ContextVar

            current = ContextVar("current")
            current.set(genai.GenerativeModel("m"))
            print(current.get().generate_content("x").text)
            """,
            {"model_object_escapes", "receiver_unresolved"},
            id="contextvar",
        ),
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
            from concurrent.futures import ThreadPoolExecutor


            def make():
                return genai.GenerativeModel("m")


            with ThreadPoolExecutor() as pool:
                print(pool.submit(make).result().generate_content("x").text)
            """,
            {"model_object_escapes", "receiver_unresolved"},
            id="future",
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
            class Bot:
                def __getattr__(self, name):
                    return genai.GenerativeModel("m")


            print(Bot().anything.generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="getattr-method",
        ),
        pytest.param(
            """
            class Maker:
                def __call__(self):
                    return genai.GenerativeModel("m")


            make = Maker()
            print(make().generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="dunder-call",
        ),
        pytest.param(
            """
            class Models:
                def __getitem__(self, name):
                    return genai.GenerativeModel(name)


            print(Models()["m"].generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="dunder-getitem",
        ),
        pytest.param(
            """
            class Models:
                def __iter__(self):
                    yield genai.GenerativeModel("m")


            for model in Models():
                print(model.generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="dunder-iter",
        ),
        pytest.param(
            """
            globals()["model"] = genai.GenerativeModel("m")
            print(model.generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="globals-",
        ),
        pytest.param(
            """
            def worker():
                model = yield
                print(model.generate_content("x").text)


            w = worker()
            next(w)
            w.send(genai.GenerativeModel("m"))
            """,
            {"receiver_unresolved"},
            id="send-into-generator",
        ),
        pytest.param(
            """
            class Found(Exception):
                def __init__(self, model):
                    self.model = model


            try:
                raise Found(genai.GenerativeModel("m"))
            except Found as found:
                print(found.model.generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="exception-carries",
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
        pytest.param(
            """
            import threading

            local = threading.local()
            local.model = genai.GenerativeModel("m")
            print(local.model.generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="thread-local",
        ),
        pytest.param(
            """
            def ask(q):
                return ask.model.generate_content(q).text


            ask.model = genai.GenerativeModel("m")
            print(ask("x"))
            """,
            {"model_object_escapes", "receiver_unresolved"},
            id="function-attribute",
        ),
        pytest.param(
            """
            from functools import reduce

            model = reduce(lambda a, b: a, [genai.GenerativeModel("m"), genai.GenerativeModel("n")])
            print(model.generate_content("x").text)
            """,
            {"model_object_escapes", "receiver_unresolved"},
            id="reduce",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
