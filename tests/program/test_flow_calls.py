"""The value flow through calls: arguments, coroutines, threads, starred parameters."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
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
            from concurrent.futures import ThreadPoolExecutor


            def make():
                return genai.GenerativeModel("m")


            with ThreadPoolExecutor() as pool:
                print(pool.submit(make).result().generate_content("x").text)
            """,
            """
            from concurrent.futures import ThreadPoolExecutor


            def make():
                return "m"


            with ThreadPoolExecutor() as pool:
                print(client.models.generate_content(
                    model=pool.submit(make).result(),
                    contents="x",
                ).text)
            """,
            id="future",
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
