"""Pairs of programs that mean the same: what the sabotages are made of."""

from __future__ import annotations

from dataclasses import dataclass

from chatport.testing.gemini_server import Answer


@dataclass(frozen=True, slots=True)
class Pair:
    """A legacy program, its right port, and the answers both get."""

    before: str
    after: str
    script: tuple[Answer, ...] = ()


CALLS = Pair(
    before="""\
import google.generativeai as genai
from google.generativeai.types import HarmBlockThreshold, HarmCategory

genai.configure()
model = genai.GenerativeModel(
    "gemini-1.5-flash",
    system_instruction="Be brief.",
    generation_config={"temperature": 0.5, "top_k": 40, "stop_sequences": ["END", "STOP"]},
    safety_settings={
        HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_NONE,
        HarmCategory.HARM_CATEGORY_HATE_SPEECH: HarmBlockThreshold.BLOCK_ONLY_HIGH,
    },
)
print(model.generate_content(["First part.", "Second part."]).text)
for chunk in model.generate_content("Tell a story.", stream=True):
    print(chunk.text)
print(model.generate_content("Again.", request_options={"timeout": 30}).text.strip())
""",
    after="""\
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)
config = types.GenerateContentConfig(
    system_instruction="Be brief.",
    temperature=0.5,
    top_k=40,
    stop_sequences=["END", "STOP"],
    safety_settings=[
        types.SafetySetting(category="HARM_CATEGORY_HARASSMENT", threshold="BLOCK_NONE"),
        types.SafetySetting(category="HARM_CATEGORY_HATE_SPEECH", threshold="BLOCK_ONLY_HIGH"),
    ],
)
print(
    client.models.generate_content(
        model="gemini-1.5-flash", contents=["First part.", "Second part."], config=config
    ).text
)
for chunk in client.models.generate_content_stream(
    model="gemini-1.5-flash", contents="Tell a story.", config=config
):
    print(chunk.text)
last = config.model_copy(update={"http_options": types.HttpOptions(timeout=30_000)})
print(
    client.models.generate_content(
        model="gemini-1.5-flash", contents="Again.", config=last
    ).text.strip()
)
""",
)

CHAT = Pair(
    before="""\
import google.generativeai as genai

genai.configure()
model = genai.GenerativeModel(
    "gemini-1.5-flash",
    system_instruction="Be brief.",
    generation_config={"temperature": 0.5, "top_p": 0.75},
)
chat = model.start_chat(
    history=[
        {"role": "user", "parts": ["Hello."]},
        {"role": "model", "parts": ["Hello to you."]},
    ]
)
print(chat.send_message("One.").text)
print(chat.send_message("Two.", generation_config={"temperature": 1.0}).text)
print(chat.send_message("Three.").text)
print(len(chat.history))
print(model.count_tokens("Count.").total_tokens)
""",
    after="""\
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)
config = types.GenerateContentConfig(
    system_instruction="Be brief.", temperature=0.5, top_p=0.75
)
chat = client.chats.create(
    model="gemini-1.5-flash",
    config=config,
    history=[
        {"role": "user", "parts": [{"text": "Hello."}]},
        {"role": "model", "parts": [{"text": "Hello to you."}]},
    ],
)
print(chat.send_message(message="One.").text)
print(chat.send_message(message="Two.", config=config.model_copy(update={"temperature": 1.0})).text)
print(chat.send_message(message="Three.").text)
print(len(chat.get_history()))
counted = {
    "contents": None,
    "generateContentRequest": {
        "model": "models/gemini-1.5-flash",
        "contents": [{"role": "user", "parts": [{"text": "Count."}]}],
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "generationConfig": {"temperature": 0.5, "topP": 0.75},
    },
}
options = types.HttpOptions(extra_body=counted)
print(
    client.models.count_tokens(
        model="gemini-1.5-flash",
        contents="Count.",
        config=types.CountTokensConfig(http_options=options),
    ).total_tokens
)
""",
)

TOOLS = Pair(
    before='''\
import google.generativeai as genai

genai.configure()


def get_weather(city: str) -> str:
    """Weather in a city."""
    print("looked up", city)
    return "rain"


model = genai.GenerativeModel("gemini-1.5-flash", tools=[get_weather])
response = model.generate_content("CALL for the weather.")
print(response.candidates[0].content.parts[0].function_call.name)
forced = genai.GenerativeModel(
    "gemini-1.5-flash",
    tools=[get_weather],
    tool_config={"function_calling_config": {"mode": "NONE"}},
)
print(forced.generate_content("CALL nothing.").text)
chat = model.start_chat(enable_automatic_function_calling=True)
print(chat.send_message("CALL for the weather.").text)
''',
    after='''\
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)


def get_weather(city: str) -> str:
    """Weather in a city."""
    print("looked up", city)
    return "rain"


off = types.AutomaticFunctionCallingConfig(disable=True)
response = client.models.generate_content(
    model="gemini-1.5-flash",
    contents="CALL for the weather.",
    config=types.GenerateContentConfig(tools=[get_weather], automatic_function_calling=off),
)
print(response.candidates[0].content.parts[0].function_call.name)
print(
    client.models.generate_content(
        model="gemini-1.5-flash",
        contents="CALL nothing.",
        config=types.GenerateContentConfig(
            tools=[get_weather],
            tool_config={"function_calling_config": {"mode": "NONE"}},
            automatic_function_calling=off,
        ),
    ).text
)
chat = client.chats.create(
    model="gemini-1.5-flash", config=types.GenerateContentConfig(tools=[get_weather])
)
print(chat.send_message("CALL for the weather.").text)
''',
)

REST = Pair(
    before="""\
import asyncio

import google.generativeai as genai

genai.configure()
found = genai.embed_content(
    model="models/text-embedding-004",
    content=["a", "b"],
    task_type="retrieval_document",
)
print(found["embedding"])
with open("notes.txt", "w") as notes:
    notes.write("hello")
uploaded = genai.upload_file("notes.txt", display_name="Notes")
model = genai.GenerativeModel("gemini-1.5-flash")
schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
}
print(
    model.generate_content(
        ["See.", uploaded, {"mime_type": "image/png", "data": b"PNG"}],
        generation_config={"response_mime_type": "application/json", "response_schema": schema},
    ).text
)


async def main():
    print((await model.generate_content_async("First.")).text)
    print((await model.generate_content_async("Second.")).text)


asyncio.run(main())
""",
    after="""\
import asyncio
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY"),
    http_options=types.HttpOptions(api_version="v1beta"),
)
found = client.models.embed_content(
    model="models/text-embedding-004",
    contents=["a", "b"],
    config=types.EmbedContentConfig(task_type="RETRIEVAL_DOCUMENT"),
)
print([one.values for one in found.embeddings])
with open("notes.txt", "w") as notes:
    notes.write("hello")
uploaded = client.files.upload(
    file="notes.txt", config=types.UploadFileConfig(display_name="Notes")
)
schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
}
print(
    client.models.generate_content(
        model="gemini-1.5-flash",
        contents=["See.", uploaded, types.Part.from_bytes(data=b"PNG", mime_type="image/png")],
        config=types.GenerateContentConfig(
            response_mime_type="application/json", response_schema=schema
        ),
    ).text
)


async def main():
    models = client.aio.models
    print((await models.generate_content(model="gemini-1.5-flash", contents="First.")).text)
    print((await models.generate_content(model="gemini-1.5-flash", contents="Second.")).text)


asyncio.run(main())
""",
)
