"""A chat that explains itself when it may not answer."""

import os

import google.generativeai as genai
from google.generativeai.types import BlockedPromptException, StopCandidateException

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

EXCUSES = {
    "prompt": "I may not hear that.",
    "answer": "I may not say that.",
}

model = genai.GenerativeModel("gemini-1.5-flash")
chat = model.start_chat()


def say(text):
    try:
        return chat.send_message(text).text
    except BlockedPromptException:
        return EXCUSES["prompt"]
    except StopCandidateException:
        return EXCUSES["answer"]


def main():
    for text in ("Hello", "BLOCK_PROMPT", "FINISH_SAFETY", "Goodbye"):
        print(f"{text}: {say(text)}")
    print(len(chat.history), "turns were kept")


if __name__ == "__main__":
    main()
