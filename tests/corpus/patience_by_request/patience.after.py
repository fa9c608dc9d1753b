import os

from google import genai
from google.genai import types

TIMEOUT = 45


class Desk:
    def __init__(self):
        self.client = genai.Client(
            api_key=os.environ["GOOGLE_API_KEY"],
            http_options=types.HttpOptions(api_version="v1beta"),
        )

    def quick(self, question):
        response = self.client.models.generate_content(
            model="gemini-1.5-flash-8b",
            contents=question,
            config=types.GenerateContentConfig(
                http_options=types.HttpOptions(timeout=10_000),
            ),
        )
        return response.text

    def thorough(self, question):
        response = self.client.models.generate_content(
            model="gemini-1.5-pro",
            contents=question,
            config=types.GenerateContentConfig(
                temperature=0.2,
                http_options=types.HttpOptions(timeout=int(TIMEOUT * 1000)),
            ),
        )
        return response.text


if __name__ == "__main__":
    desk = Desk()
    print(desk.quick("Is the museum open?"))
    print(desk.thorough("What did the museum collect in 1890?"))
