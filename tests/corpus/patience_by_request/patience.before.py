import os

import google.generativeai as genai

TIMEOUT = 45


class Desk:
    def __init__(self):
        genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
        self.fast = genai.GenerativeModel("gemini-1.5-flash-8b")
        self.slow = genai.GenerativeModel("gemini-1.5-pro")

    def quick(self, question):
        response = self.fast.generate_content(question, request_options={"timeout": 10})
        return response.text

    def thorough(self, question):
        response = self.slow.generate_content(
            question,
            generation_config={"temperature": 0.2},
            request_options={"timeout": TIMEOUT},
        )
        return response.text


if __name__ == "__main__":
    desk = Desk()
    print(desk.quick("Is the museum open?"))
    print(desk.thorough("What did the museum collect in 1890?"))
