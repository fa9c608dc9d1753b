import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

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
    model = genai.GenerativeModel(
        model_name="gemini-1.5-flash",
        tools=[price_of, list_items],
        system_instruction="You sell climbing gear.",
    )
    return model.start_chat(enable_automatic_function_calling=True)


def main():
    chat = build_chat()
    for question in ("Good morning!", "CALL: what does a rope cost?"):
        reply = chat.send_message(question)
        print(reply.text)
    print(asked)


if __name__ == "__main__":
    main()
