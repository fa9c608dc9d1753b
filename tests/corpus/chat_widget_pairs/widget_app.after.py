"""A chat widget for the seed catalogue."""

import os

from google import genai
from google.genai import types

import widgets

TITLE = "Seeds"
SYSTEM = "You sell seeds."

client = genai.Client(
    api_key=os.environ.get("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)


def to_turns(pairs):
    """The widget's pairs as the turns of a chat."""
    turns = []
    for human, assistant in pairs:
        turns.append({"role": "user", "parts": [{"text": human}]})
        turns.append({"role": "model", "parts": [{"text": assistant}]})
    return turns


def respond(message, history):
    chat = client.chats.create(
        model="gemini-1.5-flash",
        config=types.GenerateContentConfig(system_instruction=SYSTEM),
        history=to_turns(history),
    )
    try:
        response = chat.send_message(message=message)
        if response.text is None:
            raise ValueError("the answer holds no text")
        return response.text
    except Exception as error:
        return f"Something went wrong: {error}"


if __name__ == "__main__":
    demo = widgets.ChatInterface(respond, title=TITLE)
    demo.launch(["Do you have peas?", "And beans?"])
