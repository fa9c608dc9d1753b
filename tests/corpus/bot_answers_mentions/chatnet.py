"""A chat network in a few lines: events are awaited one after the other."""

import asyncio


class Message:
    def __init__(self, author, content, channel):
        self.author, self.content, self.channel = author, content, channel


class Channel:
    def __init__(self, name):
        self.name = name

    async def send(self, text):
        print(f"#{self.name}: {text}")


class Bot:
    def __init__(self):
        self.handlers = {}

    def event(self, handler):
        self.handlers[handler.__name__] = handler
        return handler

    def run(self, messages):
        async def session():
            await self.handlers["on_ready"]()
            for message in messages:
                await self.handlers["on_message"](message)

        asyncio.run(session())
