"""Compares models on the same text."""

import os

from google import genai
from google.genai import types

import pages as st

MODELS = ["gemini-1.5-flash", "gemini-1.5-pro"]
TEXT = "The quick brown fox jumps over the lazy dog."

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


@st.cache_resource
def load_model(name):
    """One model for all visitors."""
    print("loading", name)
    return name


def tokens(model, text):
    return client.models.count_tokens(model=model, contents=text).total_tokens


def summarise(model, text):
    st.spinner("summarising")
    response = client.models.generate_content(
        model=model,
        contents=["Summarise:", text],
    )
    return response.text


def shorten(model, text, limit):
    """Ask again until it is short enough, at most twice."""
    for _ in range(2):
        if tokens(model, text) <= limit:
            break
        text = summarise(model, text)
    return text


def run():
    name = st.selectbox("Model", MODELS)
    model = load_model(name)
    st.write(shorten(model, TEXT, 10))


if __name__ == "__main__":
    run()
    run()
