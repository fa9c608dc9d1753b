import json
import os
import re

from google import genai
from google.genai import types

API_KEY = os.getenv("GEMINI_API_KEY") or os.getenv("GOOGLE_API_KEY")
if not API_KEY:
    raise SystemExit("no key")
client = genai.Client(
    api_key=API_KEY,
    http_options=types.HttpOptions(api_version="v1beta"),
)

PROMPT = """Write {count} questions about {topic}.
Answer as a JSON object with the key "questions", each with "question", "choices" and "answer"."""


def strip_fences(text):
    found = re.search(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
    return found.group(1) if found else text


def make_quiz(topic, count=3):
    response = client.models.generate_content(
        model="gemini-1.5-flash",
        contents=PROMPT.format(count=count, topic=topic),
        config=types.GenerateContentConfig(
            temperature=0.7,
            top_p=0.95,
            top_k=40,
            max_output_tokens=2048,
            response_mime_type="application/json",
        ),
    )
    try:
        return json.loads(strip_fences(response.text))
    except json.JSONDecodeError as error:
        print("not JSON:", error)
        return {"questions": []}


def show(quiz):
    for number, question in enumerate(quiz.get("questions", []), 1):
        print(number, question["question"])
    if "questions" not in quiz:
        print("keys:", sorted(quiz))


if __name__ == "__main__":
    for topic in ("the solar system", "bridges"):
        show(make_quiz(topic))
