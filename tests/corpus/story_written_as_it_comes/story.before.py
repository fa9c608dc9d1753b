"""Writes a story piece by piece."""
import os
import pathlib
import tempfile

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])


def stream_story(prompt, path):
    model = genai.GenerativeModel(
        "gemini-1.5-flash",
        generation_config={"temperature": 1.0, "max_output_tokens": 500},
    )
    response = model.generate_content(prompt, stream=True)
    pieces = 0
    with open(path, "w", encoding="utf-8") as file:
        for chunk in response:
            file.write(chunk.text)
            pieces += 1
    return pieces


def stream_words(prompt):
    model = genai.GenerativeModel("gemini-1.5-flash")
    for chunk in model.generate_content(prompt, stream=True):
        yield from chunk.text.split()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "story.txt"
        print(stream_story("A story about a lighthouse, please.", path) > 0)
        print(path.read_text(encoding="utf-8"))
    print("/".join(stream_words("Three words about rain")))
