import asyncio
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

INSTRUCTION = "You help people with their bicycles."


class Session:
    def __init__(self, caller):
        self.caller = caller
        self.chat = client.aio.chats.create(
            model="gemini-1.5-flash",
            config=types.GenerateContentConfig(system_instruction=INSTRUCTION),
        )

    async def say(self, text):
        response = await self.chat.send_message(message=text)
        print(f"{self.caller}: {text} -> {response.text}")
        return response.text


async def main():
    sessions = [Session("Ada"), Session("Ben")]
    for session in sessions:
        await session.say("My brake squeaks.")
    await sessions[0].say("It is the front one.")
    answer = await sessions[1].say("Thank you.")
    print(len(answer) > 0)


if __name__ == "__main__":
    asyncio.run(main())
