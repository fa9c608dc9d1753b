"""What is named and left."""

from __future__ import annotations

import ast

import pytest

from chatport.port.packs.load import bundled, names
from chatport.port.packs.schema import FlagOnly
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

            print(list(caching.CachedContent.list()))
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
            genai.get_base_model("m")
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


FLAGS = [
    (symbol, flag)
    for name in names()
    for change in bundled(name).changes
    if isinstance(change, FlagOnly)
    for symbol, flag in change.symbols.items()
]


@pytest.mark.parametrize("instead", [flag.instead for _, flag in FLAGS if flag.instead])
def test_what_to_write_instead_is_python(instead: str) -> None:
    assert ast.parse(instead, mode="eval")


def test_shut_services_say_what_to_write_instead() -> None:
    shut = [symbol for symbol, flag in FLAGS if "shut down" in flag.reason and "_" in symbol]
    assert shut
    assert all(dict(FLAGS)[symbol].instead for symbol in shut)
