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
        import google.generativeai as genai

        genai.configure(api_key=api_key)
        self._model = genai.GenerativeModel(model)

    def complete(self, prompt: str) -> str:
        response = self._model.generate_content(prompt)
        return response.text


def get_provider(name: str) -> Provider:
    if name == "gemini":
        return GeminiProvider(os.environ["GOOGLE_API_KEY"])
    return EchoProvider()


if __name__ == "__main__":
    for name in ("echo", "gemini"):
        provider = get_provider(name)
        print(provider.name, "->", provider.complete("Hello there"))
