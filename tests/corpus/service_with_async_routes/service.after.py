"""Summaries and titles for texts, as a service."""
import asyncio
import os

from google import genai
from google.genai import types

from api import FastAPI, HTTPException, run

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

app = FastAPI()
summary_model = {
    "model": "gemini-1.5-flash",
    "config": types.GenerateContentConfig(
        system_instruction="You summarise in one sentence.",
    ),
}
title_model = {"model": "gemini-1.5-flash-8b", "config": None}


async def ask(model, text):
    response = await client.aio.models.generate_content(**model, contents=text)
    return response.text


@app.post("/summary")
async def summary(text: str):
    if len(text) > 200:
        raise HTTPException(status_code=413, detail="too long")
    answer = await client.aio.models.generate_content(**summary_model, contents=text)
    return {"summary": answer.text}


@app.post("/titles")
async def titles(text: str, count: int = 2):
    answers = []
    for number in range(count):
        answers.append(await ask(title_model, f"Title {number + 1} for: {text}"))
    return {"titles": answers}


@app.post("/both")
async def both(text: str):
    sentence = await ask(summary_model, text)
    await asyncio.sleep(0)
    return {"summary": sentence, "title": await ask(title_model, sentence)}


if __name__ == "__main__":
    run(
        app,
        ("/summary", {"text": "The bridge was closed on Monday."}),
        ("/summary", {"text": "x" * 300}),
        ("/titles", {"text": "The bridge was closed."}),
        ("/both", {"text": "It opens again on Friday."}),
    )
