"""Our requests against those of anthropic: the same body, the same version, at the same place.

Normalised is only what `normalised` says; docs/providers/anthropic.md lists the same.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chatport.providers.anthropic import Messages
from chatport.providers.anthropic.words import NEWEST
from chatport.testing.anthropic_server import anthropic_server
from chatport.testing.loopback import Exchange
from tests.providers.anthropic.cases import CASES
from tests.providers.official import Case, done_by

PEER = Path(__file__).with_name("peer.py")


@pytest.fixture(scope="module")
def sent() -> dict[str, Exchange]:
    """What the SDK sent for each case; the server refuses what the API would."""
    with anthropic_server() as server:
        results = done_by(
            "anthropic", PEER, server.url, [("create", case.theirs) for case in CASES]
        )
        exchanges = server.exchanges
    assert len(exchanges) == len(CASES)
    assert not [result for result in results if "error" in result]
    return {case.name: exchange for case, exchange in zip(CASES, exchanges, strict=True)}


def normalised(body: dict[str, Any]) -> dict[str, Any]:
    """A text by itself and a list with one text block are the same, wherever content stands."""
    return {name: _content(name, value) for name, value in body.items()}


def _content(name: str, value: Any) -> Any:
    if name in ("content", "system") and isinstance(value, str):
        return [{"type": "text", "text": value}]
    if isinstance(value, list):
        return [normalised(one) if isinstance(one, dict) else one for one in value]
    return value


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_same_request_as_the_sdk(case: Case, sent: dict[str, Exchange]) -> None:
    theirs = sent[case.name]
    version = case.theirs.get("version", NEWEST)
    ours = Messages(version).encode(case.ours, stream=bool(case.theirs.get("stream")))
    assert normalised(json.loads(ours.body)) == normalised(theirs.body)
    assert (ours.method, ours.path) == (theirs.verb, theirs.path)
    told = {name: theirs.headers.get(name) for name in ("anthropic-version", "anthropic-beta")}
    assert {"anthropic-beta": None} | dict(ours.headers) == told


def test_there_are_enough_cases_and_no_two_of_a_name() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 40
