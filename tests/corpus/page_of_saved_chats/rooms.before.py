"""Rooms to talk in: each is streamed, shown again from its chat, and taken up where it was left."""

import os

import google.generativeai as genai

genai.configure(api_key=os.environ.get("GOOGLE_API_KEY"))
MODEL = genai.GenerativeModel("gemini-1.5-flash")


class Room:
    def __init__(self, past=None):
        self.chat = MODEL.start_chat(history=past)
        self.messages = []

    def ask(self, prompt):
        self.messages.append({"role": "user", "content": prompt})
        response = self.chat.send_message(prompt, stream=True)
        said = ""
        for chunk in response:
            for word in chunk.text.split(" "):
                said += word + " "
        self.messages.append(
            {"role": self.chat.history[-1].role, "content": self.chat.history[-1].parts[0].text}
        )
        return len(said) > len(self.messages[-1]["content"])

    def show(self):
        for message in self.chat.history:
            name = "you" if message.role == "user" else "it"
            print(f"{name}: {message.parts[0].text}")


room = Room()
print(room.ask("What is a good name for a brown and very old cat?"))
print(room.ask("And for a younger one that is mostly grey?"))
room.show()
again = Room(room.chat.history)
print(again.ask("Which of the two did you like better?"))
again.show()
print(room.messages[-1], len(room.chat.history), len(again.chat.history))
