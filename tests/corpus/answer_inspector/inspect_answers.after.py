"""Looks at answers from all sides before they are used."""

import os
import sys

from google import genai
from google.genai import types

if "GOOGLE_API_KEY" not in os.environ:
    sys.exit("set GOOGLE_API_KEY")
client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


class Inspection:
    """One answer, taken apart."""

    def __init__(self, response):
        self.response = response

    @property
    def candidate(self):
        return self.response.candidates[0]

    def finished(self):
        return self.candidate.finish_reason.name == "STOP"

    def ratings(self):
        return {
            rating.category.name: rating.probability.name
            for rating in self.candidate.safety_ratings or []
        }

    def cost(self):
        usage = self.response.usage_metadata
        return usage.prompt_token_count, usage.total_token_count

    def words(self):
        return sum(len(part.text.split()) for part in self.candidate.content and self.candidate.content.parts or [])


def ask(question):
    return Inspection(client.models.generate_content(
        model="gemini-1.5-pro",
        contents=question,
        config=types.GenerateContentConfig(
            safety_settings=[
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                    threshold=types.HarmBlockThreshold.BLOCK_NONE,
                ),
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT,
                    threshold=types.HarmBlockThreshold.BLOCK_ONLY_HIGH,
                ),
            ],
        ),
    ))


def report(inspection):
    print("finished:", inspection.finished())
    for name, probability in sorted(inspection.ratings().items()):
        print(f"  {name}: {probability}")
    print("cost:", inspection.cost())
    print("words:", inspection.words())


if __name__ == "__main__":
    report(ask("Is a hedge a fence?"))
    report(ask("And is a fence a hedge?"))
