"""The end of the day: several summaries at once, then one that is read aloud."""

import asyncio

import google.generativeai as genai

from .settings import MODEL, SAFETY_SETTINGS

writer = genai.GenerativeModel(MODEL, safety_settings=SAFETY_SETTINGS)


async def summarise(conversation):
    response = await writer.generate_content_async(
        ["In one sentence:", conversation],
        generation_config={"max_output_tokens": 80, "stop_sequences": ["\n"]},
    )
    usage = response.usage_metadata
    return response.text, usage.total_token_count


async def summarise_all(conversations):
    """Summaries in the order of the conversations, and the tokens they took."""
    results = await asyncio.gather(*(summarise(text) for text in conversations))
    return [text for text, _ in results], sum(tokens for _, tokens in results)


async def read_aloud(summaries):
    """The day as one text, printed while it arrives."""
    prompt = "Tell the day from these notes: " + " ".join(summaries)
    stream = await writer.generate_content_async(prompt, stream=True)
    async for chunk in stream:
        print(chunk.text, end="", flush=True)
    print()


def tokens_of(text):
    return writer.count_tokens(text).total_tokens
