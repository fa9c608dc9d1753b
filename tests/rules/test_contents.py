"""Contents: turns, parts and blobs in the shape the new SDK takes."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused, warned


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
        pytest.param(
            """
            def ask(text):
                turns = [{"role": "user", "parts": [text, "x"]}]
                return genai.GenerativeModel("m").generate_content(turns).text
            """,
            """
            def ask(text):
                turns = [{"role": "user", "parts": types.UserContent(parts=[text, "x"]).parts}]
                return client.models.generate_content(model="m", contents=turns).text
            """,
            id="a-part-of-a-parameter",
        ),
        pytest.param(
            """
            def ask(text, image):
                parts = [text]
                parts.append({"mime_type": "image/png", "data": image})
                turns = [{"role": "user", "parts": parts}]
                return genai.GenerativeModel("m").generate_content(turns).text
            """,
            """
            def ask(text, image):
                parts = [text]
                parts.append(types.Part.from_bytes(mime_type="image/png", data=image))
                turns = [{"role": "user", "parts": types.UserContent(parts=parts).parts}]
                return client.models.generate_content(model="m", contents=turns).text
            """,
            id="parts-that-grow",
        ),
        pytest.param(
            """
            chat = genai.GenerativeModel("m").start_chat()
            print(chat.send_message(("x", {"mime_type": "image/png", "data": b"y"})).text)
            """,
            """
            chat = client.chats.create(model="m")
            print(chat.send_message(
                message=["x", types.Part.from_bytes(mime_type="image/png", data=b"y")],
            ).text)
            """,
            id="a-message-in-a-tuple",
        ),
        pytest.param(
            """
            turns = [{"role": "user", "parts": ["x"]}]
            print(turns[0]["parts"][0])
            print(genai.GenerativeModel("m").generate_content(turns).text)
            """,
            """
            turns = [{"role": "user", "parts": ["x"]}]
            print(turns[0]["parts"][0])
            print(client.models.generate_content(
                model="m",
                contents=[
                    types.Content(
                        role=turn["role"],
                        parts=types.UserContent(parts=turn["parts"]).parts,
                    )
                    for turn in turns
                ],
            ).text)
            """,
            id="turns-that-are-printed",
        ),
        pytest.param(
            """
            def talk(history=None):
                chat = genai.GenerativeModel("m").start_chat(history=history)
                return chat.send_message("x").text
            """,
            """
            def talk(history=None):
                chat = client.chats.create(
                    model="m",
                    history=[
                        turn
                        if isinstance(turn, types.Content)
                        else types.Content(
                            role=turn["role"],
                            parts=types.UserContent(parts=turn["parts"]).parts,
                        )
                        for turn in history or []
                    ],
                )
                return chat.send_message(message="x").text
            """,
            id="history-of-a-parameter",
        ),
        pytest.param(
            """
            turn = genai.types.ContentDict(role="user", parts=["x"])
            print(genai.GenerativeModel("m").generate_content([turn]).text)
            """,
            """
            turn = types.ContentDict(role="user", parts=[{"text": "x"}])
            print(client.models.generate_content(model="m", contents=[turn]).text)
            """,
            id="turn-with-the-name-of-its-type",
        ),
        pytest.param(
            """
            turn = dict(role="user", parts="x")
            print(genai.GenerativeModel("m").generate_content([turn]).text)
            """,
            """
            turn = dict(role="user", parts=[{"text": "x"}])
            print(client.models.generate_content(model="m", contents=[turn]).text)
            """,
            id="turn-of-keywords",
        ),
        pytest.param(
            """
            blob = genai.types.BlobDict(mime_type="a/b", data=b"")
            print(genai.GenerativeModel("m").generate_content(["x", blob]).text)
            """,
            """
            blob = types.Part.from_bytes(mime_type="a/b", data=b"")
            print(client.models.generate_content(model="m", contents=["x", blob]).text)
            """,
            id="blob-with-the-name-of-its-type",
        ),
        pytest.param(
            """
            turn = {"role": "model", "parts": ["x"], "role": "user", "parts": ["y"]}
            print(genai.GenerativeModel("m").generate_content([turn]).text)
            """,
            """
            turn = {"role": "model", "parts": ["x"], "role": "user", "parts": [{"text": "y"}]}
            print(client.models.generate_content(model="m", contents=[turn]).text)
            """,
            id="turn-whose-last-parts-count",
        ),
        pytest.param(
            """
            blob = {"mime_type": "a/b", "data": b"x", "mime_type": "c/d"}
            print(genai.GenerativeModel("m").generate_content(["x", blob]).text)
            """,
            """
            blob = types.Part.from_bytes(mime_type="c/d", data=b"x")
            print(client.models.generate_content(model="m", contents=["x", blob]).text)
            """,
            id="blob-whose-last-type-counts",
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
            turns = [{"role": "user", "parts": [{"mime_type": "image/png", "data": b"x"}]}]
            print(turns[0]["parts"][0])
            print(genai.GenerativeModel("m").generate_content(turns).text)
            """,
            {"history_parts_shape_incompatible"},
            id="bytes-in-turns-that-are-printed",
        ),
        pytest.param(
            """
            def ask(text):
                parts = (text, "Be brief.")
                turns = [{"role": "user", "parts": parts}]
                return genai.GenerativeModel("m").generate_content(turns).text
            """,
            {"history_parts_shape_incompatible"},
            id="parts-in-a-tuple-of-another-name",
        ),
        pytest.param(
            """
            def ask(text):
                part = {"text": text, "video_metadata": {}}
                turns = [{"role": "user", "parts": [part]}]
                return genai.GenerativeModel("m").generate_content(turns).text
            """,
            {"history_parts_shape_incompatible"},
            id="a-part-of-more-than-a-text",
        ),
        pytest.param(
            """
            turns = [{"role": "user", "parts": ["x"], "time": 1}]
            print(turns[0]["parts"][0])
            print(genai.GenerativeModel("m").generate_content(turns).text)
            """,
            {"history_parts_shape_incompatible"},
            id="turns-with-keys-of-their-own",
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
            import json

            with open("turns.json") as file:
                turns = json.load(file)
            print(genai.GenerativeModel("m").generate_content(turns).text)
            """,
            {"history_parts_shape_incompatible"},
            id="turns-from-json",
        ),
        pytest.param(
            """
            turns = [{"role": "user", "parts": ["x"]}, {"role": "model", "parts": [""]}]
            chat = genai.GenerativeModel("m").start_chat(history=turns)
            print(chat.send_message("y").text)
            """,
            {"history_parts_shape_incompatible"},
            id="a-turn-of-the-model-that-says-nothing",
        ),
        pytest.param(
            """
            turn = dict([("role", "user"), ("parts", ["x"])])
            print(genai.GenerativeModel("m").generate_content([turn]).text)
            """,
            {"history_parts_shape_incompatible"},
            id="turn-of-pairs",
        ),
        pytest.param(
            """
            turn = genai.types.ContentDict({"role": "user", "parts": ["x"]})
            print(genai.GenerativeModel("m").generate_content([turn]).text)
            """,
            {"history_parts_shape_incompatible", "usage_unmapped"},
            id="turn-made-of-another",
        ),
        pytest.param(
            """
            turn = genai.types.ContentDict(role="user", parts=["x"], name="y")
            print(genai.GenerativeModel("m").generate_content([turn]).text)
            """,
            {"history_parts_shape_incompatible", "usage_unmapped"},
            id="turn-with-a-field-legacy-had-not",
        ),
        pytest.param(
            """
            turn = {"role": "user", "parts": [input()], "parts": ["y"]}
            print(genai.GenerativeModel("m").generate_content([turn]).text)
            """,
            {"history_parts_shape_incompatible"},
            id="turn-whose-first-parts-ask-somebody",
        ),
        pytest.param(
            """
            model = genai.GenerativeModel("m")
            chat = model.start_chat(history=[{"role": "user", "parts": ["x"], "role": "system"}])
            print(chat.send_message("y").text)
            """,
            {"history_parts_shape_incompatible"},
            id="turn-whose-last-role-is-unknown",
        ),
        pytest.param(
            """
            turn = {"role": "user", "parts": ["x"], "note": 1, "note": 2}
            print(genai.GenerativeModel("m").generate_content([turn]).text)
            """,
            {"history_parts_shape_incompatible"},
            id="turn-with-another-key-twice",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes


def test_a_list_that_holds_itself_comes_to_an_end() -> None:
    body = """
    def ask(messages):
        contents = "start"
        for message in messages:
            contents = [contents, message]
        return genai.GenerativeModel("m").generate_content(contents).text
    """
    assert "contents=contents" in ported(body)


def test_a_turn_of_the_user_that_says_nothing_is_kept() -> None:
    before = """
        turns = [{"role": "user", "parts": [""]}, {"role": "model", "parts": ["x"]}]
        print(genai.GenerativeModel("m").start_chat(history=turns).send_message("y").text)
    """
    assert '"parts": [{"text": ""}]' in ported(before)


@pytest.mark.parametrize(
    ("said", "may_be_empty"),
    [
        ('""', True),
        ('input() or ""', True),
        ('input() if input() else ""', True),
        ("input()", False),
        ('"x"', False),
        ('f"{input()}"', False),
    ],
)
def test_an_empty_text_that_legacy_did_not_send_is_warned_of(said: str, may_be_empty: bool) -> None:
    before = f"""
        text = {said}
        genai.GenerativeModel("m").generate_content(text)
    """
    codes = {warning for _, warning in warned(before)}
    assert ("empty_contents_are_sent" in codes) is may_be_empty


def test_an_empty_text_that_was_tested_for_is_not_warned_of() -> None:
    before = """
        text = input() or ""
        if text:
            genai.GenerativeModel("m").generate_content(text)
    """
    assert warned(before) == []


def test_an_instruction_that_may_be_empty_is_warned_of() -> None:
    before = """
        def make(instruction=""):
            return genai.GenerativeModel("m", system_instruction=instruction)

        print(make().generate_content("x").candidates)
    """
    assert (2, "empty_contents_are_sent") in warned(before)
