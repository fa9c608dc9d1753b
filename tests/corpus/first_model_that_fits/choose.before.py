"""Chooses a model from those that the service has."""
import os

import google.generativeai as genai

PREFERRED = ("flash", "pro")


def available_models():
    names = []
    for m in genai.list_models():
        if "generateContent" in m.supported_generation_methods:
            names.append(m.name)
    return names


def choose(names):
    for word in PREFERRED:
        for name in names:
            if word in name:
                return name
    return names[0] if names else "models/gemini-1.5-flash"


def main():
    genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
    names = available_models()
    print(len(names), "models")
    name = choose(names)
    print("using", name.removeprefix("models/"))
    model = genai.GenerativeModel(name)
    print(model.generate_content("Are you there?").text)


if __name__ == "__main__":
    main()
