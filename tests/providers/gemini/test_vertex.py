"""Gemini in Google's cloud, by one string and with the credentials its own tools find."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import chatport
from chatport import Client, Request, user
from chatport.providers import MissingKeyError
from chatport.providers.gemini.credentials import TOKEN_VARIABLES, cloud_key
from chatport.testing.gemini_server import gemini_server

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
        cloud_key()()
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
    auth.exceptions = SimpleNamespace(DefaultCredentialsError=KeyError)
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
    key = cloud_key()
    assert [key(), key()] == ["token 1", "token 1"]
    made.valid = False
    assert key() == "token 2"
    assert scopes == [["https://www.googleapis.com/auth/cloud-platform"]]
