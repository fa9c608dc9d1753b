"""Keeps a conversation in a file between two runs."""

import json
import os
import tempfile
from pathlib import Path

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
model = genai.GenerativeModel("gemini-1.5-flash")


class Conversation:
    """A chat with a file behind it."""

    def __init__(self, path):
        self.path = Path(path)
        self.chat = model.start_chat(history=self.load())

    def load(self):
        """What was saved; nothing at the first time."""
        if not self.path.exists():
            return []
        return json.loads(self.path.read_text(encoding="utf-8"))

    def save(self):
        turns = []
        for content in self.chat.history:
            turns.append(
                {
                    "role": content.role,
                    "parts": [part.text for part in content.parts],
                }
            )
        self.path.write_text(json.dumps(turns), encoding="utf-8")

    def say(self, text):
        response = self.chat.send_message(text)
        self.save()
        return response.text


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "conversation.json"
        first = Conversation(path)
        print(first.say("My name is Ada."))
        second = Conversation(path)
        print(second.say("What is my name?"))


if __name__ == "__main__":
    main()
