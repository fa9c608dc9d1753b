"""The pytest form of the loopback server."""

from __future__ import annotations

import os
import urllib.request

from chatport.testing.gemini_server import GeminiServer

pytest_plugins = ["chatport.testing.gemini_server_fixture"]


def test_the_environment_points_at_the_server(gemini_api: GeminiServer) -> None:
    url = os.environ["GOOGLE_GEMINI_BASE_URL"] + "/v1/models"
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url) as response:
        assert response.status == 200
    assert [one.method for one in gemini_api.exchanges] == ["models.list"]
    assert os.environ["GEMINI_API_KEY"] == os.environ["GOOGLE_API_KEY"]
