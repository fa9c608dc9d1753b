"""Asks for headlines and waits when the quota is used up."""

import os
import time

import google.generativeai as genai
from google.api_core import exceptions

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
model = genai.GenerativeModel("gemini-1.5-flash")

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
            response = model.generate_content(f"A headline about {topic}.")
            return response.text
        except exceptions.ResourceExhausted:
            wait(attempt)
        except exceptions.InvalidArgument as error:
            print("refused:", error.message)
            return None
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
