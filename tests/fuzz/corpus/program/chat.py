import google.generativeai as genai

genai.configure(api_key="K")


class Bot:
    def __init__(self, name="m"):
        self.model = genai.GenerativeModel(name, system_instruction="be brief")
        self.chat = self.model.start_chat(history=[])

    async def say(self, text):
        answer = await self.chat.send_message_async(text, stream=True)
        async for chunk in answer:
            yield chunk.text

    def past(self):
        return [(turn.role, turn.parts[0].text) for turn in self.chat.history]
