"""Sorts letters to the editor by a handful of examples."""

import os
import sys

from google import genai
from google.genai import types

api_key = os.getenv("GEMINI_API_KEY")
if api_key is None:
    print("GEMINI_API_KEY is not set", file=sys.stderr)
    sys.exit(2)

client = genai.Client(
    api_key=api_key,
    http_options=types.HttpOptions(api_version="v1beta"),
)

LABELS = ("praise", "complaint", "poem")


def few_shot():
    """A chat that has seen one letter of each kind."""
    return client.chats.create(
        model="gemini-1.5-flash-8b",
        config=types.GenerateContentConfig(
            temperature=0,
            max_output_tokens=8,
        ),
        history=[
            {
                "role": "user",
                "parts": [
                    {"text": "Your crossword made my Sunday."},
                ],
            },
            {
                "role": "model",
                "parts": [
                    {"text": "praise"},
                ],
            },
            {
                "role": "user",
                "parts": [
                    {"text": "Your crossword ruined my Sunday.\nI want my money back."},
                ],
            },
            {"role": "model", "parts": [{"text": "complaint"}]},
            # a letter that rhymes is a poem, whatever it says
            {"role": "user", "parts": [{"text": "O crossword, be not cross with me."}]},
            {"role": "model", "parts": [{"text": "poem"}]},
        ],
    )


def classify(letter):
    chat_session = few_shot()
    answer = chat_session.send_message(message=letter)
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
