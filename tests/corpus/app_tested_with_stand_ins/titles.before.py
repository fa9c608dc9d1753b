"""Titles for the pictures of a newspaper."""
import os

import google.generativeai as genai

genai.configure(api_key=os.environ.get("GOOGLE_API_KEY"))


def make_title(description):
    model = genai.GenerativeModel("gemini-1.5-flash")
    response = model.generate_content(f"A title for: {description}")
    title = response.text.strip()
    return title if len(title) < 60 else title[:57] + "..."
