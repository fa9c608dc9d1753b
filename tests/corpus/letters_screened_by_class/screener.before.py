"""Rates letters of application against a list of wishes."""
import logging
import os
from dataclasses import dataclass

import google.generativeai as genai
from google.generativeai.types import HarmBlockThreshold, HarmCategory

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
        genai.configure(api_key=api_key)
        self.model = genai.GenerativeModel(
            model_name,
            generation_config=genai.GenerationConfig(temperature=0.1, max_output_tokens=400),
            safety_settings={
                HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_NONE,
                HarmCategory.HARM_CATEGORY_HATE_SPEECH: HarmBlockThreshold.BLOCK_NONE,
            },
        )

    def _prompt(self, letter):
        wishes = "\n".join(f"- {wish}" for wish in self.wishes)
        return f"Wishes:\n{wishes}\n\nLetter:\n{letter}\n\nHow well does it fit, from 0 to 10?"

    def rate(self, name, letter):
        logger.info("rating %s", name)
        response = self.model.generate_content(self._prompt(letter))
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
