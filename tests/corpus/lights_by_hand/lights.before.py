"""Switches the lights of a house; the model says which."""
import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

STATE = {"kitchen": False, "hall": True}


def switch_light(room: str, on: bool) -> str:
    """Switches the light of a room.

    Args:
        room: which room
        on: whether it is to be on
    """
    STATE[room] = on
    return f"{room} is {'on' if on else 'off'}"


FUNCTIONS = {"switch_light": switch_light}

model = genai.GenerativeModel("gemini-1.5-flash", tools=[switch_light])


def handle(text):
    chat = model.start_chat()
    response = chat.send_message(text)
    for part in response.parts:
        if part.function_call:
            call = part.function_call
            print("call", call.name, sorted(call.args))
            return FUNCTIONS[call.name](**dict(call.args))
    return response.text


if __name__ == "__main__":
    print(handle("What time is it?"))
    print(handle("CALL: make the kitchen bright"))
