"""A request as the Gemini API spells it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import msgspec

from chatport.chat import (
    JSONFormat,
    JSONSchemaFormat,
    Media,
    MediaPart,
    Message,
    Metadata,
    Options,
    Part,
    ReasoningPart,
    ReferenceSource,
    RefusalPart,
    Request,
    TextFormat,
    TextPart,
    ToolCall,
    ToolCallPart,
    ToolChoice,
    ToolDefinition,
    ToolResult,
    ToolResultPart,
    UnsupportedError,
    UnsupportedOptionError,
    URISource,
)
from chatport.providers.codec import extension_members
from chatport.providers.extensions import Body, object_in, put_extensions
from chatport.providers.gemini.words import (
    CONFIG_EXTENSIONS,
    EFFORTS,
    OPTIONS,
    PROVIDER,
    RESERVED,
    UNANSWERABLE,
    camel,
    function_calling,
)
from chatport.providers.native import (
    arguments_of,
    inline,
    is_foreign,
    lines_in,
    located,
    members_of,
    schema_of,
)

FILES: Final = "https://generativelanguage.googleapis.com/v1beta/"
"""What the API puts before the name of an uploaded file, whatever address it is reached by."""

OURS: Final = frozenset({"empty_text", "parts", "signed"})
"""Marks of ours in a part's metadata, which are no members on the wire."""


def body_of(request: Request) -> Body:
    """The body of `generateContent` and `streamGenerateContent`.

    Raises `UnsupportedError`, by its subclasses where they fit.
    """
    body: Body = {}
    leading = [message for message in request.messages if message.role == "system"]
    if leading:
        body["systemInstruction"] = {"parts": _system(leading)}
    body["contents"] = list(_contents(request.messages[len(leading) :], len(leading)))
    if not body["contents"]:
        raise UnsupportedError("needs a message that is not a system message", "messages")
    tools = [_declaration(tool) for tool in request.tools]
    if tools:
        body["tools"] = [{"functionDeclarations": tools}]
    if request.tool_choice is not None:
        body["toolConfig"] = {"functionCallingConfig": _choice(request.tool_choice)}
    _put_options(body, request.options)
    return body


# --- messages -----------------------------------------------------------------------------------


def _system(messages: Iterable[Message]) -> list[object]:
    return [_beside({"text": part.text}, part.metadata) for m in messages for part in m.parts]  # type: ignore[union-attr]


def _contents(messages: Iterable[Message], first: int) -> Iterator[Body]:
    """The contents: results that follow each other answer one turn, so they are one content."""
    numbered = enumerate(messages, first)
    for role, group in groupby(numbered, key=lambda one: one[1].role):
        turns = [(f"messages[{index}]", message) for index, message in group]
        parts = [list(_parts(message, path)) for path, message in turns]
        if role == "tool":
            parts = [[part for turn in parts for part in turn]]
        for turn in parts:
            if turn:  # an assistant message of another model's reasoning alone leaves nothing
                yield {"role": "model" if role == "assistant" else "user", "parts": turn}


def _parts(message: Message, path: str) -> Iterator[object]:
    for index, part in enumerate(message.parts):
        try:
            yield from _part(part)
        except UnsupportedError as fault:
            raise located(fault, f"{path}.parts[{index}]") from None


def _part(part: Part) -> Iterator[object]:
    if isinstance(part, ReasoningPart):
        yield from _reasoning(part)
    elif isinstance(part, TextPart | RefusalPart):
        yield _beside({"text": part.text}, part.metadata)
    elif isinstance(part, MediaPart):
        yield _beside(_media(part.media, "media"), part.metadata)
    elif isinstance(part, ToolCallPart):
        yield _beside({"functionCall": _call(part.tool_call)}, part.metadata)
    else:
        yield _beside({"functionResponse": _result(part)}, part.metadata)


def _beside(part: Body, metadata: Metadata) -> Body:
    """The part with the members of the API's own that its metadata holds."""
    if metadata:
        for name, value in members_of(metadata, PROVIDER).items():
            if name not in OURS:
                part.setdefault(camel(name), value)
    return part


def _reasoning(part: ReasoningPart) -> Iterator[object]:
    """A thought with its signature; what another provider's model thought has no place here."""
    if is_foreign(part.metadata, PROVIDER):
        return
    own = members_of(part.metadata, PROVIDER)
    if "parts" in own:
        yield from lines_in(part.reasoning_state, "reasoning_state")
        return
    thought: Body = {"text": part.text, "thought": True}
    if part.reasoning_state:
        try:
            thought["thoughtSignature"] = part.reasoning_state.decode()
        except UnicodeDecodeError:
            problem = "is not a signature of the Gemini API, which is text"
            raise UnsupportedError(problem, "reasoning_state") from None
    if "empty_text" in own:
        del thought["thought"]
    yield _beside(thought, part.metadata)


def _media(media: Media, path: str) -> Body:
    named = {"displayName": media.name} if media.name else {}
    if (here := inline(media, path)) is not None:
        return {"inlineData": {"mimeType": here.mime, "data": here.base64} | named}
    if isinstance(media.source, URISource):
        uri = media.source.uri
    else:
        assert isinstance(media.source, ReferenceSource)
        uri = FILES + media.source.ref
        if not media.source.ref.startswith("files/"):
            raise UnsupportedError("a reference is the name of a file, files/…", f"{path}.source")
    return {"fileData": {"mimeType": media.mime, "fileUri": uri} | named}


def _call(call: ToolCall) -> Body:
    known = {} if is_made_up(call.id) else {"id": call.id}
    name: Body = {"name": call.name}
    if not call.arguments.strip():
        return known | name
    return known | name | {"args": arguments_of(call.arguments, "tool_call.arguments")}


def _result(part: ToolResultPart) -> Body:
    result = part.tool_result
    known = {} if is_made_up(result.id) else {"id": result.id}
    made: Body = known | {"name": result.name, "response": _response(result)}
    media = [
        _beside(
            _media(content.media, f"tool_result.output.content[{index}].media"), content.metadata
        )
        for index, content in enumerate(result.output.content)
        if isinstance(content, MediaPart)
    ]
    return made | {"parts": media} if media else made


def _response(result: ToolResult) -> object:
    """What the function returned: the API wants an object, and calls a text ``output``."""
    output = result.output
    said: object = "".join([part.text for part in output.content if isinstance(part, TextPart)])
    if not output.content:
        if output.details is None:
            return {"error": ""} if result.is_error else {}
        said = msgspec.Raw(output.details.to_json())
        if output.details.is_object and not result.is_error:
            return said
    if said == "" and not result.is_error:
        return {}
    return {"error" if result.is_error else "output": said}


# --- ids of calls -------------------------------------------------------------------------------

MADE_UP: Final = "gcall_"


def made_up_id(response: str, place: int, name: str, arguments: str) -> str:
    """An id for a call that the API gave none: the same whenever the answer is read again.

    Of the letters and the length that every other provider takes as an id.
    """
    told = "\0".join((response, str(place), name, arguments))
    return f"{MADE_UP}{hashlib.sha256(told.encode()).hexdigest()[:24]}"


def is_made_up(call_id: str) -> bool:
    """Whether the API would not know the id, as `made_up_id` made it."""
    return call_id.startswith(MADE_UP)


# --- tools --------------------------------------------------------------------------------------


def _declaration(tool: ToolDefinition) -> Body:
    described = {"description": tool.description} if tool.description else {}
    schema = msgspec.Raw(tool.input_schema.to_json())
    return {"name": tool.name, **described, "parametersJsonSchema": schema}


def _choice(choice: ToolChoice) -> Body:
    if choice.parallelism == "single":
        problem = "gemini: the API cannot be held to a single call"
        raise UnsupportedError(problem, "tool_choice.parallelism")
    return function_calling(choice)


# --- options ------------------------------------------------------------------------------------


def _put_options(body: Body, options: Options) -> None:
    config: Body = {
        member: value
        for member, name in OPTIONS.items()
        if (value := getattr(options, name)) is not None
    }
    config |= _format(options)
    if options.reasoning_effort is not None:
        config["thinkingConfig"] = {"thinkingLevel": _level(options.reasoning_effort)}
    own = extension_members(options, PROVIDER)
    settings = object_in(own, PROVIDER, "generation_config") | {
        name: own.pop(name) for name in CONFIG_EXTENSIONS if name in own
    }
    put_extensions(config, settings, PROVIDER, reserved=UNANSWERABLE, spell=camel)
    if config:
        body["generationConfig"] = config
    put_extensions(body, own, PROVIDER, reserved=RESERVED, spell=camel)


def _format(options: Options) -> Body:
    match options.output_format:
        case TextFormat():
            return {"responseMimeType": "text/plain"}
        case JSONFormat():
            return {"responseMimeType": "application/json"}
        case JSONSchemaFormat() as asked:
            schema = schema_of(asked)
            return {"responseMimeType": "application/json", "responseJsonSchema": schema}
    return {}


def _level(effort: str) -> str:
    if effort not in EFFORTS:
        problem = (
            f"gemini: the levels are {', '.join(EFFORTS)}; a budget of tokens is the extension "
            "gemini/thinking_config"
        )
        raise UnsupportedOptionError(problem, "options.reasoning_effort")
    return effort.upper()
