"""A chat bot that cuts long answers into pieces."""
import asyncio
import os

import google.generativeai as genai

GEMINI_KEY = os.getenv("GOOGLE_API_KEY")
LIMIT = 40

genai.configure(api_key=GEMINI_KEY)
model = genai.GenerativeModel("gemini-pro")


class Channel:
    def __init__(self, name):
        self.name = name

    async def send(self, text):
        print(f"#{self.name}: {text}")


def pieces(text, limit=LIMIT):
    while text:
        cut = text.rfind(" ", 0, limit) if len(text) > limit else len(text)
        cut = cut if cut > 0 else limit
        yield text[:cut]
        text = text[cut:].lstrip()


def ask_gemini(question):
    response = model.generate_content(question)
    return response.text


async def on_message(channel, content):
    if not content.startswith("!ask"):
        return
    question = content.removeprefix("!ask").strip()
    if not question:
        await channel.send("Ask me something.")
        return
    answer = await asyncio.to_thread(ask_gemini, question)
    for piece in pieces(answer):
        await channel.send(piece)


async def main():
    channel = Channel("garden")
    await on_message(channel, "good morning")
    await on_message(channel, "!ask")
    await on_message(channel, "!ask How often are tomatoes watered when it has not rained for a week?")


if __name__ == "__main__":
    asyncio.run(main())
