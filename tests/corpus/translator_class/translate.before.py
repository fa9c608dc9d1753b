"""Translates subtitles line by line, keeping the tone of the film."""

import os
import re

import google.generativeai as genai


class SubtitleTranslator:
    """Translates into one language.

    The conversation is kept, so that a name is spelt alike in every line.
    """

    def __init__(self, language, tone="plain", key=None):
        genai.configure(api_key=key or os.environ["GOOGLE_API_KEY"])
        self.language = language
        self.tone = tone
        self.generation_config = {
            "temperature": 0.1,
            "top_p": 0.9,
            "max_output_tokens": 120,
        }
        self.model = genai.GenerativeModel(
            "gemini-1.5-flash",
            generation_config=self.generation_config,
            system_instruction=f"Translate into {language}, in a {tone} tone.",
        )
        self.chat = self.model.start_chat(history=[])
        self.seen = {}

    def line(self, text):
        """One line; a line that was seen before is not asked for again."""
        if text in self.seen:
            return self.seen[text]
        response = self.chat.send_message(text)
        self.seen[text] = response.text.strip()
        return self.seen[text]

    def title(self, text):
        """A title is translated by itself and may be bolder."""
        response = self.model.generate_content(
            f"A film title: {text}",
            generation_config={"temperature": 0.8},
        )
        return response.text.strip()

    def file(self, lines):
        for line in lines:
            if re.fullmatch(r"\d+|[\d:,]+ --> [\d:,]+|", line):
                yield line
            else:
                yield self.line(line)


SUBTITLES = """1
00:00:01,000 --> 00:00:02,000
Who goes there?

2
00:00:03,000 --> 00:00:04,000
Nobody.

3
00:00:05,000 --> 00:00:06,000
Who goes there?"""


if __name__ == "__main__":
    translator = SubtitleTranslator("German", tone="gloomy")
    print(translator.title("The Fog"))
    for line in translator.file(SUBTITLES.splitlines()):
        print(line)
