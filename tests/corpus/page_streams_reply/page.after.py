"""The streaming page of the observatory."""

import os

from google import genai
from google.genai import types

import pages as st

MODEL_NAME = "gemini-1.5-flash"

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)
history = []


class Page:
    """One visitor's page."""

    def __init__(self):
        self.chat = client.chats.create(model=MODEL_NAME)
        self.messages = []

    def pieces(self, prompt):
        """The reply piece by piece, for the page to show."""
        response = self.chat.send_message_stream(message=prompt)
        for chunk in response:
            yield chunk.text

    def ask(self, prompt):
        self.messages.append({"role": "user", "content": prompt})
        full_response = st.write_stream(self.pieces(prompt))
        self.messages.append({"role": "assistant", "content": full_response})
        history.append((prompt, full_response))


def main():
    page = Page()
    page.ask("Where is Mars tonight?")
    page.ask("And Venus?")
    for message in page.messages:
        print(f"{message['role']}: {message['content']}")
    print(len(history), "exchanges")


if __name__ == "__main__":
    main()
