"""How a server is reached: through the environment's proxy, and with whose certificate."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from chatport.providers import errors, routes
from chatport.providers.asyncio_transport import AsyncioTransport
from chatport.providers.routes import proxy_for
from chatport.providers.standard_transport import StandardTransport
from tests.providers.asking import WAYS, Ask
from tests.providers.raw_server import RawServer, whole

DOCUMENT = b'{"choices": [{"message": {"content": "Hi."}, "finish_reason": "stop"}]}'
CERTIFICATE = Path(__file__).parent / "localhost.pem"
"""Signed by itself, for localhost, until 2126; with its key."""
both_calls = pytest.mark.parametrize("ask", [WAYS["default call"], WAYS["default async call"]])


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    routes.tls_context.cache_clear()
    yield
    routes.tls_context.cache_clear()


@both_calls
def test_a_plain_address_is_asked_of_the_proxy_in_full(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RawServer([whole(DOCUMENT)]) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://ann:p%40ss@{proxy.address}")
        assert ask("http://models.test:8080/v1", key="k").text() == "Hi."
    (request,) = proxy.requests
    head = request.lower()
    assert request.startswith(b"POST http://models.test:8080/v1/chat/completions HTTP/1.1\r\n")
    assert b"proxy-authorization: basic yw5uonbac3m=\r\n" in head  # ann:p@ss
    assert b"\r\nhost: models.test:8080\r\n" in head


@both_calls
def test_a_tunnel_is_asked_for_and_the_key_stays_out_of_the_asking(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"
    with RawServer([refusal]) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://ann:secret@{proxy.address}")
        with pytest.raises(errors.TransportError) as failed:
            ask("https://models.test/v1", key="sk-key")
    (request,) = proxy.requests
    assert request.startswith(b"CONNECT models.test:443 HTTP/1.")
    assert b"proxy-authorization: basic yw5uonnly3jlda==\r\n" in request.lower()
    assert b"sk-key" not in request
    assert "secret" not in str(failed.value)


@both_calls
def test_addresses_that_the_environment_exempts_are_reached_directly(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "localhost,127.0.0.1")
    with RawServer([whole(DOCUMENT)]) as server:
        assert ask(server.url).text() == "Hi."


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("HTTPS_PROXY", "http://proxy:3128", ("proxy", 3128)),
        ("HTTPS_PROXY", "proxy:3128", ("proxy", 3128)),
        ("HTTPS_PROXY", "http://[::1]:3128", ("::1", 3128)),
        ("ALL_PROXY", "http://proxy", ("proxy", 80)),
        ("HTTP_PROXY", "http://proxy:3128", None),
    ],
)
def test_the_proxy_is_that_of_the_scheme(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, found: tuple[str, int] | None
) -> None:
    monkeypatch.setenv(name, value)
    proxy = proxy_for(urlsplit("https://api.test/v1"))
    assert (None if proxy is None else (proxy.host, proxy.port)) == found


@both_calls
def test_a_proxy_of_another_kind_is_refused_with_what_to_do(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://ann:secret@proxy:1080")
    with pytest.raises(errors.TransportError, match=r"socks5://proxy.*httpx2\.Client") as failed:
        ask("http://models.test/v1")
    assert "secret" not in str(failed.value)


def serving() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


@both_calls
def test_a_certificate_that_nobody_vouches_for_is_refused_and_nothing_is_sent(ask: Ask) -> None:
    with RawServer([whole(DOCUMENT)], tls=serving()) as server:
        with pytest.raises(errors.TransportError, match=r"(?i)certificate"):
            ask(server.url, key="k")
        assert server.requests == []


@both_calls
def test_the_environment_may_vouch_for_a_certificate(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with RawServer([whole(DOCUMENT)], tls=serving()) as server:
        assert ask(server.url).text() == "Hi."


def test_the_program_may_vouch_for_a_certificate() -> None:
    import asyncio

    from chatport.providers import openai
    from tests.providers.asking import HELLO

    context = ssl.create_default_context(cafile=CERTIFICATE)
    with RawServer([whole(DOCUMENT)], [whole(DOCUMENT)], tls=serving()) as server:
        transport = StandardTransport(tls=context)
        with openai.Model("m", base_url=server.url, transport=transport) as model:
            assert model.call(HELLO).text() == "Hi."

        async def run() -> str:
            pool = AsyncioTransport(tls=context)
            async with openai.AsyncModel("m", base_url=server.url, transport=pool) as model:
                return (await model.call(HELLO)).text()

        assert asyncio.run(run()) == "Hi."


@both_calls
def test_a_certificate_of_another_host_is_refused(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with RawServer([whole(DOCUMENT)], tls=serving()) as server:
        with pytest.raises(errors.TransportError, match=r"(?i)certificate"):
            ask(f"https://{server.address}/v1")
        assert server.requests == []
