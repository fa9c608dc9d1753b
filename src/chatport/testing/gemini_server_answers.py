"""The answers the loopback server derives from a request when no script says otherwise.

An answer is a pure function of what the request means. It must not depend on anything two clients
may spell differently for the same meaning (a missing role, an empty list, the split of a turn into
several parts), or two equal programs would print different things.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from chatport.testing.gemini_server_script import Answer, blocked, candidate, error, stopped
from chatport.testing.gemini_server_wire import Json, Route

VECTOR_LENGTH: Final = 8
"""Numbers in an embedding, unless the request asks for another length."""

RATED: Final = (
    "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    "HARM_CATEGORY_HATE_SPEECH",
    "HARM_CATEGORY_HARASSMENT",
    "HARM_CATEGORY_DANGEROUS_CONTENT",
)
"""The categories that an answer is rated in."""

SAMPLES: Final[Mapping[str, object]] = {
    "STRING": "text",
    "INTEGER": 3,
    "NUMBER": 1.5,
    "BOOLEAN": True,
    "NULL": None,
}
"""The value made for each JSON schema type without structure."""


TROUBLES: Final[Mapping[str, Callable[[], Answer]]] = {
    "BLOCK_PROMPT": blocked,
    "FINISH_SAFETY": stopped,
}
"""What a prompt that holds the word is answered with, in place of text."""

_FAILURE = re.compile(r"\bHTTP_([45]\d\d)\b")
"""What a prompt says that is answered with an error status."""


def generate(route: Route, body: Json, *, eager: bool) -> Answer:
    """Answer `generateContent` and `streamGenerateContent`.

    A declared function is called, with arguments made from its schema, when the mode is ANY or the
    prompt names it or says CALL; an eager model calls one at the first chance. A request for JSON
    gets a value of its schema; everything else gets the turn's number and its text back.
    """
    contents: list[Json] = body.get("contents") or []
    if not contents:
        return error(400, "GenerateContentRequest.contents: contents is not specified")
    config = body.get("generationConfig") or {}
    prompt = _said([contents[-1]])
    if (failure := _FAILURE.search(prompt)) is not None:
        return error(int(failure[1]), f"the prompt asked for status {failure[1]}")
    if (
        made := next((make for word, make in TROUBLES.items() if word in prompt), None)
    ) is not None:
        return made()
    if (function := _function_to_call(body, eager=eager)) is not None:
        parts = [{"functionCall": {"name": function["name"], "args": _arguments(function)}}]
        events = [candidate(parts, "STOP")]
    else:
        events = _spoken(_answer_text(contents, config), int(config.get("candidateCount") or 1))
    events = [_rated(event) for event in events]
    usage = _usage(contents, events)
    model = route.name.partition("/")[2]
    return Answer(tuple({**one, "usageMetadata": usage, "modelVersion": model} for one in events))


def count_tokens(route: Route, body: Json) -> Answer:
    """Answer `countTokens`: one token for each four characters begun of all text in the request."""
    request = body.get("generateContentRequest") or body
    contents = [*(request.get("contents") or []), request.get("systemInstruction") or {}]
    return Answer(({"totalTokens": _tokens(contents)},))


def embed(route: Route, body: Json) -> Answer:
    """Answer `embedContent`."""
    return Answer(({"embedding": {"values": _vector(body)}},))


def embed_batch(route: Route, body: Json) -> Answer:
    """Answer `batchEmbedContents`: a vector for each request, as `embedContent` gives it."""
    requests: list[Json] = body.get("requests") or []
    return Answer(({"embeddings": [{"values": _vector(one)} for one in requests]},))


DERIVED: Final[Mapping[str, Callable[[Route, Json], Answer]]] = {
    "countTokens": count_tokens,
    "embedContent": embed,
    "batchEmbedContents": embed_batch,
}


def merged(events: Sequence[Json]) -> Json:
    """Put the documents of a stream together as the plain call would have answered."""
    if len(events) < 2 or not all(event.get("candidates") for event in events):
        return events[-1] if events else {}
    parts: list[Json] = []
    for event in events:
        for part in event["candidates"][0].get("content", {}).get("parts", []):
            if parts and set(part) == {"text"} == set(parts[-1]):
                parts[-1] = {"text": parts[-1]["text"] + part["text"]}
            else:
                parts.append(part)
    last = events[-1]
    first_candidate = {**last["candidates"][0], "content": {"parts": parts, "role": "model"}}
    return {**last, "candidates": [first_candidate, *last["candidates"][1:]]}


def _function_to_call(body: Json, *, eager: bool) -> Json | None:
    """The declaration of the function to call now, the first by name; None when text is due.

    After a result has come back there is no second call, and a mode of NONE forbids the first.
    """
    last = body["contents"][-1]
    answered = any("functionResponse" in part for part in last.get("parts") or [])
    calling = (body.get("toolConfig") or {}).get("functionCallingConfig") or {}
    mode = str(calling.get("mode", "")).upper()
    if answered or mode == "NONE":
        return None
    allowed = calling.get("allowedFunctionNames")
    prompt = _said([last])
    asked = eager or mode == "ANY" or "CALL" in prompt
    declared: Iterable[Json] = (
        function
        for tool in body.get("tools") or []
        for function in tool.get("functionDeclarations") or []
        if (not allowed or function.get("name") in allowed)
        and (asked or str(function.get("name")) in prompt)
    )
    return min(declared, key=lambda function: str(function.get("name")), default=None)


def _arguments(function: Json) -> Any:
    schema = function.get("parameters") or function.get("parametersJsonSchema") or {}
    return sample(schema) if schema.get("properties") else {}


def sample(schema: Json) -> Any:
    """A value of a schema, in either spelling of the types; every property is given, by name."""
    if choices := schema.get("enum"):
        return choices[0]
    if "anyOf" in schema:
        return sample(next((one for one in schema["anyOf"] if _type(one) != "NULL"), {}))
    kind = _type(schema)
    if kind == "OBJECT":
        properties: Mapping[str, Json] = schema.get("properties") or {}
        return {name: sample(properties[name]) for name in sorted(properties)}
    if kind == "ARRAY":
        return [sample(schema.get("items") or {})]
    return SAMPLES.get(kind, "text")


def _type(schema: Json) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    return str(kind or ("OBJECT" if "properties" in schema else "STRING")).upper()


def _answer_text(contents: list[Json], config: Json) -> str:
    kind = config.get("responseMimeType")
    schema = config.get("responseSchema") or config.get("responseJsonSchema") or {}
    if kind == "application/json":
        return json.dumps(sample(schema) if schema else {"answer": _said(contents)})
    if kind == "text/x.enum":
        return str(sample(schema))
    return f"Answer {_turns(contents)}: {_said(contents)}"


def _turns(contents: list[Json]) -> int:
    """How often the user has spoken, runs of contents of one role counted once."""
    roles = [content.get("role") or "user" for content in contents]
    return sum(
        role != "model" and (index == 0 or roles[index - 1] == "model")
        for index, role in enumerate(roles)
    )


def _said(contents: list[Json]) -> str:
    return " ".join(_texts(contents[-1:])) or "(no text)"


def _texts(contents: Iterable[Json]) -> Iterable[str]:
    for content in contents:
        for part in content.get("parts") or []:
            if part.get("text"):
                yield part["text"]


def _spoken(answer: str, candidates: int) -> list[Json]:
    """The answer as the events of a stream: at most three, cut between words."""
    if candidates > 1:
        made = [candidate([{"text": answer}], "STOP", index) for index in range(candidates)]
        return [{"candidates": [one["candidates"][0] for one in made]}]
    words = re.findall(r"\s*\S+\s*", answer) or [answer]
    size = -(-len(words) // 3)
    pieces = ["".join(words[start : start + size]) for start in range(0, len(words), size)]
    last = len(pieces) - 1
    return [
        candidate([{"text": piece}], "STOP" if index == last else None)
        for index, piece in enumerate(pieces)
    ]


def _rated(event: Json) -> Json:
    """The event with each candidate's safety ratings: the service gives four, all harmless."""
    ratings = [{"category": name, "probability": "NEGLIGIBLE"} for name in RATED]
    return {**event, "candidates": [{**c, "safetyRatings": ratings} for c in event["candidates"]]}


def _tokens(contents: Iterable[Json]) -> int:
    return -(-sum(len(one) for one in _texts(contents)) // 4)


def _usage(contents: list[Json], events: list[Json]) -> Json:
    asked = _tokens(contents)
    answered = _tokens(one.get("content", {}) for event in events for one in event["candidates"])
    return {
        "promptTokenCount": asked,
        "candidatesTokenCount": answered,
        "totalTokenCount": asked + answered,
    }


def _vector(request: Json) -> list[float]:
    """Numbers from a digest of the parts: multiples of 1/128, which every float format holds."""
    parts = (request.get("content") or {}).get("parts") or []
    length = int(request.get("outputDimensionality") or VECTOR_LENGTH)
    seed = json.dumps(parts, sort_keys=True).encode()
    digest = b"".join(
        hashlib.sha256(seed + bytes([block % 256])).digest() for block in range(length // 32 + 1)
    )
    return [(byte - 128) / 128 for byte in digest[:length]]
