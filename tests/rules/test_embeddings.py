"""Embeddings become calls of the client and lists of numbers; every row runs on both SDKs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chatport.port.prove.running import Worker
from tests.prove.workers import worker
from tests.support.free_functions import assert_ported, assert_same, ported

__all__ = ["worker"]

PORTED = {
    "an embedding, read at once": (
        """
        print(genai.embed_content(model="models/embedding-001", content="hi")["embedding"])
        """,
        """
        print(client.models.embed_content(
            model="models/embedding-001",
            contents="hi",
        ).embeddings[0].values)
        """,
    ),
    "an embedding, read later": (
        """
        text = "hi"
        result = genai.embed_content("models/embedding-001", text)
        print(len(result["embedding"]), result["embedding"][0])
        """,
        """
        text = "hi"
        result = client.models.embed_content(model="models/embedding-001", contents=text)
        print(len(result.embeddings[0].values), result.embeddings[0].values[0])
        """,
    ),
    "an embedding with all that can be said": (
        """
        v = genai.embed_content(
            model="models/text-embedding-004",
            content="hi",
            task_type="retrieval_document",  # short
            title="A title",
            output_dimensionality=5,
        )["embedding"]
        print(v)
        """,
        """
        v = client.models.embed_content(
            model="models/text-embedding-004",
            contents="hi",
            config=types.EmbedContentConfig(
                task_type="RETRIEVAL_DOCUMENT",  # short
                title="A title",
                output_dimensionality=5,
            ),
        ).embeddings[0].values
        print(v)
        """,
    ),
    "an embedding of one text or a list of them": (
        """
        def embed(content):
            result = genai.embed_content(model="models/embedding-001", content=content)
            return result["embedding"]
        print(embed("hi")[:2], [vector[:2] for vector in embed(["a", "b"])])
        """,
        """
        def embed(content):
            result = client.models.embed_content(model="models/embedding-001", contents=content)
            return (
                [item.values for item in result.embeddings]
                if isinstance(content, list)
                else result.embeddings[0].values
            )
        print(embed("hi")[:2], [vector[:2] for vector in embed(["a", "b"])])
        """,
    ),
    "an embedding of one text or a list of them, read at once": (
        """
        def embed(content):
            return genai.embed_content(model="models/embedding-001", content=content)["embedding"]
        print(embed("hi")[:2], [vector[:2] for vector in embed(["a", "b"])])
        """,
        """
        def embed(content):
            return [item.values for item in client.models.embed_content(
                model="models/embedding-001",
                contents=content,
            ).embeddings][slice(None) if isinstance(content, list) else 0]
        print(embed("hi")[:2], [vector[:2] for vector in embed(["a", "b"])])
        """,
    ),
    "embeddings of what a loop goes over, and of an attribute": (
        """
        from types import SimpleNamespace
        def embed(pages):
            for page in pages:
                result = genai.embed_content(model="models/embedding-001", content=page.text)
                print(result["embedding"][:1])
        embed([SimpleNamespace(text="hi"), SimpleNamespace(text=["a", "b"])])
        """,
        """
        from types import SimpleNamespace
        def embed(pages):
            for page in pages:
                result = client.models.embed_content(
                    model="models/embedding-001",
                    contents=page.text,
                )
                print((
                    [item.values for item in result.embeddings]
                    if isinstance(page.text, list)
                    else result.embeddings[0].values
                )[:1])
        embed([SimpleNamespace(text="hi"), SimpleNamespace(text=["a", "b"])])
        """,
    ),
    "embeddings of a list whose items are not known": (
        """
        def embed(pages):
            texts = [page for page in pages]
            m = "models/embedding-001"
            return genai.embed_content(model=m, content=texts)["embedding"]
        print([vector[:2] for vector in embed(["a", "b"])])
        """,
        """
        def embed(pages):
            texts = [page for page in pages]
            m = "models/embedding-001"
            return [item.values for item in client.models.embed_content(
                model=m,
                contents=texts,
            ).embeddings]
        print([vector[:2] for vector in embed(["a", "b"])])
        """,
    ),
    "an embedding by a model that is the default": (
        """
        import json
        def embed(text, *, model="models/embedding-001"):
            result = genai.embed_content(model=model, content=text)
            return result["embedding"]
        print(embed(json.loads('"hi"'))[:2])
        """,
        """
        import json
        def embed(text, *, model="models/embedding-001"):
            result = client.models.embed_content(model=model, contents=text)
            return (
                [item.values for item in result.embeddings]
                if isinstance(text, list)
                else result.embeddings[0].values
            )
        print(embed(json.loads('"hi"'))[:2])
        """,
    ),
    "several embeddings": (
        """
        texts = ["one", "two"]
        result = genai.embed_content(model="models/embedding-001", content=texts)
        for vector in result["embedding"]:
            print(vector)
        """,
        """
        texts = ["one", "two"]
        result = client.models.embed_content(model="models/embedding-001", contents=texts)
        for vector in [item.values for item in result.embeddings]:
            print(vector)
        """,
    ),
    "several embeddings, read at once": (
        """
        MODEL = "models/embedding-001"
        print(genai.embed_content(model=MODEL, content=["a", "b"])["embedding"])
        """,
        """
        MODEL = "models/embedding-001"
        print([item.values for item in client.models.embed_content(
            model=MODEL,
            contents=["a", "b"],
        ).embeddings])
        """,
    ),
    "embeddings in functions": (
        """
        def one(text: str):
            return genai.embed_content(model="models/embedding-001", content=text)


        def many(texts: list[str], model="models/embedding-001"):
            result = genai.embed_content(
                model="models/embedding-001", content=texts, request_options={"timeout": 2.5}
            )
            return result["embedding"]


        print(one("a")["embedding"], many(["a", "b"]))
        """,
        """
        def one(text: str):
            return client.models.embed_content(model="models/embedding-001", contents=text)


        def many(texts: list[str], model="models/embedding-001"):
            result = client.models.embed_content(
                model="models/embedding-001",
                contents=texts,
                config=types.EmbedContentConfig(http_options=types.HttpOptions(timeout=2_500)),
            )
            return [item.values for item in result.embeddings]


        print(one("a").embeddings[0].values, many(["a", "b"]))
        """,
    ),
    "an awaited embedding": (
        """
        import asyncio


        async def main():
            result = await genai.embed_content_async(model="models/embedding-001", content="hi")
            print(result["embedding"])
            m = "models/embedding-001"
            v = (await genai.embed_content_async(model=m, content="a"))["embedding"]
            print(v)


        asyncio.run(main())
        """,
        """
        import asyncio


        async def main():
            result = await client.aio.models.embed_content(
                model="models/embedding-001",
                contents="hi",
            )
            print(result.embeddings[0].values)
            m = "models/embedding-001"
            v = (await client.aio.models.embed_content(model=m, contents="a")).embeddings[0].values
            print(v)


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


def test_a_list_that_may_be_longer_than_a_batch_is_noted(tmp_path: Path) -> None:
    file = ported(tmp_path, PORTED["several embeddings"][0])
    assert [f.warnings for f in file.findings if f.symbol.endswith("embed_content")] == [
        ("embed_batch",)
    ]
