"""Models by one string."""

from __future__ import annotations

import asyncio

import pytest

import chatport
from chatport import Client, Options, Request, user
from chatport.providers import AnyAsyncModel, UnknownModelError
from chatport.providers.discovery import PROVIDERS, Provider, parsed
from chatport.testing.openai_server import OpenAIServer


@pytest.mark.parametrize(
    ("name", "provider", "address", "model"),
    [
        ("openai:gpt-4.1", "openai", None, "gpt-4.1"),
        ("gemini:gemini-2.5-flash", "gemini", None, "gemini-2.5-flash"),
        ("openai:ft:gpt-4.1:me::x", "openai", None, "ft:gpt-4.1:me::x"),
        ("echo", "echo", None, "echo"),
        ("echo:x", "echo", None, "x"),
        ("openai+http://localhost:1/v1:llama3.2", "openai", "http://localhost:1/v1", "llama3.2"),
        ("openai+http://localhost:1/v1:qwen3:8b", "openai", "http://localhost:1/v1", "qwen3:8b"),
        ("openai+http://localhost:8000:m", "openai", "http://localhost:8000", "m"),
        ("openai+https://host/v1:a/b", "openai", "https://host/v1", "a/b"),
        ("openai+http://[::1]:80/v1:m", "openai", "http://[::1]:80/v1", "m"),
    ],
)  # fmt: skip
def test_a_string_names_provider_address_and_model(
    name: str, provider: str, address: str | None, model: str
) -> None:
    assert parsed(name) == (PROVIDERS[provider], address, model)


@pytest.mark.parametrize(
    "name",
    ["", "gpt-4.1", "openai", "openai:", "opena:x", "echo+http://h:m", "openai+http://h/v1", "a b",
     "openai:a b", "openai+file:///x:m", 3],
)  # fmt: skip
def test_a_string_that_names_none_is_refused_with_the_form(name: str) -> None:
    with pytest.raises(UnknownModelError):
        chatport.model(name)


def test_a_model_has_an_address_once() -> None:
    with pytest.raises(UnknownModelError, match="leave out base_url"):
        chatport.model("openai+http://localhost/v1:m", base_url="http://other/v1")


def test_a_server_is_asked_by_one_string(server: OpenAIServer) -> None:
    with chatport.model(f"openai+{server.url}:m", options=Options(temperature=0.0)) as model:
        assert Client(model).call(Request(user("Hello"))).text() == "Answer: Hello"
    assert server.exchanges[0].body["temperature"] == 0.0


def test_responses_is_named_by_a_string_too(server: OpenAIServer) -> None:
    with chatport.model(f"openai-responses+{server.url}:m") as model:
        assert Client(model).call(Request(user("Hello"))).text() == "Answer: Hello"
    assert server.exchanges[0].path == "/v1/responses"


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)
def test_the_example_of_every_provider_makes_a_model(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "acme")
    with chatport.model(provider.example, key="k") as model:
        assert callable(model.stream)
    assert asyncio.run(_closed(chatport.async_model(provider.example, key="k")))


async def _closed(model: AnyAsyncModel) -> bool:
    async with model:
        return True


def test_a_server_is_asked_asynchronously_by_one_string(server: OpenAIServer) -> None:
    async def ask() -> str:
        async with chatport.async_model(f"openai+{server.url}:m") as model:
            return (await chatport.AsyncClient(model).call(Request(user("Hello")))).text()

    assert asyncio.run(ask()) == "Answer: Hello"
