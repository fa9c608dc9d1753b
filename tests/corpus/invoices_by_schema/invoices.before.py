"""Takes the fields out of invoices that came as text."""
import json
import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

INVOICE = {
    "type": "object",
    "properties": {
        "seller": {"type": "string"},
        "total": {"type": "number"},
        "items": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["seller", "total"],
}

INVOICES = [
    "Bakery Lind. 20 rolls, 2 loaves. 31.40",
    "Paper & Co. 5 reams. 24.00",
]


def extract(text):
    model = genai.GenerativeModel("gemini-1.5-flash")
    result = model.generate_content(
        "Take out seller, total and items:\n" + text,
        generation_config=genai.GenerationConfig(
            response_mime_type="application/json",
            response_schema=INVOICE,
        ),
    )
    return json.loads(result.text)


def main():
    total = 0.0
    for text in INVOICES:
        fields = extract(text)
        total += fields["total"]
        print(fields["seller"], len(fields.get("items", [])))
    print(f"{total:.2f}")


if __name__ == "__main__":
    main()
