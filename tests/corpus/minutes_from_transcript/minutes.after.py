"""Minutes of a meeting from its transcript: minutes.py [FILE]"""
import os
import sys

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

SECTIONS = ["Decisions", "Open questions", "Who does what until when"]
TRANSCRIPT = """\
Ada: We open the new reading room in May.
Ben: Who orders the shelves?
Ada: I do, this week."""


def read_transcript(arguments):
    if len(arguments) > 1:
        with open(arguments[1], encoding="utf-8") as file:
            return file.read()
    return TRANSCRIPT


def write_section(transcript, section):
    prompt = f"""From the transcript below write the section "{section}" of the minutes.
Only use what was said. Answer in bullet points.

{transcript}"""
    response = client.models.generate_content(model="gemini-1.5-flash", contents=prompt)
    return response.text.strip()


def main():
    transcript = read_transcript(sys.argv)
    print(f"{len(transcript.splitlines())} lines")
    for section in SECTIONS:
        print(f"## {section}")
        print(write_section(transcript, section))
        print()


if __name__ == "__main__":
    main()
