"""Contents: turns, parts and blobs in the shape the new SDK takes."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content([{"role": "function", "parts": ["x"]}]).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents=[{"role": "function", "parts": [{"text": "x"}]}],
            ).text)
            """,
            id="a-role-that-only-the-service-looks-at",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content([{"role": "user", "parts": ["x"]}]).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents=[{"role": "user", "parts": [{"text": "x"}]}],
            ).text)
            """,
            id="turns",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content({"role": "user", "parts": ["x"]}).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents={"role": "user", "parts": [{"text": "x"}]},
            ).text)
            """,
            id="one-turn",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content([{"role": "user", "parts": "x"}]).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents=[{"role": "user", "parts": [{"text": "x"}]}],
            ).text)
            """,
            id="parts-as-a-string",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content([{"role": "user", "parts": [{"text": "x"}]}]).text)
            """,
            """
            print(client.models.generate_content(
                model="m",
                contents=[{"role": "user", "parts": [{"text": "x"}]}],
            ).text)
            """,
            id="parts-already-new",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            data = b"abc"
            print(model.generate_content(["x", {"mime_type": "image/png", "data": data}]).text)
            """,
            """
            data = b"abc"
            print(client.models.generate_content(
                model="m",
                contents=["x", types.Part.from_bytes(mime_type="image/png", data=data)],
            ).text)
            """,
            id="blob",
        ),
        pytest.param(
            """
            turns = [{"role": "user", "parts": ["x"]}]
            turns.append({"role": "model", "parts": ["y"]})
            turns.append({"role": "user", "parts": ["z"]})
            print(genai.GenerativeModel("m").generate_content(turns).text)
            """,
            """
            turns = [{"role": "user", "parts": [{"text": "x"}]}]
            turns.append({"role": "model", "parts": [{"text": "y"}]})
            turns.append({"role": "user", "parts": [{"text": "z"}]})
            print(client.models.generate_content(model="m", contents=turns).text)
            """,
            id="appended-turns",
        ),
        pytest.param(
            """
            def ask(text: str):
                turns = [{"role": "user", "parts": [text]}]
                return genai.GenerativeModel("m").generate_content(turns).text
            """,
            """
            def ask(text: str):
                turns = [{"role": "user", "parts": [{"text": text}]}]
                return client.models.generate_content(model="m", contents=turns).text
            """,
            id="annotated-part",
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
            def ask(text):
                turns = [{"role": "user", "parts": [text]}]
                return genai.GenerativeModel("m").generate_content(turns).text
            """,
            {"history_parts_shape_incompatible"},
            id="part-of-a-parameter",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            chat = model.start_chat(history=[{"role": "system", "parts": ["x"]}])
            print(chat.send_message("y").text)
            """,
            {"history_parts_shape_incompatible"},
            id="unknown-role",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content({"prompt": "x"}).text)
            """,
            {"history_parts_shape_incompatible"},
            id="unknown-mapping",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            print(model.generate_content([{"role": "user", "content": "x"}]).text)
            """,
            {"history_parts_shape_incompatible"},
            id="contents-of-openai",
        ),
        pytest.param(
            """
            turns = [{"role": "user", "parts": ["x"]}]
            print(turns[0]["parts"][0])
            print(genai.GenerativeModel("m").generate_content(turns).text)
            """,
            {"history_parts_shape_incompatible"},
            id="turns-that-are-printed",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
