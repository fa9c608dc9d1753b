"""Looks at answers from all sides before they are used."""

import os
import sys

import google.generativeai as genai

if "GOOGLE_API_KEY" not in os.environ:
    sys.exit("set GOOGLE_API_KEY")
genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

SAFETY = [
    {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"},
    {"category": "HARM_CATEGORY_DANGEROUS", "threshold": "BLOCK_ONLY_HIGH"},
]


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
            for rating in self.candidate.safety_ratings
        }

    def cost(self):
        usage = self.response.usage_metadata
        return usage.prompt_token_count, usage.total_token_count

    def words(self):
        return sum(len(part.text.split()) for part in self.candidate.content.parts)


def ask(question):
    model = genai.GenerativeModel("gemini-1.5-pro", safety_settings=SAFETY)
    return Inspection(model.generate_content(question))


def report(inspection):
    print("finished:", inspection.finished())
    for name, probability in sorted(inspection.ratings().items()):
        print(f"  {name}: {probability}")
    print("cost:", inspection.cost())
    print("words:", inspection.words())


if __name__ == "__main__":
    report(ask("Is a hedge a fence?"))
    report(ask("And is a fence a hedge?"))
