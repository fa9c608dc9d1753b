"""Streams: iterated once, where the author iterates them."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatport.port.planner import plan
from tests.support.port import clean, ported, refused, warned


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


ALIKE = {
    "the loop in a function that is called beside": (
        """
        def show(pieces):
            for piece in pieces:
                print(len(piece.candidates))

        try:
            pieces = model.generate_content("x", stream=True)
            show(pieces)
        except Exception:
            print("failed")
        """
    ),
    "opened by a function that is called where it is read": (
        """
        def pieces():
            return model.generate_content("x", stream=True)

        def show():
            try:
                for piece in pieces():
                    print(len(piece.candidates))
            except Exception:
                print("failed")

        for piece in pieces():
            print(len(piece.candidates))
        """
    ),
    "bound in the same block": (
        """
        def pieces():
            return model.generate_content("x", stream=True)

        def show():
            try:
                found = pieces()
                for piece in found:
                    print(len(piece.candidates))
            except Exception:
                print("failed")
        """
    ),
}


@pytest.mark.parametrize("source", ALIKE.values(), ids=ALIKE)
def test_a_request_that_fails_meets_the_handlers_it_met(source: str) -> None:
    now = ported('model = genai.GenerativeModel("m")\n' + clean(source))
    assert "generate_content_stream(" in now


def test_a_generator_inside_that_handles_more_is_warned_of() -> None:
    source = """
        model = genai.GenerativeModel("m")

        def ask(question):
            pieces = model.generate_content(question, stream=True)

            def lengths():
                try:
                    for piece in pieces:
                        yield len(piece.candidates)
                except Exception:
                    yield 0

            return lengths()
        """
    assert "stream_sent_when_read" in {warning for _, warning in warned(source)}


def test_a_loop_that_lacks_its_await_is_shown_with_it(tmp_path: Path) -> None:
    call = "genai.GenerativeModel('m').generate_content_async('x', stream=True)"
    (tmp_path / "app.py").write_text(
        "import google.generativeai as genai\n\ngenai.configure(api_key='k')\n\n\n"
        f"async def main():\n    async for chunk in {call}:\n        print(chunk.text)\n"
    )
    found = {one.code: one for one in plan([tmp_path], root=tmp_path).findings() if not one.cause}
    suggestion = found["async_stream_await_missing"].suggestion
    assert suggestion is not None
    assert suggestion.hunks[0].new == (f"    async for chunk in await {call}:",)
