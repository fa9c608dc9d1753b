"""Keeps a conversation in a file between two runs."""

import json
import os
import tempfile
from pathlib import Path

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


class Conversation:
    """A chat with a file behind it."""

    def __init__(self, path):
        self.path = Path(path)
        self.chat = client.chats.create(
            model="gemini-1.5-flash",
            history=[
                turn
                if isinstance(turn, types.Content)
                else types.Content(
                    role=turn["role"],
                    parts=types.UserContent(parts=turn["parts"]).parts,
                )
                for turn in self.load() or []
            ],
        )

    def load(self):
        """What was saved; nothing at the first time."""
        if not self.path.exists():
            return []
        return json.loads(self.path.read_text(encoding="utf-8"))

    def save(self):
        turns = []
        for content in self.chat.get_history(curated=True):
            turns.append(
                {
                    "role": content.role,
                    "parts": [part.text for part in content.parts or []],
                }
            )
        self.path.write_text(json.dumps(turns), encoding="utf-8")

    def say(self, text):
        response = self.chat.send_message(message=text)
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
