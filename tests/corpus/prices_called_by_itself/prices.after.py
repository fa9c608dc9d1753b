import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

PRICES = {"rope": 12, "hook": 3}
asked = []


def price_of(item: str) -> str:
    """The price of an item of the shop."""
    asked.append(item)
    price = PRICES.get(item)
    return f"{item} costs {price}" if price else f"there is no {item}"


def list_items() -> str:
    """All items of the shop."""
    asked.append("*")
    return ", ".join(sorted(PRICES))


def build_chat():
    return client.chats.create(
        model="gemini-1.5-flash",
        config=types.GenerateContentConfig(
            system_instruction="You sell climbing gear.",
            tools=[price_of, list_items],
        ),
    )


def main():
    chat = build_chat()
    for question in ("Good morning!", "CALL: what does a rope cost?"):
        reply = chat.send_message(message=question)
        print(reply.text)
    print(asked)


if __name__ == "__main__":
    main()
