"""Calls on a model, wherever an expression can stand: layout, comments, quotes, nesting."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            response = model.generate_content(
                # what is asked
                "x",
                stream=False,  # all at once
            )
            """,
            """
            response = client.models.generate_content(
                model="m",
                # what is asked
                contents="x",
                # all at once
            )
            """,
            id="comment-in-the-call",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            r = model.generate_content("x"); print(r.text)
            """,
            """
            r = client.models.generate_content(model="m", contents="x"); print(r.text)
            """,
            id="wide-source-stays-one-line-when-it-fits",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            response = model.generate_content(
                "x"
            )
            """,
            """
            response = client.models.generate_content(
                model="m",
                contents="x",
            )
            """,
            id="broken-source-stays-broken",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content("a" if input() else "b").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="a" if input() else "b").text)
            """,
            id="conditional-argument",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print((lambda q: model.generate_content(q).text)("x"))
            """,
            """
            print((lambda q: client.models.generate_content(model="m", contents=q).text)("x"))
            """,
            id="lambda-argument",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(f"answer: {model.generate_content('x').text}")
            """,
            """
            print(f"answer: {client.models.generate_content(model='m', contents='x').text}")
            """,
            id="nested-in-f-string",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content(model.generate_content("x").text).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents=client.models.generate_content(
                    model="m",
                    contents="x",
                ).text,
            ).text)
            """,
            id="nested-in-itself",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")


            def named(text):
                return lambda function: function


            @named(model.generate_content("x").text)
            def f():
                return 1
            """,
            """
            def named(text):
                return lambda function: function


            @named(client.models.generate_content(model="m", contents="x").text)
            def f():
                return 1
            """,
            id="decorator-argument",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")


            def f(answer=model.generate_content("x").text):
                return answer
            """,
            """
            def f(answer=client.models.generate_content(model="m", contents="x").text):
                return answer
            """,
            id="default-argument",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("models/m")
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="models/m", contents="x").text)
            """,
            id="with-models-prefix",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("tunedModels/mine")
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="tunedModels/mine", contents="x").text)
            """,
            id="tuned-model",
        ),
        pytest.param(
            """
            import google.generativeai as genai

            genai.configure(api_key='K')
            model = genai.GenerativeModel('m')
            print(model.generate_content('x', generation_config={'temperature': 0}).text)
            """,
            """
            from google import genai
            from google.genai import types

            client = genai.Client(api_key='K', http_options=types.HttpOptions(api_version='v1beta'))
            print(client.models.generate_content(
                model='m',
                contents='x',
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="single-quotes",
        ),
        pytest.param(
            """
            print((model := genai.GenerativeModel("m")).generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model=(model := "m"), contents="x").text)
            """,
            id="walrus-receiver",
        ),
        pytest.param(
            """
            if model := genai.GenerativeModel("m"):
                print(model.generate_content("x").text)
            """,
            """
            if model := "m":
                print(client.models.generate_content(model=model, contents="x").text)
            """,
            id="walrus-condition",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            try:
                response = model.generate_content("x")
            except Exception as error:
                print(error)
            else:
                print(response.text)
            finally:
                print("done")
            """,
            """
            try:
                response = client.models.generate_content(model="m", contents="x")
            except Exception as error:
                print(error)
            else:
                print(response.text)
            finally:
                print("done")
            """,
            id="try-else-finally",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print([model.generate_content(q).text for q in ["a", "b"]])
            """,
            """
            print([client.models.generate_content(model="m", contents=q).text for q in ["a", "b"]])
            """,
            id="comprehension-of-calls",
        ),
        pytest.param(
            """
            models = [genai.GenerativeModel("m")]
            print(models[0].generate_content("x").text)
            """,
            """
            models = ["m"]
            print(client.models.generate_content(model=models[0], contents="x").text)
            """,
            id="subscripted-receiver",
        ),
        pytest.param(
            """
            a, b = genai.GenerativeModel("m"), genai.GenerativeModel("n")
            print((a if input() else b).generate_content("x").text)
            """,
            """
            a, b = "m", "n"
            print(client.models.generate_content(model=a if input() else b, contents="x").text)
            """,
            id="conditional-receiver",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


def test_a_file_of_cells_may_await_outside_of_functions() -> None:
    """It did not compile before either, but where its lines are run, in a notebook, it does."""
    before = """
        model = genai.GenerativeModel("m")
        print((await model.generate_content_async("x")).text)
        """
    after = """
        print((await client.aio.models.generate_content(model="m", contents="x")).text)
        """
    assert ported(before) == clean(after)
