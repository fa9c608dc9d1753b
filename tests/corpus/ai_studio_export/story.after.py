"""Writes a serial, one instalment at a time.

Exported from the studio and then grown by hand.
"""

import os
import textwrap

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GEMINI_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

# Create the model
# See the reference for what the keys mean

chat_session = client.chats.create(
    model="gemini-1.5-flash",
    config=types.GenerateContentConfig(
        system_instruction="You write serials for a provincial newspaper.",
        temperature=1,
        top_p=0.95,
        top_k=64,
        max_output_tokens=8192,
        response_mime_type="text/plain",
        safety_settings=[
            types.SafetySetting(
                category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                threshold=types.HarmBlockThreshold.BLOCK_NONE,
            ),
            types.SafetySetting(
                category=types.HarmCategory.HARM_CATEGORY_HATE_SPEECH,
                threshold=types.HarmBlockThreshold.BLOCK_NONE,
            ),
            types.SafetySetting(
                category=types.HarmCategory.HARM_CATEGORY_SEXUALLY_EXPLICIT,
                threshold=types.HarmBlockThreshold.BLOCK_MEDIUM_AND_ABOVE,
            ),
            types.SafetySetting(
                category=types.HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT,
                threshold=types.HarmBlockThreshold.BLOCK_NONE,
            ),
        ],
    ),
)

OUTLINE = ["A stranger arrives.", "The mill burns.", "Nobody is who they were."]


def instalment(number, event):
    prompt = f"Instalment {number}: {event}"
    response = chat_session.send_message(message=prompt)
    return response.text


def main():
    words = 0
    for number, event in enumerate(OUTLINE, 1):
        text = instalment(number, event)
        words += len(text.split())
        print(textwrap.fill(text, 60))
        print("-" * 20)
    print(words, "words")


if __name__ == "__main__":
    main()
