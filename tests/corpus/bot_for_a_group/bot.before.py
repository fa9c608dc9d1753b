import logging
import os

import google.generativeai as genai

from messenger import Application, Message

logging.basicConfig(level=logging.WARNING)

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])
model = genai.GenerativeModel(
    "gemini-1.5-flash",
    system_instruction="You are the bot of a hiking club. Be brief.",
)

user_chats = {}


def get_chat(user_id):
    if user_id not in user_chats:
        user_chats[user_id] = model.start_chat(history=[])
    return user_chats[user_id]


def start(message: Message):
    user_chats.pop(message.user, None)
    message.reply_text("Hello! Ask me about our hikes.")


def help_command(message: Message):
    message.reply_text("/start forgets our conversation")


def answer(message: Message):
    chat = get_chat(message.user)
    try:
        response = chat.send_message(message.text)
        message.reply_text(response.text)
    except Exception as e:
        logging.error("failed: %s", e)
        message.reply_text("Something went wrong.")


def main():
    application = Application()
    application.add_command("start", start)
    application.add_command("help", help_command)
    application.add_handler(answer)
    application.receive("ida", "/start")
    application.receive("ida", "Where do we go on Sunday?")
    application.receive("jon", "Is there a train?")
    application.receive("ida", "How long is it?")
    application.receive("ida", "/start")
    application.receive("ida", "What did I ask?")


if __name__ == "__main__":
    main()
