"""The closed table of differences between two requests that are not a difference in meaning.

Two kinds. *Transport*: another spelling of the same request, which the service cannot tell apart;
passed over in silence. *Report*: something the model or a reader of logs might see; the two are
taken for the same, and the proof says so. What is not in this table is a difference.

Every entry has a test with a pair of programs that needs it (tests/prove/test_normalise.py), and
docs/prove-normalisations.md is its page.
"""

from __future__ import annotations

import inspect
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias

from chatport.port.prove.calls import Call
from chatport.port.prove.protocol import identity
from chatport.testing.gemini_server_wire import GENERATING, OPAQUE, Json

PIXELS: Final = "pixels"
"""The key under which an image carries the digest of its pixels, beside its bytes."""

Change: TypeAlias = Callable[[list[Call]], list[Call]]


class Kind(StrEnum):
    """Whether a normalisation is worth telling."""

    TRANSPORT = "transport"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class Normalisation:
    """One entry: what it is called, why the two are the same, and how both are made alike."""

    name: str
    kind: Kind
    why: str
    change: Change


def _each(change: Callable[[Call], Call]) -> Change:
    return lambda calls: [change(call) for call in calls]


def _bodies(change: Callable[[Any], Any]) -> Change:
    """Apply a change to every message of every body, the inner ones first; not to user data."""
    return _each(lambda call: replace(call, body=_walk(call.body, change)))


def _walk(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return change(
            {key: inner if key in OPAQUE else _walk(inner, change) for key, inner in value.items()}
        )
    if isinstance(value, list):
        return [_walk(inner, change) for inner in value]
    return value


# --- transport ----------------------------------------------------------------------------------


def _framing(call: Call) -> Call:
    return replace(call, query={k: v for k, v in call.query.items() if k not in {"alt", "$alt"}})


def _defaults(value: Json) -> Json:
    return {
        key: inner
        for key, inner in value.items()
        if not (inner is None or inner == [] or (key == "generationConfig" and inner == {}))
    }


def _roles(value: Json) -> Json:
    changed = dict(value)
    if isinstance(value.get("contents"), list):
        changed["contents"] = [
            {"role": "user", **one} if not one.get("role") else one for one in value["contents"]
        ]
    for key in ("systemInstruction", "content"):
        inner = value.get(key)
        if isinstance(inner, dict) and "parts" in inner:
            changed[key] = {name: part for name, part in inner.items() if name != "role"}
    return changed


def _numbers(call: Call) -> Call:
    return replace(call, body=_rounded(call.body))


def _rounded(value: Any) -> Any:
    """The program's own data has fractions of 64 bits, on either side."""
    if isinstance(value, dict):
        return {key: (_whole if key in OPAQUE else _rounded)(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    value = _whole(value)
    if not isinstance(value, float):
        return value
    return float(f"{struct.unpack('f', struct.pack('f', value))[0]:.6g}")


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_whole(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _one_embedding(call: Call) -> Call:
    if call.method != "embedContent":
        return call
    request = {**call.body, "model": call.name}
    return replace(call, method="batchEmbedContents", body={"requests": [request]})


def _count(call: Call) -> Call:
    wrapped = call.body.get("generateContentRequest")
    if call.method != "countTokens" or not isinstance(wrapped, dict):
        return call
    return replace(call, body={key: value for key, value in wrapped.items() if key != "model"})


def _uploads(calls: list[Call]) -> list[Call]:
    kept: list[Call] = []
    reads_back = False
    for call in calls:
        if reads_back and call.method == "files.get":
            reads_back = False
            continue
        # Only the upload library of the legacy SDK says the type of an upload in the query.
        reads_back = call.method == "files.upload" and "uploadType" in call.query
        kept.append(_plain_upload(call) if call.method == "files.upload" else call)
    return kept


def _plain_upload(call: Call) -> Call:
    declared = call.body.get("file") or {}
    plain = {key: one for key, one in declared.items() if key not in {"mimeType", "sizeBytes"}}
    query = {key: one for key, one in call.query.items() if key != "uploadType"}
    return replace(call, body={**call.body, "file": plain}, query=query, deadline=None)


_PAGE_SIZES: Final[Mapping[str, str]] = {
    "models.list": "50",
    "tunedModels.list": "50",
    "files.list": "100",
    "cachedContents.list": "1",
}


def _pages(call: Call) -> Call:
    if call.query.get("pageSize") != _PAGE_SIZES.get(call.method):
        return call
    return replace(call, query={k: v for k, v in call.query.items() if k != "pageSize"})


def _masks(call: Call) -> Call:
    return replace(call, query={k: v for k, v in call.query.items() if k != "updateMask"})


def _empty_schema(value: Json) -> Json:
    if value.get("responseSchema") == {}:
        return {key: inner for key, inner in value.items() if key != "responseSchema"}
    return value


# --- report -------------------------------------------------------------------------------------

_DEADLINES: Final[Mapping[str, float]] = {
    **dict.fromkeys(GENERATING, 600.0),
    **dict.fromkeys(("countTokens", "embedContent", "batchEmbedContents"), 60.0),
}


def _deadline(call: Call) -> Call:
    usual = _DEADLINES.get(call.method, 60.0)
    return replace(call, deadline=None) if call.deadline == usual else call


def _count_sampling(call: Call) -> Call:
    if call.method != "countTokens":
        return call
    settings = {"generationConfig", "safetySettings"}
    return replace(call, body={key: one for key, one in call.body.items() if key not in settings})


def _schema(value: Any) -> Any:
    """A schema in the API's own dialect, without what only describes it."""
    if not isinstance(value, dict):
        return value
    made: Json = {}
    for key, inner in value.items():
        if key in {"title", "default", "propertyOrdering", "additionalProperties"}:
            continue
        if key == "type" and isinstance(inner, str):
            made[key] = inner.upper()
        elif key == "properties" and isinstance(inner, dict):
            made[key] = {name: _schema(one) for name, one in inner.items()}
        elif key in {"anyOf", "prefixItems"} and isinstance(inner, list):
            made[key] = [_schema(one) for one in inner]
        elif key == "items":
            made[key] = _schema(inner)
        elif key == "required" and isinstance(inner, list):
            made |= {key: sorted(inner)} if inner else {}
        else:
            made[key] = inner
    return _nullable(made)


def _nullable(schema: Json) -> Json:
    choices = schema.get("anyOf")
    if not isinstance(choices, list):
        return schema
    real = [one for one in choices if one.get("type") != "NULL"]
    if len(real) != 1 or len(real) == len(choices):
        return schema
    rest = {key: inner for key, inner in schema.items() if key != "anyOf"}
    return {**rest, **real[0], "nullable": True}


def _function_schemas(value: Json) -> Json:
    if not isinstance(value.get("functionDeclarations"), list):
        return value
    return {**value, "functionDeclarations": [_function(f) for f in value["functionDeclarations"]]}


def _function(declared: Json) -> Json:
    made = {
        key: inner
        for key, inner in declared.items()
        if key not in {"parametersJsonSchema", "responseJsonSchema", "description", "parameters"}
    }
    parameters = declared.get("parameters") or declared.get("parametersJsonSchema")
    if parameters and parameters.get("properties"):
        made["parameters"] = _schema(parameters)
    if description := inspect.cleandoc(declared.get("description") or ""):
        made["description"] = description
    return made


def _response_schema(value: Json) -> Json:
    if isinstance(value.get("responseSchema"), dict):
        return {**value, "responseSchema": _schema(value["responseSchema"])}
    return value


def _merged_turns(calls: list[Call]) -> list[Call]:
    """Only after a stream: before it, turns of the model are as the program wrote them."""
    made: list[Call] = []
    streamed = False
    for call in calls:
        made.append(replace(call, body=_walk(call.body, _one_turn_each)) if streamed else call)
        streamed = streamed or call.streams
    return made


def _one_turn_each(value: Json) -> Json:
    if not isinstance(value.get("contents"), list):
        return value
    turns: list[Json] = []
    for content in value["contents"]:
        if content.get("role") != "model":
            turns.append(content)
        elif turns and turns[-1].get("role") == "model":
            turns[-1] = {**content, "parts": _merged([*turns[-1]["parts"], *content["parts"]])}
        else:
            turns.append({**content, "parts": _merged(content["parts"])})
    return {**value, "contents": turns}


def _merged(parts: Sequence[Json]) -> list[Json]:
    merged: list[Json] = []
    for part in parts:
        if merged and set(part) == {"text"} == set(merged[-1]):
            merged[-1] = {"text": merged[-1]["text"] + part["text"]}
        else:
            merged.append(part)
    return merged


def _function_results(value: Json) -> Json:
    """`{"result": {...}}` and `{...}`: one SDK wraps every result, the other only plain values."""
    given = value.get("functionResponse")
    if not isinstance(given, dict) or not isinstance(given.get("response"), dict):
        return value
    inner = given["response"].get("result")
    if set(given["response"]) != {"result"} or not isinstance(inner, dict):
        return value
    return {**value, "functionResponse": {**given, "response": inner}}


def _pixels(value: Json) -> Json:
    """Pictures by their pixels, where `images.with_pixels` has found these out."""
    blob = value.get("inlineData")
    if not isinstance(blob, dict) or PIXELS not in blob:
        return value
    return {**value, "inlineData": {PIXELS: blob[PIXELS]}}


def _order(calls: list[Call]) -> list[Call]:
    """Calls of different tasks may overtake each other; those of one task may not."""
    tasks = {call.task for call in calls}
    if len(tasks) < 2:
        return calls
    by_task = [[call for call in calls if call.task == task] for task in tasks]
    grouped = sorted(by_task, key=lambda group: [call.fingerprint() for call in group])
    return [call for group in grouped for call in group]


TABLE: Final[tuple[Normalisation, ...]] = (
    Normalisation(
        "framing",
        Kind.TRANSPORT,
        "How a stream is framed is chosen by the SDK, in the query.",
        _each(_framing),
    ),
    Normalisation(
        "defaults",
        Kind.TRANSPORT,
        "An empty list, a null and an empty generationConfig are what a missing field means.",
        _bodies(_defaults),
    ),
    Normalisation(
        "roles",
        Kind.TRANSPORT,
        "A turn without a role is the user's; a system instruction and an embedded text have none.",
        _bodies(_roles),
    ),
    Normalisation(
        "numbers",
        Kind.TRANSPORT,
        "40 is 40.0, and the service reads fractions into 32 bits, as the legacy SDK sends them; "
        "not those of the program's own data.",
        _each(_numbers),
    ),
    Normalisation(
        "one-embedding",
        Kind.TRANSPORT,
        "embedContent is batchEmbedContents of one.",
        _each(_one_embedding),
    ),
    Normalisation(
        "count-request",
        Kind.TRANSPORT,
        "countTokens takes the contents by themselves or inside a generate request.",
        _each(_count),
    ),
    Normalisation(
        "upload",
        Kind.TRANSPORT,
        "The legacy SDK declares type and size in headers and reads the file back after it.",
        _uploads,
    ),
    Normalisation(
        "page-size",
        Kind.TRANSPORT,
        "The legacy SDK states its page size; all pages are read in any case.",
        _each(_pages),
    ),
    Normalisation(
        "update-mask",
        Kind.TRANSPORT,
        "The legacy SDK names the fields of an update, which are those in its body.",
        _each(_masks),
    ),
    Normalisation(
        "empty-schema",
        Kind.TRANSPORT,
        "A protocol-buffer configuration states an empty response schema, which asks for nothing.",
        _bodies(_empty_schema),
    ),
    Normalisation(
        "deadline",
        Kind.REPORT,
        "The legacy SDK gives up after 600 s (60 s when it does not generate), google-genai never.",
        _each(_deadline),
    ),
    Normalisation(
        "count-sampling",
        Kind.REPORT,
        "google-genai counts tokens without the sampling and safety settings, "
        "which do not change the number.",
        _each(_count_sampling),
    ),
    Normalisation(
        "function-schema",
        Kind.REPORT,
        "A Python function is described in another dialect of JSON schema, with its docstring "
        "dedented, and with its defaults and the type of its result.",
        _bodies(_function_schemas),
    ),
    Normalisation(
        "response-schema",
        Kind.REPORT,
        "google-genai adds titles, defaults and the order of properties to a response schema.",
        _bodies(_response_schema),
    ),
    Normalisation(
        "merged-turns",
        Kind.REPORT,
        "After a stream google-genai keeps each chunk of the model's turn by itself.",
        _merged_turns,
    ),
    Normalisation(
        "function-result",
        Kind.REPORT,
        'google-genai wraps every result of a function in {"result": ...}.',
        _bodies(_function_results),
    ),
    Normalisation(
        "image-encoding",
        Kind.REPORT,
        "An image object is encoded as WebP by the legacy SDK and as PNG by google-genai; "
        "the pixels are the same.",
        _bodies(_pixels),
    ),
    Normalisation(
        "order",
        Kind.REPORT,
        "Calls of different tasks or threads came in another order.",
        _order,
    ),
)


def normalised(calls: Sequence[Call], names: frozenset[str]) -> list[Call]:
    """The calls after the named entries, in the order of the table."""
    made = list(calls)
    for entry in TABLE:
        if entry.name in names:
            made = entry.change(made)
    return made


ALL: Final = frozenset(entry.name for entry in TABLE)
IN_ORDER: Final = ALL - {"order"}


def needed(before: Sequence[Call], after: Sequence[Call]) -> frozenset[str] | None:
    """A smallest set of entries that makes two sequences equal; None when none does."""
    names = next((one for one in (IN_ORDER, ALL) if _equal(before, after, one)), None)
    if names is None:
        return None
    for entry in TABLE:
        if _equal(before, after, names - {entry.name}):
            names -= {entry.name}
    return names


def _equal(before: Sequence[Call], after: Sequence[Call], names: frozenset[str]) -> bool:
    one, other = normalised(before, names), normalised(after, names)
    return [identity(call) for call in one] == [identity(call) for call in other]
