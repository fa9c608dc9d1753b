"""Translates subtitles, some lines at a time, and keeps their times."""
import argparse
import os
import time

import google.generativeai as genai

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
        self.model = genai.GenerativeModel(
            model_name=model,
            system_instruction=f"You translate subtitles into {language}.",
        )

    def translate(self, lines):
        translated = []
        for start in range(0, len(lines), self.batch):
            chunk = lines[start : start + self.batch]
            prompt = "\n".join(text for _, text in chunk)
            response = self.model.generate_content(prompt)
            translated.append((chunk[0][0], response.text))
            time.sleep(self.pause)
        return translated


def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--language", default="Frisian")
    parser.add_argument("--batch", type=int, default=2)
    options = parser.parse_args(arguments)
    genai.configure(api_key=os.environ["GOOGLE_API_KEY"], transport="rest")
    translator = Translator(options.language, batch=options.batch)
    for when, text in translator.translate(SUBTITLES):
        print(when, text)


if __name__ == "__main__":
    main([])
    main(["--language", "Welsh", "--batch", "3"])
