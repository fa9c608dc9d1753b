"""What both of OpenAI's protocols spell alike."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from chatport.chat import (
    BytesSource,
    Format,
    JSONFormat,
    JSONSchemaFormat,
    Media,
    ToolResult,
    UnsupportedError,
    UnsupportedOptionError,
    UnsupportedOutputFormatError,
    Usage,
)
from chatport.providers.codec import extension_members
from chatport.providers.errors import UnexpectedAnswerError

if TYPE_CHECKING:
    from chatport.chat import Options, Request

Json = dict[str, Any]

PROVIDER: Final = "openai"
NAMES: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
AUDIO: Final[Mapping[str, str]] = {
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/wave": "wav",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
}
"""The sounds that can be sent, by what OpenAI calls them."""


def encode_body(body: Json, request: Request, reserved: frozenset[str]) -> bytes:
    """The body with the request's extensions as further members; one that is null is left out.

    Raises `UnsupportedOptionError` for an extension that is of another provider, has an option of
    its own, or asks for what cannot be answered here.
    """
    for name, value in extension_members(request.options, PROVIDER).items():
        path = f"options.extensions['{PROVIDER}/{name}']"
        if name in reserved:
            raise UnsupportedOptionError("is not for extensions to set", path)
        if bytes(value) == b"null":
            body.pop(name, None)
        elif name == "tools":
            body["tools"] = [*body.get("tools", ()), *_hosted(value, path)]
        elif name not in body or name in OVERRIDABLE:
            body[name] = value
        elif isinstance(body[name], dict):
            body[name] = _merged(body[name], value, path)
        else:
            raise UnsupportedOptionError("is set by the request already", path)
    return _ENCODER.encode(body)


def _hosted(value: msgspec.Raw, path: str) -> list[msgspec.Raw]:
    """Tools that the provider itself runs, which go beside the request's."""
    try:
        return msgspec.json.decode(value, type=list[msgspec.Raw])
    except msgspec.MsgspecError:
        raise UnsupportedOptionError("is a list of tools", path) from None


def _merged(given: Json, value: msgspec.Raw, path: str) -> Json:
    """An object that both the request and an extension say something in."""
    try:
        added = msgspec.json.decode(value, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        raise UnsupportedOptionError("is set by the request already", path) from None
    if common := given.keys() & added.keys():
        raise UnsupportedOptionError(f"{min(common)} is set by the request already", path)
    return given | added


OVERRIDABLE: Final = frozenset({"stream_options"})
"""Members we set of our own accord, which an extension may set otherwise."""
_ENCODER: Final = msgspec.json.Encoder()


def json_schema(chosen: JSONSchemaFormat) -> Json:
    """The members that both protocols give a schema."""
    if not NAMES.fullmatch(chosen.name):
        raise UnsupportedOutputFormatError(
            "openai: must be 1 to 64 of the letters, digits, '_' and '-' of ASCII",
            "options.output_format.name",
        )
    told: Json = {"name": chosen.name, "schema": msgspec.Raw(chosen.schema.to_json())}
    if chosen.description is not None:
        told["description"] = chosen.description
    if is_strict(chosen.schema.decode(dict)):
        told["strict"] = True
    return told


def format_kind(chosen: Format) -> str:
    """What OpenAI calls the kind of format."""
    if isinstance(chosen, JSONSchemaFormat):
        return "json_schema"
    return "json_object" if isinstance(chosen, JSONFormat) else "text"


def is_strict(schema: object) -> bool:
    """Whether a schema is one that strict mode takes: every object closed, every member required.

    https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
    """
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.keys() & NOT_STRICT:
        return False
    properties = schema.get("properties")
    if schema.get("type") == "object" or properties is not None:
        if not isinstance(properties, dict) or schema.get("additionalProperties") is not False:
            return False
        if set(schema.get("required", ())) != set(properties):
            return False
        if not all(map(is_strict, properties.values())):
            return False
    named = [*(schema.get("$defs") or {}).values(), *(schema.get("definitions") or {}).values()]
    inner = [schema.get(name) for name in ("items", "anyOf", "additionalProperties")]
    return all(map(is_strict, [*named, *inner]))


NOT_STRICT: Final = frozenset(
    {
        *("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"),
        *("patternProperties", "prefixItems", "unevaluatedItems", "unevaluatedProperties"),
        *("propertyNames", "contains", "default"),
    }
)
"""Keywords that strict mode refuses."""


def data_uri(media: Media) -> str:
    """Media given as bytes, as a data URI."""
    return f"data:{media.mime};base64,{base64_of(media)}"


def base64_of(media: Media) -> str:
    """The bytes of media as base64."""
    return b64encode(media.as_bytes()).decode()


def bytes_of(text: str) -> bytes:
    """The bytes of base64. Raises `UnexpectedAnswerError` when it is none."""
    try:
        return b64decode(text)
    except Base64Error as fault:
        raise UnexpectedAnswerError(f"media that is no base64: {fault}") from None


def file_name(mime: str) -> str:
    """A name for a file without one: the provider goes by its ending."""
    from mimetypes import guess_extension

    return f"file{guess_extension(mime) or ''}"


def is_bytes(media: Media) -> bool:
    """Whether media is given as bytes."""
    return isinstance(media.source, BytesSource)


def unsupported_media(media: Media, path: str, what: str) -> UnsupportedError:
    """The error for media that has no place."""
    kind = type(media.source).__name__.removesuffix("Source").lower()
    return UnsupportedError(f"openai: {media.mime} given as {kind}: {what}", path)


def result_text(result: ToolResult, path: str) -> str:
    """The text of a tool's result. Raises `UnsupportedError` when it has media."""
    text = result.output.text()
    if text is None:
        raise UnsupportedError("openai: Chat Completions takes only text from tools", path)
    return text


def parallel(options: Json, request: Request) -> None:
    """Say whether several calls at a time are wanted."""
    choice = request.tool_choice
    if choice is not None and choice.parallelism is not None:
        options["parallel_tool_calls"] = choice.parallelism == "allow"


def usage_of(
    given: Json | None,
    names: tuple[str, str, str, str],
) -> Usage | None:
    """Usage under the four names of a protocol: input, output, and the details of each.

    Some servers count reasoning beside the output, where the protocol has it inside.
    """
    if given is None:
        return None
    in_name, out_name, in_details, out_details = names
    asked, answered = _count(given, in_name) or 0, _count(given, out_name) or 0
    inside, outside = given.get(in_details), given.get(out_details)
    reasoning = _count(outside, "reasoning_tokens")
    total = _count(given, "total_tokens") or 0
    if reasoning and (reasoning > answered or total == asked + answered + reasoning):
        answered += reasoning
    cached = _count(inside, "cached_tokens")
    if cached is None:
        cached = _count(given, "prompt_cache_hit_tokens")
    written = _count(inside, "cache_write_tokens")
    return Usage(
        input_tokens=asked,
        output_tokens=answered,
        reasoning_tokens=reasoning,
        cache_read_input_tokens=_at_most(cached, asked),
        cache_write_input_tokens=_at_most(written, asked),
    )


def moment(created: object) -> datetime | None:
    """A time in seconds since 1970."""
    if isinstance(created, (int, float)) and 0 < created < 1e11:
        return datetime.fromtimestamp(created, UTC)
    return None


def known(options: Options, *names: str) -> Json:
    """The options that are called alike, those that are set."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _count(given: object, name: str) -> int | None:
    count = given.get(name) if isinstance(given, dict) else None
    return count if isinstance(count, int) and count >= 0 else None


def _at_most(part: int | None, whole: int) -> int | None:
    return part if part is None else min(part, whole)
