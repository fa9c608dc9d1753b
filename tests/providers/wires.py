"""The four wires, so that what is true of one can be tried on all: answers, faults, ways to ask."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

import pytest

from chatport import Request, Response, acollect, collect, user
from chatport.providers import anthropic, gemini, openai
from chatport.providers.errors import OverloadedError, ProviderError, ServerError
from chatport.testing import anthropic_server_script as messages
from chatport.testing import openai_server_script as chat
from chatport.testing.loopback import STREAM, Json, LoopbackServer, Reply, document, event

HELLO = Request(user("Hello"))
Ask = Callable[..., Response]


@dataclass(frozen=True)
class Said:
    """What a model says, in our words. `pieces` are those of a stream."""

    pieces: tuple[str, ...] = ("one ", "two")
    calls: tuple[tuple[str, str, str], ...] = ()
    refusal: str = ""
    finish: str = "stop"


@dataclass(frozen=True)
class Wire:
    """A protocol: how models of it are made, and what its answers look like.

    `ending` counts the events that say that an answer is whole. `told` is what an error document
    with status 200 amounts to.
    """

    provider: ModuleType
    reply: Callable[[Said, bool], Reply]
    ending: int
    fault: Json
    told: type[ProviderError]
    root: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def whole(self, said: Said = Said()) -> Json:
        """The JSON of a plain answer."""
        value: Json = json.loads(b"".join(self.reply(said, False).pieces))
        return value

    def events(self, said: Said = Said()) -> list[bytes]:
        """The events of a stream."""
        return list(self.reply(said, True).pieces)

    def model(self, url: str, **settings: Any) -> Any:
        """A synchronous model at a server."""
        return self._made(self.provider.Model, url, settings)

    def async_model(self, url: str, **settings: Any) -> Any:
        """An asynchronous one."""
        return self._made(self.provider.AsyncModel, url, settings)

    def _made(self, kind: Any, url: str, settings: Mapping[str, Any]) -> Any:
        given = {"key": "secret", **self.settings, **settings}
        return kind("m", base_url=url + self.root, **given)

    def ways(self) -> dict[str, Ask]:
        """The four ways to ask a model of it."""
        return {
            f"{'async ' if is_async else ''}{'stream' if streamed else 'call'}": _way(
                self, is_async, streamed
            )
            for is_async in (False, True)
            for streamed in (False, True)
        }


def _way(wire: Wire, is_async: bool, streamed: bool) -> Ask:
    def ask(url: str, request: Request = HELLO, **settings: Any) -> Response:
        if not is_async:
            with wire.model(url, **settings) as model:
                return collect(model.stream(request)) if streamed else model.call(request)

        async def run() -> Response:
            async with wire.async_model(url, **settings) as model:
                if streamed:
                    return await acollect(model.stream(request))
                response: Response = await model.call(request)
                return response

        return asyncio.run(run())

    return ask


def _openai(said: Said) -> chat.Answer:
    finish = "tool_calls" if said.calls and said.finish == "stop" else said.finish
    return chat.Answer(said.pieces, said.calls, said.refusal, finish=finish)


def _chat(said: Said, stream: bool) -> Reply:
    options = {"include_usage": True}
    return _openai(said).chat({"model": "m", "stream": stream, "stream_options": options})


def _responses(said: Said, stream: bool) -> Reply:
    return _openai(said).response({"model": "m", "stream": stream})


STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def _messages(said: Said, stream: bool) -> Reply:
    if said.refusal:
        return messages.refusal(said.refusal).reply({"model": "m", "stream": stream})
    blocks: list[Json] = [{"type": "text", "text": said.pieces}] if said.pieces else []
    for identity, name, arguments in said.calls:
        given = json.loads(arguments)
        blocks.append({"type": "tool_use", "id": identity, "name": name, "input": given})
    stop = "tool_use" if said.calls and said.finish == "stop" else STOPS[said.finish]
    return messages.blocks(*blocks, stop=stop).reply({"model": "m", "stream": stream})


FINISHES = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}


def _gemini(said: Said, stream: bool) -> Reply:
    parts: list[Json] = [{"text": piece} for piece in said.pieces]
    for _, name, arguments in said.calls:
        parts.append({"functionCall": {"name": name, "args": json.loads(arguments)}})
    finish = "PROHIBITED_CONTENT" if said.refusal else FINISHES[said.finish]
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 5, "totalTokenCount": 14}

    def told(some: list[Json], finish: str | None) -> Json:
        candidate: Json = {"index": 0, "content": {"role": "model", "parts": some}}
        if finish is not None:
            candidate["finishReason"] = finish
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"}

    if not stream:
        return Reply((document(told(parts, finish)),))
    documents = [*(told([part], None) for part in parts), told([], finish)]
    return Reply(tuple(event(one) for one in documents), kind=STREAM)


OPENAI_FAULT: Json = {"error": {"message": "boom", "type": "server_error", "code": "server_error"}}
WIRES: dict[str, Wire] = {
    "chat": Wire(openai, _chat, 3, OPENAI_FAULT, ServerError, "/v1"),
    "responses": Wire(
        openai, _responses, 1, OPENAI_FAULT, ServerError, "/v1", {"api": "responses"}
    ),
    "messages": Wire(
        anthropic,
        _messages,
        2,
        messages.error_document("overloaded_error", "boom"),
        OverloadedError,
    ),
    "gemini": Wire(
        gemini,
        _gemini,
        1,
        {"error": {"code": 503, "message": "boom", "status": "UNAVAILABLE"}},
        OverloadedError,
    ),
}
every_wire = pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)
PLAIN = [(wire, way) for wire in WIRES for way in ("call", "async call")]
STREAMED = [(wire, way) for wire in WIRES for way in ("stream", "async stream")]


def _named(pairs: list[tuple[str, str]]) -> Any:
    values = [(WIRES[wire], WIRES[wire].ways()[way]) for wire, way in pairs]
    return pytest.mark.parametrize(("wire", "ask"), values, ids=[" ".join(pair) for pair in pairs])


every_call = _named(PLAIN)
every_stream = _named(STREAMED)
every_way = pytest.mark.parametrize(
    ("wire", "ask", "streams"),
    [(WIRES[wire], WIRES[wire].ways()[way], "stream" in way) for wire, way in PLAIN + STREAMED],
    ids=[" ".join(pair) for pair in PLAIN + STREAMED],
)


class Canned(LoopbackServer):
    """Answers whatever it is asked with the replies it is given, in order; the last stays."""

    def __init__(self, *replies: Reply) -> None:
        super().__init__()
        self.url: str = f"http://127.0.0.1:{self.port}"
        self._replies = list(replies)

    def reply_to(self, verb: str, path: str, headers: Mapping[str, str], content: bytes) -> Reply:
        """The next reply."""
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


def streamed(*pieces: bytes, **settings: Any) -> Reply:
    """A stream of exactly these bytes."""
    return Reply(pieces, kind=STREAM, **settings)


def dropped(reply: Reply, *more: bytes) -> Reply:
    """The same, and more, and then the connection is cut."""
    pieces = (*reply.pieces, *more)
    return replace(reply, pieces=pieces, cut=len(pieces))


def holding(events: list[bytes], text: str) -> int:
    """The place of the first event that holds a text as a piece of its own."""
    wanted = json.dumps(text).encode()
    return next(place for place, one in enumerate(events) if wanted in one)
