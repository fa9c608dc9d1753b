"""A chat that explains itself when it may not answer."""

import os

from google import genai
from google.genai import types


class BlockedPromptException(Exception):
    """The prompt was blocked."""


class StopCandidateException(Exception):
    """The answer ended for another reason than its own end or its length."""


client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

EXCUSES = {
    "prompt": "I may not hear that.",
    "answer": "I may not say that.",
}

chat = client.chats.create(model="gemini-1.5-flash")


def say(text):
    try:
        response = chat.send_message(message=text)
        if response.prompt_feedback and response.prompt_feedback.block_reason:
            raise BlockedPromptException(response.prompt_feedback)
        if response.candidates[0].finish_reason not in (
            None,
            types.FinishReason.FINISH_REASON_UNSPECIFIED,
            types.FinishReason.STOP,
            types.FinishReason.MAX_TOKENS,
        ):
            if response.candidates[0].content in chat.get_history(curated=True)[-1:]:
                del chat.get_history(curated=True)[-2:]
            raise StopCandidateException(response.candidates[0])
        return response.text
    except BlockedPromptException:
        return EXCUSES["prompt"]
    except StopCandidateException:
        return EXCUSES["answer"]


def main():
    for text in ("Hello", "BLOCK_PROMPT", "FINISH_SAFETY", "Goodbye"):
        print(f"{text}: {say(text)}")
    print(len(chat.get_history(curated=True)), "turns were kept")


if __name__ == "__main__":
    main()
