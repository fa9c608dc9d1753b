"""Answers questions about a printed leaflet."""
import os
import pathlib
import tempfile

from google import genai
from google.genai import types


def make_leaflet(folder):
    path = pathlib.Path(folder) / "leaflet.pdf"
    path.write_bytes(b"%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n")
    return path


def load_leaflet(path):
    return types.Part.from_bytes(mime_type="application/pdf", data=path.read_bytes())


def main():
    client = genai.Client(
        api_key=os.environ["GOOGLE_API_KEY"],
        http_options=types.HttpOptions(api_version="v1beta"),
    )
    questions = ["Who printed it?", "What does entry cost?"]
    with tempfile.TemporaryDirectory() as folder:
        leaflet = load_leaflet(make_leaflet(folder))
        for question in questions:
            response = client.models.generate_content(
                model="gemini-1.5-pro",
                contents=[leaflet, question],
            )
            print(question, "->", response.text)
        summary = client.models.generate_content(
            model="gemini-1.5-pro",
            contents=[leaflet, "Sum it up.", "One sentence."],
            config=types.GenerateContentConfig(temperature=0),
        )
        print(summary.text)


if __name__ == "__main__":
    main()
