"""Whole programs of the shapes people write, run as found and as ported."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chatport.port.prove.pair import prove_pair
from chatport.port.prove.running import Worker
from tests.support.port import refused, whole, whole_ported


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            class Bot:
            \tdef __init__(self, name):
            \t\tself.model = genai.GenerativeModel(name, generation_config={"temperature": 0})

            \tdef ask(self, q):
            \t\tif q:
            \t\t\treturn self.model.generate_content(
            \t\t\t\tq,
            \t\t\t).text
            \t\treturn ""


            print(Bot("m").ask("x"))
            """,
            id="tabs",
        ),
        pytest.param(
            """
            def ask(*args, **kwargs):
                model, q = args
                return model.generate_content(q).text


            print(ask(genai.GenerativeModel("m"), "x"))
            """,
            id="star-args-model",
        ),
        pytest.param(
            """
            r = (
                genai
                .GenerativeModel("m")
                .start_chat()
                .send_message("x")
            )
            print(r.text)
            """,
            id="chained-lines",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print([model for model in ["a", "b"]], model.generate_content("x").text)
            """,
            id="comprehension-variable-shadows",
        ),
        pytest.param(
            """
            name = "outer"


            class Config:
                name = "inner"
                model = genai.GenerativeModel(name)


            print(Config.model.generate_content("x").text)
            """,
            id="class-scope-name",
        ),
        pytest.param(
            """
            def outer():
                def inner():
                    global chat
                    chat = genai.GenerativeModel("m").start_chat()

                inner()


            outer()
            print(chat.send_message("x").text)
            """,
            id="global-in-nested",
        ),
        pytest.param(
            """
            def session():
                chat = None

                def say(q):
                    nonlocal chat
                    if chat is None:
                        chat = genai.GenerativeModel("m").start_chat()
                    return chat.send_message(q).text

                return say


            say = session()
            print(say("x"), say("y"))
            """,
            id="nonlocal-chat",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat(history=[])
            questions = iter(["a", "b", "exit"])
            while True:
                q = next(questions)
                if q == "exit":
                    break
                response = chat.send_message(q, stream=True)
                for chunk in response:
                    print(chunk.text, end="")
                print()
            """,
            id="while-true",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")


            def stream(q):
                for chunk in model.generate_content(q, stream=True):
                    yield chunk.text


            print(list(stream("a b c")))
            """,
            id="stream-generator-function",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")


            def stream(q):
                yield from model.generate_content(q, stream=True)


            for c in stream("a b c"):
                print(c.text)
            """,
            id="yield-from-stream",
        ),
        pytest.param(
            """
            import asyncio

            chat = genai.GenerativeModel("m").start_chat()


            async def ask(q):
                return (await chat.send_message_async(q)).text


            print(asyncio.run(ask("x")))
            print(asyncio.run(ask("y")))
            """,
            id="async-chat-two-loops",
        ),
        pytest.param(
            """
            import threading

            chat = genai.GenerativeModel("m").start_chat()


            def work():
                print(chat.send_message("x").text)


            t = threading.Thread(target=work)
            t.start()
            t.join()
            print(chat.send_message("y").text)
            """,
            id="thread-chat",
        ),
        pytest.param(
            """
            class Bot:
                def __enter__(self):
                    self.chat = genai.GenerativeModel("m").start_chat()
                    return self

                def __exit__(self, *e):
                    self.chat = None

                def say(self, q):
                    return self.chat.send_message(q).text


            with Bot() as bot:
                print(bot.say("x"))
            """,
            id="context-manager-bot",
        ),
        pytest.param(
            """
            class Base:
                def __init__(self, model):
                    self.model = model


            class Bot(Base):
                def __init__(self):
                    super().__init__(genai.GenerativeModel("m"))

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            id="super-init-with-model",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self, instruction):
                    self.model = genai.GenerativeModel("m", system_instruction=instruction)
                    self.chat = self.model.start_chat()

                def say(self, q):
                    return self.chat.send_message(q).text


            a, b = Bot("A"), Bot("B")
            print(a.say("x"), b.say("y"), a.say("z"))
            """,
            id="two-bots",
        ),
        pytest.param(
            """
            config = {"temperature": 0}
            model = genai.GenerativeModel("m", generation_config=config)
            config = {"temperature": 1}
            print(model.generate_content("x").text)
            """,
            id="config-reassigned",
        ),
        pytest.param(
            """
            import os

            config = {"temperature": float(os.environ.get("T", "0"))}
            model = genai.GenerativeModel("m", generation_config=config)
            config = {"temperature": 1}
            other = genai.GenerativeModel("n", generation_config=config)
            print(model.generate_content("x").text, other.generate_content("y").text)
            """,
            id="config-reassigned-named",
        ),
        pytest.param(
            """
            def ask(q, config={"temperature": 0}):
                config["temperature"] += 1
                return genai.GenerativeModel("m").generate_content(q, generation_config=config).text


            print(ask("x"), ask("y"))
            """,
            id="config-param-default-mutable",
        ),
        pytest.param(
            """
            def make():
                client = "mine"

                def ask(q):
                    return client, genai.GenerativeModel("m").generate_content(q).text

                return ask


            print(make()("x"))
            """,
            id="client-in-nested-scope",
        ),
        pytest.param(
            """
            cats = ["HARM_CATEGORY_HARASSMENT", "HARM_CATEGORY_HATE_SPEECH"]
            safety = [{"category": c, "threshold": "BLOCK_NONE"} for c in cats]
            model = genai.GenerativeModel("m", safety_settings=safety)
            print(model.generate_content("x").text)
            """,
            id="safety-list-comprehension",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", safety_settings="BLOCK_NONE")
            print(model.generate_content("x").text)
            """,
            id="safety-one-for-all",
        ),
    ],
)
def test_a_ported_program_asks_and_prints_the_same(
    worker: Callable[[str], Worker], program: str
) -> None:
    result = prove_pair(whole(program), whole_ported(program), (worker("legacy"), worker("genai3")))
    assert result.same, result.explain()


@pytest.mark.parametrize(
    ("program", "codes"),
    [
        pytest.param(
            """
            safety = {"HARASSMENT": "BLOCK_NONE"}
            safety["HATE"] = "BLOCK_NONE"
            model = genai.GenerativeModel("m", safety_settings=safety)
            print(model.generate_content("x").text)
            """,
            {"safety_settings_not_static"},
            id="safety-mutated",
        ),
        pytest.param(
            """
            def f(genai=genai):
                return genai.GenerativeModel("m").generate_content("x").text


            print(f())
            """,
            {"usage_unmapped"},
            id="genai-parameter",
        ),
        pytest.param(
            """
            Model = genai.GenerativeModel


            def ask(model: Model, q: str) -> str:
                return model.generate_content(q).text


            print(ask(Model("m"), "x"))
            """,
            {"type_reference"},
            id="type-alias",
        ),
    ],
)
def test_a_refused_program_says_why(program: str, codes: set[str]) -> None:
    assert refused(program) == codes
