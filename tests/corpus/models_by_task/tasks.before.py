import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

MODELS = {
    "fast": genai.GenerativeModel("gemini-1.5-flash"),
    "careful": genai.GenerativeModel("gemini-1.5-pro"),
}
TASKS = [("fast", "Greet the guests."), ("careful", "Check the bill."), ("fast", "Say goodbye.")]


def run(kind, text):
    model = MODELS[kind]
    response = model.generate_content(text)
    return response.text


def main():
    counts = {}
    for kind, text in TASKS:
        print(f"{kind}: {run(kind, text)}")
        counts[kind] = counts.get(kind, 0) + 1
    print(sorted(counts.items()))


if __name__ == "__main__":
    main()
