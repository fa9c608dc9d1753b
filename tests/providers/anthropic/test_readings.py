"""anthropic reads every answer of our table, whole and streamed, and puts the same together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from chatport.testing.anthropic_server import AnthropicServer, anthropic_server, plain, reply
from tests.providers.anthropic.answers import ANSWERS, Answered, whole

ASKED: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "Hello"}],
}


KNOWN = {name: answer for name, answer in ANSWERS.items() if name != "a block of tomorrow"}
"""The answers whose blocks the SDK knows."""


@pytest.fixture(scope="module")
def server() -> Iterator[AnthropicServer]:
    with anthropic_server() as running:
        yield running


@pytest.fixture(scope="module")
def sdk(server: AnthropicServer) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client:
        yield client


def known(value: Any) -> Any:
    """The value without the members that are null, which the SDK adds."""
    if isinstance(value, list):
        return [known(one) for one in value]
    if isinstance(value, dict):
        return {name: known(one) for name, one in value.items() if one is not None}
    return value


@pytest.mark.parametrize("answer", KNOWN.values(), ids=KNOWN)
def test_the_sdk_reads_the_same(
    sdk: anthropic.Anthropic, server: AnthropicServer, answer: Answered
) -> None:
    server.answer_with(reply(json.dumps(whole(answer))), plain(*answer.events))
    read = sdk.messages.create(**ASKED).to_dict()
    with sdk.messages.stream(**ASKED) as stream:
        together = stream.get_final_message().to_dict()
    for theirs in (read, together):
        assert known(theirs["content"]) == known(answer.content)
        assert theirs["stop_reason"] == answer.end["stop_reason"]
        assert known(theirs["usage"]) == answer.counts
