"""Writes a serial, one instalment at a time.

Exported from the studio and then grown by hand.
"""

import os
import textwrap

import google.generativeai as genai

genai.configure(api_key=os.environ["GEMINI_API_KEY"])

# Create the model
# See the reference for what the keys mean
generation_config = {
    "temperature": 1,
    "top_p": 0.95,
    "top_k": 64,
    "max_output_tokens": 8192,
    "response_mime_type": "text/plain",
}

safety_settings = [
    {
        "category": "HARM_CATEGORY_HARASSMENT",
        "threshold": "BLOCK_NONE",
    },
    {
        "category": "HARM_CATEGORY_HATE_SPEECH",
        "threshold": "BLOCK_NONE",
    },
    {
        "category": "HARM_CATEGORY_SEXUALLY_EXPLICIT",
        "threshold": "BLOCK_MEDIUM_AND_ABOVE",
    },
    {
        "category": "HARM_CATEGORY_DANGEROUS_CONTENT",
        "threshold": "BLOCK_NONE",
    },
]

model = genai.GenerativeModel(
    model_name="gemini-1.5-flash",
    safety_settings=safety_settings,
    generation_config=generation_config,
    system_instruction="You write serials for a provincial newspaper.",
)

chat_session = model.start_chat(
    history=[
    ]
)

OUTLINE = ["A stranger arrives.", "The mill burns.", "Nobody is who they were."]


def instalment(number, event):
    prompt = f"Instalment {number}: {event}"
    response = chat_session.send_message(prompt)
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
