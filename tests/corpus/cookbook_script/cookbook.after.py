# A walk through the API, from top to bottom.
# Each section can be run by itself.

import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

# ---------------------------------------------------------------
# 1. Text in, text out
# ---------------------------------------------------------------
response = client.models.generate_content(
    model="gemini-1.5-flash",
    contents="What is the meaning of life?",
)
print(response.text)

# ---------------------------------------------------------------
# 2. Piece by piece
# ---------------------------------------------------------------
response = client.models.generate_content_stream(
    model="gemini-1.5-flash",
    contents="Count to ten.",
)
for chunk in response:
    print(chunk.text)
    print("_" * 20)

# ---------------------------------------------------------------
# 3. With an instruction
# ---------------------------------------------------------------
response = client.models.generate_content(
    model="gemini-1.5-flash",
    contents="Good morning! How are you?",
    config=types.GenerateContentConfig(
        system_instruction="You are a cat. Your name is Neko.",
    ),
)
print(response.text)

# ---------------------------------------------------------------
# 4. A conversation
# ---------------------------------------------------------------
chat = client.chats.create(
    model="gemini-1.5-flash",
    config=types.GenerateContentConfig(
        system_instruction="You are a cat. Your name is Neko.",
    ),
    history=[
        {"role": "user", "parts": [{"text": "Hello"}]},
        {"role": "model", "parts": [{"text": "Meow. What do you want?"}]},
    ],
)
response = chat.send_message(message="I have two dogs in my house.")
print(response.text)
response = chat.send_message(message="How many paws are in my house?")
print(response.text)

# ---------------------------------------------------------------
# 5. With settings
# ---------------------------------------------------------------
response = client.models.generate_content(
    model="gemini-1.5-flash",
    contents="Tell me a story about a magic backpack.",
    config=types.GenerateContentConfig(
        # Only one candidate for now.
        candidate_count=1,
        stop_sequences=["x"],
        max_output_tokens=20,
        temperature=1.0,
    ),
)
print(response.text)
