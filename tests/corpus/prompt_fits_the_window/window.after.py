import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

WINDOW = 12


def shortened(paragraphs):
    """The paragraphs from the end that fit."""
    while len(paragraphs) > 1:
        text = "\n".join(paragraphs)
        count = client.models.count_tokens(model="gemini-1.5-flash", contents=text)
        print("tokens:", count.total_tokens)
        if count.total_tokens <= WINDOW:
            break
        paragraphs = paragraphs[1:]
    return paragraphs


def ask(paragraphs, question):
    kept = shortened(paragraphs)
    prompt = "\n".join(kept) + f"\n\n{question}"
    response = client.models.generate_content(model="gemini-1.5-flash", contents=prompt)
    usage = response.usage_metadata
    print(usage.prompt_token_count, usage.candidates_token_count, usage.total_token_count)
    return response.text


if __name__ == "__main__":
    story = [
        "Once there was a mill that nobody owned and everybody used on Sundays.",
        "The wind came from the north that year.",
        "It did not turn.",
    ]
    print(ask(story, "Why did the mill stand still?"))
