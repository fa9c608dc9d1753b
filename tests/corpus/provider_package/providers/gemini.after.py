"""The Gemini provider."""

from typing import Iterator, Optional

from google import genai
from google.genai import types

from .base import Provider


class GeminiProvider(Provider):
    """One model, one key."""

    def __init__(
        self,
        api_key: str,
        model: str = "gemini-1.5-flash",
        system_prompt: Optional[str] = None,
        max_tokens: int = 1024,
    ):
        if not api_key:
            raise ValueError("a key, please")
        self.client = genai.Client(
            api_key=api_key,
            http_options=types.HttpOptions(api_version="v1beta"),
        )
        self.model_name = model
        self.max_tokens = max_tokens
        self.model = model

    def complete(self, prompt: str, temperature: Optional[float] = None) -> str:
        """The whole answer at once."""
        response = self.client.models.generate_content(
            model=self.model,
            contents=prompt,
            config=types.GenerateContentConfig(
                temperature=0.7 if temperature is None else temperature,
                max_output_tokens=self.max_tokens,
            ),
        )
        return response.text

    def stream(self, prompt: str) -> Iterator[str]:
        """The answer piece by piece."""
        response = self.client.models.generate_content_stream(
            model=self.model,
            contents=prompt,
        )
        for chunk in response:
            if chunk.text:
                yield chunk.text

    def count(self, prompt: str) -> int:
        return self.client.models.count_tokens(
            model=self.model,
            contents=prompt,
        ).total_tokens
