"""A conversation with a record of it."""
import json
import os
import pathlib
import tempfile

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])


def talk(questions):
    model = genai.GenerativeModel("gemini-1.5-flash")
    chat = model.start_chat(history=[])
    for question in questions:
        response = chat.send_message(question)
        print("you:", question)
        print("model:", response.text)
    return chat


def record(chat):
    return [
        {"role": message.role, "text": message.parts[0].text}
        for message in chat.history
    ]


def save(chat, path):
    path.write_text(json.dumps(record(chat), indent=2), encoding="utf-8")


if __name__ == "__main__":
    conversation = talk(["What is a tide?", "And a spring tide?"])
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "talk.json"
        save(conversation, target)
        print(target.read_text(encoding="utf-8"))
    print(len(conversation.history), "turns")
