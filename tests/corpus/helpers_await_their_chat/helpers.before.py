import asyncio
import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

INSTRUCTION = "You help people with their bicycles."


class Session:
    def __init__(self, caller):
        self.caller = caller
        model = genai.GenerativeModel("gemini-1.5-flash", system_instruction=INSTRUCTION)
        self.chat = model.start_chat()

    async def say(self, text):
        response = await self.chat.send_message_async(text)
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
