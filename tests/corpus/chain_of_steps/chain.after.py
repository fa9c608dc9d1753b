"""Writes an article in steps: outline, draft, title."""
import os

from google import genai
from google.genai import types


def outline(model, topic):
    return client.models.generate_content(
        model=model,
        contents=f"An outline for an article about {topic}.",
    ).text


def draft(model, plan, words=100):
    prompt = "Write the article for this outline, in about " + str(words) + " words:\n" + plan
    return client.models.generate_content(model=model, contents=prompt).text


def title(model, text):
    response = client.models.generate_content(
        model=model,
        contents=["A title for:", text],
    )
    return response.text.strip().title()


def write_article(topic):
    model = "gemini-1.5-flash"
    plan = outline(model, topic)
    text = draft(model, plan, words=40)
    return title(model, text), text


if __name__ == "__main__":
    client = genai.Client(
        api_key=os.environ["GOOGLE_API_KEY"],
        http_options=types.HttpOptions(api_version="v1beta"),
    )
    for topic in ("salt", "moss"):
        heading, article = write_article(topic)
        print(heading)
        print(article)
