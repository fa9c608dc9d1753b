"""Our requests against those of google-genai: the same body at the same place.

Normalised are only the spelling of fields and of bytes, as the loopback server reads them, and what
`normalised` says; docs/providers/gemini.md lists the same.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chatport.providers.gemini import GenerateContent
from chatport.testing.gemini_server import Exchange, gemini_server
from chatport.testing.gemini_server_wire import canonical
from tests.providers.gemini.cases import CASES
from tests.providers.official import Case, done_by

PEER = Path(__file__).with_name("peer.py")
DEVELOPER = GenerateContent()
CLOUD = GenerateContent("v1beta1", "projects/p1/locations/europe-west4")


@pytest.fixture(scope="module")
def sent() -> dict[str, Exchange]:
    """What the SDK sent for each case."""
    with gemini_server() as server:
        done_by("genai3", PEER, server.url, [case.theirs for case in CASES])
        exchanges = server.exchanges
    assert len(exchanges) == len(CASES)
    return {case.name: exchange for case, exchange in zip(CASES, exchanges, strict=True)}


def normalised(body: dict[str, Any]) -> dict[str, Any]:
    """The SDK says that the user gives the system instruction, sends settings that are empty, and
    puts functions after all other tools.
    """
    body = canonical(body)
    if "systemInstruction" in body:
        body["systemInstruction"].pop("role", None)
    if not body.get("generationConfig", True):
        del body["generationConfig"]
    body.get("tools", []).sort(key=lambda tool: "functionDeclarations" not in tool)
    return body


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_same_request_as_the_sdk(case: Case, sent: dict[str, Exchange]) -> None:
    theirs = sent[case.name]
    codec = CLOUD if case.theirs.get("vertex") else DEVELOPER
    ours = codec.encode(case.ours, stream=bool(case.theirs.get("stream")))
    assert theirs.body is not None
    assert normalised(json.loads(ours.body)) == normalised(theirs.body)
    query = "&".join(f"{name}={value}" for name, value in theirs.query.items())
    assert ours.path == theirs.path + (f"?{query}" if query else "")
    assert ours.method == theirs.verb


def test_there_are_enough_cases_and_no_two_of_a_name() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 40
