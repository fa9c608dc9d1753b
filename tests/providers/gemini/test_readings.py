"""google-genai reads the same in every answer of our table as we do."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from chatport.chat import Message, ReasoningPart
from chatport.port.prove.environments import ensure
from chatport.testing.gemini_server import body, gemini_server
from tests.providers.gemini.answers import ANSWERS, whole
from tests.providers.gemini.test_answers import decoded, streamed

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parents[2] / ".envs"
OF_TOMORROW = "a part of tomorrow"
KNOWN = {name: answer for name, answer in ANSWERS.items() if name != OF_TOMORROW}
"""The answers whose parts the SDK knows."""


@pytest.fixture(scope="module")
def read() -> dict[str, list[dict[str, Any]]]:
    """What the SDK reads of each answer, whole and streamed."""
    script = [
        said for answer in KNOWN.values() for said in (body(whole(answer)), body(*answer.chunks))
    ]
    with gemini_server(script) as server:
        program = HERE / "read_with_sdk.py"
        done = subprocess.run(
            [ensure("genai3", ENVIRONMENTS).python, "-I", program, server.url, str(len(KNOWN))],
            capture_output=True,
            text=True,
            timeout=180,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    pairs = json.loads(done.stdout)
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
