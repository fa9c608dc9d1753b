"""Finds the notes that are nearest in meaning to a question."""
import math
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

EMBEDDING_MODEL = "models/text-embedding-004"
NOTES = {
    "bins": "The bins are emptied on Thursdays.",
    "keys": "The keys hang behind the door.",
    "cat": "The cat is fed at seven.",
}


def embed_note(title, text):
    result = client.models.embed_content(
        model=EMBEDDING_MODEL,
        contents=text,
        config=types.EmbedContentConfig(task_type="RETRIEVAL_DOCUMENT", title=title),
    )
    return result.embeddings[0].values


def embed_question(text):
    result = client.models.embed_content(
        model=EMBEDDING_MODEL,
        contents=text,
        config=types.EmbedContentConfig(task_type="RETRIEVAL_QUERY"),
    )
    return result.embeddings[0].values


def similarity(a, b):
    dot = sum(x * y for x, y in zip(a, b))
    return dot / (math.hypot(*a) * math.hypot(*b))


def build_index():
    return {title: embed_note(title, text) for title, text in NOTES.items()}


def search(index, question, top=2):
    vector = embed_question(question)
    ranked = sorted(index, key=lambda title: similarity(index[title], vector), reverse=True)
    return ranked[:top]


def answer(index, question):
    context = "\n".join(NOTES[title] for title in search(index, question))
    response = client.models.generate_content(
        model="gemini-1.5-flash",
        contents=f"Notes:\n{context}\n\nQuestion: {question}",
    )
    return response.text


if __name__ == "__main__":
    index = build_index()
    print(search(index, "When does the cat eat?"))
    print(answer(index, "When does the cat eat?"))
