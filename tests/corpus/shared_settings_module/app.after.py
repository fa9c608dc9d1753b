"""The almanac: a hint for every month."""

from settings import TITLE, model, client

MONTHS = ("March", "April")


def hint(month):
    response = client.models.generate_content(
        model=model,
        contents=f"A gardening hint for {month}.",
    )
    return response.text.strip()


def almanac():
    return {month: hint(month) for month in MONTHS}


def render(hints):
    lines = [TITLE, "-" * len(TITLE)]
    lines += [f"{month}: {text}" for month, text in hints.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(render(almanac()))
