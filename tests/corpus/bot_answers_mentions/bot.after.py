"""Answers whoever mentions it."""

import logging
import os

from google import genai
from google.genai import types

from chatnet import Bot, Channel, Message

logging.basicConfig(level=logging.ERROR)
log = logging.getLogger("bot")

MENTION = "@lamp"
LIMIT = 40

client = genai.Client(
    api_key=os.getenv("GEMINI_API_KEY", ""),
    http_options=types.HttpOptions(api_version="v1beta"),
)

bot_persona = "You are a lamp. You are proud of your light."

bot = Bot()


async def generate(prompt):
    try:
        response = await client.aio.models.generate_content(
            model="gemini-1.5-flash",
            contents=prompt,
            config=types.GenerateContentConfig(
                system_instruction=bot_persona,
                temperature=0.9,
                top_p=1,
                top_k=1,
                max_output_tokens=512,
                safety_settings=[
                    types.SafetySetting(
                        category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                        threshold=types.HarmBlockThreshold.BLOCK_NONE,
                    ),
                ],
            ),
        )
        if response.text is None:
            raise ValueError("the answer holds no text")
        return response.text
    except Exception as error:
        log.exception("generation failed")
        return f"flicker: {error}"


def pieces(text):
    for start in range(0, len(text), LIMIT):
        yield text[start : start + LIMIT]


@bot.event
async def on_ready():
    print("lit")


@bot.event
async def on_message(message):
    if MENTION not in message.content:
        return
    prompt = message.content.replace(MENTION, "").strip()
    answer = await generate(f"{message.author} says: {prompt}")
    for piece in pieces(answer):
        await message.channel.send(piece)


if __name__ == "__main__":
    hall = Channel("hall")
    bot.run(
        [
            Message("ann", "nobody is meant", hall),
            Message("bob", "@lamp how bright are you on a moonless night?", hall),
            Message("ann", "@lamp good night", hall),
        ]
    )
