"""Rooms to talk in: each is streamed, shown again from its chat, and taken up where it was left."""

import os

from google import genai
from google.genai import types


def stream_message(chat, **message):
    """Stream an answer that the chat remembers as one turn."""
    turns, known = chat.get_history(curated=True), len(chat.get_history())
    kept = len(turns)
    yield from chat.send_message_stream(**message)
    question, *pieces = chat.get_history()[known:]
    parts = []
    for part in [part for piece in pieces for part in piece.parts or []]:
        if parts and parts[-1].text is not None and part.text is not None:
            parts[-1] = types.Part(text=parts[-1].text + part.text)
        else:
            parts.append(part)
    turns[kept:] = [question, types.Content(role="model", parts=parts)] if parts else []


client = genai.Client(
    api_key=os.environ.get("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)


class Room:
    def __init__(self, past=None):
        self.chat = client.chats.create(model="gemini-1.5-flash", history=past)
        self.messages = []

    def ask(self, prompt):
        self.messages.append({"role": "user", "content": prompt})
        response = stream_message(self.chat, message=prompt)
        said = ""
        for chunk in response:
            for word in chunk.text.split(" "):
                said += word + " "
        self.messages.append(
            {"role": self.chat.get_history(curated=True)[-1].role, "content": self.chat.get_history(curated=True)[-1].parts[0].text}
        )
        return len(said) > len(self.messages[-1]["content"])

    def show(self):
        for message in self.chat.get_history(curated=True):
            name = "you" if message.role == "user" else "it"
            print(f"{name}: {message.parts[0].text}")


room = Room()
print(room.ask("What is a good name for a brown and very old cat?"))
print(room.ask("And for a younger one that is mostly grey?"))
room.show()
again = Room(room.chat.get_history(curated=True))
print(again.ask("Which of the two did you like better?"))
again.show()
print(room.messages[-1], len(room.chat.get_history(curated=True)), len(again.chat.get_history(curated=True)))
