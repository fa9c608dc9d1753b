"""Extracts people from sentences as JSON."""

import json
import os
from dataclasses import dataclass

import google.generativeai as genai
from google.generativeai.types import GenerationConfig

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

INSTRUCTION = """You extract people from sentences.
Answer with an object with the keys "name" and "age"."""

config = GenerationConfig(
    temperature=0.4,
    response_mime_type="application/json",
)
model = genai.GenerativeModel(
    model_name="models/gemini-1.5-pro",
    generation_config=config,
    system_instruction=INSTRUCTION,
)


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
        response = model.generate_content(
            sentence,
            generation_config=GenerationConfig(temperature=0.0),
        )
    else:
        response = model.generate_content(sentence)
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
