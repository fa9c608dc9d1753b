"""Access tokens of Google's cloud, from where its own tools find them."""

from __future__ import annotations

import os
import threading
from typing import Any, Final

from chatport.providers.errors import AuthenticationError, MissingKeyError, TransportError

TOKEN_VARIABLES: Final = ("GOOGLE_OAUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN")
"""Variables that hold a token: those of Google's own tools."""
SCOPES: Final = ("https://www.googleapis.com/auth/cloud-platform",)


class CloudKey:
    """Gives a token for each call: the environment's, or one of the application default
    credentials, renewed when it is about to run out. Those are the business of google-auth, which
    has to be installed for them.

    Raises `MissingKeyError` where there are none, `AuthenticationError` for those that are not
    accepted, `TransportError` when nobody answers who could renew them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._credentials: Any = None

    def __call__(self) -> str:
        """A token that is valid."""
        if (token := self._at_hand()) is not None:
            return token
        with self._lock:
            if self._credentials is None:
                self._credentials = _default()
            if not self._credentials.valid:
                _renew(self._credentials)
            return str(self._credentials.token)

    async def in_a_loop(self) -> str:
        """The same; the loop goes on while one is renewed."""
        import asyncio  # synchronous programs do without

        token = self._at_hand()
        return token if token is not None else await asyncio.to_thread(self)

    def _at_hand(self) -> str | None:
        for name in TOKEN_VARIABLES:
            if token := os.environ.get(name):
                return token
        credentials = self._credentials
        return str(credentials.token) if credentials is not None and credentials.valid else None


def _default() -> Any:
    """The credentials of `gcloud auth application-default login`, of a machine, of a file."""
    try:
        import google.auth
    except ImportError:
        raise _missing(
            "pip install 'google-auth[requests]' for the credentials of gcloud"
        ) from None
    try:
        return google.auth.default(scopes=list(SCOPES))[0]
    except google.auth.exceptions.DefaultCredentialsError:
        raise _missing("run `gcloud auth application-default login`") from None


def _renew(credentials: Any) -> None:
    from google.auth import exceptions
    from google.auth.transport.requests import Request

    try:
        credentials.refresh(Request())
    except exceptions.TransportError as error:
        raise TransportError(f"no answer to the asking for a token: {error}") from error
    except exceptions.GoogleAuthError as error:
        raise AuthenticationError(f"no token for these credentials: {error}") from error


def _missing(remedy: str) -> MissingKeyError:
    error = MissingKeyError(
        f"there is no access token: set {TOKEN_VARIABLES[0]}, or {remedy}, or give one as `key`",
        provider="gemini",
    )
    error.variables = TOKEN_VARIABLES
    return error
