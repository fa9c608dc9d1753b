"""Summaries and titles for texts, as a service."""
import asyncio
import os

import google.generativeai as genai

from api import FastAPI, HTTPException, run

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

app = FastAPI()
summary_model = genai.GenerativeModel(
    "gemini-1.5-flash",
    system_instruction="You summarise in one sentence.",
)
title_model = genai.GenerativeModel("gemini-1.5-flash-8b")


async def ask(model, text):
    response = await model.generate_content_async(text)
    return response.text


@app.post("/summary")
async def summary(text: str):
    if len(text) > 200:
        raise HTTPException(status_code=413, detail="too long")
    answer = await summary_model.generate_content_async(text)
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
