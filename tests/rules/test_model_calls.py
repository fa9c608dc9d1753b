"""Calls on a model: what is called instead, and what is said of its model there."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="plain",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel(model_name="m")
            print(model.generate_content(contents="x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="keyword-contents",
        ),
        pytest.param(
            """
            print(genai.GenerativeModel("m").generate_content("x").text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="chained",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            question = input()
            print(model.generate_content(["Answer.", question]).text)
            """,
            """
            question = input()
            print(client.models.generate_content(model="m", contents=["Answer.", question]).text)
            """,
            id="list-of-contents",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            for chunk in model.generate_content("x", stream=True):
                print(chunk.text)
            """,
            """
            for chunk in client.models.generate_content_stream(model="m", contents="x"):
                print(chunk.text)
            """,
            id="stream",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content("x", stream=False).text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="stream-false",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")


            async def ask(question):
                response = await model.generate_content_async(question)
                return response.text
            """,
            """
            async def ask(question):
                response = await client.aio.models.generate_content(model="m", contents=question)
                return response.text
            """,
            id="async-",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")


            async def ask(question):
                async for chunk in await model.generate_content_async(question, stream=True):
                    print(chunk.text)
            """,
            """
            async def ask(question):
                async for chunk in await client.aio.models.generate_content_stream(
                    model="m",
                    contents=question,
                ):
                    print(chunk.text)
            """,
            id="async-stream",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")


            async def ask(question):
                return (await model.generate_content_async(question)).text
            """,
            """
            async def ask(question):
                return (await client.aio.models.generate_content(model="m", contents=question)).text
            """,
            id="await-attribute-in-one",
        ),
        pytest.param(
            """
            import asyncio

            model = genai.GenerativeModel("m")


            async def main():
                answers = await asyncio.gather(*(model.generate_content_async(q) for q in "ab"))
                return [answer.text for answer in answers]
            """,
            """
            import asyncio


            async def main():
                answers = await asyncio.gather(*(client.aio.models.generate_content(
                    model="m",
                    contents=q,
                ) for q in "ab"))
                return [answer.text for answer in answers]
            """,
            id="gathered",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.count_tokens("x").total_tokens)
            """,
            """
            print(client.models.count_tokens(model="m", contents="x").total_tokens)
            """,
            id="count-tokens",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", generation_config={"temperature": 0})
            print(model.count_tokens("x"), model.generate_content("x").text)
            """,
            """
            print(client.models.count_tokens(
                model="m",
                contents="x",
            ), client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(temperature=0),
            ).text)
            """,
            id="count-tokens-with-sampling",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", system_instruction="Be brief.")
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(system_instruction="Be brief."),
            ).text)
            """,
            id="system-instruction",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m", system_instruction=["Be brief.", "Be kind."])
            print(model.generate_content("x").text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(system_instruction=["Be brief.", "Be kind."]),
            ).text)
            """,
            id="system-instruction-list",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content("x", request_options=None).text)
            """,
            """
            print(client.models.generate_content(model="m", contents="x").text)
            """,
            id="request-options-none",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content("x", request_options={"timeout": 60}).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents="x",
                config=types.GenerateContentConfig(http_options=types.HttpOptions(timeout=60_000)),
            ).text)
            """,
            id="request-options",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.model_name)
            """,
            """
            print("models/m")
            """,
            id="model-name-attribute",
        ),
        pytest.param(
            """
            import asyncio

            model = genai.GenerativeModel("m")


            async def ask(question):
                return (await asyncio.to_thread(model.generate_content, question)).text
            """,
            """
            import asyncio


            async def ask(question):
                return (
                    await asyncio.to_thread(
                        client.models.generate_content,
                        model="m",
                        contents=question,
                    )
                ).text
            """,
            id="method-to-a-thread",
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
            model = genai.GenerativeModel("m", system_instruction="Be brief.")
            print(model.count_tokens("x").total_tokens)
            """,
            {"count_tokens_config_carries_semantics"},
            id="count-tokens-with-instruction",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel()
            print(model.generate_content("x").text)
            """,
            {"default_model_name_required"},
            id="no-model-name",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")


            def ask(question, stream):
                return model.generate_content(question, stream=stream)
            """,
            {"dynamic_stream_flag"},
            id="stream-flag-of-a-parameter",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            arguments = ["x"]
            print(model.generate_content(*arguments).text)
            """,
            {"unsupported_kwarg"},
            id="star-args",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            options = {"stream": True}
            print(model.generate_content("x", **options).text)
            """,
            {"unsupported_kwarg"},
            id="star-kwargs",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            ask = model.generate_content
            print(ask("x").text)
            """,
            {"method_used_as_value"},
            id="method-as-value",
        ),
        pytest.param(
            """
            from functools import partial

            model = genai.GenerativeModel("m")
            ask = partial(model.generate_content, stream=False)
            print(ask("x").text)
            """,
            {"method_used_as_value"},
            id="partial",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print([r.text for r in map(model.generate_content, ["a", "b"])])
            """,
            {"method_used_as_value", "model_object_escapes"},
            id="map-over-questions",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.cached_content)
            """,
            {"attribute_removed"},
            id="an-attribute-that-is-gone",
        ),
        pytest.param(
            """
            def ask(model):
                return model.generate_content("x").text
            """,
            {"receiver_unresolved"},
            id="unknown-receiver",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content("x", {"temperature": 0}).text)
            """,
            {"unsupported_kwarg"},
            id="too-many-arguments",
        ),
        pytest.param(
            """
            good = genai.GenerativeModel("m")
            bad = genai.GenerativeModel("n")
            print(good.generate_content("x").text)
            print(bad.generate_content("x", **{}).text)
            """,
            {"unsupported_kwarg"},
            id="one-is-refused-both-in-a-file",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
