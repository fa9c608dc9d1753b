import os

from google import genai
from google.genai import types

from settings import load
from web import Flask, jsonify, request

load(["TONE = friendly"])

app = Flask(__name__)

client = genai.Client(
    api_key=os.environ.get("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)


@app.route("/draft", methods=["POST"])
def draft():
    data = request.json
    mail = data.get("mail")
    if not mail:
        return jsonify({"error": "no mail"}), 400
    tone = data.get("tone", os.environ["TONE"])
    prompt = (
        f"Write a {tone} reply to this mail. "
        "Three sentences at most.\n\n" + mail
    )
    response = client.models.generate_content(model="gemini-1.5-flash", contents=prompt)
    return jsonify({"reply": response.text, "tone": tone})


@app.route("/subject", methods=["POST"])
def subject():
    data = request.json
    response = client.models.generate_content(
        model="gemini-1.5-flash",
        contents=["Give a subject line for this mail:", data["mail"]],
        config=types.GenerateContentConfig(
            candidate_count=1,
            max_output_tokens=20,
            temperature=0.0,
        ),
    )
    return jsonify({"subject": response.text})


@app.route("/health")
def health():
    return jsonify({"model": "models/gemini-1.5-flash"})


if __name__ == "__main__":
    app.call("/draft", mail="When is the choir practice?")
    app.call("/draft")
    app.call("/draft", mail="The piano is out of tune.", tone="sober")
    app.call("/subject", mail="The piano is out of tune.")
    app.call("/health")
