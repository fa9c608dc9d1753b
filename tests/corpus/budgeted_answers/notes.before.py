"""Answers from a pile of notes without going over the budget."""

import os

import google.generativeai as genai

MODEL = "gemini-1.5-flash"
BUDGET = 160

NOTES = [
    "The boiler was serviced in March.",
    "The cat is afraid of the boiler.",
    "The key to the cellar hangs behind the door.",
    "In March the cellar was wet.",
]

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
model = genai.GenerativeModel(MODEL)


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
        token_count = model.count_tokens(prompt)
        if token_count.total_tokens <= BUDGET:
            return prompt
        notes.pop()
    return question


def answer(question):
    response = model.generate_content(
        within_budget(question),
        generation_config={"candidate_count": 1, "temperature": 0},
    )
    usage = response.usage_metadata
    print(f"({usage.prompt_token_count} in, {usage.candidates_token_count} out)")
    return response.text


if __name__ == "__main__":
    print(answer("Where is the key to the cellar?"))
    print(answer("When was the boiler serviced, and is the cat afraid?"))
    print(answer("Who?"))
