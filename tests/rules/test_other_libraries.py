"""A client of another library in a model's variable: the methods it has not are the model's."""

from __future__ import annotations

import pytest

from tests.support.port import ported, refused

ASSISTANT = """
        from {package} import {name}

        class Assistant:
            def __init__(self, kind, model):
                if kind == "other":
                    self.client = {name}()
                else:
                    self.client = genai.GenerativeModel(model)

            def other(self, text):
                return self.client.chat.completions.create(messages=[text])

            def ask(self, text):
                response = self.client.{call}
                return response.text
        """


def assistant(package: str, name: str, call: str) -> str:
    return ASSISTANT.format(package=package, name=name, call=call)


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("openai", "OpenAI"),
        ("openai", "AzureOpenAI"),
        ("anthropic", "Anthropic"),
        ("groq", "Groq"),
        ("mistralai", "Mistral"),
        ("huggingface_hub", "InferenceClient"),
    ],
)
def test_the_method_is_that_of_the_model(package: str, name: str) -> None:
    after = ported(assistant(package, name, "generate_content(text)"))
    assert "self.client = model\n" in after
    assert "client.models.generate_content(model=self.client, contents=text)" in after
    assert "self.client.chat.completions.create(messages=[text])" in after


def test_a_chat_beside_another_that_cannot_send_so() -> None:
    before = """
        from gemini_webapi import GeminiClient

        class Bot:
            async def start(self, cookie):
                if cookie:
                    self.chat = GeminiClient(cookie)
                    self.web = self.chat.start_chat()
                else:
                    self.chat = genai.GenerativeModel("m").start_chat()

            async def ask(self, text):
                return (await self.chat.send_message_async(text)).text
        """
    assert "await self.chat.send_message(message=text)" in ported(before)


@pytest.mark.parametrize(
    ("package", "name", "call"),
    [
        ("gemini_webapi", "GeminiClient", "generate_content(text)"),
        ("somewhere", "OpenAI", "generate_content(text)"),
        ("openai", "Chat", "generate_content(text)"),
        ("openai.lib", "OpenAI", "generate_content(text)"),
        ("vertexai.generative_models", "GenerativeModel", "generate_content(text)"),
        ("openai", "OpenAI", "count_tokens(text)"),
        ("anthropic", "Anthropic", "count_tokens(text)"),
    ],
)
def test_what_may_be_the_method_of_the_other_is_refused(package: str, name: str, call: str) -> None:
    assert "receiver_unresolved" in refused(assistant(package, name, call))


@pytest.mark.parametrize(
    "made",
    [
        "class Other(OpenAI): pass\n            other = Other()",
        "other = OpenAI",
        "other = OpenAI().with_options()",
        "other = OpenAI()\n            other.generate_content = print",
        "other = __import__(text).made",
    ],
)
def test_another_object_of_such_a_class_is_refused(made: str) -> None:
    before = f"""
        from openai import OpenAI

        def ask(text, kind):
            {made}
            model = other if kind else genai.GenerativeModel("m")
            return model.generate_content(text).text
        """
    assert "receiver_unresolved" in refused(before)
