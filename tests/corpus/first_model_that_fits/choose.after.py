"""Chooses a model from those that the service has."""
import os

from google import genai
from google.genai import types

PREFERRED = ("flash", "pro")


def available_models():
    names = []
    for m in client.models.list():
        if "generateContent" in (m.supported_actions or []):
            names.append(m.name)
    return names


def choose(names):
    for word in PREFERRED:
        for name in names:
            if word in name:
                return name
    return names[0] if names else "models/gemini-1.5-flash"


def main():
    global client
    client = genai.Client(
        api_key=os.environ["GOOGLE_API_KEY"],
        http_options=types.HttpOptions(api_version="v1beta"),
    )
    names = available_models()
    print(len(names), "models")
    name = choose(names)
    print("using", name.removeprefix("models/"))
    print(client.models.generate_content(model=name, contents="Are you there?").text)


if __name__ == "__main__":
    main()
