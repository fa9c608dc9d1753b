"""What is named and left."""

from __future__ import annotations

import pytest

from tests.support.port import refused


@pytest.mark.parametrize(
    ("before", "codes"),
    [
        pytest.param(
            """
            print(genai.generate_text(model="m", prompt="x").result)
            """,
            {"flag_only_surface"},
            id="old-text-service",
        ),
        pytest.param(
            """
            print(genai.chat(messages=["x"]).last)
            """,
            {"flag_only_surface"},
            id="old-chat-service",
        ),
        pytest.param(
            """
            from google.generativeai import caching

            caching.CachedContent.create(model="m", contents=["x"])
            """,
            {"flag_only_surface"},
            id="caching",
        ),
        pytest.param(
            """
            genai.create_tuned_model(source_model="m", training_data=[])
            """,
            {"flag_only_surface"},
            id="tuning",
        ),
        pytest.param(
            """
            genai.something()
            """,
            {"usage_unmapped"},
            id="unknown-function",
        ),
        pytest.param(
            """
            print(genai.__version__)
            """,
            {"usage_unmapped"},
            id="version",
        ),
    ],
)
def test_refused(before: str, codes: set[str]) -> None:
    assert refused(before) == codes
