"""Streams: iterated once, where the author iterates them."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            for chunk in genai.GenerativeModel("m").generate_content("x", stream=True):
                print(chunk.text)
            """,
            """
            for chunk in client.models.generate_content_stream(model="m", contents="x"):
                print(chunk.text)
            """,
            id="loop",
        ),
        pytest.param(
            """
            response = genai.GenerativeModel("m").generate_content("x", stream=True)
            for chunk in response:
                print(chunk.text)
            """,
            """
            response = client.models.generate_content_stream(model="m", contents="x")
            for chunk in response:
                print(chunk.text)
            """,
            id="bound-once",
        ),
        pytest.param(
            """
            response = genai.GenerativeModel("m").generate_content("x")
            for chunk in response:
                print(chunk.text)
            print([chunk.text for chunk in response])
            """,
            """
            response = client.models.generate_content(model="m", contents="x")
            for chunk in [response]:
                print(chunk.text)
            print([chunk.text for chunk in [response]])
            """,
            id="no-stream",
        ),
        pytest.param(
            """
            response = genai.GenerativeModel("m").generate_content("x", stream=True)
            print("".join(chunk.text for chunk in response))
            """,
            """
            response = client.models.generate_content_stream(model="m", contents="x")
            print("".join(chunk.text for chunk in response))
            """,
            id="joined",
        ),
        pytest.param(
            """
            def stream(q):
                for chunk in genai.GenerativeModel("m").generate_content(q, stream=True):
                    yield chunk.text
            """,
            """
            def stream(q):
                for chunk in client.models.generate_content_stream(model="m", contents=q):
                    yield chunk.text
            """,
            id="yielded",
        ),
        pytest.param(
            """
            def stream(q):
                return genai.GenerativeModel("m").generate_content(q, stream=True)


            for chunk in stream("x"):
                print(chunk.text)
            """,
            """
            def stream(q):
                return client.models.generate_content_stream(model="m", contents=q)


            for chunk in stream("x"):
                print(chunk.text)
            """,
            id="returned",
        ),
        pytest.param(
            """
            async def ask(q):
                model = genai.GenerativeModel("m")
                return [c.text async for c in await model.generate_content_async(q, stream=True)]
            """,
            """
            async def ask(q):
                return [c.text async for c in await client.aio.models.generate_content_stream(
                    model="m",
                    contents=q,
                )]
            """,
            id="comprehension",
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
            chunks = list(genai.GenerativeModel("m").generate_content("x", stream=True))
            print(len(chunks))
            """,
            {"response_shape_changed"},
            id="listed",
        ),
        pytest.param(
            """
            response = genai.GenerativeModel("m").generate_content("x", stream=True)
            for chunk in response:
                pass
            print(response.text)
            """,
            {"response_shape_changed"},
            id="text-behind-the-loop",
        ),
        pytest.param(
            """
            response = genai.GenerativeModel("m").generate_content("x", stream=True)
            print(response.resolve())
            """,
            {"response_shape_changed"},
            id="resolved-inside-another-expression",
        ),
        pytest.param(
            """
            response = genai.GenerativeModel("m").generate_content("x", stream=True)
            for chunk in response:
                print(chunk.text)
            for chunk in response:
                print(chunk.text)
            """,
            {"response_shape_changed"},
            id="iterated-twice",
        ),
        pytest.param(
            """
            import framework

            framework.show(genai.GenerativeModel("m").generate_content("x", stream=True))
            """,
            {"response_shape_changed"},
            id="handed-on",
        ),
        pytest.param(
            """
            async def ask(q):
                model = genai.GenerativeModel("m")
                async for chunk in model.generate_content_async(q, stream=True):
                    print(chunk.text)
            """,
            {"async_stream_await_missing"},
            id="await-missing",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
