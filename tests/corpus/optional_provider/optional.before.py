"""Answers with Gemini where it is installed, with a rule of thumb elsewhere."""

import os
from typing import Optional

try:
    import google.generativeai as genai
except ImportError:
    genai = None

FALLBACK = {"yes": "no", "no": "yes"}


class Gemini:
    """Made cheaply; the model is made when it is first asked."""

    def __init__(self, model_name: str = "gemini-1.5-flash", api_key: Optional[str] = None):
        self.model_name = model_name
        self.api_key = api_key or os.environ["GEMINI_API_KEY"]
        self._model = None
        self.asked = 0

    def is_available(self) -> bool:
        return genai is not None

    def _ensure(self) -> None:
        if self._model is None:
            print(f"(making {self.model_name})")
            genai.configure(api_key=self.api_key)
            self._model = genai.GenerativeModel(self.model_name)

    def generate(self, prompt: str, max_tokens: int = 64) -> str:
        self._ensure()
        self.asked += 1
        response = self._model.generate_content(
            prompt,
            generation_config={"max_output_tokens": max_tokens},
        )
        return response.text


class RuleOfThumb:
    asked = 0

    def is_available(self) -> bool:
        return True

    def generate(self, prompt: str, max_tokens: int = 64) -> str:
        return FALLBACK.get(prompt, "maybe")[:max_tokens]


def best():
    for candidate in (Gemini(), RuleOfThumb()):
        if candidate.is_available():
            return candidate
    raise LookupError("nobody is there")


if __name__ == "__main__":
    oracle = best()
    for prompt in ("Will it rain?", "yes", "no"):
        print(prompt, "->", oracle.generate(prompt))
    print("asked", oracle.asked, "times")
