"""Canned answers of the loopback OpenAI server, in either of the two protocols it speaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from chatport.testing.loopback import DOCUMENT, STREAM, Json, Reply, document, event

USAGE: Final = {"input": 9, "output": 5, "reasoning": 2, "cached": 4}
CREATED: Final = 1_764_500_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model is made to say: texts (the pieces of a stream), calls, a refusal, reasoning.

    `finish` is Chat Completions' word for why it ended. `members` are further members of the
    message there. `delay`, `pause` and `cut` are those of a `Reply`; `cut` counts events.
    """

    texts: tuple[str, ...] = ()
    calls: tuple[tuple[str, str, str], ...] = ()
    refusal: str = ""
    reasoning: str = ""
    finish: str = "stop"
    members: Mapping[str, Any] = field(default_factory=dict)
    delay: float = 0.0
    pause: float = 0.0
    cut: int | None = None

    def chat(self, asked: Json) -> Reply:
        """The answer of Chat Completions to a request."""
        if asked.get("stream"):
            told = (asked.get("stream_options") or {}).get("include_usage", False)
            return self._events([event(one) for one in self._chunks(asked, told)] + [_DONE])
        message: Json = {"role": "assistant", "content": "".join(self.texts) or None}
        message |= {"refusal": self.refusal or None, "annotations": []}
        if self.reasoning:
            message["reasoning_content"] = self.reasoning
        if self.calls:
            message["tool_calls"] = [_call(*one) for one in self.calls]
        choice = {"index": 0, "message": message | dict(self.members), "logprobs": None}
        choice["finish_reason"] = self.finish
        whole = _about(asked, "chat.completion") | {"choices": [choice], "usage": _chat_usage()}
        return Reply((document(whole),), delay=self.delay, cut=self.cut)

    def _chunks(self, asked: Json, told: bool) -> Iterator[Json]:
        about = _about(asked, "chat.completion.chunk")

        def chunk(delta: Json, finish: str | None = None) -> Json:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            return about | {"choices": [choice]} | ({"usage": None} if told else {})

        yield chunk({"role": "assistant", "content": "", "refusal": None})
        if self.reasoning:
            yield chunk({"reasoning_content": self.reasoning})
        for piece in self.texts:
            yield chunk({"content": piece})
        if self.refusal:
            yield chunk({"refusal": self.refusal})
        if self.members:
            yield chunk(dict(self.members))
        for index, (identity, name, arguments) in enumerate(self.calls):
            half = len(arguments) // 2
            yield chunk({"tool_calls": [{"index": index} | _call(identity, name, "")]})
            for piece in (arguments[:half], arguments[half:]):
                fragment = {"index": index, "function": {"arguments": piece}}
                yield chunk({"tool_calls": [fragment]})
        yield chunk({}, self.finish)
        if told:
            yield about | {"choices": [], "usage": _chat_usage()}

    def response(self, asked: Json) -> Reply:
        """The answer of Responses to a request."""
        from chatport.testing.openai_server_responses import events, whole

        if asked.get("stream"):
            return self._events([event(one, one["type"]) for one in events(self, asked)])
        return Reply((document(whole(self, asked)),), delay=self.delay, cut=self.cut)

    def _events(self, pieces: list[bytes]) -> Reply:
        return Reply(tuple(pieces), kind=STREAM, delay=self.delay, pause=self.pause, cut=self.cut)


_DONE: Final = event("[DONE]")


def text(*pieces: str, finish: str = "stop") -> Answer:
    """Text; several pieces are the chunks of a stream."""
    return Answer(pieces, finish=finish)


def call(name: str, arguments: str = "{}", identity: str = "call_1") -> Answer:
    """One tool call; its arguments are text, and need not be JSON."""
    return calls((identity, name, arguments))


def calls(*given: tuple[str, str, str]) -> Answer:
    """Several tool calls: id, name, arguments."""
    return Answer(calls=given, finish="tool_calls")


def refusal(words: str) -> Answer:
    """The model declines."""
    return Answer(refusal=words)


def message(finish: str = "stop", **members: Any) -> Answer:
    """A message with any members, as Chat Completions spells them."""
    return Answer(members=members, finish=finish)


def slow(answer: Answer, delay: float, pause: float = 0.0) -> Answer:
    """The same answer, late: seconds before it, and before each further event."""
    return replace(answer, delay=delay, pause=pause)


def cut(answer: Answer, after: int = 0) -> Answer:
    """The same answer, with the connection cut after so many events; -1 before anything."""
    return replace(answer, cut=after)


def failure(
    status: int,
    message: str = "scripted failure",
    *,
    code: str | None = None,
    kind: str = "invalid_request_error",
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
    times: int = 1,
) -> list[Reply]:
    """An error status, `times` over; what follows in the script succeeds again."""
    error = {"message": message, "type": kind, "param": param, "code": code}
    told = (("x-request-id", "req_loopback"), *(headers or {}).items())
    return [Reply((document({"error": error}),), status, headers=told)] * times


def plain(*documents: Json | str, done: bool = False) -> Reply:
    """A stream of exactly these documents, closed cleanly; `done` adds the event that ends it."""
    pieces = [event(one) for one in documents] + ([_DONE] if done else [])
    return Reply(tuple(pieces), kind=STREAM)


def reply(body: bytes | str, kind: str = DOCUMENT, status: int = 200, **headers: str) -> Reply:
    """A body that need be nothing in particular."""
    content = body.encode() if isinstance(body, str) else body
    return Reply((content,), status, kind, tuple(headers.items()))


def _call(identity: str, name: str, arguments: str) -> Json:
    function = {"name": name, "arguments": arguments}
    return {"id": identity, "type": "function", "function": function}


def _about(asked: Json, kind: str) -> Json:
    return {
        "id": "chatcmpl-loopback",
        "object": kind,
        "created": CREATED,
        "model": asked.get("model", ""),
        "service_tier": "default",
        "system_fingerprint": "fp_loopback",
    }


def _chat_usage() -> Json:
    return {
        "prompt_tokens": USAGE["input"],
        "completion_tokens": USAGE["output"],
        "total_tokens": USAGE["input"] + USAGE["output"],
        "prompt_tokens_details": {"cached_tokens": USAGE["cached"], "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": USAGE["reasoning"], "audio_tokens": 0},
    }
