"""The chat box of the town library."""

import logging
import os

from google import genai
from google.genai import types

from web import App, jsonify

app = App(__name__)
logger = logging.getLogger(__name__)

API_KEY = os.environ.get("GOOGLE_API_KEY")
client = genai.Client(
    api_key=API_KEY,
    http_options=types.HttpOptions(api_version="v1beta"),
)

SYSTEM_PROMPT = (
    "You are the library's assistant. "
    "You know the opening hours and nothing else."
)

chat = client.chats.create(
    model="gemini-1.5-flash",
    config=types.GenerateContentConfig(system_instruction=SYSTEM_PROMPT),
)


@app.route("/chat", methods=["POST"])
def chat_view(form):
    message = form.get("message", "").strip()
    if not message:
        return jsonify(error="say something"), 400
    try:
        response = chat.send_message(message=message)
        if response.text is None:
            raise ValueError("the answer holds no text")
        return jsonify(reply=response.text)
    except Exception as e:
        logger.exception("chat failed")
        return jsonify(error=str(e)), 500


@app.route("/reset", methods=["POST"])
def reset_view(form):
    global chat
    chat = client.chats.create(
        model="gemini-1.5-flash",
        config=types.GenerateContentConfig(system_instruction=SYSTEM_PROMPT),
    )
    return jsonify(reply="forgotten")


@app.route("/summary", methods=["POST"])
def summary_view(form):
    """A single question, outside the conversation."""
    try:
        response = client.models.generate_content(
            model="gemini-1.5-flash",
            contents=f"Summarise in one sentence:\n{form['text']}",
            config=types.GenerateContentConfig(
                system_instruction=SYSTEM_PROMPT,
                temperature=0.2,
                max_output_tokens=100,
            ),
        )
    except Exception as e:
        return jsonify(error=str(e)), 500
    return jsonify(summary=response.text)


if __name__ == "__main__":
    app.post("/chat", message="When do you open?")
    app.post("/chat", message="And on Sundays?")
    app.post("/chat", message="  ")
    app.post("/reset")
    app.post("/chat", message="What did I ask?")
    app.post("/summary", text="The library opens at nine. It is closed on Sundays.")
