"""Bytes that anybody may have written: each target's corpus, and changes of it."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.mutate import changed
from tests.fuzz.targets import CORPUS, TARGETS, seeds

EXAMPLES = [
    pytest.param(name, path, id=f"{name}-{path.name}")
    for name in TARGETS
    for path in sorted((CORPUS / name).iterdir())
]
ROUNDS = int(os.environ.get("CHATPORT_FUZZ", "40"))


@pytest.mark.parametrize(("name", "path"), EXAMPLES)
def test_what_is_in_the_corpus_breaks_nothing(name: str, path: os.PathLike[str]) -> None:
    with open(path, "rb") as file:  # noqa: PTH123
        assert TARGETS[name](file.read()) is None


@pytest.mark.parametrize("name", TARGETS)
def test_changes_of_the_corpus_break_nothing(name: str) -> None:
    corpus, chance = list(seeds(name)), random.Random(name)
    for _ in range(ROUNDS):
        assert TARGETS[name](changed(chance.choice(corpus), corpus, chance)) is None


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.binary(max_size=200))
def test_any_bytes_break_nothing(name: str, data: bytes) -> None:
    assert TARGETS[name](data) is None


def test_every_target_has_a_corpus() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
