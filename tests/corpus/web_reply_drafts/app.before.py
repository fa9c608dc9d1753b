import os

import google.generativeai as genai

from settings import load
from web import Flask, jsonify, request

load(["TONE = friendly"])

app = Flask(__name__)

genai.configure(api_key=os.environ.get("GOOGLE_API_KEY"))
model = genai.GenerativeModel("gemini-1.5-flash")


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
    response = model.generate_content(prompt)
    return jsonify({"reply": response.text, "tone": tone})


@app.route("/subject", methods=["POST"])
def subject():
    data = request.json
    response = model.generate_content(
        ["Give a subject line for this mail:", data["mail"]],
        generation_config=genai.types.GenerationConfig(
            candidate_count=1,
            max_output_tokens=20,
            temperature=0.0,
        ),
    )
    return jsonify({"subject": response.text})


@app.route("/health")
def health():
    return jsonify({"model": model.model_name})


if __name__ == "__main__":
    app.call("/draft", mail="When is the choir practice?")
    app.call("/draft")
    app.call("/draft", mail="The piano is out of tune.", tone="sober")
    app.call("/subject", mail="The piano is out of tune.")
    app.call("/health")
