"""The chat page. The script is run again for every input."""

import os

from google import genai
from google.genai import types

import pages as st

client = genai.Client(
    api_key=os.getenv("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)


def role_name(role):
    """The model is shown as the assistant."""
    if role == "model":
        return "assistant"
    return role


def run():
    st.title("Ask the archive")

    if "chat_session" not in st.session_state:
        st.session_state.chat_session = client.chats.create(model="gemini-1.5-flash")
        st.session_state.asked = 0

    # what was said so far
    for message in st.session_state.chat_session.get_history(curated=True):
        st.markdown(role_name(message.role), message.parts[0].text)

    user_prompt = st.chat_input("Ask something")
    if user_prompt:
        st.session_state.asked += 1
        st.markdown("user", user_prompt)
        reply = st.session_state.chat_session.send_message(message=user_prompt)
        st.markdown("assistant", reply.text)


if __name__ == "__main__":
    for visit in range(3):
        print("visit", visit)
        run()
    print("asked:", st.session_state.asked)
