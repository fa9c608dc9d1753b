"""Reviews a source file in chunks and sums the remarks up."""

import argparse
import os

from google import genai
from google.genai import types

REVIEWER = """You are a careful reviewer.
Name the line, then the remark. Praise nothing."""

SOURCE = '''def mean(values):
    return sum(values) / len(values)


def median(values):
    values.sort()
    return values[len(values) // 2]
'''


def chunks(source, size):
    lines = source.splitlines()
    for start in range(0, len(lines), size):
        yield start + 1, "\n".join(lines[start : start + size])


def review(model, source, size):
    """Every chunk is judged on its own."""
    remarks = []
    for first, chunk in chunks(source, size):
        prompt = f"From line {first}:\n```python\n{chunk}\n```"
        response = client.models.generate_content(
            model=model,
            contents=prompt,
            config=types.GenerateContentConfig(system_instruction=REVIEWER),
        )
        remarks.append(response.text.strip())
    return remarks


def summary(model, remarks):
    response = client.models.generate_content(
        model=model,
        contents=["Sum up these remarks:", *remarks],
        config=types.GenerateContentConfig(system_instruction=REVIEWER),
    )
    return response.text


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="gemini-1.5-pro")
    parser.add_argument("--size", type=int, default=4)
    parser.add_argument("--dry-run", action="store_true")
    return parser.parse_args([])


def main():
    global client
    args = options()
    if args.dry_run:
        print(*(chunk for _, chunk in chunks(SOURCE, args.size)), sep="\n---\n")
        return
    client = genai.Client(
        api_key=os.environ["GOOGLE_API_KEY"],
        http_options=types.HttpOptions(api_version="v1beta"),
    )
    model = args.model
    remarks = review(model, SOURCE, args.size)
    print(*remarks, sep="\n")
    print(summary(model, remarks))


if __name__ == "__main__":
    main()
