"""Rates letters of application against a list of wishes."""
import logging
import os
from dataclasses import dataclass

from google import genai
from google.genai import types

logger = logging.getLogger("screener")


@dataclass
class Rating:
    name: str
    text: str
    words: int


class LetterScreener:
    """Reads letters and says how well they fit."""

    def __init__(self, api_key, wishes, model_name="gemini-1.5-pro"):
        self.wishes = wishes
        self.client = genai.Client(
            api_key=api_key,
            http_options=types.HttpOptions(api_version="v1beta"),
        )
        self.model = model_name
        self.model_config = types.GenerateContentConfig(
            temperature=0.1,
            max_output_tokens=400,
            safety_settings=[
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                    threshold=types.HarmBlockThreshold.BLOCK_NONE,
                ),
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_HATE_SPEECH,
                    threshold=types.HarmBlockThreshold.BLOCK_NONE,
                ),
            ],
        )

    def _prompt(self, letter):
        wishes = "\n".join(f"- {wish}" for wish in self.wishes)
        return f"Wishes:\n{wishes}\n\nLetter:\n{letter}\n\nHow well does it fit, from 0 to 10?"

    def rate(self, name, letter):
        logger.info("rating %s", name)
        response = self.client.models.generate_content(
            model=self.model,
            contents=self._prompt(letter),
            config=self.model_config,
        )
        return Rating(name, response.text, len(letter.split()))

    def rate_all(self, letters):
        return [self.rate(name, letter) for name, letter in sorted(letters.items())]


def main():
    screener = LetterScreener(os.environ["GOOGLE_API_KEY"], ["writes clearly", "likes trains"])
    letters = {
        "Ines": "I have written timetables for nine years and still like them.",
        "Omar": "Trains. Nothing else to say.",
    }
    for rating in screener.rate_all(letters):
        print(f"{rating.name} ({rating.words} words): {rating.text}")


if __name__ == "__main__":
    main()
