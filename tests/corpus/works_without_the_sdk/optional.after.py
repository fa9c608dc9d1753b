"""Explains error messages, where that is possible."""
import os

try:
    from google import genai
    from google.genai import types

    HAS_GEMINI = True
except ImportError:
    genai = None
    HAS_GEMINI = False


def explain(message):
    if not HAS_GEMINI:
        return "install the SDK for explanations"
    api_key = os.environ.get("GOOGLE_API_KEY")
    if not api_key:
        return "set GOOGLE_API_KEY for explanations"
    client = genai.Client(
        api_key=api_key,
        http_options=types.HttpOptions(api_version="v1beta"),
    )
    try:
        response = client.models.generate_content(
            model="gemini-1.5-flash",
            contents=f"Explain this error: {message}",
        )
        if response.text is None:
            raise ValueError("the answer holds no text")
        return response.text
    except Exception as error:
        return f"no explanation: {type(error).__name__}"


if __name__ == "__main__":
    print(HAS_GEMINI)
    print(explain("IndexError: list index out of range"))
