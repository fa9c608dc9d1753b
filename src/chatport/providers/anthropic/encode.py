"""A request as the Messages API spells it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

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
    Request,
    TextPart,
    ToolCallPart,
    ToolChoice,
    ToolDefinition,
    ToolResult,
    ToolResultPart,
    UnsupportedError,
    UnsupportedOptionError,
    UnsupportedOutputFormatError,
    URISource,
)
from chatport.providers.anthropic.words import (
    CHOICES,
    EFFORTS,
    IMAGES,
    JSON_TOOL,
    MAX_TOKENS,
    PDF,
    PLAIN,
    PROVIDER,
    RESERVED,
    SAMPLING,
)
from chatport.providers.codec import extension_members, refuse_options
from chatport.providers.extensions import Body, put_extensions
from chatport.providers.native import (
    Inline,
    arguments_of,
    inline,
    is_foreign,
    lines_in,
    located,
    members_of,
    schema_of,
)

OURS: Final = frozenset({"block", "blocks", "redacted"})
"""Marks of ours in a part's metadata, which are no members on the wire."""


def body_of(request: Request, version: str) -> Body:
    """The body of a request for one message.

    Raises `UnsupportedError`, by its subclasses where they fit.
    """
    options = request.options
    if options.model is None:
        raise UnsupportedOptionError(
            f"{PROVIDER}: a request needs the name of a model", "options.model"
        )
    body: Body = {"model": options.model, "max_tokens": options.max_output_tokens or MAX_TOKENS}
    leading = [message for message in request.messages if message.role == "system"]
    if leading:
        body["system"] = [_text(part) for message in leading for part in message.parts]
    body["messages"] = list(_messages(request.messages[len(leading) :], len(leading)))
    if not body["messages"]:
        raise UnsupportedError("needs a message that is not a system message", "messages")
    if request.tools:
        body["tools"] = [_tool(index, tool) for index, tool in enumerate(request.tools)]
    if request.tool_choice is not None:
        body["tool_choice"] = _choice(request.tool_choice)
    _put_options(body, options, version)
    return body


# --- messages -----------------------------------------------------------------------------------


def _messages(messages: Sequence[Message], first: int) -> Iterator[Body]:
    """The turns: results that follow each other answer one turn, so they are one message."""
    numbered = enumerate(messages, first)
    for role, group in groupby(numbered, key=lambda one: one[1].role):
        turns = [list(_blocks(message, f"messages[{index}]")) for index, message in group]
        if role == "tool":
            turns = [[block for turn in turns for block in turn]]
        for turn in turns:
            if turn:  # an assistant message of another model's reasoning alone leaves nothing
                yield {"role": "assistant" if role == "assistant" else "user", "content": turn}


def _blocks(message: Message, path: str) -> Iterator[object]:
    cited = _native_citations(message)
    texts = 0
    for index, part in enumerate(message.parts):
        try:
            for block in _block(part, message.role):
                if cited and isinstance(part, TextPart):
                    block |= {"citations": cited[str(texts)]} if str(texts) in cited else {}
                    texts += 1
                yield block
        except UnsupportedError as fault:
            raise located(fault, f"{path}.parts[{index}]") from None


def _block(part: Part, role: str) -> Iterator[Any]:
    if isinstance(part, ReasoningPart):
        yield from _reasoning(part)
    elif isinstance(part, TextPart):
        yield _text(part)
    elif isinstance(part, MediaPart):
        if role == "assistant":
            raise UnsupportedError(f"{PROVIDER}: an assistant message holds no media", "media")
        yield _beside(_media(part.media, "media"), part.metadata)
    elif isinstance(part, ToolCallPart):
        yield _beside(_call(part), part.metadata)
    elif isinstance(part, ToolResultPart):
        yield _beside(_result(part.tool_result), part.metadata)
    else:
        yield _beside({"type": "text", "text": part.text}, part.metadata)


def _beside(block: Body, metadata: Metadata) -> Body:
    """The block with the members of the API's own that its metadata holds."""
    if metadata:
        for name, value in members_of(metadata, PROVIDER).items():
            if name not in OURS:
                block.setdefault(name, value)
    return block


def _text(part: Part) -> Body:
    assert isinstance(part, TextPart)
    return _beside({"type": "text", "text": part.text}, part.metadata)


def _native_citations(message: Message) -> Mapping[str, msgspec.Raw]:
    """The API's own citations of an answer that goes back, by the number of their text."""
    if message.role == "assistant" and message.metadata:
        given = members_of(message.metadata, PROVIDER).get("citations")
        if given is not None and bytes(given).startswith(b"{"):
            return msgspec.json.decode(given, type=dict[str, msgspec.Raw])
    return {}


def _reasoning(part: ReasoningPart) -> Iterator[object]:
    """A thinking block as it was; reasoning the API has not signed is no input of it."""
    own = members_of(part.metadata, PROVIDER)
    if is_foreign(part.metadata, PROVIDER) or not part.reasoning_state:
        return
    if "blocks" in own:
        yield from lines_in(part.reasoning_state, "reasoning_state")
        return
    try:
        state = part.reasoning_state.decode()
    except UnicodeDecodeError:
        problem = f"{PROVIDER}: is not a signature of the API, which is text"
        raise UnsupportedError(problem, "reasoning_state") from None
    if "redacted" in own:
        yield {"type": "redacted_thinking", "data": state}
    else:
        yield {"type": "thinking", "thinking": part.text, "signature": state}


# --- media --------------------------------------------------------------------------------------


def _media(media: Media, path: str) -> Body:
    """An image or a document, by its MIME type."""
    mime = media.mime.partition(";")[0].strip().lower()
    image = mime.startswith("image/")
    source = _source(media, mime, inline(media, path), path)
    if image:
        return {"type": "image", "source": source}
    titled = {"title": media.name} if media.name else {}
    return {"type": "document", "source": source, **titled}


def _source(media: Media, mime: str, here: Inline | None, path: str) -> Body:
    if isinstance(media.source, ReferenceSource):
        return {"type": "file", "file_id": media.source.ref}
    if mime == PLAIN and here is not None:
        try:
            return {"type": "text", "media_type": PLAIN, "data": here.content().decode()}
        except UnicodeDecodeError:
            raise UnsupportedError("is not UTF-8", f"{path}.source") from None
    if mime not in IMAGES and mime != PDF:
        known = ", ".join(sorted(IMAGES))
        problem = f"{PROVIDER}: takes {known}, {PDF}, and {PLAIN} that is not at a URI"
        raise UnsupportedError(problem, f"{path}.mime")
    if here is not None:
        return {"type": "base64", "media_type": mime, "data": here.base64}
    assert isinstance(media.source, URISource)
    if not media.source.uri.lower().startswith(("https://", "http://")):
        raise UnsupportedError(f"{PROVIDER}: fetches over http and https", f"{path}.source.uri")
    return {"type": "url", "url": media.source.uri}


# --- tools --------------------------------------------------------------------------------------


def _tool(index: int, tool: ToolDefinition) -> Body:
    if tool.name == JSON_TOOL:
        raise UnsupportedError(f"{PROVIDER}: the name is taken", f"tools[{index}].name")
    described = {"description": tool.description} if tool.description else {}
    return {
        "name": tool.name,
        **described,
        "input_schema": msgspec.Raw(tool.input_schema.to_json()),
    }


def _choice(choice: ToolChoice) -> Body:
    made: Body = {"type": CHOICES[choice.mode]}
    if choice.name is not None:
        made["name"] = choice.name
    if choice.parallelism is not None:
        made["disable_parallel_tool_use"] = choice.parallelism == "single"
    return made


def _call(part: ToolCallPart) -> Body:
    call = part.tool_call
    return {
        "type": "tool_use",
        "id": id_of(call.id),
        "name": call.name,
        "input": arguments_of(call.arguments, "tool_call.arguments"),
    }


def _result(result: ToolResult) -> Body:
    output = result.output
    block: Body = {"type": "tool_result", "tool_use_id": id_of(result.id)}
    if output.content:
        block["content"] = [
            _text(one)
            if isinstance(one, TextPart)
            else _beside(
                _media(one.media, f"tool_result.output.content[{index}].media"), one.metadata
            )
            for index, one in enumerate(output.content)
        ]
    elif output.details is not None:
        block["content"] = [{"type": "text", "text": output.details.text}]
    if result.is_error:
        block["is_error"] = True
    return block


_ID: Final = re.compile(r"[A-Za-z0-9_-]+")


def id_of(call_id: str) -> str:
    """The id of a call as the API takes it; one of another provider's letters is replaced.

    The same id gives the same, so that a result still finds its call.
    """
    if _ID.fullmatch(call_id):
        return call_id
    return f"call_{hashlib.sha256(call_id.encode()).hexdigest()[:24]}"


# --- options ------------------------------------------------------------------------------------

_NEVER: Final = {
    "frequency_penalty": "the API has no penalties",
    "presence_penalty": "the API has no penalties",
}
_NO_SAMPLING: Final = dict.fromkeys(
    ("temperature", "top_p", "top_k"),
    "this version of the API samples by itself; 2023-06-01 takes it, of models that do",
)


def _put_options(body: Body, options: Options, version: str) -> None:
    refuse_options(options, PROVIDER, _NEVER if version in SAMPLING else _NEVER | _NO_SAMPLING)
    if options.temperature is not None and options.temperature > 1:
        raise UnsupportedOptionError(f"{PROVIDER}: must be from 0 to 1", "options.temperature")
    for name in ("temperature", "top_p", "top_k"):
        if (value := getattr(options, name)) is not None:
            body[name] = value
    if options.stop is not None:
        body["stop_sequences"] = options.stop
    _put_format(body, options)
    if options.reasoning_effort is not None:
        if options.reasoning_effort not in EFFORTS:
            problem = f"{PROVIDER}: the levels are {', '.join(EFFORTS)}"
            raise UnsupportedOptionError(problem, "options.reasoning_effort")
        config = body.setdefault("output_config", {})
        assert isinstance(config, dict)
        config["effort"] = options.reasoning_effort
    own = extension_members(options, PROVIDER)
    own.pop("beta", None)  # a header
    put_extensions(body, own, PROVIDER, reserved=RESERVED)


def _put_format(body: Body, options: Options) -> None:
    asked = options.output_format
    if isinstance(asked, JSONSchemaFormat):
        body["output_config"] = {"format": {"type": "json_schema", "schema": schema_of(asked)}}
    elif isinstance(asked, JSONFormat):
        if "tools" in body:
            raise UnsupportedOutputFormatError(
                f"{PROVIDER}: any JSON is asked for by a tool of its own, which leaves no room for "
                "others; give a schema",
                "options.output_format",
            )
        body["tools"] = [
            {
                "name": JSON_TOOL,
                "description": "Give the answer, as a JSON object, with this tool.",
                "input_schema": {"type": "object"},
            }
        ]
        body["tool_choice"] = {
            "type": "tool",
            "name": JSON_TOOL,
            "disable_parallel_tool_use": True,
        }


_BETA: Final = re.compile(r"[A-Za-z0-9._-]+")


def betas_of(options: Options) -> tuple[tuple[str, str], ...]:
    """The header that the extension ``beta`` asks for: a list of names of features."""
    given = extension_members(options, PROVIDER).get("beta")
    if given is None:
        return ()
    try:
        names = msgspec.json.decode(given, type=list[str])
    except msgspec.ValidationError:
        names = [""]
    if not all(map(_BETA.fullmatch, names)):
        problem = f"{PROVIDER}: is a list of names of features"
        raise UnsupportedOptionError(problem, f"options.extensions['{PROVIDER}/beta']")
    return (("anthropic-beta", ",".join(names)),) if names else ()
