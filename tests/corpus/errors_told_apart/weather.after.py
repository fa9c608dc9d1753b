"""A weather report in verse, with a word for each way it can fail."""
import os
import sys

from google import genai
from google.genai import errors, types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


class ReportError(Exception):
    """What went wrong, for people."""


def report(weather):
    try:
        response = client.models.generate_content(
            model="gemini-1.5-flash",
            contents=f"Two lines of verse about this weather: {weather}",
        )
    except errors.APIError as e:
        if e.code == 429:
            raise ReportError("too many verses today") from e
        elif e.code == 403:
            raise ReportError("the key is not right") from e
        else:
            raise ReportError("no verse") from e
    return response.text


def main(days):
    for day, weather in days:
        try:
            print(day, report(weather))
        except ReportError as error:
            print(day, "?", error, file=sys.stderr)


if __name__ == "__main__":
    main([("Monday", "drizzle"), ("Tuesday", "thunder in the evening")])
