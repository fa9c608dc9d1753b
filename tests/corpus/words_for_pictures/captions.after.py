import os

from google import genai
from google.genai import types
from PIL import Image

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


def caption(image, language="English"):
    response = client.models.generate_content(
        model="gemini-1.5-flash",
        contents=[f"A caption in {language} for this picture.", image],
    )
    return response.text


def compare(first, second):
    response = client.models.generate_content(
        model="gemini-1.5-flash",
        contents=[first, second, "Which one is brighter?"],
    )
    return response.text


if __name__ == "__main__":
    red = Image.new("RGB", (4, 4), "red")
    white = Image.new("RGB", (4, 4), "white")
    print(caption(red))
    print(caption(white, "Dutch"))
    print(compare(red, white))
