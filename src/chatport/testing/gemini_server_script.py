"""Canned answers: what the loopback server says instead of its derived answer, call by call.

A script is a list of answers, or the same as JSON (one object an answer, see `from_json`), so that
a test case can keep it in a file beside its programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from chatport.testing.gemini_server_wire import GENERATING, Json

STATUS_NAMES: Final[Mapping[int, str]] = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
"""The status name the service sends with each HTTP code."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back for one request.

    `events` are the JSON documents of a stream; a plain call gets them merged into one. `raw`
    replaces the documents by bytes that need not be JSON. `delay` and `pause` are seconds: before
    the first byte, and before each further event. `cut` closes the connection after so many events
    (a plain call: in the middle of its body). `methods` says which calls a canned answer is for.
    """

    events: tuple[Json, ...] = ()
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    raw: bytes | None = None
    delay: float = 0.0
    pause: float = 0.0
    cut: int | None = None
    methods: frozenset[str] = GENERATING


def text(*pieces: str, finish: str = "STOP") -> Answer:
    """Text; several pieces are the chunks of a stream. `finish` is the finish reason."""
    last = len(pieces) - 1
    return Answer(
        tuple(
            candidate([{"text": piece}], finish if index == last else None)
            for index, piece in enumerate(pieces)
        )
    )


def function_call(
    name: str, args: Mapping[str, Any] | None = None, **more: Mapping[str, Any]
) -> Answer:
    """One function call, or several: `function_call("a", {...}, b={...})`."""
    calls = {name: dict(args or {}), **{key: dict(value) for key, value in more.items()}}
    parts = [{"functionCall": {"name": key, "args": value}} for key, value in calls.items()]
    return Answer((candidate(parts, "STOP"),))


def parts(*wire_parts: Json, finish: str = "STOP") -> Answer:
    """Any parts, as the service spells them."""
    return Answer((candidate(list(wire_parts), finish),))


def blocked(reason: str = "SAFETY") -> Answer:
    """The prompt was blocked: no candidate, and why."""
    return Answer(({"promptFeedback": {"blockReason": reason}, "usageMetadata": _usage()},))


def stopped(reason: str = "SAFETY") -> Answer:
    """A candidate without content that ended for `reason`."""
    return Answer(
        ({"candidates": [{"finishReason": reason, "index": 0}], "usageMetadata": _usage()},)
    )


def no_candidates() -> Answer:
    """An answer that holds nothing but the usage."""
    return Answer(({"usageMetadata": _usage()},))


def body(*documents: Json) -> Answer:
    """The documents as they are: what none of the other forms can say."""
    return Answer(tuple(documents))


def failure(status: int, message: str | None = None, times: int = 1) -> list[Answer]:
    """An error status, `times` over; what follows in the script succeeds again."""
    return [error(status, message or f"scripted failure {status}")] * times


def malformed() -> Answer:
    """A body that breaks off in the middle of its JSON, over a connection that closes cleanly."""
    return Answer(raw=b'{"candidates": [{"content": {"parts": [{"te')


def slow(answer: Answer, delay: float, pause: float = 0.0) -> Answer:
    """The same answer, late: seconds before it, and before each further event."""
    return replace(answer, delay=delay, pause=pause)


def cut(answer: Answer, after: int = 0) -> Answer:
    """The same answer, with the connection cut after so many events."""
    return replace(answer, cut=after)


def meant_for(answer: Answer, *methods: str) -> Answer:
    """The same answer for other methods than the generating ones, say `countTokens`."""
    return replace(answer, methods=frozenset(methods))


def candidate(wire_parts: list[Json], finish: str | None, index: int = 0) -> Json:
    """A response document with one candidate."""
    made: Json = {"content": {"parts": wire_parts, "role": "model"}, "index": index}
    if finish is not None:
        made["finishReason"] = finish
    return {"candidates": [made], "usageMetadata": _usage()}


def error(status: int, message: str) -> Answer:
    """The service's error document."""
    name = STATUS_NAMES.get(status, "UNKNOWN")
    return Answer(({"error": {"code": status, "message": message, "status": name}},), status)


def _usage() -> Json:
    return {"promptTokenCount": 4, "candidatesTokenCount": 4, "totalTokenCount": 8}


_Builder: TypeAlias = Callable[[Any], Answer | list[Answer]]

_KINDS: Final[Mapping[str, _Builder]] = {
    "text": lambda value: text(value),
    "chunks": lambda value: text(*value),
    "call": lambda value: function_call(value["name"], value.get("args")),
    "calls": lambda value: parts(*({"functionCall": one} for one in value)),
    "parts": lambda value: parts(*value),
    "blocked": lambda value: blocked(value),
    "stopped": lambda value: stopped(value),
    "empty": lambda value: no_candidates(),
    "body": lambda value: body(value),
    "status": lambda value: failure(value),
    "malformed": lambda value: malformed(),
}
_MODIFIERS: Final = frozenset({"delay", "pause", "cut", "methods", "times", "finish"})


class ScriptError(ValueError):
    """A script that cannot be read; the message names the row and what is allowed there."""


def from_json(rows: object) -> list[Answer]:
    """Read a script from its JSON form: a list of rows, each one kind and any modifiers.

    Kinds: `text`, `chunks`, `call`, `calls`, `parts`, `blocked`, `stopped`, `empty`, `body`,
    `status`, `malformed`. Modifiers: `delay`, `pause` (seconds), `cut` (events), `times`, `finish`
    (a finish reason), `methods` (a list of method names).

    Raises:
        ScriptError: a row is not an object, has not exactly one kind, or an unknown key.
    """
    if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
        raise ScriptError("a script is a list of rows")
    return [answer for number, row in enumerate(rows) for answer in _row(number, row)]


def _row(number: int, row: object) -> Iterable[Answer]:
    if not isinstance(row, Mapping):
        raise ScriptError(f"script[{number}] is not an object")
    kinds = [key for key in row if key in _KINDS]
    unknown = sorted(set(row) - set(_KINDS) - _MODIFIERS)
    if len(kinds) != 1 or unknown:
        wrong = f"unknown key {unknown[0]!r}" if unknown else f"{len(kinds)} kinds of answer"
        allowed = f"one of {', '.join(_KINDS)}, and any of {', '.join(sorted(_MODIFIERS))}"
        raise ScriptError(f"script[{number}]: {wrong}; a row has {allowed}")
    (kind,) = kinds
    try:
        built = _KINDS[kind](row[kind])
    except (AttributeError, KeyError, TypeError) as fault:
        raise ScriptError(f"script[{number}].{kind}: {row[kind]!r} does not fit") from fault
    answers = built if isinstance(built, list) else [built]
    return [_modified(answer, row) for answer in answers] * int(row.get("times", 1))


def _modified(answer: Answer, row: Mapping[str, Any]) -> Answer:
    if "finish" in row:
        *head, last = answer.events
        candidates = [{**one, "finishReason": row["finish"]} for one in last["candidates"]]
        answer = replace(answer, events=(*head, {**last, "candidates": candidates}))
    if "methods" in row:
        answer = meant_for(answer, *row["methods"])
    return replace(
        answer,
        delay=float(row.get("delay", answer.delay)),
        pause=float(row.get("pause", answer.pause)),
        cut=row.get("cut", answer.cut),
    )
