"""Access tokens of Google's cloud, from where its own tools find them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any, Final

from chatport.providers.errors import MissingKeyError

TOKEN_VARIABLES: Final = ("GOOGLE_OAUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN")
"""Variables that hold a token: those of Google's own tools."""
SCOPES: Final = ("https://www.googleapis.com/auth/cloud-platform",)


def cloud_key() -> Callable[[], str]:
    """What gives a token for each call: the environment's, or one of the application default
    credentials, renewed when it is about to run out. Those are the business of google-auth, which
    has to be installed for them.
    """
    lock = threading.Lock()
    credentials: Any = None

    def key() -> str:
        nonlocal credentials
        for name in TOKEN_VARIABLES:
            if token := os.environ.get(name):
                return token
        with lock:
            if credentials is None:
                credentials = _default()
            if not credentials.valid:
                _renew(credentials)
            return str(credentials.token)

    return key


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
    from google.auth.transport.requests import Request

    credentials.refresh(Request())


def _missing(remedy: str) -> MissingKeyError:
    error = MissingKeyError(
        f"there is no access token: set {TOKEN_VARIABLES[0]}, or {remedy}, or give one as `key`",
        provider="gemini",
    )
    error.variables = TOKEN_VARIABLES
    return error
