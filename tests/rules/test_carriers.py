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
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes


MANY_LINES = """
            settings = {"temperature": 0, "top_p": 0.5, "top_k": 3, "max_output_tokens": 9}
            model = genai.GenerativeModel("m", generation_config=settings)
"""
ASKED = '            print(model.generate_content("x").text)\n'


def test_a_configuration_of_many_lines_is_named_where_several_calls_say_it() -> None:
    after = ported(MANY_LINES.lstrip("\n") + ASKED * 2)
    assert after.startswith('model = "m"\nmodel_config = types.GenerateContentConfig(\n')
    assert after.count("temperature=0") == 1
    assert after.count("config=model_config") == 2


@pytest.mark.parametrize(
    "uses",
    [
        pytest.param(ASKED, id="one-call"),
        pytest.param(
            ASKED + '            print(model.count_tokens("x").total_tokens)\n',
            id="a-count-that-says-none",
        ),
        pytest.param("            model_config = 1\n" + ASKED * 2, id="the-name-is-taken"),
    ],
)
def test_it_is_said_again_where_once_or_where_there_is_no_name(uses: str) -> None:
    after = ported(MANY_LINES.lstrip("\n") + uses)
    assert "config=model_config" not in after
    assert "model_config = types" not in after
