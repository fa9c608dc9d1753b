"""Language models behind one face."""
import os
from abc import ABC, abstractmethod


class Provider(ABC):
    name = "none"

    @abstractmethod
    def complete(self, prompt: str) -> str:
        """The answer to a prompt."""


class EchoProvider(Provider):
    name = "echo"

    def complete(self, prompt: str) -> str:
        return prompt


class GeminiProvider(Provider):
    name = "gemini"

    def __init__(self, api_key: str, model: str = "gemini-1.5-flash"):
        from google import genai
        from google.genai import types

        self.client = genai.Client(
            api_key=api_key,
            http_options=types.HttpOptions(api_version="v1beta"),
        )
        self._model = model

    def complete(self, prompt: str) -> str:
        response = self.client.models.generate_content(
            model=self._model,
            contents=prompt,
        )
        return response.text


def get_provider(name: str) -> Provider:
    if name == "gemini":
        return GeminiProvider(os.environ["GOOGLE_API_KEY"])
    return EchoProvider()


if __name__ == "__main__":
    for name in ("echo", "gemini"):
        provider = get_provider(name)
        print(provider.name, "->", provider.complete("Hello there"))
