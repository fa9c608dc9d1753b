"""Writes a story piece by piece."""
import os
import pathlib
import tempfile

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


def stream_story(prompt, path):
    response = client.models.generate_content_stream(
        model="gemini-1.5-flash",
        contents=prompt,
        config=types.GenerateContentConfig(temperature=1.0, max_output_tokens=500),
    )
    pieces = 0
    with open(path, "w", encoding="utf-8") as file:
        for chunk in response:
            file.write(chunk.text)
            pieces += 1
    return pieces


def stream_words(prompt):
    for chunk in client.models.generate_content_stream(
        model="gemini-1.5-flash",
        contents=prompt,
    ):
        yield from chunk.text.split()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "story.txt"
        print(stream_story("A story about a lighthouse, please.", path) > 0)
        print(path.read_text(encoding="utf-8"))
    print("/".join(stream_words("Three words about rain")))
