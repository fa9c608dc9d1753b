"""Gemini in Google's cloud, by one string and with the credentials its own tools find."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

import chatport
from chatport import Client, Request, user
from chatport.providers import MissingKeyError
from chatport.providers.errors import AuthenticationError, TransportError
from chatport.providers.gemini.credentials import TOKEN_VARIABLES, CloudKey
from chatport.testing.gemini_server import gemini_server
from chatport.testing.loopback import Reply, document
from tests.providers.wires import Canned

HELLO = Request(user("Hello"))


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*TOKEN_VARIABLES, "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"):
        monkeypatch.delenv(name, raising=False)


def test_a_string_names_a_model_of_the_project_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "acme")
    monkeypatch.setenv("GOOGLE_CLOUD_LOCATION", "europe-west1")
    monkeypatch.setenv("GOOGLE_OAUTH_ACCESS_TOKEN", "token")
    with chatport.model("vertex:gemini-2.5-flash") as model:
        assert "https://europe-west1-aiplatform.googleapis.com" in repr(model)
    with (
        gemini_server() as server,
        chatport.model(f"vertex+{server.url}:gemini-2.5-flash") as model,
    ):
        assert Client(model).call(HELLO).text()
    (exchange,) = server.exchanges
    assert exchange.path == (
        "/v1beta1/projects/acme/locations/europe-west1/publishers/google/models/gemini-2.5-flash"
        ":generateContent"
    )
    assert exchange.headers["authorization"] == "Bearer token"


def test_without_a_project_the_variable_is_named() -> None:
    with pytest.raises(ValueError, match="GOOGLE_CLOUD_PROJECT"):
        chatport.model("vertex:gemini-2.5-flash")


def test_without_credentials_every_way_to_them_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.auth", None)
    monkeypatch.setitem(sys.modules, "google", ModuleType("google"))
    with pytest.raises(MissingKeyError, match=r"GOOGLE_OAUTH_ACCESS_TOKEN.*google-auth") as failed:
        CloudKey()()
    assert failed.value.variables == TOKEN_VARIABLES


class Credentials:
    """What google-auth gives: valid once it has been refreshed, and until it runs out."""

    def __init__(self) -> None:
        self.valid = False
        self.refreshed = 0

    @property
    def token(self) -> str:
        return f"token {self.refreshed}"

    def refresh(self, request: Any) -> None:
        self.valid = True
        self.refreshed += 1


def test_application_default_credentials_are_renewed_when_they_run_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = Credentials()
    scopes: list[Any] = []

    def default(**settings: Any) -> tuple[Credentials, str]:
        scopes.append(settings["scopes"])
        return made, "project"

    auth: Any = ModuleType("google.auth")
    auth.default = default
    auth.exceptions = SimpleNamespace(
        DefaultCredentialsError=KeyError, TransportError=OSError, GoogleAuthError=ValueError
    )
    google: Any = ModuleType("google")
    google.auth = auth
    requests: Any = ModuleType("google.auth.transport.requests")
    requests.Request = object
    for name, module in {
        "google": google,
        "google.auth": auth,
        "google.auth.transport": ModuleType("google.auth.transport"),
        "google.auth.transport.requests": requests,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    key = CloudKey()
    assert [key(), key()] == ["token 1", "token 1"]
    made.valid = False
    assert key() == "token 2"
    assert scopes == [["https://www.googleapis.com/auth/cloud-platform"]]


@pytest.fixture
def account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Canned]:
    """The server of a service account's tokens, whose file is where google-auth looks for it."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    tokens = [
        Reply((document({"access_token": name, "expires_in": lives, "token_type": "Bearer"}),))
        # One that lives no longer than this is renewed before every call.
        for name, lives in (("first", 1), ("second", 3600))
    ]
    refused = document({"error": "invalid_grant", "error_description": "Invalid JWT Signature."})
    with Canned(*tokens, Reply((refused,), 400)) as server:
        told = {
            "type": "service_account",
            "project_id": "acme",
            "private_key_id": "1",
            "private_key": pem,
            "client_email": "robot@acme.iam.gserviceaccount.com",
            "client_id": "1",
            "token_uri": f"{server.url}/token",
        }
        file = tmp_path / "account.json"
        file.write_text(json.dumps(told), "utf-8")
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(file))
        monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "acme")
        yield server


def test_the_key_of_a_service_account_becomes_tokens(account: Canned) -> None:
    async def run(url: str) -> None:
        async with chatport.async_model(f"vertex+{url}:m") as model:
            await asyncio.gather(*(model.call(HELLO) for _ in range(3)))

    with gemini_server() as server:
        with chatport.model(f"vertex+{server.url}:m") as model:
            for _ in range(3):
                assert Client(model).call(HELLO).text()
        sent = [exchange.headers["authorization"] for exchange in server.exchanges]
        assert sent == ["Bearer first", "Bearer second", "Bearer second"]
        (assertion,) = parse_qs(account.exchanges[0].content.decode())["assertion"]
        claims = json.loads(urlsafe_b64decode(assertion.split(".")[1] + "=="))
        assert claims["scope"] == "https://www.googleapis.com/auth/cloud-platform"
        assert claims["iss"] == "robot@acme.iam.gserviceaccount.com"
        with pytest.raises(AuthenticationError, match="Invalid JWT") as refused:
            asyncio.run(run(server.url))
    assert "PRIVATE KEY" not in "".join(traceback.format_exception(refused.value))


def test_a_server_of_tokens_that_is_not_there_is_told(account: Canned) -> None:
    account._replies = [Reply(cut=-1)]
    with (
        chatport.model("vertex+http://127.0.0.1:9:m") as model,
        pytest.raises(TransportError, match="token"),
    ):
        Client(model).call(HELLO)
