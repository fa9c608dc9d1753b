"""Asking a provider which models it has."""

from __future__ import annotations

import asyncio
import json
from types import ModuleType
from typing import Any

import pytest

from chatport.providers import anthropic, errors, gemini, models, openai
from chatport.testing.anthropic_server import anthropic_server
from chatport.testing.gemini_server import gemini_server
from chatport.testing.openai_server import openai_server
from tests.providers.raw_server import RawServer, whole

PAGES: dict[str, tuple[ModuleType, list[Any], list[str]]] = {
    "openai": (openai, [{"data": [{"id": "a"}, {"id": "b"}]}], ["GET /v1/models"]),
    "anthropic": (
        anthropic,
        [
            {"data": [{"id": "a"}], "has_more": True, "last_id": "a/1"},
            {"data": [{"id": "b"}], "has_more": False, "last_id": "b"},
        ],
        ["GET /v1/v1/models?limit=1000", "GET /v1/v1/models?limit=1000&after_id=a/1"],
    ),
    "gemini": (
        gemini,
        [
            {
                "models": [
                    {"name": "models/a", "supportedGenerationMethods": ["generateContent"]},
                    {"name": "models/e", "supportedGenerationMethods": ["embedContent"]},
                ],
                "nextPageToken": "p&2",
            },
            {"models": [{"name": "models/b"}]},
        ],
        ["GET /v1/v1/models?pageSize=1000", "GET /v1/v1/models?pageSize=1000&pageToken=p%262"],
    ),
}
every_provider = pytest.mark.parametrize(("provider", "pages", "asked"), PAGES.values(), ids=PAGES)


@every_provider
def test_all_pages_are_asked_for(provider: ModuleType, pages: list[Any], asked: list[str]) -> None:
    answers = [[whole(json.dumps(page).encode())] for page in pages]
    with RawServer(*answers, *answers) as server:
        with provider.Model("m", base_url=server.url, key="secret") as model:
            assert model.models() == ["a", "b"]

        async def run() -> list[str]:
            async with provider.AsyncModel("m", base_url=server.url, key="secret") as model:
                names: list[str] = await model.models()
                return names

        assert asyncio.run(run()) == ["a", "b"]
    lines = [one.split(b" HTTP")[0].decode() for one in server.requests]
    assert lines == asked * 2
    assert all(b"secret" in one and b"content-length" not in one.lower() for one in server.requests)


@every_provider
@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b'{"data": 3, "models": 3}', b'{"data": [1], "models": [1]}']
)
def test_what_is_no_list_is_an_error_of_ours(
    provider: ModuleType, pages: list[Any], asked: list[str], body: bytes
) -> None:
    with (
        RawServer([whole(body)]) as server,
        provider.Model("m", base_url=server.url) as model,
        pytest.raises(errors.UnexpectedAnswerError),
    ):
        model.models()


def test_the_servers_for_tests_list_theirs() -> None:
    with openai_server() as server:
        assert models(f"openai+{server.url}") == [
            f"openai+{server.url}:loopback-large",
            f"openai+{server.url}:loopback-small",
        ]
    with anthropic_server() as server:
        assert len(models(f"anthropic+{server.url}", key="k")) > 1
        with pytest.raises(errors.AuthenticationError):
            models(f"anthropic+{server.url}")
    with gemini_server() as server:
        assert f"gemini+{server.url}:gemini-2.5-pro" in models(f"gemini+{server.url}", key="k")
    assert models("echo") == ["echo"]
