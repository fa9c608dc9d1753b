"""A chat widget for the seed catalogue."""

import os

import google.generativeai as genai

import widgets

TITLE = "Seeds"
SYSTEM = "You sell seeds."

genai.configure(api_key=os.environ.get("GOOGLE_API_KEY"))

model = genai.GenerativeModel("gemini-1.5-flash", system_instruction=SYSTEM)


def to_turns(pairs):
    """The widget's pairs as the turns of a chat."""
    turns = []
    for human, assistant in pairs:
        turns.append({"role": "user", "parts": [human]})
        turns.append({"role": "model", "parts": [assistant]})
    return turns


def respond(message, history):
    chat = model.start_chat(history=to_turns(history))
    try:
        response = chat.send_message(message)
        return response.text
    except Exception as error:
        return f"Something went wrong: {error}"


if __name__ == "__main__":
    demo = widgets.ChatInterface(respond, title=TITLE)
    demo.launch(["Do you have peas?", "And beans?"])
