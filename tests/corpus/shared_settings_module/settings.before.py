"""Everything that is configured."""

import os

import google.generativeai as genai

MODEL = "gemini-1.5-flash"
TITLE = "The gardener's almanac"

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

model = genai.GenerativeModel(MODEL)
