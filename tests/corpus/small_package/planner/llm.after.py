from google import genai
from google.genai import types

from planner.config import API_KEY, MODEL

client = genai.Client(
    api_key=API_KEY,
    http_options=types.HttpOptions(api_version="v1beta"),
)

model = MODEL
