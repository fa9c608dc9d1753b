"""Repair orders: what a customer writes, as data for the order book."""

import json

import google.generativeai as genai
from google.generativeai.types import HarmBlockThreshold, HarmCategory

from .settings import MODEL

KINDS = ["city", "touring", "racing", "child"]
PARTS = ["brakes", "drivetrain", "wheels", "lights", "other"]

generation_config = {
    "temperature": 0,
    "response_mime_type": "application/json",
    "response_schema": {
        "type": "object",
        "properties": {
            "bike": {"type": "string", "enum": KINDS},
            "repairs": {"type": "array", "items": {"type": "string", "enum": PARTS}},
            "urgent": {"type": "boolean"},
        },
        "required": ["bike", "repairs", "urgent"],
    },
}

model = genai.GenerativeModel(
    model_name=MODEL,
    generation_config=generation_config,
    system_instruction="Turn the message of a customer into a repair order.",
    # angry letters are orders too
    safety_settings={HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_NONE},
)


def read_order(message):
    """The order a message asks for: a dict with bike, repairs and urgent."""
    response = model.generate_content(message)
    order = json.loads(response.text)
    order["message"] = message
    return order


def describe(order):
    """One line for the order book."""
    mark = "!" if order["urgent"] else " "
    return f"{mark} {order['bike']} bike: {', '.join(order['repairs'])}"
