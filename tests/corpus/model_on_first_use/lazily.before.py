"""The one model of the program."""
import os

import google.generativeai as genai

_model = None


def get_model():
    global _model
    if _model is None:
        genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
        _model = genai.GenerativeModel("gemini-1.5-flash")
    return _model


def generate(prompt, temperature=0.5):
    config = genai.types.GenerationConfig(temperature=temperature)
    response = get_model().generate_content(prompt, generation_config=config)
    return response.text
