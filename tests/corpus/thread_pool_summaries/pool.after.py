"""Summarises pages in a pool of threads and puts them together again."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from google import genai
from google.genai import types

WORKERS = 1
PAGES = {
    "preface": "Thanks to everybody.",
    "chapter one": "It begins badly.",
    "chapter two": "It gets worse.",
}


def configure_api():
    global client
    client = genai.Client(
        api_key=os.environ["GOOGLE_API_KEY"],
        http_options=types.HttpOptions(api_version="v1beta"),
    )


def with_pause(function, *args, pause=0.0):
    """Keep below the limit of calls in a minute."""
    time.sleep(pause)
    return function(*args)


def summarise(item):
    name, text = item
    prompt = f"Summarise the {name}: {text}"
    response = client.models.generate_content(model="gemini-1.5-flash", contents=prompt)
    return name, response.text


def combine(parts):
    joined = "\n".join(f"{name}: {text}" for name, text in parts)
    response = client.models.generate_content(
        model="gemini-1.5-pro",
        contents=[
            "Make one summary of these:",
            joined,
        ],
        config=types.GenerateContentConfig(temperature=0.3),
    )
    return response.text


def main():
    configure_api()
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        parts = list(pool.map(partial(with_pause, summarise), PAGES.items()))
    for name, text in parts:
        print(f"{name} -> {text}")
    print(combine(parts))


if __name__ == "__main__":
    main()
