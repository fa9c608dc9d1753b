# A walk through the API, from top to bottom.
# Each section can be run by itself.

import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

# ---------------------------------------------------------------
# 1. Text in, text out
# ---------------------------------------------------------------
model = genai.GenerativeModel("gemini-1.5-flash")
response = model.generate_content("What is the meaning of life?")
print(response.text)

# ---------------------------------------------------------------
# 2. Piece by piece
# ---------------------------------------------------------------
response = model.generate_content("Count to ten.", stream=True)
for chunk in response:
    print(chunk.text)
    print("_" * 20)

# ---------------------------------------------------------------
# 3. With an instruction
# ---------------------------------------------------------------
model = genai.GenerativeModel(
    "gemini-1.5-flash",
    system_instruction="You are a cat. Your name is Neko.",
)
response = model.generate_content("Good morning! How are you?")
print(response.text)

# ---------------------------------------------------------------
# 4. A conversation
# ---------------------------------------------------------------
chat = model.start_chat(
    history=[
        {"role": "user", "parts": "Hello"},
        {"role": "model", "parts": "Meow. What do you want?"},
    ]
)
response = chat.send_message("I have two dogs in my house.")
print(response.text)
response = chat.send_message("How many paws are in my house?")
print(response.text)

# ---------------------------------------------------------------
# 5. With settings
# ---------------------------------------------------------------
model = genai.GenerativeModel("gemini-1.5-flash")
response = model.generate_content(
    "Tell me a story about a magic backpack.",
    generation_config=genai.types.GenerationConfig(
        # Only one candidate for now.
        candidate_count=1,
        stop_sequences=["x"],
        max_output_tokens=20,
        temperature=1.0,
    ),
)
print(response.text)
