"""The Gemini provider."""

from typing import Iterator, Optional

import google.generativeai as genai

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
        genai.configure(api_key=api_key)
        self.model_name = model
        self.max_tokens = max_tokens
        self.model = genai.GenerativeModel(model)

    def complete(self, prompt: str, temperature: Optional[float] = None) -> str:
        """The whole answer at once."""
        response = self.model.generate_content(
            prompt,
            generation_config=genai.types.GenerationConfig(
                temperature=0.7 if temperature is None else temperature,
                max_output_tokens=self.max_tokens,
            ),
        )
        return response.text

    def stream(self, prompt: str) -> Iterator[str]:
        """The answer piece by piece."""
        response = self.model.generate_content(prompt, stream=True)
        for chunk in response:
            if chunk.text:
                yield chunk.text

    def count(self, prompt: str) -> int:
        return self.model.count_tokens(prompt).total_tokens
