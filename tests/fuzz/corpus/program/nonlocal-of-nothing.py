"""Changes the model of a conversation on the way."""

import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])


def assistant():
    modelmodel = genai.GenerativeModel = None

    def become(manner):
        nonlocal model
        model = genai.GenerativeModel("gemini-1.5-flash", system_instruction=f"Be {manner}.")

    def ask(question):
        return model.generate_content(question).text

    return become, ask


become, ask = assistant()
become("kind")
print(ask("How are you?"))
become("short")
print(ask("How are you?"))
