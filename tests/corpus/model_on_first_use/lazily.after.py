"""The one model of the program."""
import os

from google import genai
from google.genai import types

_model = None


def get_model():
    global client
    global _model
    if _model is None:
        client = genai.Client(
            api_key=os.environ["GOOGLE_API_KEY"],
            http_options=types.HttpOptions(api_version="v1beta"),
        )
        _model = "gemini-1.5-flash"
    return _model


def generate(prompt, temperature=0.5):
    model = get_model()
    response = client.models.generate_content(
        model=model,
        contents=prompt,
        config=types.GenerateContentConfig(temperature=temperature),
    )
    return response.text
