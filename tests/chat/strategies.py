"""Hypothesis strategies for every protocol value."""

from __future__ import annotations

import datetime as dt
import string
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from chatport.chat import (
    BytesSource,
    Citation,
    CitationDelta,
    CitationSource,
    Document,
    Extensions,
    JSONFormat,
    JSONSchemaFormat,
    Media,
    MediaDelta,
    MediaPart,
    Message,
    Metadata,
    Options,
    Output,
    OutputMetadata,
    ReasoningDelta,
    ReasoningPart,
    ReferenceSource,
    RefusalDelta,
    RefusalPart,
    Request,
    Response,
    ResponseDelta,
    ResponseMetadata,
    TextDelta,
    TextFormat,
    TextPart,
    ToolCall,
    ToolCallDelta,
    ToolCallPart,
    ToolChoice,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    ToolResultPart,
    URISource,
    Usage,
)

MAX_INT64 = 2**63 - 1

texts = st.text(max_size=20)
"""Anything Unicode, also NUL, but no surrogates: those have no UTF-8."""
words = st.text(min_size=1, max_size=20)
unpadded = words.map(str.strip).filter(bool)
counts = st.integers(0, 2**40)

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(texts, children, max_size=3),
    max_leaves=6,
)

metadata = st.dictionaries(words, json_values, max_size=2).map(Metadata)
_halves = st.text(string.ascii_letters + string.digits + "._-é٣", min_size=1, max_size=5)
extension_keys = st.builds("{}/{}".format, _halves, _halves)
extensions = st.dictionaries(extension_keys, json_values, max_size=2).map(Extensions)
documents = json_values.map(Document.of)

sources = st.one_of(
    st.binary(min_size=1, max_size=20).map(BytesSource),
    st.sampled_from(["https://h.test/a.jpg", "data:,x", "file:///p", "gs://b/ü"]).map(URISource),
    words.filter(str.strip).map(ReferenceSource),
)
media = st.builds(
    Media,
    st.sampled_from(["image/png", "text/plain; charset=utf-8", 'a/b;n="x y"']),
    sources,
    st.none() | words,
    st.none() | words,
    metadata,
)
citation_sources = st.one_of(
    st.builds(CitationSource, st.just("uri"), st.sampled_from(["https://h.test", "x://y/z?q#f"])),
    st.builds(CitationSource, st.just("reference"), unpadded),
)
citations = st.builds(Citation, citation_sources, st.none() | unpadded, st.none() | words)

text_parts = st.builds(TextPart, words, st.lists(citations, max_size=2).map(tuple), metadata)
media_parts = st.builds(MediaPart, media, metadata)
tool_calls = st.builds(ToolCall, words, words, texts)
tool_outputs = st.builds(
    ToolOutput,
    st.lists(text_parts | media_parts, max_size=2).map(tuple),
    st.none() | documents,
)
tool_results = st.builds(ToolResult, words, words, tool_outputs, st.booleans())


def _reasoning(kind: Any) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.builds(kind, words, st.binary(max_size=9), metadata),
        st.builds(kind, texts, st.binary(min_size=1, max_size=9), metadata),
    )


parts_by_role: Mapping[str, st.SearchStrategy[Any]] = {
    "system": text_parts,
    "user": text_parts | media_parts,
    "assistant": st.one_of(
        text_parts,
        media_parts,
        _reasoning(ReasoningPart),
        st.builds(ToolCallPart, tool_calls, metadata),
        st.builds(RefusalPart, words, metadata),
    ),
    "tool": st.builds(ToolResultPart, tool_results, metadata),
}


def messages(*roles: str) -> st.SearchStrategy[Message]:
    """Messages of one of the roles."""
    return st.sampled_from(roles).flatmap(
        lambda role: st.builds(
            Message,
            st.just(role),
            st.lists(parts_by_role[role], min_size=1, max_size=3).map(tuple),
            metadata,
        )
    )


_tool_names = st.text(string.ascii_letters + string.digits + "_-", min_size=1, max_size=8)
tool_definitions = st.builds(
    ToolDefinition,
    name=_tool_names,
    description=st.none() | words,
    input_schema=st.dictionaries(words, json_values, max_size=2).map(
        lambda members: {**members, "type": "object"}
    ),
)
tool_choices = st.one_of(
    st.builds(
        ToolChoice,
        st.sampled_from(["auto", "required"]),
        st.none(),
        st.sampled_from([None, "allow", "single"]),
    ),
    st.just(ToolChoice("none")),
    st.builds(ToolChoice, st.just("named"), _tool_names, st.sampled_from([None, "allow"])),
)
formats = st.one_of(
    st.just(TextFormat()),
    st.just(JSONFormat()),
    st.builds(
        JSONSchemaFormat,
        name=unpadded,
        description=st.none() | unpadded,
        schema=st.sampled_from(
            [{}, {"type": "string"}, {"properties": {"b": {"minimum": 0.10}, "a": True}}]
        ),
    ),
)
options = st.builds(
    Options,
    model=st.none() | unpadded,
    output_format=st.none() | formats,
    frequency_penalty=st.none() | st.floats(-2, 2),
    max_output_tokens=st.none() | st.integers(1, MAX_INT64),
    presence_penalty=st.none() | st.floats(-2, 2),
    reasoning_effort=st.none() | unpadded,
    stop=st.none() | st.lists(words, max_size=3),
    temperature=st.none() | st.floats(0, 2),
    top_k=st.none() | st.integers(1, MAX_INT64),
    top_p=st.none() | st.floats(0, 1),
    extensions=extensions,
)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Requests with leading system messages, and a choice among their tools."""
    leading = draw(st.lists(messages("system"), max_size=2))
    others = draw(st.lists(messages("user", "assistant", "tool"), min_size=1, max_size=3))
    tools = draw(st.lists(tool_definitions, max_size=2, unique_by=lambda tool: tool.name))
    choice = None
    if tools:
        choice = draw(st.none() | tool_choices)
        if choice is not None and choice.mode == "named":
            choice = choice.replace(name=tools[-1].name)
    return Request(*leading, *others, tools=tools, tool_choice=choice, options=draw(options))


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    """Usage whose breakdowns are parts of the totals."""
    total_in, total_out = draw(counts), draw(counts)
    return Usage(
        input_tokens=total_in,
        output_tokens=total_out,
        reasoning_tokens=draw(st.none() | st.integers(0, total_out)),
        cache_read_input_tokens=draw(st.none() | st.integers(0, total_in)),
        cache_write_input_tokens=draw(st.none() | st.integers(0, total_in)),
    )


zones = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(
    lambda minutes: dt.timezone(dt.timedelta(minutes=minutes))
)
response_metadata = st.builds(
    ResponseMetadata,
    id=st.none() | unpadded,
    model=st.none() | unpadded,
    usage=st.none() | usages(),
    created_at=st.none() | st.datetimes(timezones=zones),
    extra=metadata,
)
finish_reasons = st.sampled_from(
    ["stop", "length", "tool_calls", "content_filter", "refusal", "other"]
)
output_metadata = st.builds(OutputMetadata, metadata)
outputs = st.builds(Output, st.none() | messages("assistant"), finish_reasons, output_metadata)
responses = st.builds(Response, outputs, response_metadata)

part_deltas = st.one_of(
    st.builds(TextDelta, words, metadata),
    st.builds(MediaDelta, media, metadata),
    _reasoning(ReasoningDelta),
    st.builds(ToolCallDelta, tool_calls, metadata),
    st.builds(CitationDelta, citations, metadata),
    st.builds(RefusalDelta, words, metadata),
)


@st.composite
def response_deltas(draw: st.DrawFn) -> ResponseDelta:
    """Deltas that are not empty."""
    return ResponseDelta(
        *draw(st.lists(part_deltas, min_size=1, max_size=3)),
        message_metadata=draw(metadata),
        finish_reason=draw(st.none() | finish_reasons),
        output_metadata=draw(st.none() | output_metadata),
        metadata=draw(st.none() | response_metadata),
    )


values = st.one_of(
    sources,
    media,
    citation_sources,
    citations,
    *parts_by_role.values(),
    messages(*parts_by_role),
    tool_calls,
    tool_outputs,
    tool_results,
    tool_definitions,
    tool_choices,
    formats,
    options,
    requests(),
    usages(),
    output_metadata,
    outputs,
    response_metadata,
    responses,
    part_deltas,
    response_deltas(),
)
"""A protocol value of any kind."""
