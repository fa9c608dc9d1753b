"""anthropic reads every answer of our table, whole and streamed, and puts the same together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chatport.testing.anthropic_server import anthropic_server, plain, reply
from tests.providers.anthropic.answers import ANSWERS, whole
from tests.providers.official import done_by

ASKED: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "Hello"}],
}
KNOWN = {name: answer for name, answer in ANSWERS.items() if name != "a block of tomorrow"}
"""The answers whose blocks the SDK knows."""


@pytest.fixture(scope="module")
def read() -> dict[str, list[dict[str, Any]]]:
    """The messages the SDK reads, whole and put together of a stream."""
    script = [
        said
        for answer in KNOWN.values()
        for said in (reply(json.dumps(whole(answer))), plain(*answer.events))
    ]
    calls = [("create", ASKED), ("stream", ASKED)] * len(KNOWN)
    with anthropic_server(script) as server:
        results = done_by("anthropic", Path(__file__).with_name("peer.py"), server.url, calls)
    return {
        name: [results[2 * place], results[2 * place + 1]["message"]]
        for place, name in enumerate(KNOWN)
    }


def known(value: Any) -> Any:
    """The value without the members that are null, which the SDK adds."""
    if isinstance(value, list):
        return [known(one) for one in value]
    if isinstance(value, dict):
        return {name: known(one) for name, one in value.items() if one is not None}
    return value


@pytest.mark.parametrize("name", KNOWN)
def test_the_sdk_reads_the_same(name: str, read: dict[str, list[dict[str, Any]]]) -> None:
    answer = KNOWN[name]
    for theirs in read[name]:
        assert known(theirs["content"]) == known(answer.content)
        assert theirs["stop_reason"] == answer.end["stop_reason"]
        assert known(theirs["usage"]) == answer.counts
