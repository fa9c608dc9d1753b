"""Models of a factory that configures, asked at once: they are made before the client is read."""

from __future__ import annotations

import pytest

from tests.support.port import clean, refused, whole_ported

FACTORY = """\
import google.generativeai as genai


def make():
    genai.configure(api_key="K")
    return genai.GenerativeModel("m")


"""
NEW_FACTORY = """\
from google import genai
from google.genai import types


def make():
    global client
    client = genai.Client(
        api_key="K",
        http_options=types.HttpOptions(api_version="v1beta"),
    )
    return "m"


"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            def ask(p):
                return make().generate_content(p).text
            """,
            """
            def ask(p):
                model = make()
                return client.models.generate_content(model=model, contents=p).text
            """,
            id="return",
        ),
        pytest.param(
            """
            def ask(p):
                for chunk in make().generate_content(p, stream=True):
                    print(chunk.text)
            """,
            """
            def ask(p):
                model = make()
                for chunk in client.models.generate_content_stream(model=model, contents=p):
                    print(chunk.text)
            """,
            id="loop",
        ),
        pytest.param(
            """
            def ask(p, model):
                return make().generate_content(input()).text
            """,
            """
            def ask(p, model):
                gemini_model = make()
                return client.models.generate_content(model=gemini_model, contents=input()).text
            """,
            id="name-that-is-taken",
        ),
        pytest.param(
            """
            def ask(p):
                return make().start_chat().send_message(p).text
            """,
            """
            def ask(p):
                model = make()
                return client.chats.create(model=model).send_message(message=p).text
            """,
            id="chat",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert whole_ported(FACTORY + clean(before)) == NEW_FACTORY + clean(after)


def test_a_model_that_is_made_once_is_asked_for_before_too() -> None:
    before = """\
import google.generativeai as genai


class Bot:
    def __init__(self):
        self._model = None

    def _get(self):
        if self._model is None:
            genai.configure(api_key="K")
            self._model = genai.GenerativeModel("m")
        return self._model

    def ask(self, q):
        return self._get().generate_content(q).text


print(Bot().ask("x"))
"""
    after = whole_ported(before)
    asked = """\
    def ask(self, q):
        model = self._get()
        return self.client.models.generate_content(model=model, contents=q).text
"""
    assert asked in after


def test_a_model_of_a_property_is_asked_for_before_too() -> None:
    before = """\
import google.generativeai as genai


class Bot:
    @property
    def model(self):
        genai.configure(api_key="K")
        return genai.GenerativeModel("m")

    def ask(self, q):
        return self.model.generate_content(q).text


print(Bot().ask("x"))
"""
    asked = """\
    def ask(self, q):
        model = self.model
        return self.client.models.generate_content(model=model, contents=q).text
"""
    assert asked in whole_ported(before)


@pytest.mark.parametrize(
    "body",
    [
        "return p and make().generate_content(p).text",
        "return make().generate_content(p).text if p else None",
        "return [make().generate_content(each).text for each in p]",
        "return ask(p) + make().generate_content(p).text",
        "return make().generate_content(p).text + make().generate_content(p).text",
        "print(p); return make().generate_content(p).text",
        "if p: return make().generate_content(p).text",
        "while make().generate_content(p).text: print(p)",
    ],
)
def test_what_is_not_evaluated_first_and_once_is_refused(body: str) -> None:
    assert refused(f"{FACTORY}def ask(p):\n    {body}\n") == {"client_placement_ambiguous"}
