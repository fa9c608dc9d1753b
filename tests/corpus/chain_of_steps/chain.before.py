"""Writes an article in steps: outline, draft, title."""
import os

import google.generativeai as genai


def outline(model, topic):
    return model.generate_content(f"An outline for an article about {topic}.").text


def draft(model, plan, words=100):
    prompt = "Write the article for this outline, in about " + str(words) + " words:\n" + plan
    return model.generate_content(prompt).text


def title(model, text):
    response = model.generate_content(["A title for:", text])
    return response.text.strip().title()


def write_article(topic):
    model = genai.GenerativeModel("gemini-1.5-flash")
    plan = outline(model, topic)
    text = draft(model, plan, words=40)
    return title(model, text), text


if __name__ == "__main__":
    genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
    for topic in ("salt", "moss"):
        heading, article = write_article(topic)
        print(heading)
        print(article)
