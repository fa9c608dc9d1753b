"""Embeddings of models that are not known, and results that stay mappings; every row is run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.prove.running import Worker
from tests.prove.workers import worker
from tests.support.free_functions import assert_ported, assert_same

__all__ = ["worker"]

PORTED = {
    "a tuple of texts": (
        """
        m = "models/embedding-001"
        print(genai.embed_content(model=m, content=("a", "b"))["embedding"])
        """,
        """
        m = "models/embedding-001"
        print([item.values for item in client.models.embed_content(
            model=m,
            contents=[["a"], ["b"]],
        ).embeddings])
        """,
    ),
    "one text or a list, for a model that is not known": (
        """
        def embed(model, content):
            return genai.embed_content(model=model, content=content)["embedding"]


        print(embed(os.environ.get("M", "models/embedding-001"), ["a", "b"]))
        print(embed(os.environ.get("M", "models/embedding-001"), "a"))
        """,
        """
        def embed(model, content):
            return [item.values for item in client.models.embed_content(
                model=model,
                contents=[[text] for text in content] if isinstance(content, list) else content,
            ).embeddings][slice(None) if isinstance(content, list) else 0]


        print(embed(os.environ.get("M", "models/embedding-001"), ["a", "b"]))
        print(embed(os.environ.get("M", "models/embedding-001"), "a"))
        """,
    ),
    "a list for a model that is not known": (
        """
        def embed(model, texts: list[str]):
            return genai.embed_content(model=model, content=texts)["embedding"]


        print(embed(os.environ.get("M", "models/embedding-001"), ["a", "b"]))
        """,
        """
        def embed(model, texts: list[str]):
            return [item.values for item in client.models.embed_content(
                model=model,
                contents=[[text] for text in texts],
            ).embeddings]


        print(embed(os.environ.get("M", "models/embedding-001"), ["a", "b"]))
        """,
    ),
    "a list for a model that joins": (
        """
        v = genai.embed_content(model="models/gemini-embedding-2", content=["a", "b"])
        print(v["embedding"])
        """,
        """
        v = client.models.embed_content(
            model="models/gemini-embedding-2",
            contents=[["a"], ["b"]],
        )
        print([item.values for item in v.embeddings])
        """,
    ),
    "a list for models that are all known": (
        """
        class Index:
            def __init__(self, model="models/embedding-001"):
                self.model = model

            def add(self, texts: list[str]):
                return genai.embed_content(model=self.model, content=texts)["embedding"]


        print(Index().add(["a"]), Index("models/text-embedding-004").add(["b", "c"]))
        """,
        """
        class Index:
            def __init__(self, model="models/embedding-001"):
                self.model = model

            def add(self, texts: list[str]):
                return [item.values for item in client.models.embed_content(
                    model=self.model,
                    contents=texts,
                ).embeddings]


        print(Index().add(["a"]), Index("models/text-embedding-004").add(["b", "c"]))
        """,
    ),
    "a result that goes elsewhere": (
        """
        import json
        result = genai.embed_content(model="models/embedding-001", content="hi")
        print(json.dumps(result))
        """,
        """
        import json
        result = {
            "embedding": client.models.embed_content(
                model="models/embedding-001",
                contents="hi",
            ).embeddings[0].values,
        }
        print(json.dumps(result))
        """,
    ),
    "a result that is given back": (
        """
        def embed(text: str):
            return genai.embed_content(model="models/embedding-001", content=text)


        print(list(map(embed, ["a", "b"])))
        """,
        """
        def embed(text: str):
            return {
                "embedding": client.models.embed_content(
                    model="models/embedding-001",
                    contents=text,
                ).embeddings[0].values,
            }


        print(list(map(embed, ["a", "b"])))
        """,
    ),
    "a result of one text or several": (
        """
        m = "models/embedding-001"
        result = genai.embed_content(model=m, content="hi")
        if os.environ.get("MANY"):
            result = genai.embed_content(model=m, content=["a", "b"])
        print(result["embedding"])
        """,
        """
        m = "models/embedding-001"
        result = {
            "embedding": client.models.embed_content(
                model=m,
                contents="hi",
            ).embeddings[0].values,
        }
        if os.environ.get("MANY"):
            result = {
                "embedding": [item.values for item in client.models.embed_content(
                    model=m,
                    contents=["a", "b"],
                ).embeddings],
            }
        print(result["embedding"])
        """,
    ),
    "a result that is asked for its key": (
        """
        result = genai.embed_content(model="models/embedding-001", content="hi")
        print(result.get("embedding"), result.get("other"))
        """,
        """
        result = {
            "embedding": client.models.embed_content(
                model="models/embedding-001",
                contents="hi",
            ).embeddings[0].values,
        }
        print(result.get("embedding"), result.get("other"))
        """,
    ),
    "results of a list": (
        """
        m = "models/embedding-001"
        results = [genai.embed_content(model=m, content=text) for text in ["a", "b"]]
        print([result["embedding"] for result in results])
        """,
        """
        m = "models/embedding-001"
        results = [{
            "embedding": client.models.embed_content(
                model=m,
                contents=text,
            ).embeddings[0].values,
        } for text in ["a", "b"]]
        print([result["embedding"] for result in results])
        """,
    ),
    "a task by a name": (
        """
        def embed(text: str, task="retrieval_document"):
            m = "models/embedding-001"
            return genai.embed_content(model=m, content=text, task_type=task)["embedding"]


        print(embed("a"), embed("b", task="retrieval_query"))
        """,
        """
        def embed(text: str, task="retrieval_document"):
            m = "models/embedding-001"
            return client.models.embed_content(
                model=m,
                contents=text,
                config=types.EmbedContentConfig(task_type=task.upper()),
            ).embeddings[0].values


        print(embed("a"), embed("b", task="retrieval_query"))
        """,
    ),
    "a task by its full name": (
        """
        def embed(text: str, task="RETRIEVAL_DOCUMENT"):
            m = "models/embedding-001"
            return genai.embed_content(model=m, content=text, task_type=task)["embedding"]


        print(embed("a"))
        """,
        """
        def embed(text: str, task="RETRIEVAL_DOCUMENT"):
            m = "models/embedding-001"
            return client.models.embed_content(
                model=m,
                contents=text,
                config=types.EmbedContentConfig(task_type=task),
            ).embeddings[0].values


        print(embed("a"))
        """,
    ),
    "a result that is awaited and given back": (
        """
        import asyncio


        async def embed(text: str):
            m = "models/embedding-001"
            return await genai.embed_content_async(model=m, content=text)


        async def main():
            print(await asyncio.gather(*map(embed, ["a", "b"])))


        asyncio.run(main())
        """,
        """
        import asyncio


        async def embed(text: str):
            m = "models/embedding-001"
            return {
                "embedding": (await client.aio.models.embed_content(
                    model=m,
                    contents=text,
                )).embeddings[0].values,
            }


        async def main():
            print(await asyncio.gather(*map(embed, ["a", "b"])))


        asyncio.run(main())
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), PORTED.values(), ids=PORTED)
def test_an_embedding_is_asked_for_and_read_the_new_way(
    tmp_path: Path, before: str, after: str
) -> None:
    assert_ported(tmp_path, before, after)


@pytest.mark.parametrize("environment", ["genai1", "genai2", "genai3"])
@pytest.mark.parametrize(("before", "after"), PORTED.values(), ids=PORTED)
def test_both_programs_do_the_same(
    worker: Callable[[str], Worker], before: str, after: str, environment: str
) -> None:
    assert_same(worker, environment, before, after)
