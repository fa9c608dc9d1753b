"""Writes a commit message for a diff.

Usage: commitmsg.py [DIFF...]
"""

import argparse
import os
import re
import sys

PROMPT = """Write a commit message for this diff.
Use the imperative. At most 50 characters.

{diff}
"""

DEMO = """-    return a - b
+    return a + b
"""


def load_sdk():
    """Say how to install the SDK rather than show a traceback."""
    try:
        from google import genai  # noqa: F401
    except ImportError:
        sys.exit("the SDK is not installed")


def generate_message(diff, model_name="gemini-1.5-flash"):
    from google import genai
    from google.genai import types

    client = genai.Client(
        api_key=os.environ["GEMINI_API_KEY"],
        http_options=types.HttpOptions(api_version="v1beta"),
    )
    prompt = PROMPT.format(diff=diff)
    response = client.models.generate_content(
        model=model_name,
        contents=prompt,
        config=types.GenerateContentConfig(temperature=0.2),
    )
    return response.text


def tidy(message):
    """The first line, without quotes and full stop."""
    first = message.strip().splitlines()[0]
    return re.sub(r"[\"'.]+$", "", first).lstrip("\"'")


def parse(arguments):
    parser = argparse.ArgumentParser(description="Write a commit message.")
    parser.add_argument("diff", nargs="*", help="files with diffs")
    parser.add_argument("--model", default="gemini-1.5-flash")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    load_sdk()
    diffs = []
    for path in options.diff:
        with open(path, encoding="utf-8") as file:
            diffs.append(file.read())
    for diff in diffs or [DEMO]:
        print(tidy(generate_message(diff, options.model)))


if __name__ == "__main__":
    main()
