"""The loopback Gemini server as a pytest fixture.

# conftest.py
pytest_plugins = ["chatport.testing.gemini_server_fixture"]

# test_app.py
def test_greets(gemini_api):
    gemini_api.answer_with(text("Hello, Ada."))
    assert app.greet("Ada") == "Hello, Ada."
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chatport.testing.gemini_server import GeminiServer, gemini_server

KEY = "loopback-key"
"""The API key that programs under test find in their environment."""


@pytest.fixture
def gemini_api(monkeypatch: pytest.MonkeyPatch) -> Iterator[GeminiServer]:
    """A server of the test's own; google-genai clients made during the test talk to it.

    Sets `GOOGLE_GEMINI_BASE_URL` and both API key variables for the length of the test.
    """
    with gemini_server() as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        monkeypatch.setenv("GEMINI_API_KEY", KEY)
        monkeypatch.setenv("GOOGLE_API_KEY", KEY)
        yield server
