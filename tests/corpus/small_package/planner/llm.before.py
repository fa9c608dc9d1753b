import google.generativeai as genai

from planner.config import API_KEY, MODEL

genai.configure(api_key=API_KEY)

model = genai.GenerativeModel(
    MODEL,
    generation_config=genai.GenerationConfig(temperature=0.8),
)
