"""Summarises pages in a pool of threads and puts them together again."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import google.generativeai as genai

WORKERS = 1
PAGES = {
    "preface": "Thanks to everybody.",
    "chapter one": "It begins badly.",
    "chapter two": "It gets worse.",
}


def configure_api():
    genai.configure(api_key=os.environ["GOOGLE_API_KEY"])


def with_pause(function, *args, pause=0.0):
    """Keep below the limit of calls in a minute."""
    time.sleep(pause)
    return function(*args)


def summarise(item):
    name, text = item
    model = genai.GenerativeModel("gemini-1.5-flash")
    prompt = f"Summarise the {name}: {text}"
    response = model.generate_content(prompt)
    return name, response.text


def combine(parts):
    model = genai.GenerativeModel("gemini-1.5-pro")
    joined = "\n".join(f"{name}: {text}" for name, text in parts)
    response = model.generate_content(
        [
            "Make one summary of these:",
            joined,
        ],
        generation_config=genai.types.GenerationConfig(temperature=0.3),
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
