import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

safety_settings = [
    {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_MEDIUM_AND_ABOVE"},
    {"category": "HARM_CATEGORY_HATE_SPEECH", "threshold": "BLOCK_MEDIUM_AND_ABOVE"},
    {"category": "HARM_CATEGORY_SEXUALLY_EXPLICIT", "threshold": "BLOCK_MEDIUM_AND_ABOVE"},
    {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "threshold": "BLOCK_MEDIUM_AND_ABOVE"},
]

generation_config = {
    "temperature": 0.4,
    "top_p": 1,
    "top_k": 32,
    "max_output_tokens": 4096,
}

model = genai.GenerativeModel(
    model_name="gemini-pro",
    generation_config=generation_config,
    safety_settings=safety_settings,
)


def headline(article):
    prompt_parts = [
        "You write headlines.",
        f"Article: {article}",
        "Headline: ",
    ]
    response = model.generate_content(prompt_parts)
    candidate = response.candidates[0]
    print(candidate.finish_reason.name, len(candidate.content.parts))
    if candidate.finish_reason.name != "STOP":
        return None
    return response.text


if __name__ == "__main__":
    print(headline("The ferry did not leave because of the fog."))
    print(headline("The fog has lifted."))
