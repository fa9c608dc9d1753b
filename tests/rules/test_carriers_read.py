"""Carriers that are read: effects in arguments, changes afterwards, code that looks at them."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported


@pytest.mark.parametrize(
    ("before", "after"),
    [
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
            def models():
                yield genai.GenerativeModel("m")
                yield genai.GenerativeModel("n")


            for model in models():
                print(model.generate_content("x").text)
            """,
            """
            def models():
                yield "m"
                yield "n"


            for model in models():
                print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="yielded",
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
