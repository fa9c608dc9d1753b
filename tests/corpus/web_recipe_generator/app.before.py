"""What to cook with what is left."""

import os

import google.generativeai as genai
from google.generativeai.types import HarmCategory, HarmBlockThreshold

from web import App, render

app = App()

PAGE = "<h1>{title}</h1><p>{body}</p>"

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

model = genai.GenerativeModel("gemini-1.5-flash")


def make_prompt(ingredients, diet):
    prompt = f"""Suggest a dish.
Ingredients: {", ".join(ingredients)}
Diet: {diet}
Answer with the name only."""
    return prompt


def suggest(ingredients, diet="none"):
    prompt = make_prompt(ingredients, diet)
    response = model.generate_content(
        prompt,
        safety_settings={
            # "kill the lobster" is no threat
            HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT: HarmBlockThreshold.BLOCK_NONE,
            HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_ONLY_HIGH,
        },
    )
    return response.text


@app.route("/")
def index():
    return render(PAGE, title="Left-overs", body="What is left?")


@app.route("/dish")
def dish(left="", diet="none"):
    ingredients = [item.strip() for item in left.split(",") if item.strip()]
    if not ingredients:
        return render(PAGE, title="Nothing", body="Nothing comes of nothing.")
    return render(PAGE, title="Tonight", body=suggest(ingredients, diet))


if __name__ == "__main__":
    app.get("/")
    app.get("/dish", left="lobster, rice")
    app.get("/dish", left="rice", diet="vegan")
    app.get("/dish")
