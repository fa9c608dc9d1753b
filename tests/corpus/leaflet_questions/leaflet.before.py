"""Answers questions about a printed leaflet."""
import os
import pathlib
import tempfile

import google.generativeai as genai


def make_leaflet(folder):
    path = pathlib.Path(folder) / "leaflet.pdf"
    path.write_bytes(b"%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n")
    return path


def load_leaflet(path):
    return {"mime_type": "application/pdf", "data": path.read_bytes()}


def main():
    genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
    model = genai.GenerativeModel("gemini-1.5-pro")
    questions = ["Who printed it?", "What does entry cost?"]
    with tempfile.TemporaryDirectory() as folder:
        leaflet = load_leaflet(make_leaflet(folder))
        for question in questions:
            response = model.generate_content([leaflet, question])
            print(question, "->", response.text)
        summary = model.generate_content(
            [leaflet, "Sum it up.", "One sentence."],
            generation_config={"temperature": 0},
        )
        print(summary.text)


if __name__ == "__main__":
    main()
