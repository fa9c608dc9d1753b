"""Canned answers of the loopback Anthropic server, whole or as the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from chatport.testing.loopback import DOCUMENT, STREAM, Json, Reply, document, event

USAGE: Final[Mapping[str, Any]] = {
    "input_tokens": 9,
    "output_tokens": 5,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 4,
    "output_tokens_details": {"thinking_tokens": 2},
    "service_tier": "standard",
}
REQUEST_ID: Final = ("request-id", "req_loopback")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model is made to say: the blocks of a message, and why it stopped.

    A block's text may be a tuple, the pieces it is streamed in. `end` are the members of the
    message that say how it ended. `broken` ends a stream with an error event after so many events.
    `delay`, `pause` and `cut` are those of a `Reply`; `cut` counts events.
    """

    blocks: tuple[Json, ...] = ()
    end: Mapping[str, Any] = field(default_factory=lambda: {"stop_reason": "end_turn"})
    usage: Mapping[str, Any] = field(default_factory=lambda: USAGE)
    broken: int | None = None
    delay: float = 0.0
    pause: float = 0.0
    cut: int | None = None

    def reply(self, asked: Json) -> Reply:
        """The answer to a request."""
        if not asked.get("stream"):
            body = document(self.message(asked))
            return Reply((body,), headers=(REQUEST_ID,), delay=self.delay, cut=self.cut)
        events = list(self.events(asked))
        if self.broken is not None:
            events = [*events[: self.broken], error_document("overloaded_error", "Overloaded")]
        return Reply(
            tuple(event(one, one["type"]) for one in events),
            kind=STREAM,
            headers=(REQUEST_ID,),
            delay=self.delay,
            pause=self.pause,
            cut=self.cut,
        )

    def message(self, asked: Json) -> Json:
        """The message, complete."""
        return {
            "id": "msg_loopback",
            "type": "message",
            "role": "assistant",
            "model": asked.get("model", ""),
            "content": [_joined(block) for block in self.blocks],
            "stop_reason": None,
            "stop_sequence": None,
            **self.end,
            "usage": dict(self.usage),
        }

    def events(self, asked: Json) -> Iterator[Json]:
        """The message as the events of a stream."""
        hollow: Json = {"content": [], "stop_reason": None, "stop_sequence": None}
        hollow["usage"] = dict(self.usage) | {"output_tokens": 1}
        yield {"type": "message_start", "message": self.message(asked) | hollow}
        yield {"type": "ping"}
        for index, block in enumerate(self.blocks):
            start, deltas = _streamed(block)
            yield {"type": "content_block_start", "index": index, "content_block": start}
            for delta in deltas:
                yield {"type": "content_block_delta", "index": index, "delta": delta}
            yield {"type": "content_block_stop", "index": index}
        end = {"stop_sequence": None, **self.end}
        yield {"type": "message_delta", "delta": end, "usage": dict(self.usage)}
        yield {"type": "message_stop"}


def _joined(block: Json) -> Json:
    said = block.get("text")
    return block | {"text": "".join(said)} if isinstance(said, tuple) else block


def _streamed(block: Json) -> tuple[Json, list[Json]]:
    """How a block begins in a stream, and the deltas that complete it."""
    match block.get("type"):
        case "text":
            said, cited = block["text"], block.get("citations") or []
            pieces = said if isinstance(said, tuple) else (said,)
            deltas: list[Json] = [{"type": "text_delta", "text": piece} for piece in pieces]
            deltas += [{"type": "citations_delta", "citation": one} for one in cited]
            return block | {"text": ""} | ({"citations": []} if cited else {}), deltas
        case "thinking":
            thought = {"type": "thinking_delta", "thinking": block["thinking"]}
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return block | {"thinking": "", "signature": ""}, [thought, signed]
        case "tool_use" | "server_tool_use":
            given = json.dumps(block["input"], separators=(",", ":"))
            pieces = ("", given[: len(given) // 2], given[len(given) // 2 :])
            return block | {"input": {}}, [
                {"type": "input_json_delta", "partial_json": piece} for piece in pieces
            ]
    return block, []


def text(*pieces: str, stop: str = "end_turn", citations: Sequence[Json] | None = None) -> Answer:
    """Text; several pieces are the deltas of a stream. `stop` is why it ended."""
    return blocks({"type": "text", "text": pieces, "citations": citations}, stop=stop)


def tool_use(name: str, given: Mapping[str, Any], identity: str = "toolu_1") -> Answer:
    """One call of a tool."""
    call = {"type": "tool_use", "id": identity, "name": name, "input": dict(given)}
    return blocks(call, stop="tool_use")


def thinking(thought: str, said: str, signature: str = "c2lnbmVk") -> Answer:
    """A thought, and then text."""
    block = {"type": "thinking", "thinking": thought, "signature": signature}
    return blocks(block, {"type": "text", "text": said})


def refusal(explanation: str | None = None, category: str | None = None) -> Answer:
    """The model declines."""
    details = {"type": "refusal", "category": category, "explanation": explanation}
    return Answer((), {"stop_reason": "refusal", "stop_details": details})


def blocks(*given: Json, stop: str = "end_turn") -> Answer:
    """Any blocks, as the API spells them."""
    return Answer(given, {"stop_reason": stop})


def slow(answer: Answer, delay: float, pause: float = 0.0) -> Answer:
    """The same answer, late: seconds before it, and before each further event."""
    return replace(answer, delay=delay, pause=pause)


def cut(answer: Answer, after: int = 0) -> Answer:
    """The same answer, with the connection cut after so many events; -1 before anything."""
    return replace(answer, cut=after)


def broken(answer: Answer, after: int) -> Answer:
    """The same answer, whose stream ends with an error after so many events."""
    return replace(answer, broken=after)


KINDS: Final[Mapping[int, str]] = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""The type of error the API sends with each status."""


def failure(
    status: int,
    message: str = "scripted failure",
    *,
    headers: Mapping[str, str] | None = None,
    times: int = 1,
) -> list[Reply]:
    """An error status, `times` over; what follows in the script succeeds again."""
    body = document(error_document(KINDS.get(status, "api_error"), message))
    told = (REQUEST_ID, *(headers or {}).items())
    return [Reply((body,), status, headers=told)] * times


def error_document(kind: str, message: str) -> Json:
    """The API's error document."""
    error = {"type": kind, "message": message}
    return {"type": "error", "error": error, "request_id": REQUEST_ID[1]}


def plain(*documents: Json) -> Reply:
    """A stream of exactly these events, closed cleanly."""
    return Reply(tuple(event(one, str(one.get("type", ""))) for one in documents), kind=STREAM)


def reply(body: bytes | str, kind: str = DOCUMENT, status: int = 200, **headers: str) -> Reply:
    """A body that need be nothing in particular."""
    content = body.encode() if isinstance(body, str) else body
    return Reply((content,), status, kind, tuple(headers.items()))
