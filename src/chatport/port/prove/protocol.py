"""A generate request as the value the client would send it as: where the two halves meet.

The words are those of the client's own codec, and so are the places of what a `Request` has no word
for: the extensions of its options (`gemini/safety_settings`), the metadata of a part. Nothing is
dropped on the way; a request that fits in no other way is not held at all. Two requests are then
the same value only when they are the same request. Fields are read in the spelling the table of
normalisations gives them; one that is spelled otherwise is not held either.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from chatport.chat import (
    Document,
    InvalidValueError,
    JSONFormat,
    JSONSchemaFormat,
    Media,
    MediaPart,
    Message,
    Options,
    Part,
    ReasoningPart,
    Request,
    TextFormat,
    TextPart,
    ToolCall,
    ToolCallPart,
    ToolChoice,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    ToolResultPart,
)
from chatport.chat.options import Format
from chatport.port.prove.calls import Call
from chatport.providers.gemini.encode import MADE_UP, is_made_up
from chatport.providers.gemini.words import CONFIG_EXTENSIONS, MODES, OPTIONS, PROVIDER, snake
from chatport.testing.gemini_server_wire import GENERATING, Json

FORMAT_NAME: Final = "response"
"""The API gives the schema of an answer no name; the protocol wants one."""


class _NotHeldError(Exception):
    """The request holds something that has no place in a `Request`."""


def request_of(call: Call) -> Request | None:
    """The request as a protocol value; None for other methods and for what no value holds."""
    if call.method not in GENERATING:
        return None
    return _held(call.name, json.dumps(call.body, sort_keys=True))


def identity(call: Call) -> str:
    """Equal exactly when two calls are: by their protocol values, or as they are when not held."""
    request = request_of(call)
    if request is None:
        return call.fingerprint()
    around = Call(**{name: getattr(call, name) for name in _AROUND}, body={})
    return f"{around.fingerprint()} {request.to_json().decode()}"


_AROUND: Final = tuple(name for name in Call.__dataclass_fields__ if name != "body")


@lru_cache(maxsize=1024)
def _held(model: str, body: str) -> Request | None:
    try:
        return _request(model, json.loads(body))
    except (_NotHeldError, InvalidValueError):
        return None


def _request(model: str, body: Json) -> Request:
    messages = [_message(content) for content in _list(body.pop("contents", None))]
    if "systemInstruction" in body:
        messages.insert(0, _system(_object(body.pop("systemInstruction"))))
    tools = _tools(body)
    choice = _choice(body, {tool.name for tool in tools})
    settings = _settings(body)
    held: Json = {name: settings.pop(key) for key, name in OPTIONS.items() if key in settings}
    if None in held.values():
        raise _NotHeldError
    held["output_format"] = _format(settings)
    options = Options(model=model, extensions=_extensions(body, settings), **held)
    return Request(*messages, tools=tools, tool_choice=choice, options=options)


def _settings(body: Json) -> Json:
    if "generationConfig" not in body:
        return {}
    settings = _object(body.pop("generationConfig"))
    if not settings:
        raise _NotHeldError
    return settings


def _extensions(body: Json, settings: Json) -> Json:
    """The members of the request, and of its configuration, under the names they are set by."""
    members = _own(body)
    if members.keys() & _CONFIGURED:
        raise _NotHeldError  # it would be taken for a member of the configuration
    known = {key: value for key, value in settings.items() if snake(key) in CONFIG_EXTENSIONS}
    members |= _own(known)
    if others := {key: value for key, value in settings.items() if key not in known}:
        members[f"{PROVIDER}/generation_config"] = others
    return members


_CONFIGURED: Final = {f"{PROVIDER}/{name}" for name in (*CONFIG_EXTENSIONS, "generation_config")}


def _own(members: Json) -> Json:
    """Members of the API's own, as extensions and metadata name them."""
    return {f"{PROVIDER}/{snake(key)}": value for key, value in members.items()}


# --- messages -----------------------------------------------------------------------------------


def _system(content: Json) -> Message:
    return Message("system", _parts(content.pop("parts", None)), _own(content) or None)  # type: ignore[arg-type]


def _message(content: object) -> Message:
    fields = _object(content)
    role = fields.pop("role", None)
    parts = _parts(fields.pop("parts", None))
    if fields:
        raise _NotHeldError
    answers = any(isinstance(part, ToolResultPart) for part in parts)
    match role:
        case "user":
            return Message("tool" if answers else "user", parts)
        case "model":
            return Message("assistant", parts)
        case "function" if answers:
            return Message("tool", parts, metadata=_own({"role": role}))  # type: ignore[arg-type]
    raise _NotHeldError


def _parts(given: object) -> tuple[Part, ...]:
    return tuple(_part(index, _object(part)) for index, part in enumerate(_list(given)))


def _part(index: int, fields: Json) -> Part:
    kinds = [kind for kind in _PARTS if kind in fields]
    if len(kinds) != 1:
        raise _NotHeldError
    return _PARTS[kinds[0]](index, fields.pop(kinds[0]), fields)


def _text(_: int, text: Any, beside: Json) -> Part:
    if beside.get("thought") is not True:
        return TextPart(text, metadata=_own(beside))  # type: ignore[arg-type]
    rest = {key: value for key, value in beside.items() if key != "thought"}
    signature = rest.pop("thoughtSignature", None)
    if signature is not None and (not isinstance(signature, str) or not signature):
        raise _NotHeldError
    return ReasoningPart(text, (signature or "").encode(), _own(rest))  # type: ignore[arg-type]


def _inline(_: int, blob: object, beside: Json) -> Part:
    mime, data = _exactly(blob, "mimeType", "data")
    try:
        content = base64.b64decode(data, validate=True)
    except (TypeError, ValueError):
        raise _NotHeldError from None
    if base64.b64encode(content).decode() != data:
        raise _NotHeldError
    return MediaPart(Media.of_bytes(mime, content), _own(beside))  # type: ignore[arg-type]


def _file(_: int, file: object, beside: Json) -> Part:
    mime, uri = _exactly(file, "mimeType", "fileUri")
    return MediaPart(Media.of_uri(mime, uri), _own(beside))  # type: ignore[arg-type]


def _function_call(index: int, given: object, beside: Json) -> Part:
    call = _object(given)
    name = call.pop("name", None)
    arguments = _document(call.pop("args")) if "args" in call else ""
    known = _call_id(index, name, call)
    return ToolCallPart(ToolCall(known, name, arguments), _own(beside))  # type: ignore[arg-type]


def _function_response(index: int, given: object, beside: Json) -> Part:
    answer = _object(given)
    name = answer.pop("name", None)
    output = ToolOutput()
    if "response" in answer:
        output = ToolOutput(details=Document(_document(answer.pop("response"))))
    known = _call_id(index, name, answer)
    return ToolResultPart(ToolResult(known, name, output), _own(beside))  # type: ignore[arg-type]


def _call_id(index: int, name: object, rest: Json) -> str:
    """The id of a call, which the API may leave out: then its name and place in the turn.

    One that is made here is marked as such, so that it is never taken for one that was sent.
    """
    if not rest:
        return f"{MADE_UP}{name}-{index}"
    if set(rest) != {"id"} or not isinstance(rest["id"], str) or is_made_up(rest["id"]):
        raise _NotHeldError
    return rest["id"]


_PARTS: Final[Mapping[str, Callable[[int, Any, Json], Part]]] = {
    "text": _text,
    "inlineData": _inline,
    "fileData": _file,
    "functionCall": _function_call,
    "functionResponse": _function_response,
}


# --- tools --------------------------------------------------------------------------------------


def _tools(body: Json) -> list[ToolDefinition]:
    """The declared functions; they lead the list of tools, and what else is in it is left there."""
    tools = [_object(tool) for tool in _list(body.get("tools", []))]
    if not tools or not isinstance(tools[0].get("functionDeclarations"), list):
        return []
    (declared,) = _exactly(tools[0], "functionDeclarations")
    if not declared:
        raise _NotHeldError
    if len(tools) > 1:
        body["tools"] = tools[1:]
    else:
        del body["tools"]
    return [_definition(_object(one)) for one in declared]


def _definition(declared: Json) -> ToolDefinition:
    if None in declared.values():
        raise _NotHeldError
    name, description = declared.pop("name", None), declared.pop("description", None)
    schema = {"type": "OBJECT"}
    if "parameters" in declared:
        schema = _object(declared.pop("parameters"))
        if not schema.get("properties"):
            raise _NotHeldError  # the same as none, and nothing here could tell them apart
    if declared or description == "":
        raise _NotHeldError
    return ToolDefinition(name=name, description=description, input_schema=_json_schema(schema))


def _choice(body: Json, names: set[str]) -> ToolChoice | None:
    config = body.get("toolConfig")
    mode = next((mode for form, mode in _MODES if form == config), None)
    if mode is None and isinstance(config, dict):
        called = config.get("functionCallingConfig")
        only = called.get("allowedFunctionNames") if isinstance(called, dict) else None
        if isinstance(only, list) and len(only) == 1 and only[0] in names:
            named = {"mode": "ANY", "allowedFunctionNames": only}
            if config == {"functionCallingConfig": named}:
                del body["toolConfig"]
                return ToolChoice("named", only[0])
    if mode is None or not names:
        return None
    del body["toolConfig"]
    return mode


_MODES: Final = tuple(
    ({"functionCallingConfig": {"mode": word}}, choice)
    for word, choice in ((word, ToolChoice(mode)) for word, mode in MODES.items())
)


# --- the form of the answer ---------------------------------------------------------------------


def _format(settings: Json) -> Format | None:
    """The output format; takes the settings it holds out of `settings`."""
    mime, schema = settings.get("responseMimeType"), settings.get("responseSchema")
    if mime == "application/json" and isinstance(schema, dict):
        del settings["responseMimeType"], settings["responseSchema"]
        return JSONSchemaFormat(name=FORMAT_NAME, schema=_json_schema(schema))
    if "responseSchema" in settings:
        return None
    if mime == "application/json":
        del settings["responseMimeType"]
        return JSONFormat()
    if mime == "text/plain":
        del settings["responseMimeType"]
        return TextFormat()
    return None


def _json_schema(schema: Json) -> str:
    return _document(_lower(schema))


def _lower(schema: object) -> Json:
    """A schema of the API's dialect as a JSON schema: it writes the types in capitals."""
    fields = _object(schema)
    kind = fields.get("type")
    if kind is not None:
        if not isinstance(kind, str) or kind != kind.upper():
            raise _NotHeldError
        fields["type"] = kind.lower()
    if "properties" in fields:
        properties = _object(fields["properties"])
        fields["properties"] = {name: _lower(one) for name, one in properties.items()}
    if "items" in fields:
        fields["items"] = _lower(fields["items"])
    for several in ("anyOf", "prefixItems"):
        if several in fields:
            fields[several] = [_lower(one) for one in _list(fields[several])]
    return fields


# --- reading ------------------------------------------------------------------------------------


def _document(value: object) -> str:
    """Members sorted: their order has no meaning on the wire."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _object(value: object) -> Json:
    if not isinstance(value, dict):
        raise _NotHeldError
    return dict(value)


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise _NotHeldError
    return value


def _exactly(value: object, *names: str) -> tuple[Any, ...]:
    fields = _object(value)
    if set(fields) != set(names):
        raise _NotHeldError
    return tuple(fields[name] for name in names)
