"""What to cook with what is left."""

import os

from google import genai
from google.genai import types

from web import App, render

app = App()

PAGE = "<h1>{title}</h1><p>{body}</p>"

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


def make_prompt(ingredients, diet):
    prompt = f"""Suggest a dish.
Ingredients: {", ".join(ingredients)}
Diet: {diet}
Answer with the name only."""
    return prompt


def suggest(ingredients, diet="none"):
    prompt = make_prompt(ingredients, diet)
    response = client.models.generate_content(
        model="gemini-1.5-flash",
        contents=prompt,
        config=types.GenerateContentConfig(
            safety_settings=[
                # "kill the lobster" is no threat
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT,
                    threshold=types.HarmBlockThreshold.BLOCK_NONE,
                ),
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                    threshold=types.HarmBlockThreshold.BLOCK_ONLY_HIGH,
                ),
            ],
        ),
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
