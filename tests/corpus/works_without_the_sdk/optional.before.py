"""Explains error messages, where that is possible."""
import os

try:
    import google.generativeai as genai

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
    genai.configure(api_key=api_key)
    model = genai.GenerativeModel("gemini-1.5-flash")
    try:
        return model.generate_content(f"Explain this error: {message}").text
    except Exception as error:
        return f"no explanation: {type(error).__name__}"


if __name__ == "__main__":
    print(HAS_GEMINI)
    print(explain("IndexError: list index out of range"))
