"""Extracts people from sentences as JSON."""

import json
import os
from dataclasses import dataclass

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

INSTRUCTION = """You extract people from sentences.
Answer with an object with the keys "name" and "age"."""


@dataclass
class Person:
    name: str
    age: int


def parse(text: str) -> Person:
    values = json.loads(text)
    return Person(name=values["name"], age=int(values["age"]))


def extract(sentence: str, careful: bool = False) -> Person:
    """The person of a sentence; a careful reading is a cold one."""
    if careful:
        response = client.models.generate_content(
            model="models/gemini-1.5-pro",
            contents=sentence,
            config=types.GenerateContentConfig(
                system_instruction=INSTRUCTION,
                temperature=0.0,
                response_mime_type="application/json",
            ),
        )
    else:
        response = client.models.generate_content(
            model="models/gemini-1.5-pro",
            contents=sentence,
            config=types.GenerateContentConfig(
                system_instruction=INSTRUCTION,
                temperature=0.4,
                response_mime_type="application/json",
            ),
        )
    return parse(response.text)


def retrying(sentence: str) -> Person | None:
    for careful in (False, True):
        try:
            return extract(sentence, careful)
        except (json.JSONDecodeError, KeyError):
            continue
    return None


def main() -> None:
    people = [
        retrying("Ada was thirty-six."),
        extract("Ada, as I said, was thirty-six.", careful=True),
    ]
    for person in people:
        print(person)


if __name__ == "__main__":
    main()
