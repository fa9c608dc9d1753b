"""An Anthropic server on loopback, for tests: real HTTP, derived answers, every exchange kept.

    with anthropic_server() as server:
        client = anthropic.Anthropic(api_key="any", base_url=server.url)
        client.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "Hello"}]
        )
        assert server.exchanges[0].body["messages"][0]["content"] == "Hello"

It speaks the Messages API, token counting and the list of models, refuses what the API refuses, and
needs nothing but the standard library. docs/testing-anthropic-server.md is the guide.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from chatport.testing.anthropic_server_answers import derived, fault_in, tokens
from chatport.testing.anthropic_server_script import (
    REQUEST_ID,
    Answer,
    blocks,
    broken,
    cut,
    failure,
    plain,
    refusal,
    reply,
    slow,
    text,
    thinking,
    tool_use,
)
from chatport.testing.loopback import Json, LoopbackServer, Reply, document

__all__ = [
    "Answer",
    "AnthropicServer",
    "Reply",
    "anthropic_server",
    "blocks",
    "broken",
    "cut",
    "failure",
    "plain",
    "refusal",
    "reply",
    "slow",
    "text",
    "thinking",
    "tool_use",
]

Script: TypeAlias = Iterable[Answer | Reply | Sequence[Answer | Reply]]
"""Answers in the order they are given; `failure` makes several, so a list may stand in the list."""

MODELS: Final = ("loopback-large", "loopback-small")


class AnthropicServer(LoopbackServer):
    """The running server: its `url`, the `exchanges` so far, and a way to script the next answers.

    Without a script left it answers by what it is asked: the text comes back, a tool that has to be
    called is called, a schema is satisfied. What the API refuses is refused here, with its status.
    """

    def __init__(self, script: Script = ()) -> None:
        super().__init__()
        self.url: str = f"http://127.0.0.1:{self.port}"
        self._script: list[Answer | Reply] = []
        self.answer_with(*script)

    def answer_with(self, *answers: Answer | Reply | Sequence[Answer | Reply]) -> None:
        """Add to the script: each answer serves one of the next requests for a message."""
        flat = [one for item in answers for one in (item if isinstance(item, Sequence) else [item])]
        with self._lock:
            self._script += flat

    def reply_to(self, verb: str, path: str, headers: Mapping[str, str], content: bytes) -> Reply:
        """The reply to one request."""
        path = path.partition("?")[0]
        if not headers.get("x-api-key") and not headers.get("authorization"):
            return failure(401, "x-api-key header is required")[0]
        if verb == "GET" and path == "/v1/models":
            return _document(_listed())
        if verb != "POST" or path not in ("/v1/messages", "/v1/messages/count_tokens"):
            return failure(404, f"Not found: {verb} {path}")[0]
        try:
            asked = json.loads(content)
        except ValueError:
            asked = None
        if not isinstance(asked, dict):
            return failure(400, "The request body is not valid JSON")[0]
        if path.endswith("count_tokens"):
            return _document({"input_tokens": tokens(asked)})
        if (fault := fault_in(asked, headers)) is not None:
            return failure(400, fault)[0]
        answer = self._script.pop(0) if self._script else derived(asked)
        return answer if isinstance(answer, Reply) else answer.reply(asked)


def anthropic_server(script: Script = ()) -> AnthropicServer:
    """A server for a ``with`` block. `script` says what the next calls are answered, in order."""
    return AnthropicServer(script)


def _document(value: Json) -> Reply:
    return Reply((document(value),), headers=(REQUEST_ID,))


def _listed() -> Json:
    made = "2026-01-01T00:00:00Z"
    models = [
        {"type": "model", "id": name, "display_name": name, "created_at": made} for name in MODELS
    ]
    return {"data": models, "has_more": False, "first_id": MODELS[0], "last_id": MODELS[-1]}
