"""A customer at the counter: a chat that remembers what was said."""

import google.generativeai as genai

from .settings import HOUSE_RULES, MODEL, SAFETY_SETTINGS


class Conversation:
    """One customer's conversation, from the greeting to the goodbye."""

    def __init__(self, customer, bike):
        self.customer = customer
        self.model = genai.GenerativeModel(
            MODEL,
            system_instruction=HOUSE_RULES,
            generation_config={"temperature": 0.4, "max_output_tokens": 200},
            safety_settings=SAFETY_SETTINGS,
        )
        self.chat = self.model.start_chat(
            history=[
                {"role": "user", "parts": [f"Hello, I am {customer} and I ride a {bike}."]},
                {"role": "model", "parts": ["Welcome to Spoke & Sons! What can we do for you?"]},
            ]
        )

    def ask(self, question):
        """The answer as a whole."""
        response = self.chat.send_message(question)
        return response.text.strip()

    def tell(self, question):
        """The answer piece by piece, for the screen on the counter."""
        response = self.chat.send_message(
            question,
            generation_config=genai.GenerationConfig(temperature=0.9),
            stream=True,
        )
        for chunk in response:
            yield chunk.text
