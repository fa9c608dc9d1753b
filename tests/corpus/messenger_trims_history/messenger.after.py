"""A messenger with a short memory: only the last turns of a user are kept."""

import os
from collections import defaultdict

from google import genai
from google.genai import types

KEEP = 4

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

chats = {}
counters = defaultdict(int)


def chat_of(user):
    if user not in chats:
        chats[user] = client.chats.create(model="gemini-1.5-flash-8b")
    return chats[user]


def trim(user):
    """Start over with the last turns when there are too many."""
    chat = chats[user]
    if len(chat.get_history(curated=True)) > KEEP:
        chats[user] = client.chats.create(
            model="gemini-1.5-flash-8b",
            history=chat.get_history(curated=True)[-KEEP:],
        )


def reply(user, text):
    counters[user] += 1
    response = chat_of(user).send_message(message=text)
    trim(user)
    return response.text


def on_start(user):
    chats.pop(user, None)
    return f"Hello, {user}."


def on_text(user, text):
    if text == "/start":
        return on_start(user)
    if text == "/count":
        return str(counters[user])
    return reply(user, text)


UPDATES = [
    ("ann", "/start"),
    ("ann", "One"),
    ("bob", "Eins"),
    ("ann", "Two"),
    ("ann", "Three"),
    ("ann", "Four"),
    ("ann", "/count"),
]

if __name__ == "__main__":
    for user, text in UPDATES:
        print(f"{user}: {text} -> {on_text(user, text)}")
