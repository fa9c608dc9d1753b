"""Keeps a conversation for each channel and forgets it on request."""

import asyncio
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

INSTRUCTIONS = """You are the night porter.
You answer briefly."""


class Porter:
    """The conversations of one house."""

    def __init__(self, name):
        self.name = name
        self.chats = {}

    def chat_for(self, channel):
        """The channel's conversation; a new one when there is none."""
        if channel not in self.chats:
            self.chats[channel] = client.aio.chats.create(
                model="gemini-1.5-flash",
                config=types.GenerateContentConfig(
                    system_instruction=INSTRUCTIONS,
                    temperature=0.5,
                    max_output_tokens=200,
                ),
            )
        return self.chats[channel]

    async def answer(self, channel, text):
        chat = self.chat_for(channel)
        response = await chat.send_message(message=text)
        return f"{self.name}: {response.text}"

    def forget(self, channel):
        self.chats.pop(channel, None)
        return f"{self.name}: who?"


async def handle(porter, line):
    channel, _, text = line.partition(" ")
    if text == "/forget":
        return porter.forget(channel)
    return await porter.answer(channel, text)


async def night(lines):
    porter = Porter("Joseph")
    for line in lines:
        print(await handle(porter, line))


LINES = [
    "hall Is the bar open?",
    "lift I am stuck.",
    "hall And the kitchen?",
    "lift /forget",
    "lift Still stuck.",
]

if __name__ == "__main__":
    asyncio.run(night(LINES))
