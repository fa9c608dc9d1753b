"""Contents that the server keeps, and models made of them."""

from __future__ import annotations

import pytest

from tests.support.port import clean, ported, refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            """
            kept = genai.caching.CachedContent.create("m", contents=["x"], ttl=60)
            model = genai.GenerativeModel.from_cached_content(kept)
            print(model.generate_content("y").text)
            """,
            """
            kept = client.caches.create(
                model="m",
                config=types.CreateCachedContentConfig(contents=["x"], ttl="60s"),
            )
            model = kept.model
            model_config = types.GenerateContentConfig(cached_content=kept.name)
            print(client.models.generate_content(
                model=model,
                contents="y",
                config=model_config,
            ).text)
            """,
            id="asked",
        ),
        pytest.param(
            """
            kept = genai.caching.CachedContent.get("abc")
            print(kept.name, kept.model)
            kept.delete()
            """,
            """
            kept = client.caches.get(name="abc")
            print(kept.name, kept.model)
            client.caches.delete(name=kept.name)
            """,
            id="found-and-deleted",
        ),
        pytest.param(
            """
            from datetime import timedelta


            def keep(hours: int):
                genai.caching.CachedContent.create("m", ttl=timedelta(hours=hours))


            def keep_long():
                genai.caching.CachedContent.create("m", ttl=timedelta(days=1, hours=1))
            """,
            """
            from datetime import timedelta


            def keep(hours: int):
                client.caches.create(
                    model="m",
                    config=types.CreateCachedContentConfig(
                        ttl=f"{int(timedelta(hours=hours).total_seconds())}s",
                    ),
                )


            def keep_long():
                client.caches.create(
                    model="m",
                    config=types.CreateCachedContentConfig(ttl="90000s"),
                )
            """,
            id="times",
        ),
    ],
)
def test_ported(before: str, after: str) -> None:
    assert ported(before) == clean(after)


KEPT = 'kept = genai.caching.CachedContent.create("m", contents=["x"], ttl=60)\n'


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('genai.GenerativeModel.from_cached_content("cachedContents/a")', "flag_only_surface"),
        ("def f(kept):\n    genai.GenerativeModel.from_cached_content(kept)", "flag_only_surface"),
        ("list(genai.caching.CachedContent.list())", "flag_only_surface"),
        (f"{KEPT}kept.update(ttl=120)", "attribute_removed"),
        ('genai.caching.CachedContent.create("m", ttl={"seconds": 5})', "unsupported_kwarg"),
        ('genai.caching.CachedContent.create("m", ttl=open("t").read())', "unsupported_kwarg"),
        (
            (
                "import datetime as d\n"
                'genai.caching.CachedContent.create("m", ttl=d.timedelta(minutes=0.5))'
            ),
            "unsupported_kwarg",
        ),
        ('genai.caching.CachedContent.create("m", expire_time=None or 1)', "unsupported_kwarg"),
        ('genai.caching.CachedContent.create("m", tools=[print])', "unsupported_kwarg"),
        (
            f'{KEPT}genai.GenerativeModel.from_cached_content(kept).count_tokens("x")',
            "count_tokens_config_carries_semantics",
        ),
    ],
)
def test_refused(body: str, code: str) -> None:
    source = f'import google.generativeai as genai\ngenai.configure(api_key="K")\n{body}\n'
    assert refused(source) == {code}
