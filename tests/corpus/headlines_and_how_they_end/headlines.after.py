import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)


def headline(article):
    prompt_parts = [
        "You write headlines.",
        f"Article: {article}",
        "Headline: ",
    ]
    response = client.models.generate_content(
        model="gemini-pro",
        contents=prompt_parts,
        config=types.GenerateContentConfig(
            temperature=0.4,
            top_p=1,
            top_k=32,
            max_output_tokens=4096,
            safety_settings=[
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_HARASSMENT,
                    threshold=types.HarmBlockThreshold.BLOCK_MEDIUM_AND_ABOVE,
                ),
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_HATE_SPEECH,
                    threshold=types.HarmBlockThreshold.BLOCK_MEDIUM_AND_ABOVE,
                ),
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_SEXUALLY_EXPLICIT,
                    threshold=types.HarmBlockThreshold.BLOCK_MEDIUM_AND_ABOVE,
                ),
                types.SafetySetting(
                    category=types.HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT,
                    threshold=types.HarmBlockThreshold.BLOCK_MEDIUM_AND_ABOVE,
                ),
            ],
        ),
    )
    candidate = response.candidates[0]
    print(candidate.finish_reason.name, len(candidate.content and candidate.content.parts or []))
    if candidate.finish_reason.name != "STOP":
        return None
    return response.text


if __name__ == "__main__":
    print(headline("The ferry did not leave because of the fog."))
    print(headline("The fog has lifted."))
