"""Answers from a pile of notes without going over the budget."""

import os

from google import genai
from google.genai import types

MODEL = "gemini-1.5-flash"
BUDGET = 160

NOTES = [
    "The boiler was serviced in March.",
    "The cat is afraid of the boiler.",
    "The key to the cellar hangs behind the door.",
    "In March the cellar was wet.",
]

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


def score(note, question):
    """How many words a note shares with the question."""
    words = {word.strip(".,?").lower() for word in question.split()}
    return len(words & {word.strip(".,?").lower() for word in note.split()})


def relevant(question):
    ranked = sorted(NOTES, key=lambda note: -score(note, question))
    return [note for note in ranked if score(note, question)]


def prompt_for(question, notes):
    lines = "\n".join(f"- {note}" for note in notes)
    return f"Answer from these notes:\n{lines}\n\nQuestion: {question}"


def within_budget(question):
    """The longest prompt that fits, dropping the least relevant note first."""
    notes = relevant(question)
    while notes:
        prompt = prompt_for(question, notes)
        token_count = client.models.count_tokens(model=MODEL, contents=prompt)
        if token_count.total_tokens <= BUDGET:
            return prompt
        notes.pop()
    return question


def answer(question):
    response = client.models.generate_content(
        model=MODEL,
        contents=within_budget(question),
        config=types.GenerateContentConfig(candidate_count=1, temperature=0),
    )
    usage = response.usage_metadata
    print(f"({usage.prompt_token_count} in, {usage.candidates_token_count} out)")
    return response.text


if __name__ == "__main__":
    print(answer("Where is the key to the cellar?"))
    print(answer("When was the boiler serviced, and is the cat afraid?"))
    print(answer("Who?"))
