import os
from typing import List

from google import genai
from google.genai import types


class GeminiEmbeddings:
    """Embeds documents and queries, as stores of vectors want it."""

    def __init__(self, api_key: str, model: str = "models/embedding-001"):
        self.client = genai.Client(
            api_key=api_key,
            http_options=types.HttpOptions(api_version="v1beta"),
        )
        self.model = model

    def embed_documents(self, texts: List[str]) -> List[List[float]]:
        response = self.client.models.embed_content(
            model=self.model,
            contents=texts,
            config=types.EmbedContentConfig(task_type="RETRIEVAL_DOCUMENT"),
        )
        return [item.values for item in response.embeddings]

    def embed_query(self, text: str) -> List[float]:
        return self.client.models.embed_content(
            model=self.model,
            contents=text,
            config=types.EmbedContentConfig(task_type="RETRIEVAL_QUERY"),
        ).embeddings[0].values


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
