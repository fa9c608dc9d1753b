"""google-genai reads the same in every answer of our table as we do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chatport.chat import Message, ReasoningPart
from chatport.testing.gemini_server import body, gemini_server
from tests.providers.gemini.answers import ANSWERS, whole
from tests.providers.gemini.test_answers import decoded, streamed
from tests.providers.official import done_by

OF_TOMORROW = "a part of tomorrow"
KNOWN = {name: answer for name, answer in ANSWERS.items() if name != OF_TOMORROW}
"""The answers whose parts the SDK knows."""


@pytest.fixture(scope="module")
def read() -> dict[str, list[dict[str, Any]]]:
    """What the SDK reads of each answer, whole and streamed."""
    script = [
        said for answer in KNOWN.values() for said in (body(whole(answer)), body(*answer.chunks))
    ]
    asked = {"model": "m", "contents": "Hi"}
    calls = [asked, asked | {"stream": True}] * len(KNOWN)
    with gemini_server(script) as server:
        pairs = done_by("genai3", Path(__file__).with_name("peer.py"), server.url, calls)
    return {name: pairs[2 * place : 2 * place + 2] for place, name in enumerate(KNOWN)}


@pytest.mark.parametrize("name", KNOWN)
def test_the_sdk_reads_the_same(name: str, read: dict[str, list[dict[str, Any]]]) -> None:
    answer = KNOWN[name]
    for theirs, ours in zip(
        read[name], (decoded(whole(answer)), streamed(answer.chunks)), strict=True
    ):
        assert theirs["text"] == ours.text()
        assert theirs["thoughts"] == _thoughts(ours.message)
        calls = [[call.name, json.loads(call.arguments or "null")] for call in ours.tool_calls]
        assert theirs["calls"] == calls
        assert theirs["finish"] == ours.output.metadata.extra["gemini/finish_reason"]
        counts = ours.metadata.extra.decode("gemini/usage_metadata", dict)
        assert counts is not None
        assert theirs["input"] == counts["promptTokenCount"]


def _thoughts(message: Message | None) -> str:
    parts = message.parts if message else ()
    return "".join([part.text for part in parts if isinstance(part, ReasoningPart)])
