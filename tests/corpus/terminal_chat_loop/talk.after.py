"""Talks to whoever types.

Commands: /quit leaves, /new starts over.
"""

import os
import sys

from google import genai
from google.genai import types

GREETING = "Talk to me. (/quit to leave)"
SCRIPT = ["Good morning", "/new", "Good evening", "/unknown", "/quit"]


def setup():
    global client
    api_key = os.environ.get("GOOGLE_API_KEY")
    if not api_key:
        print("no key", file=sys.stderr)
        sys.exit(1)
    client = genai.Client(
        api_key=api_key,
        http_options=types.HttpOptions(api_version="v1beta"),
    )


def read_lines():
    """The lines of the visitor; a script when there is no terminal."""
    if sys.stdin.isatty():
        while True:
            yield input("> ")
    yield from SCRIPT


def show(stream):
    for chunk in stream:
        print(chunk.text, end="", flush=True)
    print()


def main():
    setup()
    chat = client.chats.create(model="gemini-1.5-flash")
    print(GREETING)
    for line in read_lines():
        if line == "/quit":
            break
        if line == "/new":
            chat = client.chats.create(model="gemini-1.5-flash")
            print("(a new conversation)")
            continue
        if line.startswith("/"):
            print("(no such command)")
            continue
        try:
            for chunk in chat.send_message_stream(message=line):
                print(chunk.text, end="", flush=True)
            print()
        except KeyboardInterrupt:
            print("(interrupted)")
    print("Bye.")


if __name__ == "__main__":
    main()
