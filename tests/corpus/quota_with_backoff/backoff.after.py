"""Asks for headlines and waits when the quota is used up."""

import os
import time

from google import genai
from google.genai import errors, types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

TOPICS = ["tides", "tulips"]
ATTEMPTS = 3


def wait(attempt):
    seconds = 0.01 * 2**attempt
    print(f"(waiting {seconds:.2f} s)")
    time.sleep(seconds)


def headline(topic):
    """A headline; None when the quota stays used up."""
    for attempt in range(ATTEMPTS):
        try:
            response = client.models.generate_content(
                model="gemini-1.5-flash",
                contents=f"A headline about {topic}.",
            )
            return response.text
        except errors.ClientError as error:
            if error.code == 429:
                wait(attempt)
            elif error.status == "INVALID_ARGUMENT":
                print("refused:", error.message)
                return None
            else:
                raise
    return None


def front_page(topics):
    page = {}
    for topic in topics:
        line = headline(topic)
        if line is not None:
            page[topic] = line
    return page


def layout(page):
    width = max(len(line) for line in page.values())
    yield "=" * width
    for topic in sorted(page):
        yield page[topic].center(width)
    yield "=" * width


if __name__ == "__main__":
    for line in layout(front_page(TOPICS)):
        print(line)
