"""The JSON of the protocol values, both ways."""

from __future__ import annotations

import re
from typing import Any, Final, TypeVar

import msgspec

from chatport.chat import errors as e
from chatport.chat.document import check_syntax
from chatport.chat.errors import InvalidJSONError, InvalidValueError, join_path, path_of
from chatport.chat.value import Fault, Value

V = TypeVar("V", bound=Value)

NESTED: Final[dict[tuple[Fault, str], Fault]] = {
    (e.InvalidRequestError, "messages"): e.InvalidMessageError,
    (e.InvalidRequestError, "tools"): e.InvalidToolDefinitionError,
    (e.InvalidRequestError, "tool_choice"): e.InvalidToolChoiceError,
    (e.InvalidRequestError, "options"): e.InvalidOptionsError,
    (e.InvalidOptionsError, "output_format"): e.InvalidOutputFormatError,
    (e.InvalidOptionsError, "extensions"): e.InvalidMetadataError,
    (e.InvalidMessageError, "parts"): e.InvalidPartError,
    (e.InvalidMessageError, "metadata"): e.InvalidMetadataError,
    (e.InvalidPartError, "media"): e.InvalidMediaError,
    (e.InvalidPartError, "citations"): e.InvalidCitationError,
    (e.InvalidPartError, "tool_call"): e.InvalidToolCallError,
    (e.InvalidPartError, "tool_result"): e.InvalidToolResultError,
    (e.InvalidPartError, "metadata"): e.InvalidMetadataError,
    (e.InvalidMediaError, "source"): e.InvalidSourceError,
    (e.InvalidMediaError, "metadata"): e.InvalidMetadataError,
    (e.InvalidToolResultError, "output"): e.InvalidToolOutputError,
    (e.InvalidToolOutputError, "content"): e.InvalidPartError,
    (e.InvalidResponseError, "message"): e.InvalidMessageError,
    (e.InvalidResponseError, "media"): e.InvalidMediaError,
    (e.InvalidResponseError, "citation"): e.InvalidCitationError,
    (e.InvalidResponseError, "tool_call"): e.InvalidToolCallError,
    (e.InvalidResponseError, "usage"): e.InvalidUsageError,
    (e.InvalidResponseError, "message_metadata"): e.InvalidMetadataError,
    (e.InvalidResponseError, "extra"): e.InvalidMetadataError,
}
"""Which class of error a member has of its own, inside a value of a class of error."""

SEQUENCES: Final = frozenset({"messages", "tools", "parts", "citations", "content"})
"""Members whose items, not they themselves, are values of the nested class."""


def encode(value: Value) -> bytes:
    """Compact JSON, members in the protocol's order, absent ones left out."""
    return _ENCODER.encode(value)


def decode(kind: type[V], data: bytes | str) -> V:
    """A `kind` out of strict JSON. Raises its class of error, with the nested ones as causes."""
    try:
        text = check_syntax(data)
    except InvalidJSONError as error:
        raise kind.fault.around(error, "") from error
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as error:
        fault = _located(kind.fault, error)
        raise fault from fault.__cause__


def _located(outermost: Fault, error: msgspec.MsgspecError) -> InvalidValueError:
    """The decoder's error as the outermost value's, with those of the values between as causes."""
    cause = error.__cause__
    ours = cause if isinstance(cause, InvalidValueError) else None
    problem, path, member = _where(str(error), "" if ours is None else str(ours))
    frames, rest = _frames(outermost, path)
    rest = join_path(rest, member)
    innermost = frames[-1][0]
    if ours is None:
        fault = innermost(problem, rest)
    elif isinstance(ours, innermost) and not rest:
        fault = ours
    else:
        fault = innermost.around(ours, rest)
    for (_, step), (kind, _) in zip(frames[:0:-1], frames[-2::-1], strict=True):
        fault = kind.around(fault, step)
    return fault


def _where(message: str, ours: str) -> tuple[str, str, str]:
    """Problem, path of the value, and member, from a decoder's message that starts with `ours`."""
    place = _PLACE.search(message, len(ours))
    problem = (message[: place.start()] if place else message)[:MAX_PROBLEM]
    path = place["path"] if place else ""
    if unknown := _UNKNOWN.fullmatch(problem):
        return "is not a member of this value", path, path_of([unknown[1]])
    if missing := _MISSING.fullmatch(problem):
        return "is missing", path, missing[1]
    return problem, path, ""


def _frames(outermost: Fault, path: str) -> tuple[list[tuple[Fault, str]], str]:
    """The classes of error on the way down a path, each with the step that leads to it.

    Also the rest of the path, which lies inside the last of them.
    """
    frames = [(outermost, "")]
    step = ""
    for name, indices in _STEP.findall(path):
        step = join_path(step, name + indices)
        kind = NESTED.get((frames[-1][0], name))
        if kind is not None and (indices or name not in SEQUENCES):
            frames.append((kind, step))
            step = ""
    return frames, step


def _raw(value: Any) -> msgspec.Raw:
    # Only metadata and documents are no structs; both are JSON text already.
    return msgspec.Raw(value.to_json())


MAX_PROBLEM: Final = 300
"""Characters of the decoder's message that are kept: it quotes what it refuses."""
_ENCODER: Final = msgspec.json.Encoder(enc_hook=_raw)
_PLACE: Final = re.compile(r" - at `\$\.?(?P<path>[\w.\[\]]*)`\Z")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `(\w+)`")
_STEP: Final = re.compile(r"(\w+)((?:\[\w*\])*)")
