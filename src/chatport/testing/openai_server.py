"""An OpenAI server on loopback, for tests: real HTTP, derived answers, every exchange kept.

    with openai_server() as server:
        client = openai.OpenAI(api_key="any", base_url=server.url)
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hello"}])
        assert server.exchanges[0].body["messages"][0]["content"] == "Hello"

It speaks Chat Completions and Responses, and needs nothing but the standard library.
docs/testing-openai-server.md is the guide.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from chatport.testing.loopback import LoopbackServer, Reply, document
from chatport.testing.openai_server_answers import derived_chat, derived_response, failing
from chatport.testing.openai_server_script import (
    Answer,
    call,
    calls,
    cut,
    failure,
    message,
    plain,
    refusal,
    reply,
    slow,
    text,
)

__all__ = [
    "Answer",
    "OpenAIServer",
    "Reply",
    "call",
    "calls",
    "cut",
    "failure",
    "message",
    "openai_server",
    "plain",
    "refusal",
    "reply",
    "slow",
    "text",
]

Script: TypeAlias = Iterable[Answer | Reply | Sequence[Answer | Reply]]
"""Answers in the order they are given; `failure` makes several, so a list may stand in the list."""

MODELS: Final = ("loopback-large", "loopback-small")


class OpenAIServer(LoopbackServer):
    """The running server: its `url`, the `exchanges` so far, and a way to script the next answers.

    Without a script left it answers by what it is asked: the text comes back, a tool that has to be
    called is called, a schema is satisfied.
    """

    def __init__(self, script: Script = ()) -> None:
        super().__init__()
        self.url: str = f"http://127.0.0.1:{self.port}/v1"
        self._script: list[Answer | Reply] = []
        self.answer_with(*script)

    def answer_with(self, *answers: Answer | Reply | Sequence[Answer | Reply]) -> None:
        """Add to the script: each answer serves one of the next calls of a model."""
        flat = [one for item in answers for one in (item if isinstance(item, Sequence) else [item])]
        with self._lock:
            self._script += flat

    def reply_to(self, verb: str, path: str, headers: Mapping[str, str], content: bytes) -> Reply:
        """The reply to one request."""
        path = path.partition("?")[0]
        if path == "/v1/models" and verb == "GET":
            listed = [
                {"id": name, "object": "model", "created": 1, "owned_by": "x"} for name in MODELS
            ]
            return Reply((document({"object": "list", "data": listed}),))
        is_chat = path.endswith("/chat/completions")
        if verb != "POST" or not (is_chat or path.endswith("/responses")):
            return failing(404, f"Invalid URL ({verb} {path})")
        try:
            asked = json.loads(content)
        except ValueError:
            return failing(
                400, "We could not parse the JSON body of your request.", "invalid_request_error"
            )
        answer = self._script.pop(0) if self._script else None
        if isinstance(answer, Reply):
            return answer
        if is_chat:
            return (answer or derived_chat(asked)).chat(asked)
        return (answer or derived_response(asked)).response(asked)


def openai_server(script: Script = ()) -> OpenAIServer:
    """A server for a ``with`` block. `script` says what the next calls are answered, in order."""
    return OpenAIServer(script)
