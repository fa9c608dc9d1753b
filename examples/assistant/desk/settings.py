"""Settings that all parts of the desk share."""

import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

MODEL = os.getenv("DESK_MODEL", "gemini-1.5-flash")

# "kill the squeak" and "bleed the brakes" are ordinary talk in a workshop
SAFETY_SETTINGS = [
    {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "threshold": "BLOCK_ONLY_HIGH"},
    {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_ONLY_HIGH"},
]

HOUSE_RULES = """\
You work at the desk of Spoke & Sons, a bicycle workshop.
Be brief and friendly. Never promise a date; offer to call back instead.
"""
