"""The function behind a chat widget: it is given the message and all that was said before."""
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


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
        contents.append({"role": "user", "parts": [{"text": user}]})
        contents.append({"role": "model", "parts": [{"text": bot}]})
    contents.append({"role": "user", "parts": types.UserContent(parts=[message]).parts})
    response = client.models.generate_content(
        model="gemini-1.5-flash",
        contents=contents,
        config=types.GenerateContentConfig(
            system_instruction="You know all about bees.",
        ),
    )
    return response.text


if __name__ == "__main__":
    widget = ChatInterface(respond, title="bees")
    widget.submit("How many legs has a bee?")
    widget.submit("And a spider?")
    widget.submit("Which one makes honey?")
