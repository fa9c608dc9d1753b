"""A shop assistant that may look things up by itself."""

import os
import sys

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

CATALOGUE = {"milk": 12, "bread": 3, "eggs": 0}
CALLS = []


def list_items() -> str:
    """List everything the shop sells."""
    CALLS.append("list_items")
    return ", ".join(sorted(CATALOGUE))


def count_stock(item: str = "milk") -> str:
    """Count how many of an item are left.

    Args:
        item: what to count
    """
    CALLS.append(f"count_stock({item})")
    return str(CATALOGUE.get(item, 0))


class ShopAgent:
    """Keeps one conversation with one customer."""

    TOOLS = "list_items, count_stock"

    def __init__(self, customer):
        self.customer = customer
        # the SDK runs the tools and sends their results
        self.chat = client.chats.create(
            model="gemini-1.5-pro",
            config=types.GenerateContentConfig(
                system_instruction="You work in a corner shop. Look things up.",
                tools=[list_items, count_stock],
            ),
        )

    def ask(self, question):
        try:
            response = self.chat.send_message(message=question)
        except Exception as error:
            print(f"sorry, {self.customer}: {error}", file=sys.stderr)
            return None
        return response.text

    def turns(self):
        return len(self.chat.get_history(curated=True))


def main():
    agent = ShopAgent("Ada")
    for question in ("Good morning.", "CALL up what you sell.", "Thank you."):
        print(">", question)
        print(agent.ask(question))
    print("calls:", CALLS)
    print("turns:", agent.turns())


if __name__ == "__main__":
    main()
