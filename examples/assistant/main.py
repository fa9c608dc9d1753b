"""Plays one short day at the desk, or answers one question given on the command line."""

import argparse
import asyncio
import textwrap

from desk import orders, reports
from desk.conversation import Conversation

QUESTIONS = ["My rear brake squeaks. Is that dangerous?", "Which pads would you fit?"]
MESSAGES = ["Hi, the chain of my commuter slips and the bell is gone. I need it tomorrow!"]


def counter():
    """A customer asks; returns the conversation as text."""
    desk = Conversation("Ada", "green touring bike")
    lines = []
    for question in QUESTIONS:
        answer = desk.ask(question)
        print(f"  Ada:  {question}\n  Desk: {answer}")
        lines += [f"Ada: {question}", f"Desk: {answer}"]
    print("  Desk: ", end="")
    for piece in desk.tell("Thanks, and goodbye!"):
        print(piece, end="", flush=True)
    print()
    return "\n".join(lines)


def order_book():
    for message in MESSAGES:
        print(" ", orders.describe(orders.read_order(message)))


async def closing_time(conversations):
    summaries, tokens = await reports.summarise_all(conversations)
    notes = [textwrap.shorten(summary, width=50) for summary in summaries]
    print("\n".join(f"  - {note}" for note in notes))
    print(f"  ({tokens} tokens)")
    await reports.read_aloud(notes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", nargs="?", help="ask this and nothing else")
    args = parser.parse_args()
    if args.question:
        print(Conversation("a passer-by", "borrowed bike").ask(args.question))
        return
    print("At the counter")
    said = counter()
    print(f"\nOrder book ({reports.tokens_of(MESSAGES[0])} tokens of mail)")
    order_book()
    print("\nClosing time")
    asyncio.run(closing_time([said]))


if __name__ == "__main__":
    main()
