"""Finds the notes that are nearest in meaning to a question."""
import math
import os

import google.generativeai as genai

genai.configure(api_key=os.environ["GOOGLE_API_KEY"])

EMBEDDING_MODEL = "models/text-embedding-004"
NOTES = {
    "bins": "The bins are emptied on Thursdays.",
    "keys": "The keys hang behind the door.",
    "cat": "The cat is fed at seven.",
}


def embed_note(title, text):
    result = genai.embed_content(
        model=EMBEDDING_MODEL,
        content=text,
        task_type="retrieval_document",
        title=title,
    )
    return result["embedding"]


def embed_question(text):
    result = genai.embed_content(
        model=EMBEDDING_MODEL, content=text, task_type="retrieval_query"
    )
    return result["embedding"]


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
    model = genai.GenerativeModel("gemini-1.5-flash")
    context = "\n".join(NOTES[title] for title in search(index, question))
    response = model.generate_content(f"Notes:\n{context}\n\nQuestion: {question}")
    return response.text


if __name__ == "__main__":
    index = build_index()
    print(search(index, "When does the cat eat?"))
    print(answer(index, "When does the cat eat?"))
