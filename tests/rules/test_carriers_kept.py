"""Carriers that are kept: in containers, on objects, in classes, over loops."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            def ask(model, q):
                return model.generate_content(q).text


            print(ask(genai.GenerativeModel("m"), "x"), ask(genai.GenerativeModel("n"), "x"))
            """,
            """
            def ask(model, q):
                return client.models.generate_content(model=model, contents=q).text


            print(ask("m", "x"), ask("n", "x"))
            """,
            id="two-callers",
        ),
        pytest.param(
            """
            if input():
                model = genai.GenerativeModel("m")
            else:
                model = genai.GenerativeModel("n", system_instruction="s")
            print(model.generate_content("x", generation_config={"top_k": 1}).text)
            """,
            """
            if input():
                model = "m"
                model_config = types.GenerateContentConfig()
            else:
                model = "n"
                model_config = types.GenerateContentConfig(system_instruction="s")
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config.model_copy(update={"top_k": 1}),
            ).text)
            """,
            id="a-call-states-more-than-a-model-that-states-nothing",
        ),
        pytest.param(
            """
            MODELS = {"fast": genai.GenerativeModel("m"), "slow": genai.GenerativeModel("n")}
            print(MODELS["fast"].generate_content("x").text)
            """,
            """
            MODELS = {"fast": "m", "slow": "n"}
            print(client.models.generate_content(model=MODELS["fast"], contents="x").text)
            """,
            id="dict-of-models",
        ),
        pytest.param(
            """
            cache = {}


            def model(name):
                if name not in cache:
                    cache[name] = genai.GenerativeModel(name)
                return cache[name]


            print(model("m").generate_content("x").text)
            """,
            """
            cache = {}


            def model(name):
                if name not in cache:
                    cache[name] = name
                return cache[name]


            print(client.models.generate_content(model=model("m"), contents="x").text)
            """,
            id="dict-cache",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self, name):
                    self.model = genai.GenerativeModel(name)

                def ask(self, q):
                    return self.model.generate_content(q).text
            """,
            """
            class Bot:
                def __init__(self, name):
                    self.model = name

                def ask(self, q):
                    return client.models.generate_content(model=self.model, contents=q).text
            """,
            id="on-self",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self, name, heat):
                    config = {"temperature": heat}
                    self.model = genai.GenerativeModel(name, generation_config=config)

                def ask(self, q):
                    return self.model.generate_content(q).text

                def calm(self, q):
                    return self.model.generate_content(q, generation_config={"temperature": 0}).text
            """,
            """
            class Bot:
                def __init__(self, name, heat):
                    self.model = name
                    self.model_config = types.GenerateContentConfig(temperature=heat)

                def ask(self, q):
                    return client.models.generate_content(
                        model=self.model,
                        contents=q,
                        config=self.model_config,
                    ).text

                def calm(self, q):
                    return client.models.generate_content(
                        model=self.model,
                        contents=q,
                        config=self.model_config.model_copy(update={"temperature": 0}),
                    ).text
            """,
            id="on-self-with-config",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self):
                    self.model = genai.GenerativeModel("m")

                def switch(self, name):
                    self.model = genai.GenerativeModel(name)

                def ask(self, q):
                    return self.model.generate_content(q).text
            """,
            """
            class Bot:
                def __init__(self):
                    self.model = "m"

                def switch(self, name):
                    self.model = name

                def ask(self, q):
                    return client.models.generate_content(model=self.model, contents=q).text
            """,
            id="on-self-switched",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self):
                    self.model = genai.GenerativeModel("m", system_instruction="Be brief.")

                def switch(self, name):
                    self.model = genai.GenerativeModel(name)

                def ask(self, q):
                    return self.model.generate_content(q).text
            """,
            """
            class Bot:
                def __init__(self):
                    self.model = "m"
                    self.model_config = types.GenerateContentConfig(system_instruction="Be brief.")

                def switch(self, name):
                    self.model = name
                    self.model_config = None

                def ask(self, q):
                    return client.models.generate_content(
                        model=self.model,
                        contents=q,
                        config=self.model_config,
                    ).text
            """,
            id="on-self-switched-config",
        ),
        pytest.param(
            """
            class Bot:
                model = genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"), Bot.model.generate_content("y").text)
            """,
            """
            class Bot:
                def ask(self, q):
                    return client.models.generate_content(model="m", contents=q).text


            print(Bot().ask("x"), client.models.generate_content(model="m", contents="y").text)
            """,
            id="class-attribute",
        ),
        pytest.param(
            """
            class Bot:
                model = genai.GenerativeModel("m", generation_config={"temperature": 0})

                def ask(self, q):
                    return self.model.generate_content(q).text
            """,
            """
            class Bot:
                def ask(self, q):
                    return client.models.generate_content(
                        model="m",
                        contents=q,
                        config=types.GenerateContentConfig(temperature=0),
                    ).text
            """,
            id="class-attribute-with-config",
        ),
        pytest.param(
            """
            class Bot:
                @property
                def model(self):
                    return genai.GenerativeModel("m")

                def ask(self, q):
                    return self.model.generate_content(q).text
            """,
            """
            class Bot:
                @property
                def model(self):
                    return "m"

                def ask(self, q):
                    return client.models.generate_content(model=self.model, contents=q).text
            """,
            id="property-",
        ),
        pytest.param(
            """
            class Base:
                def __init__(self):
                    self.model = genai.GenerativeModel("m")


            class Bot(Base):
                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            """
            class Base:
                def __init__(self):
                    pass


            class Bot(Base):
                def ask(self, q):
                    return client.models.generate_content(model="m", contents=q).text


            print(Bot().ask("x"))
            """,
            id="subclass",
        ),
        pytest.param(
            """
            model = None


            def setup():
                global model
                model = genai.GenerativeModel("m", generation_config={"temperature": 0})


            def ask(q):
                return model.generate_content(q).text


            setup()
            print(ask("x"))
            """,
            """
            model = None


            def setup():
                global model, model_config
                model = "m"
                model_config = types.GenerateContentConfig(temperature=0)


            def ask(q):
                return client.models.generate_content(
                    model=model,
                    contents=q,
                    config=model_config,
                ).text


            setup()
            print(ask("x"))
            """,
            id="none-then-global",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content("x").text)
            del model
            """,
            """
            model = "m"
            print(client.models.generate_content(model=model, contents="x").text)
            del model
            """,
            id="deleted",
        ),
        pytest.param(
            """
            for name in ["m", "n"]:
                model = genai.GenerativeModel(name)
                print(model.generate_content("x").text)
            """,
            """
            for name in ["m", "n"]:
                model = name
                print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="loop-over-names",
        ),
        pytest.param(
            """
            models = []
            for name in ["m", "n"]:
                models.append(genai.GenerativeModel(name))
            for model in models:
                print(model.generate_content("x").text)
            """,
            """
            models = []
            for name in ["m", "n"]:
                models.append(name)
            for model in models:
                print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="loop-with-late-use",
        ),
        pytest.param(
            """
            models = [genai.GenerativeModel(name) for name in ["m", "n"]]
            print([model.generate_content("x").text for model in models])
            """,
            """
            models = [name for name in ["m", "n"]]
            print([client.models.generate_content(
                model=model,
                contents="x",
            ).text for model in models])
            """,
            id="comprehension",
        ),
        pytest.param(
            """
            asks = []
            for name in ["m", "n"]:
                model = genai.GenerativeModel(name)
                asks.append(lambda: model.generate_content("x").text)
            print([ask() for ask in asks])
            """,
            """
            asks = []
            for name in ["m", "n"]:
                model = name
                asks.append(lambda: client.models.generate_content(model=model, contents="x").text)
            print([ask() for ask in asks])
            """,
            id="closure-over-loop-name",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)
