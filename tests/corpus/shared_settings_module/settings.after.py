"""Everything that is configured."""

import os

from google import genai
from google.genai import types

MODEL = "gemini-1.5-flash"
TITLE = "The gardener's almanac"

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

model = MODEL
