"""The streaming page of the observatory."""

import os

import google.generativeai as genai

import pages as st

MODEL_NAME = "gemini-1.5-flash"

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
gemini_model = genai.GenerativeModel(MODEL_NAME)
history = []


class Page:
    """One visitor's page."""

    def __init__(self):
        self.chat = gemini_model.start_chat(history=[])
        self.messages = []

    def pieces(self, prompt):
        """The reply piece by piece, for the page to show."""
        response = self.chat.send_message(prompt, stream=True)
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
