"""A weather report in verse, with a word for each way it can fail."""
import os
import sys

import google.generativeai as genai
from google.api_core import exceptions

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
model = genai.GenerativeModel("gemini-1.5-flash")


class ReportError(Exception):
    """What went wrong, for people."""


def report(weather):
    try:
        response = model.generate_content(f"Two lines of verse about this weather: {weather}")
    except exceptions.ResourceExhausted as e:
        raise ReportError("too many verses today") from e
    except exceptions.PermissionDenied as e:
        raise ReportError("the key is not right") from e
    except exceptions.GoogleAPIError as e:
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
