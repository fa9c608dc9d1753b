"""Translates subtitles, some lines at a time, and keeps their times."""
import argparse
import os
import time

from google import genai
from google.genai import types

SUBTITLES = [
    ("00:01", "Good evening."),
    ("00:04", "The train is late."),
    ("00:09", "It is always late."),
]


class Translator:
    def __init__(self, language, model="gemini-1.5-flash", batch=2, pause=0.0):
        self.language = language
        self.batch = batch
        self.pause = pause
        self.model = model
        self.model_config = types.GenerateContentConfig(
            system_instruction=f"You translate subtitles into {language}.",
        )

    def translate(self, lines):
        translated = []
        for start in range(0, len(lines), self.batch):
            chunk = lines[start : start + self.batch]
            prompt = "\n".join(text for _, text in chunk)
            response = client.models.generate_content(
                model=self.model,
                contents=prompt,
                config=self.model_config,
            )
            translated.append((chunk[0][0], response.text))
            time.sleep(self.pause)
        return translated


def main(arguments=None):
    global client
    parser = argparse.ArgumentParser()
    parser.add_argument("--language", default="Frisian")
    parser.add_argument("--batch", type=int, default=2)
    options = parser.parse_args(arguments)
    client = genai.Client(
        api_key=os.environ["GOOGLE_API_KEY"],
        http_options=types.HttpOptions(api_version="v1beta"),
    )
    translator = Translator(options.language, batch=options.batch)
    for when, text in translator.translate(SUBTITLES):
        print(when, text)


if __name__ == "__main__":
    main([])
    main(["--language", "Welsh", "--batch", "3"])
