"""Carriers: what stands in a variable after its model is gone."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            def ask(q):
                model = genai.GenerativeModel("m")
                return model.generate_content(q).text
            """,
            """
            def ask(q):
                return client.models.generate_content(model="m", contents=q).text
            """,
            id="folded-in-a-function",
        ),
        pytest.param(
            """
            MODEL = "m"
            model = genai.GenerativeModel(MODEL)


            def ask(q):
                return model.generate_content(q).text
            """,
            """
            MODEL = "m"


            def ask(q):
                return client.models.generate_content(model=MODEL, contents=q).text
            """,
            id="folded-name-of-a-constant",
        ),
        pytest.param(
            """
            def ask(name, q):
                model = genai.GenerativeModel(name)
                return model.generate_content(q).text
            """,
            """
            def ask(name, q):
                return client.models.generate_content(model=name, contents=q).text
            """,
            id="name-of-a-parameter",
        ),
        pytest.param(
            """
            name = "m"
            model = genai.GenerativeModel(name)
            name = "n"
            print(model.generate_content("x").text)
            """,
            """
            name = "m"
            model = name
            name = "n"
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="name-rebound-between",
        ),
        pytest.param(
            """
            import os

            model = genai.GenerativeModel(os.getenv("MODEL", "m"))


            def ask(q):
                return model.generate_content(q).text
            """,
            """
            import os

            model = os.getenv("MODEL", "m")


            def ask(q):
                return client.models.generate_content(model=model, contents=q).text
            """,
            id="name-of-a-call",
        ),
        pytest.param(
            """
            def ask(name, q):
                model = genai.GenerativeModel(name)
                name = q
                return model.generate_content(name).text
            """,
            """
            def ask(name, q):
                model = name
                name = q
                return client.models.generate_content(model=model, contents=name).text
            """,
            id="name-of-a-parameter-rebound",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content("x").text)
            model = genai.GenerativeModel("n")
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            print(client.models.generate_content(model="n", contents="x").text)
            """,
            id="rebound-model",
        ),
        pytest.param(
            """
            if input():
                model = genai.GenerativeModel("m")
            else:
                model = genai.GenerativeModel("n")
            print(model.generate_content("x").text)
            """,
            """
            if input():
                model = "m"
            else:
                model = "n"
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="if-else-models",
        ),
        pytest.param(
            """
            if input():
                model = genai.GenerativeModel("m", generation_config={"temperature": 0})
            else:
                model = genai.GenerativeModel("n")
            print(model.generate_content("x").text)
            """,
            """
            if input():
                model = "m"
                model_config = types.GenerateContentConfig(temperature=0)
            else:
                model = "n"
                model_config = None
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="if-else-models-with-config",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m" if input() else "n")
            print(model.generate_content("x").text)
            """,
            """
            model = "m" if input() else "n"
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="conditional-model",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m") if input() else genai.GenerativeModel("n")
            print(model.generate_content("x").text)
            """,
            """
            model = "m" if input() else "n"
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="conditional-expression-of-models",
        ),
        pytest.param(
            """
            import os

            model = genai.GenerativeModel("m") if os.getenv("KEY") else None
            if model:
                print(model.generate_content("x").text)
            """,
            """
            import os

            model = "m" if os.getenv("KEY") else None
            if model:
                print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="or-none",
        ),
        pytest.param(
            """
            try:
                model = genai.GenerativeModel("m")
            except Exception:
                model = None
            if model is not None:
                print(model.generate_content("x").text)
            """,
            """
            try:
                model = "m"
            except Exception:
                model = None
            if model is not None:
                print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="none-in-except",
        ),
        pytest.param(
            """
            first = second = genai.GenerativeModel("m")
            print(first.generate_content("x").text, second.generate_content("x").text)
            """,
            """
            first = second = "m"
            print(client.models.generate_content(
                model=first,
                contents="x",
            ).text, client.models.generate_content(
                model=second,
                contents="x",
            ).text)
            """,
            id="chained-assignment",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            other = model
            print(other.generate_content("x").text)
            """,
            """
            model = "m"
            other = model
            print(client.models.generate_content(model=other, contents="x").text)
            """,
            id="alias",
        ),
        pytest.param(
            """
            fast, slow = genai.GenerativeModel("m"), genai.GenerativeModel("n")
            print(fast.generate_content("x").text, slow.generate_content("x").text)
            """,
            """
            fast, slow = "m", "n"
            print(client.models.generate_content(
                model=fast,
                contents="x",
            ).text, client.models.generate_content(
                model=slow,
                contents="x",
            ).text)
            """,
            id="tuple-assignment",
        ),
        pytest.param(
            """
            model: genai.GenerativeModel = genai.GenerativeModel("m")
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="annotated",
        ),
        pytest.param(
            """
            def make():
                return genai.GenerativeModel("m", generation_config={"temperature": 0})


            print(make().generate_content("x").text)
            """,
            """
            def make():
                return "m"


            print(client.models.generate_content(
                model=make(),
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="returned-with-config",
        ),
        pytest.param(
            """
            def ask(model, q):
                return model.generate_content(q).text


            print(ask(genai.GenerativeModel("m"), "x"))
            """,
            """
            def ask(model, q):
                return client.models.generate_content(model=model, contents=q).text


            print(ask("m", "x"))
            """,
            id="as-argument",
        ),
        pytest.param(
            """
            def ask(model, q):
                return model.generate_content(q).text


            print(ask(genai.GenerativeModel("m", generation_config={"temperature": 0}), "x"))
            """,
            """
            def ask(model, q):
                return client.models.generate_content(
                    model=model,
                    contents=q,
                    config=types.GenerateContentConfig(temperature=0),
                ).text


            print(ask("m", "x"))
            """,
            id="as-argument-with-config",
        ),
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
        pytest.param(
            """
            def instruction():
                print("read")
                return "Be brief."


            model = genai.GenerativeModel("m", system_instruction=instruction())
            print(model.generate_content("x").text, model.generate_content("y").text)
            """,
            """
            def instruction():
                print("read")
                return "Be brief."


            model = "m"
            model_config = types.GenerateContentConfig(system_instruction=instruction())
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text, client.models.generate_content(
                model=model,
                contents="y",
                config=model_config,
            ).text)
            """,
            id="effect-in-instruction",
        ),
        pytest.param(
            """
            def name():
                print("asked")
                return "m"


            model = genai.GenerativeModel(name())
            """,
            """
            def name():
                print("asked")
                return "m"


            model = name()
            """,
            id="effect-never-used",
        ),
        pytest.param(
            """
            class Bot:
                model = genai.GenerativeModel("m")

                @staticmethod
                def ask(q):
                    return Bot.model.generate_content(q).text
            """,
            """
            class Bot:
                @staticmethod
                def ask(q):
                    return client.models.generate_content(model="m", contents=q).text
            """,
            id="static-method-user",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self):
                    self.model = genai.GenerativeModel("m")

                def ask(self, q):
                    if not self.model:
                        return ""
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            """
            class Bot:
                def __init__(self):
                    self.model = "m"

                def ask(self, q):
                    if not self.model:
                        return ""
                    return client.models.generate_content(model=self.model, contents=q).text


            print(Bot().ask("x"))
            """,
            id="truth-of-a-folded-model",
        ),
        pytest.param(
            """
            with open("prompt.txt") as file:
                model = genai.GenerativeModel("m", system_instruction=file.read())
            print(model.generate_content("x").text)
            """,
            """
            with open("prompt.txt") as file:
                model = "m"
                model_config = types.GenerateContentConfig(system_instruction=file.read())
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text)
            """,
            id="instruction-from-a-file",
        ),
        pytest.param(
            """
            instruction = "Be brief."
            model = genai.GenerativeModel("m", system_instruction=instruction)
            instruction += " Be kind."
            print(model.generate_content("x").text, instruction)
            """,
            """
            instruction = "Be brief."
            model = "m"
            model_config = types.GenerateContentConfig(system_instruction=instruction)
            instruction += " Be kind."
            print(client.models.generate_content(
                model=model,
                contents="x",
                config=model_config,
            ).text, instruction)
            """,
            id="instruction-variable-changed-later",
        ),
        pytest.param(
            """
            class Bot:
                def __init__(self):
                    self.prompt = "Be brief."
                    self.model = genai.GenerativeModel("m", system_instruction=self.prompt)
                    self.prompt = "changed"

                def ask(self, q):
                    return self.model.generate_content(q).text


            print(Bot().ask("x"))
            """,
            """
            class Bot:
                def __init__(self):
                    self.prompt = "Be brief."
                    self.model = "m"
                    self.model_config = types.GenerateContentConfig(system_instruction=self.prompt)
                    self.prompt = "changed"

                def ask(self, q):
                    return client.models.generate_content(
                        model=self.model,
                        contents=q,
                        config=self.model_config,
                    ).text


            print(Bot().ask("x"))
            """,
            id="instruction-attribute-changed-later",
        ),
        pytest.param(
            """
            def outer(name):
                model = genai.GenerativeModel(name)

                def ask(q):
                    return model.generate_content(q).text

                return ask("x")
            """,
            """
            def outer(name):
                def ask(q):
                    return client.models.generate_content(model=name, contents=q).text

                return ask("x")
            """,
            id="nested-function-reads",
        ),
        pytest.param(
            """
            a = genai.GenerativeModel("m")
            pool = [a]
            print(a in pool, a.generate_content("x").text)
            """,
            """
            a = "m"
            pool = [a]
            print(a in pool, client.models.generate_content(model=a, contents="x").text)
            """,
            id="model-list-membership",
        ),
        pytest.param(
            """
            models = [genai.GenerativeModel("m"), genai.GenerativeModel("n")]
            for q, model in zip("xy", models):
                print(model.generate_content(q).text)
            """,
            """
            models = ["m", "n"]
            for q, model in zip("xy", models):
                print(client.models.generate_content(model=model, contents=q).text)
            """,
            id="zip-",
        ),
        pytest.param(
            """
            models = [genai.GenerativeModel("m"), genai.GenerativeModel("n")]
            for i, model in enumerate(models):
                print(i, model.generate_content("x").text)
            """,
            """
            models = ["m", "n"]
            for i, model in enumerate(models):
                print(i, client.models.generate_content(model=model, contents="x").text)
            """,
            id="enumerate-",
        ),
        pytest.param(
            """
            models = [genai.GenerativeModel("m"), genai.GenerativeModel("n")]
            model = random = models[0]
            print(model.generate_content("x").text)
            """,
            """
            models = ["m", "n"]
            model = random = models[0]
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="sorted-",
        ),
        pytest.param(
            """
            from contextlib import contextmanager


            @contextmanager
            def model():
                yield genai.GenerativeModel("m")


            with model() as m:
                print(m.generate_content("x").text)
            """,
            """
            from contextlib import contextmanager


            @contextmanager
            def model():
                yield "m"


            with model() as m:
                print(client.models.generate_content(model=m, contents="x").text)
            """,
            id="context-manager",
        ),
        pytest.param(
            """
            kind = input()
            match kind:
                case "fast":
                    model = genai.GenerativeModel("m")
                case _:
                    model = genai.GenerativeModel("n")
            print(model.generate_content("x").text)
            """,
            """
            kind = input()
            match kind:
                case "fast":
                    model = "m"
                case _:
                    model = "n"
            print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="match-statement",
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
            class Mine(genai.GenerativeModel):
                pass


            print(Mine("m").generate_content("x").text)
            """,
            {"type_reference"},
            id="subclassed-model",
        ),
        pytest.param(
            """
            import framework

            model = genai.GenerativeModel("m")
            framework.register(model)
            print(model.generate_content("x").text)
            """,
            {"model_object_escapes"},
            id="to-unknown-code",
        ),
        pytest.param(
            """
            models = [genai.GenerativeModel("m"), genai.GenerativeModel("n")]
            first, *rest = models
            print(first.generate_content("x").text, rest[0].generate_content("y").text)
            """,
            {"receiver_unresolved"},
            id="star-unpacked",
        ),
        pytest.param(
            """
            from typing import NamedTuple


            class Pair(NamedTuple):
                model: genai.GenerativeModel
                name: str


            pair = Pair(genai.GenerativeModel("m"), "p")
            print(pair.model.generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="namedtuple-",
        ),
        pytest.param(
            """
            def models():
                yield genai.GenerativeModel("m")
                yield genai.GenerativeModel("n")


            for model in models():
                print(model.generate_content("x").text)
            """,
            {"receiver_unresolved"},
            id="yielded",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
