import os

import google.generativeai as genai
from PIL import Image

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

model = genai.GenerativeModel("gemini-1.5-flash")


def caption(image, language="English"):
    response = model.generate_content(
        [f"A caption in {language} for this picture.", image]
    )
    return response.text


def compare(first, second):
    response = model.generate_content([first, second, "Which one is brighter?"])
    return response.text


if __name__ == "__main__":
    red = Image.new("RGB", (4, 4), "red")
    white = Image.new("RGB", (4, 4), "white")
    print(caption(red))
    print(caption(white, "Dutch"))
    print(compare(red, white))
