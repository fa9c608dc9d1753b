import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

MODELS = {
    "fast": "gemini-1.5-flash",
    "careful": "gemini-1.5-pro",
}
TASKS = [("fast", "Greet the guests."), ("careful", "Check the bill."), ("fast", "Say goodbye.")]


def run(kind, text):
    model = MODELS[kind]
    response = client.models.generate_content(model=model, contents=text)
    return response.text


def main():
    counts = {}
    for kind, text in TASKS:
        print(f"{kind}: {run(kind, text)}")
        counts[kind] = counts.get(kind, 0) + 1
    print(sorted(counts.items()))


if __name__ == "__main__":
    main()
