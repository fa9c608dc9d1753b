"""A request in the words of Responses.

https://platform.openai.com/docs/api-reference/responses/create. docs/providers/openai.md is the
table of what becomes what.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from chatport.chat import (
    JSONSchemaFormat,
    Media,
    MediaPart,
    Message,
    ReasoningPart,
    ReferenceSource,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolChoice,
    ToolDefinition,
    ToolResultPart,
)
from chatport.providers.codec import refuse_options
from chatport.providers.openai.fields import (
    Json,
    data_uri,
    encode_body,
    file_name,
    format_kind,
    is_bytes,
    is_strict,
    json_schema,
    known,
    parallel,
    unsupported_media,
)

if TYPE_CHECKING:
    from chatport.chat import Part, Request, ToolResult

RESERVED: Final = frozenset({"input", "model", "stream", "tool_choice"})
"""Members that no extension sets."""
UNSUPPORTED: Final[Mapping[str, str]] = {
    name: f"Responses has no {name}; Chat Completions, or another provider, may have"
    for name in ("frequency_penalty", "presence_penalty", "top_k", "stop")
}
ITEM: Final = "openai/item"
"""Metadata of reasoning whose state is an item of Responses, which goes back as it is."""


def encode(request: Request, *, stream: bool) -> bytes:
    """The body."""
    options = request.options
    # To want no stops at all is to want what there is.
    refuse_options(options.replace(stop=options.stop or None), "openai", UNSUPPORTED)
    body: Json = {
        "model": options.model,
        "input": [
            item
            for index, message in enumerate(request.messages)
            for item in _items(message, f"messages[{index}]")
        ],
    }
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if request.tool_choice is not None:
        body["tool_choice"] = _choice(request.tool_choice)
        parallel(body, request)
    body |= known(options, "max_output_tokens", "temperature", "top_p")
    if options.reasoning_effort is not None:
        body["reasoning"] = {"effort": options.reasoning_effort}
    if options.output_format is not None:
        told: Json = {"type": format_kind(options.output_format)}
        if isinstance(options.output_format, JSONSchemaFormat):
            told |= json_schema(options.output_format)
        body["text"] = {"format": told}
    if stream:
        body["stream"] = True
    return encode_body(body, request, RESERVED)


def _tool(tool: ToolDefinition) -> Json:
    wire: Json = {"type": "function", "name": tool.name}
    if tool.description is not None:
        wire["description"] = tool.description
    wire["parameters"] = msgspec.Raw(tool.input_schema.to_json())
    # Left out it would mean true, and schemas that are not strict would be changed.
    wire["strict"] = is_strict(tool.input_schema.decode(dict))
    return wire


def _choice(choice: ToolChoice) -> str | Json:
    if choice.mode == "named":
        return {"type": "function", "name": choice.name}
    return choice.mode


def _items(message: Message, path: str) -> Iterator[Json | msgspec.Raw]:
    if message.role == "tool":
        for index, part in enumerate(message.parts):
            assert isinstance(part, ToolResultPart)  # the role allows no other
            yield _result(part.tool_result, f"{path}.parts[{index}].tool_result.output")
    elif message.role == "assistant":
        yield from _assistant(message, path)
    else:
        yield {"role": message.role, "content": _content(message.parts, path)}


def _content(parts: Iterable[Part], path: str) -> str | list[Json]:
    parts = tuple(parts)
    if len(parts) == 1 and isinstance(parts[0], TextPart):
        return parts[0].text
    return [_part(part, f"{path}.parts[{index}]") for index, part in enumerate(parts)]


def _part(part: Part, path: str) -> Json:
    if isinstance(part, TextPart):
        return {"type": "input_text", "text": part.text}
    assert isinstance(part, MediaPart)  # nothing else is content
    return _media(part.media, path)


def _media(media: Media, path: str) -> Json:
    kind = media.mime.partition(";")[0].strip().lower()
    if kind.startswith(("audio/", "video/")):
        raise unsupported_media(media, path, "Responses hears and watches nothing")
    if kind.startswith("image/"):
        image: Json = {"type": "input_image"}
        if isinstance(media.source, ReferenceSource):
            image["file_id"] = media.source.ref
        else:
            image["image_url"] = data_uri(media) if is_bytes(media) else media.as_uri()
        image["detail"] = media.metadata.decode("openai/detail", str) or "auto"
        return image
    if isinstance(media.source, ReferenceSource):
        return {"type": "input_file", "file_id": media.source.ref}
    if not is_bytes(media):
        return {"type": "input_file", "file_url": media.as_uri()}
    name = media.name or file_name(kind)
    return {"type": "input_file", "filename": name, "file_data": data_uri(media)}


def _assistant(message: Message, path: str) -> Iterator[Json | msgspec.Raw]:
    """What the model said, in its order: neighbouring texts and refusals are one message."""
    said: list[Json] = []
    for index, part in enumerate(message.parts):
        if isinstance(part, TextPart):
            said.append({"type": "output_text", "text": part.text, "annotations": []})
            continue
        if isinstance(part, RefusalPart):
            said.append({"type": "refusal", "refusal": part.text})
            continue
        yield from _message(said)
        said = []
        if isinstance(part, ToolCallPart):
            yield _call(part)
        elif isinstance(part, MediaPart):
            where = f"{path}.parts[{index}]"
            raise unsupported_media(part.media, where, "what a model showed is not shown to it")
        elif isinstance(part, ReasoningPart) and ITEM in part.metadata:
            yield msgspec.Raw(part.reasoning_state)
    yield from _message(said)


def _message(said: list[Json]) -> Iterator[Json]:
    if not said:
        return
    plain = all(piece["type"] == "output_text" for piece in said)
    content = "".join([piece["text"] for piece in said]) if plain else said
    yield {"role": "assistant", "content": content}


def _call(part: ToolCallPart) -> Json:
    call = part.tool_call
    wire: Json = {"type": "function_call"}
    if (identity := part.metadata.decode("openai/id", str)) is not None:
        wire["id"] = identity
    return wire | {"call_id": call.id, "name": call.name, "arguments": call.arguments}


def _result(result: ToolResult, path: str) -> Json:
    text = result.output.text()
    content = _content(result.output.content, path) if text is None else text
    return {"type": "function_call_output", "call_id": result.id, "output": content}
