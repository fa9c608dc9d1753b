"""Sorts letters to the editor by a handful of examples."""

import os
import sys

import google.generativeai as genai

api_key = os.getenv("GEMINI_API_KEY")
if api_key is None:
    print("GEMINI_API_KEY is not set", file=sys.stderr)
    sys.exit(2)

genai.configure(api_key=api_key)

LABELS = ("praise", "complaint", "poem")

generation_config = {
    "temperature": 0,
    "max_output_tokens": 8,
}

model = genai.GenerativeModel(
    model_name="gemini-1.5-flash-8b",
    generation_config=generation_config,
)


def few_shot():
    """A chat that has seen one letter of each kind."""
    return model.start_chat(
        history=[
            {
                "role": "user",
                "parts": [
                    "Your crossword made my Sunday.",
                ],
            },
            {
                "role": "model",
                "parts": [
                    "praise",
                ],
            },
            {
                "role": "user",
                "parts": [
                    "Your crossword ruined my Sunday.\nI want my money back.",
                ],
            },
            {"role": "model", "parts": ["complaint"]},
            # a letter that rhymes is a poem, whatever it says
            {"role": "user", "parts": ["O crossword, be not cross with me."]},
            {"role": "model", "parts": ["poem"]},
        ]
    )


def classify(letter):
    chat_session = few_shot()
    answer = chat_session.send_message(letter)
    label = answer.text.strip()
    return label if label in LABELS else "unknown: " + label


def main():
    letters = [
        "The new typeface is a delight.",
        "Roses are red, your ink is blue.",
    ]
    for letter in letters:
        print(f"{letter!r}: {classify(letter)}")


main()
