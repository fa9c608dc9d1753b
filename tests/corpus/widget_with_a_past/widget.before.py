"""The function behind a chat widget: it is given the message and all that was said before."""
import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

model = genai.GenerativeModel("gemini-1.5-flash", system_instruction="You know all about bees.")


class ChatInterface:
    def __init__(self, fn, title=""):
        self.fn, self.title, self.history = fn, title, []

    def submit(self, message):
        answer = self.fn(message, list(self.history))
        self.history.append((message, answer))
        print(f"[{self.title}] {answer}")


def respond(message, history):
    contents = []
    for user, bot in history:
        contents.append({"role": "user", "parts": [user]})
        contents.append({"role": "model", "parts": [bot]})
    contents.append({"role": "user", "parts": [message]})
    response = model.generate_content(contents)
    return response.text


if __name__ == "__main__":
    widget = ChatInterface(respond, title="bees")
    widget.submit("How many legs has a bee?")
    widget.submit("And a spider?")
    widget.submit("Which one makes honey?")
