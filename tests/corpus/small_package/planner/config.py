import os

API_KEY = os.environ["GOOGLE_API_KEY"]
MODEL = "gemini-1.5-flash"
