"""A request in the words of Chat Completions.

https://platform.openai.com/docs/api-reference/chat/create. docs/providers/openai.md is the table of
what becomes what.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

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
    UnsupportedError,
)
from chatport.providers.codec import refuse_options
from chatport.providers.openai.fields import (
    AUDIO,
    Json,
    base64_of,
    data_uri,
    encode_body,
    file_name,
    format_kind,
    is_bytes,
    json_schema,
    known,
    parallel,
    result_text,
    unsupported_media,
)

if TYPE_CHECKING:
    from chatport.chat import Part, Request

RESERVED: Final = frozenset({"messages", "model", "stream", "n", "tool_choice"})
"""Members that no extension sets; several answers to one request have no place in a response."""
UNSUPPORTED: Final[Mapping[str, str]] = {
    "top_k": "the protocol has no top_k; a server that knows it takes the extension openai/top_k"
}


def encode(request: Request, *, stream: bool, limit: str) -> bytes:
    """The body. `limit` is what the server calls the limit of the answer's tokens."""
    options = request.options
    refuse_options(options, "openai", UNSUPPORTED)
    body: Json = {
        "model": options.model,
        "messages": [
            wire
            for index, message in enumerate(request.messages)
            for wire in _messages(message, f"messages[{index}]")
        ],
    }
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if request.tool_choice is not None:
        body["tool_choice"] = _choice(request.tool_choice)
        parallel(body, request)
    if options.max_output_tokens is not None:
        body[limit] = options.max_output_tokens
    if options.stop:
        body["stop"] = options.stop
    body |= known(
        options,
        *("temperature", "top_p", "frequency_penalty", "presence_penalty", "reasoning_effort"),
    )
    if options.output_format is not None:
        chosen: Json = {"type": format_kind(options.output_format)}
        if isinstance(options.output_format, JSONSchemaFormat):
            chosen["json_schema"] = json_schema(options.output_format)
        body["response_format"] = chosen
    if stream:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    return encode_body(body, request, RESERVED)


def _tool(tool: ToolDefinition) -> Json:
    function: Json = {"name": tool.name}
    if tool.description is not None:
        function["description"] = tool.description
    function["parameters"] = msgspec.Raw(tool.input_schema.to_json())
    return {"type": "function", "function": function}


def _choice(choice: ToolChoice) -> str | Json:
    if choice.mode == "named":
        return {"type": "function", "function": {"name": choice.name}}
    return choice.mode


def _messages(message: Message, path: str) -> Iterator[Json]:
    """A message as one of theirs; one of tool results as one a result."""
    if message.role == "tool":
        for index, part in enumerate(message.parts):
            assert isinstance(part, ToolResultPart)  # the role allows no other
            result = part.tool_result
            text = result_text(result, f"{path}.parts[{index}]")
            yield {"role": "tool", "tool_call_id": result.id, "content": text}
    elif message.role == "assistant":
        yield _assistant(message, path)
    else:
        yield {"role": message.role, "content": _content(message, path)}


def _content(message: Message, path: str) -> str | list[Json]:
    """A text by itself as text, which every server understands; else a list of parts."""
    parts = message.parts
    if len(parts) == 1 and isinstance(parts[0], TextPart):
        return parts[0].text
    return [_part(part, f"{path}.parts[{index}]") for index, part in enumerate(parts)]


def _part(part: Part, path: str) -> Json:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    assert isinstance(part, MediaPart)  # system and user messages hold no other
    return _media(part.media, path)


def _media(media: Media, path: str) -> Json:
    kind = media.mime.partition(";")[0].strip().lower()
    if kind.startswith("image/"):
        if isinstance(media.source, ReferenceSource):
            raise unsupported_media(media, path, "an image is given as bytes or by its address")
        image: Json = {"url": data_uri(media) if is_bytes(media) else media.as_uri()}
        detail = media.metadata.decode("openai/detail", str)
        if detail is not None:
            image["detail"] = detail
        return {"type": "image_url", "image_url": image}
    if kind.startswith("audio/"):
        if kind not in AUDIO or not is_bytes(media):
            raise unsupported_media(media, path, "a sound is WAV or MP3, given as bytes")
        return {
            "type": "input_audio",
            "input_audio": {"data": base64_of(media), "format": AUDIO[kind]},
        }
    if isinstance(media.source, ReferenceSource):
        return {"type": "file", "file": {"file_id": media.source.ref}}
    if not is_bytes(media):
        raise unsupported_media(media, path, "a file is given as bytes or by its id")
    file: Json = {"file_data": data_uri(media), "filename": media.name or file_name(kind)}
    return {"type": "file", "file": file}


def _assistant(message: Message, path: str) -> Json:
    wire: Json = {"role": "assistant"}
    if text := message.text():
        wire["content"] = text
    refusals = [part.text for part in message.parts if isinstance(part, RefusalPart)]
    if refusals:
        wire["refusal"] = "".join(refusals)
    calls = [_call(part) for part in message.parts if isinstance(part, ToolCallPart)]
    if calls:
        wire["tool_calls"] = calls
    wire |= _reasoning(message, after_calls=bool(calls))
    for index, part in enumerate(message.parts):
        if isinstance(part, MediaPart):
            wire["audio"] = {"id": _audio_id(part.media, f"{path}.parts[{index}]")}
    if wire.keys() == {"role"}:
        wire["content"] = ""  # reasoning alone, which is not said again
    return wire


def _call(part: ToolCallPart) -> Json:
    call = part.tool_call
    if part.metadata.get("openai/type") == "custom":
        return {
            "id": call.id,
            "type": "custom",
            "custom": {"name": call.name, "input": call.arguments},
        }
    wire: Json = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }
    for key, text in part.metadata.texts.items():
        if key.startswith("openai/"):
            wire.setdefault(key.removeprefix("openai/"), msgspec.Raw(text))
    return wire


def _reasoning(message: Message, *, after_calls: bool) -> Json:
    """Reasoning said again, to the server that gave it.

    Opaque details always, because they are signed and made to be returned (OpenRouter). Text only
    with the calls it led to: there servers want it (DeepSeek, vLLM), elsewhere they refuse it.
    """
    wire: dict[str, Any] = {}
    for part in message.parts:
        if not isinstance(part, ReasoningPart):
            continue
        field = part.metadata.decode("openai/field", str)
        if field is not None and part.reasoning_state:
            wire[field] = msgspec.Raw(part.reasoning_state)
        elif field is not None and after_calls:
            wire[field] = wire.get(field, "") + part.text
    return wire


def _audio_id(media: Media, path: str) -> str:
    found = media.id or (media.source.ref if isinstance(media.source, ReferenceSource) else None)
    if found is None or not media.mime.startswith("audio/"):
        raise UnsupportedError(
            "openai: of what it showed itself, a model is told only sounds again, by their id", path
        )
    return found
