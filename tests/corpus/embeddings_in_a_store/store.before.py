import os
from typing import List

import google.generativeai as genai


class GeminiEmbeddings:
    """Embeds documents and queries, as stores of vectors want it."""

    def __init__(self, api_key: str, model: str = "models/embedding-001"):
        genai.configure(api_key=api_key)
        self.model = model

    def embed_documents(self, texts: List[str]) -> List[List[float]]:
        response = genai.embed_content(
            model=self.model,
            content=texts,
            task_type="RETRIEVAL_DOCUMENT",
        )
        return response["embedding"]

    def embed_query(self, text: str) -> List[float]:
        return genai.embed_content(
            model=self.model,
            content=text,
            task_type="RETRIEVAL_QUERY",
        )["embedding"]


class Store:
    def __init__(self, embeddings):
        self.embeddings = embeddings
        self.rows = []

    def add(self, texts):
        vectors = self.embeddings.embed_documents(list(texts))
        self.rows += zip(texts, vectors)
        return len(self.rows)

    def nearest(self, query):
        vector = self.embeddings.embed_query(query)
        distances = [
            (sum((a - b) ** 2 for a, b in zip(vector, row)), text) for text, row in self.rows
        ]
        return min(distances)[1]


if __name__ == "__main__":
    store = Store(GeminiEmbeddings(os.environ["GOOGLE_API_KEY"]))
    print(store.add(["red apples", "green pears", "blue plums"]))
    print(store.nearest("pears"))
