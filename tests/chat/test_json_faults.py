"""JSON that is no value: the path of the fault, and its causes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chatport.chat import (
    EmptyKeyError,
    InvalidCitationError,
    InvalidMediaError,
    InvalidMessageError,
    InvalidMetadataError,
    InvalidMIMEError,
    InvalidOptionsError,
    InvalidOutputFormatError,
    InvalidPartError,
    InvalidRequestError,
    InvalidResponseError,
    InvalidSourceError,
    InvalidToolCallError,
    InvalidToolChoiceError,
    InvalidToolDefinitionError,
    InvalidToolOutputError,
    InvalidToolResultError,
    InvalidUsageError,
    InvalidValueError,
    Options,
    Output,
    Request,
    Response,
    ResponseDelta,
    ResponseMetadata,
    TextPart,
    ToolChoice,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    URISource,
    Usage,
    assistant,
    find_cause,
    tool_results,
    user,
)
from chatport.chat.value import Value

IN_PART = "messages[0].parts[0]"
IN_TOOL = "messages[1].parts[0].tool_result"
M = [InvalidMessageError]
P = [InvalidMessageError, InvalidPartError]
Kinds = list[type[InvalidValueError]]
REQUEST_FAULTS: list[tuple[str, Any, str, Kinds]] = [
    # where to put something wrong, what, the path reported, the classes below the request's
    ("", [], "", []),
    ("", {}, "messages", []),
    ("extra", 1, "extra", []),
    ("Messages", [], "Messages", []),
    ("ex tra é", 1, "['ex tra \\xe9']", []),
    ("messages", None, "messages", []),
    ("messages", {}, "messages", []),
    ("messages", [], "messages", []),
    ("messages.0", "x", "messages[0]", M),
    ("messages.0.role", "developer", "messages[0].role", M),
    ("messages.0.role", 1, "messages[0].role", M),
    ("messages.0.parts", {}, "messages[0].parts", M),
    ("messages.0.parts", [], "messages[0].parts", M),
    ("messages.0.name", "x", "messages[0].name", M),
    ("messages.0.metadata", [], "messages[0].metadata", [*M, InvalidMetadataError]),
    ("messages.0.metadata", {"": 1}, "messages[0].metadata", [*M, EmptyKeyError]),
    ("messages.0.metadata", None, "messages[0].metadata", M),
    ("messages.0.parts.0", "x", IN_PART, P),
    ("messages.0.parts.0", {}, f"{IN_PART}.kind", P),
    ("messages.0.parts.0.kind", "thinking", f"{IN_PART}.kind", P),
    ("messages.0.parts.0.kind", 1, f"{IN_PART}.kind", P),
    ("messages.0.parts.0.kind", "refusal", IN_PART, M),
    ("messages.0.parts.0.text", "", f"{IN_PART}.text", P),
    ("messages.0.parts.0.text", None, f"{IN_PART}.text", P),
    ("messages.0.parts.0.media", {}, f"{IN_PART}.media", P),
    ("messages.0.parts.0.reasoning_state", "", f"{IN_PART}.reasoning_state", P),
    ("messages.0.parts.0.citations", {}, f"{IN_PART}.citations", P),
    ("messages.0.parts.0.citations", [3], f"{IN_PART}.citations[0]", [*P, InvalidCitationError]),
    (
        "messages.0.parts.0.citations",
        [{"source": {"kind": "uri", "value": "/x"}}],
        f"{IN_PART}.citations[0].source.value",
        [*P, InvalidCitationError],
    ),
    (
        "messages.0.parts.0",
        {"kind": "text", "text": "x", "metadata": {"a b": float("1e308")}, "x": 1},
        f"{IN_PART}.x",
        P,
    ),
    (
        "messages.0.parts.0",
        {"kind": "media", "media": {"mime": "image", "source": {"kind": "uri", "uri": "x:y"}}},
        f"{IN_PART}.media.mime",
        [*P, InvalidMIMEError],
    ),
    (
        "messages.0.parts.0",
        {"kind": "media", "media": {"mime": "image/png", "source": {"kind": "uri", "uri": "/"}}},
        f"{IN_PART}.media.source.uri",
        [*P, InvalidMediaError, InvalidSourceError],
    ),
    (
        "messages.0.parts.0",
        {"kind": "media", "media": {"mime": "a/b", "source": {"kind": "bytes", "bytes": "%"}}},
        f"{IN_PART}.media.source.bytes",
        [*P, InvalidMediaError, InvalidSourceError],
    ),
    (
        "messages.0.parts.0",
        {
            "kind": "media",
            "media": {"mime": "a/b", "source": {"kind": "uri", "uri": "x:y", "ref": "z"}},
        },
        f"{IN_PART}.media.source.ref",
        [*P, InvalidMediaError, InvalidSourceError],
    ),
    ("messages.0.parts.0", {"kind": "media"}, f"{IN_PART}.media", P),
    (
        "messages.2.parts.0",
        {"kind": "tool_call", "tool_call": {"id": "", "name": "geo"}},
        "messages[2].parts[0].tool_call.id",
        [*P, InvalidToolCallError],
    ),
    (
        "messages.2.parts.0",
        {"kind": "tool_call", "tool_call": {"id": "c", "name": "geo", "arguments": {}}},
        "messages[2].parts[0].tool_call.arguments",
        [*P, InvalidToolCallError],
    ),
    (
        "messages.2.parts.0",
        {"kind": "tool_call", "tool_call": {"id": "c", "name": "geo"}, "text": "x"},
        "messages[2].parts[0].text",
        P,
    ),
    ("messages.1.parts.0.tool_result.id", "", f"{IN_TOOL}.id", [*P, InvalidToolResultError]),
    ("messages.1.parts.0.tool_result.output", [], f"{IN_TOOL}.output", P),
    (
        "messages.1.parts.0.tool_result.output.content",
        [{"kind": "reasoning", "text": "x"}],
        f"{IN_TOOL}.output.content[0].kind",
        [*P, InvalidToolResultError, InvalidToolOutputError, InvalidPartError],
    ),
    (
        "messages.1.parts.0.tool_result.output.text",
        "x",
        f"{IN_TOOL}.output.text",
        [*P, InvalidToolResultError, InvalidToolOutputError],
    ),
    ("messages.3", {"role": "system", "parts": [{"kind": "text", "text": "x"}]}, "messages[3]", []),
    ("tools", {}, "tools", []),
    ("tools.0", 1, "tools[0]", [InvalidToolDefinitionError]),
    ("tools.0.name", "a b", "tools[0].name", [InvalidToolDefinitionError]),
    ("tools.0.input_schema", None, "tools[0].input_schema", [InvalidToolDefinitionError]),
    ("tools.0.input_schema", {}, "tools[0].input_schema", [InvalidToolDefinitionError]),
    ("tools.0.type", "function", "tools[0].type", [InvalidToolDefinitionError]),
    ("tool_choice", "auto", "tool_choice", [InvalidToolChoiceError]),
    ("tool_choice.mode", "any", "tool_choice.mode", [InvalidToolChoiceError]),
    ("tool_choice.name", "other", "tool_choice.name", [InvalidToolChoiceError]),
    ("tool_choice", {"mode": "named", "name": "other"}, "tool_choice.name", []),
    ("options", [], "options", [InvalidOptionsError]),
    ("options.temperature", 3, "options.temperature", [InvalidOptionsError]),
    ("options.temperature", "1", "options.temperature", [InvalidOptionsError]),
    ("options.temperature", True, "options.temperature", [InvalidOptionsError]),
    ("options.top_k", 1.0, "options.top_k", [InvalidOptionsError]),
    ("options.top_k", 2**63, "options.top_k", [InvalidOptionsError]),
    ("options.stop", ["a", ""], "options.stop[1]", [InvalidOptionsError]),
    ("options.stop", ["a", 1], "options.stop[1]", [InvalidOptionsError]),
    ("options.extensions", {"a": 1}, "options.extensions.a", [InvalidOptionsError]),
    (
        "options.extensions",
        [],
        "options.extensions",
        [InvalidOptionsError, InvalidMetadataError],
    ),
    (
        "options.output_format",
        {"type": "xml"},
        "options.output_format.type",
        [InvalidOptionsError, InvalidOutputFormatError],
    ),
    (
        "options.output_format",
        {"type": "json", "name": "x"},
        "options.output_format.name",
        [InvalidOptionsError, InvalidOutputFormatError],
    ),
    (
        "options.output_format",
        {"type": "json_schema", "name": "x", "schema": True},
        "options.output_format.schema",
        [InvalidOptionsError, InvalidOutputFormatError],
    ),
    (
        "options.output_format",
        {"type": "json_schema", "name": "x", "schema": {"type": "x"}},
        "options.output_format.schema.type",
        [InvalidOptionsError, InvalidOutputFormatError],
    ),
]
SOUND_REQUEST = Request(
    user("x"),
    tool_results(ToolResult("c1", "geo", ToolOutput())),
    assistant("y"),
    tools=[ToolDefinition(name="geo", input_schema={"type": "object"})],
    tool_choice=ToolChoice("auto"),
    options=Options(top_k=1),
)


@pytest.mark.parametrize(("place", "wrong", "path", "kinds"), REQUEST_FAULTS)
def test_a_faulty_request_is_refused_with_the_path_of_the_fault(
    place: str, wrong: Any, path: str, kinds: Kinds
) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        Request.from_json(with_fault(SOUND_REQUEST, place, wrong))
    assert caught.value.path == path
    assert_causes(caught.value, kinds)


RESPONSE_FAULTS: list[tuple[str, Any, str, Kinds]] = [
    ("output", None, "output", []),
    ("choices", [], "choices", []),
    ("output.message", {"role": "user", "parts": []}, "output.message.parts", M),
    (
        "output.message",
        {"role": "user", "parts": [{"kind": "text", "text": "x"}]},
        "output.message.role",
        [],
    ),
    ("output.message.parts.0.text", 1, "output.message.parts[0].text", P),
    ("output", {}, "output.finish_reason", []),
    ("output.finish_reason", "end_turn", "output.finish_reason", []),
    ("output.metadata", {"logprobs": 1}, "output.metadata.logprobs", []),
    ("output.metadata", {"extra": {"": 1}}, "output.metadata.extra", [EmptyKeyError]),
    ("output.metadata", {"extra": 1}, "output.metadata.extra", [InvalidMetadataError]),
    ("metadata.id", " x", "metadata.id", []),
    ("metadata.usage", {"input_tokens": -1}, "metadata.usage.input_tokens", [InvalidUsageError]),
    ("metadata.usage", {"input_tokens": 1.0}, "metadata.usage.input_tokens", [InvalidUsageError]),
    ("metadata.usage", {"total": 1}, "metadata.usage.total", [InvalidUsageError]),
    ("metadata.created_at", "2024-01-01", "metadata.created_at", []),
    ("metadata.created_at", "2024-01-01T00:00:00", "metadata.created_at", []),
    ("metadata.created_at", "2024-01-01T00:00:00+24:00", "metadata.created_at", []),
    ("metadata.created_at", 1704067200, "metadata.created_at", []),
]
SOUND_RESPONSE = Response(Output(assistant("x"), "stop"), ResponseMetadata(id="r1"))


@pytest.mark.parametrize(("place", "wrong", "path", "kinds"), RESPONSE_FAULTS)
def test_a_faulty_response_is_refused_with_the_path_of_the_fault(
    place: str, wrong: Any, path: str, kinds: Kinds
) -> None:
    with pytest.raises(InvalidResponseError) as caught:
        Response.from_json(with_fault(SOUND_RESPONSE, place, wrong))
    assert caught.value.path == path
    assert_causes(caught.value, kinds)


DELTA_FAULTS: list[tuple[Any, str, Kinds]] = [
    ({}, "", []),
    ({"parts": []}, "", []),
    ({"parts": [{"kind": "tool_result"}]}, "parts[0].kind", []),
    ({"parts": [{"kind": "text", "text": ""}]}, "parts[0].text", []),
    ({"parts": [{"kind": "text", "text": "x", "media": {}}]}, "parts[0].media", []),
    (
        {"parts": [{"kind": "media", "media": {"mime": "x", "source": {}}}]},
        "parts[0].media.source.kind",
        [InvalidMediaError, InvalidSourceError],
    ),
    (
        {"parts": [{"kind": "tool_call", "tool_call": {"id": "c"}}]},
        "parts[0].tool_call.name",
        [InvalidToolCallError],
    ),
    (
        {"parts": [{"kind": "citation", "citation": {"source": {"kind": "x"}}}]},
        "parts[0].citation.source.kind",
        [InvalidCitationError],
    ),
    ({"message_metadata": 1}, "message_metadata", [InvalidMetadataError]),
    ({"finish_reason": "end"}, "finish_reason", []),
    ({"metadata": {"usage": {"output_tokens": -1}}}, "metadata.usage.output_tokens", []),
]


@pytest.mark.parametrize(("tree", "path", "kinds"), DELTA_FAULTS)
def test_a_faulty_delta_is_refused_with_the_path_of_the_fault(
    tree: Any, path: str, kinds: Kinds
) -> None:
    with pytest.raises(InvalidResponseError) as caught:
        ResponseDelta.from_json(json.dumps(tree))
    assert caught.value.path == path
    assert_causes(caught.value, kinds)


def test_a_part_of_another_kind_is_refused() -> None:
    with pytest.raises(InvalidPartError) as caught:
        TextPart.from_json('{"kind":"refusal","text":"no"}')
    assert caught.value.path == "kind"


def test_the_text_of_a_fault_does_not_lead_the_path_astray() -> None:
    with pytest.raises(InvalidSourceError) as caught:
        URISource.from_json(json.dumps({"kind": "uri", "uri": "/ - at `$.messages[9]`"}))
    assert caught.value.path == "uri"
    assert find_cause(caught.value, InvalidMessageError) is None


def test_numbers_no_float_can_hold_are_refused_everywhere() -> None:
    for text, path in [
        ('{"temperature":1e999}', "temperature"),
        ('{"extensions":{"a/b":[1e999]}}', "extensions['a/b']"),
    ]:
        with pytest.raises(InvalidOptionsError) as caught:
            Options.from_json(text)
        assert caught.value.path == path
    with pytest.raises(InvalidToolOutputError) as output:
        ToolOutput.from_json('{"details":-1e999}')
    assert output.value.path == "details"


def test_names_are_case_sensitive() -> None:
    with pytest.raises(InvalidUsageError):
        Usage.from_json('{"Input_Tokens":1}')


def with_fault(sound: Value, place: str, wrong: Any) -> str:
    """The JSON of a sound value with one thing in it replaced; steps are joined by dots."""
    tree = json.loads(sound.to_json())
    if not place:
        return json.dumps(wrong)
    *way, last = place.split(".")
    at = tree
    for step in way:
        at = at[int(step)] if isinstance(at, list) else at[step]
    if isinstance(at, list):
        at[int(last) :] = [wrong, *at[int(last) + 1 :]]
    else:
        at[last] = wrong
    return json.dumps(tree)


def assert_causes(error: BaseException, kinds: Kinds) -> None:
    """The causes are of these kinds, in this order, others may lie between; nothing else is."""
    cause = error.__cause__
    for kind in kinds:
        while cause is not None and type(cause) is not kind:
            cause = cause.__cause__
        assert cause is not None, f"no {kind.__name__} among the causes"
        cause = cause.__cause__
