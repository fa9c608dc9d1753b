"""Titles for the pictures of a newspaper."""
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ.get("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)


def make_title(description):
    response = client.models.generate_content(
        model="gemini-1.5-flash",
        contents=f"A title for: {description}",
    )
    title = response.text.strip()
    return title if len(title) < 60 else title[:57] + "..."
