from __future__ import annotations

from collections.abc import Iterator

import pytest

from chatport.testing.openai_server import OpenAIServer, openai_server


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with openai_server() as running:
        yield running
