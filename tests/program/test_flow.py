"""The value flow: through which code a model or chat is followed, and where it is lost."""

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
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
