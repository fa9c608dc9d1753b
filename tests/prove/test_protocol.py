"""Requests as they are sent, read into the values the client would send them as."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatport.chat import (
    JSONFormat,
    JSONSchemaFormat,
    Media,
    Message,
    Options,
    ReasoningPart,
    Request,
    TextFormat,
    ToolCall,
    ToolChoice,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    UnsupportedOptionError,
    assistant,
    system,
    tool_results,
    user,
)
from chatport.port.prove.calls import Call
from chatport.port.prove.normalise import IN_ORDER, normalised
from chatport.port.prove.pair import prove_pair
from chatport.port.prove.protocol import identity, request_of
from chatport.port.prove.running import Worker
from chatport.providers.gemini import GenerateContent
from tests.prove.test_attack import ROWS, Row
from tests.support.port import IMPORTS, NEW_IMPORTS, clean

MODEL: Final = Options(model="models/m")
HI: Final = [{"role": "user", "parts": [{"text": "Hi"}]}]
DECLARED: Final = {
    "name": "add",
    "description": "Adds.",
    "parameters": {
        "type": "OBJECT",
        "properties": {"numbers": {"type": "ARRAY", "items": {"type": "NUMBER"}}},
        "required": ["numbers"],
    },
}
ADD: Final = ToolDefinition(
    name="add",
    description="Adds.",
    input_schema='{"properties":{"numbers":{"items":{"type":"number"},"type":"array"}},'
    '"required":["numbers"],"type":"object"}',
)
TOOLS: Final = [{"functionDeclarations": [DECLARED]}]


def call(body: dict[str, Any], method: str = "generateContent") -> Call:
    return Call(method, "models/m", "v1beta", body)


def configured(**settings: object) -> dict[str, Any]:
    return {"contents": HI, "generationConfig": settings}


def choosing(**config: object) -> dict[str, Any]:
    return {"contents": HI, "tools": TOOLS, "toolConfig": {"functionCallingConfig": config}}


HELD: Final[dict[str, tuple[dict[str, Any], Request]]] = {
    "text": ({"contents": HI}, Request(user("Hi"), options=MODEL)),
    "system": (
        {"contents": HI, "systemInstruction": {"parts": [{"text": "Be"}, {"text": "brief."}]}},
        Request(system("Be", "brief."), user("Hi"), options=MODEL),
    ),
    "turns": (
        {
            "contents": [
                *HI,
                {"role": "model", "parts": [{"text": "Hello"}]},
                {"role": "user", "parts": [{"text": "a"}, {"text": "b"}]},
            ]
        },
        Request(user("Hi"), assistant("Hello"), user("a", "b"), options=MODEL),
    ),
    "media": (
        {
            "contents": [
                {
                    "role": "user",
                    "parts": [
                        {"inlineData": {"mimeType": "image/png", "data": "iVBO"}},
                        {"fileData": {"mimeType": "text/plain", "fileUri": "https://h/files/a"}},
                    ],
                }
            ]
        },
        Request(
            user(
                Media.of_bytes("image/png", base64.b64decode("iVBO")),
                Media.of_uri("text/plain", "https://h/files/a"),
            ),
            options=MODEL,
        ),
    ),
    "tool call and result": (
        {
            "contents": [
                *HI,
                {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"b": 1}}}]},
                {
                    "role": "user",
                    "parts": [{"functionResponse": {"name": "f", "response": {"x": [1]}}}],
                },
            ]
        },
        Request(
            user("Hi"),
            assistant(ToolCall("gcall_f-0", "f", '{"b":1}')),
            tool_results(ToolResult("gcall_f-0", "f", ToolOutput.of_json({"x": [1]}))),
            options=MODEL,
        ),
    ),
    "reasoning": (
        {
            "contents": [
                *HI,
                {
                    "role": "model",
                    "parts": [{"text": "Hm", "thought": True, "thoughtSignature": "YQ=="}],
                },
            ]
        },
        Request(
            user("Hi"),
            Message("assistant", (ReasoningPart("Hm", b"YQ=="),)),
            options=MODEL,
        ),
    ),
    "sampling": (
        configured(
            temperature=0,
            topP=0.5,
            topK=7,
            maxOutputTokens=9,
            stopSequences=["a", "b"],
            presencePenalty=0.25,
            frequencyPenalty=-1,
        ),
        Request(
            user("Hi"),
            options=Options(
                model="models/m",
                temperature=0,
                top_p=0.5,
                top_k=7,
                max_output_tokens=9,
                stop=["a", "b"],
                presence_penalty=0.25,
                frequency_penalty=-1,
            ),
        ),
    ),
    "JSON": (
        configured(responseMimeType="application/json"),
        Request(user("Hi"), options=MODEL.replace(output_format=JSONFormat())),
    ),
    "plain text": (
        configured(responseMimeType="text/plain"),
        Request(user("Hi"), options=MODEL.replace(output_format=TextFormat())),
    ),
    "JSON of a schema": (
        configured(responseMimeType="application/json", responseSchema={"type": "STRING"}),
        Request(
            user("Hi"),
            options=MODEL.replace(
                output_format=JSONSchemaFormat(name="response", schema='{"type":"string"}')
            ),
        ),
    ),
    "tools": (
        {"contents": HI, "tools": TOOLS},
        Request(user("Hi"), tools=[ADD], options=MODEL),
    ),
    "a tool without parameters": (
        {"contents": HI, "tools": [{"functionDeclarations": [{"name": "now"}]}]},
        Request(
            user("Hi"),
            tools=[ToolDefinition(name="now", input_schema='{"type":"object"}')],
            options=MODEL,
        ),
    ),
    **{
        f"tool choice {mode}": (
            choosing(mode=mode),
            Request(user("Hi"), tools=[ADD], tool_choice=choice, options=MODEL),
        )
        for mode, choice in (
            ("AUTO", ToolChoice("auto")),
            ("NONE", ToolChoice("none")),
            ("ANY", ToolChoice("required")),
        )
    },
    "one tool that must be called": (
        choosing(mode="ANY", allowedFunctionNames=["add"]),
        Request(user("Hi"), tools=[ADD], tool_choice=ToolChoice("named", "add"), options=MODEL),
    ),
}

EXTENSIONS: Final[dict[str, tuple[dict[str, Any], dict[str, object]]]] = {
    "safety settings": (
        {"contents": HI, "safetySettings": [{"category": "C", "threshold": "T"}]},
        {"gemini/safety_settings": [{"category": "C", "threshold": "T"}]},
    ),
    "cached content": (
        {"contents": HI, "cachedContent": "cachedContents/c"},
        {"gemini/cached_content": "cachedContents/c"},
    ),
    "candidates": (configured(candidateCount=2), {"gemini/candidate_count": 2}),
    "an enum as the answer": (
        configured(responseMimeType="text/x.enum", responseSchema={"type": "STRING"}),
        {
            "gemini/generation_config": {
                "responseMimeType": "text/x.enum",
                "responseSchema": {"type": "STRING"},
            }
        },
    ),
    "a tool of the service": (
        {"contents": HI, "tools": [{"codeExecution": {}}]},
        {"gemini/tools": [{"codeExecution": {}}]},
    ),
    "a tool of the service beside a function": (
        {"contents": HI, "tools": [*TOOLS, {"codeExecution": {}}]},
        {"gemini/tools": [{"codeExecution": {}}]},
    ),
    "a choice without tools": (
        {"contents": HI, "toolConfig": {"functionCallingConfig": {"mode": "NONE"}}},
        {"gemini/tool_config": {"functionCallingConfig": {"mode": "NONE"}}},
    ),
    "several tools to choose from": (
        choosing(mode="ANY", allowedFunctionNames=["add", "sub"]),
        {
            "gemini/tool_config": {
                "functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["add", "sub"]}
            }
        },
    ),
}

NOT_HELD: Final[dict[str, dict[str, Any]]] = {
    "no contents": {"systemInstruction": {"parts": [{"text": "Be brief."}]}},
    "an empty configuration": configured(),
    "no function declared": {"contents": HI, "tools": [{"functionDeclarations": []}]},
    "contents of another form": {"contents": "Hi"},
    "a turn without a role": {"contents": [{"parts": [{"text": "Hi"}]}]},
    "a role of its own": {"contents": [{"role": "critic", "parts": [{"text": "Hi"}]}]},
    "a turn without parts": {"contents": [{"role": "user", "parts": []}]},
    "an empty text": {"contents": [{"role": "user", "parts": [{"text": ""}]}]},
    "a part of no kind": {"contents": [{"role": "user", "parts": [{}]}]},
    "a result by the model": {
        "contents": [{"role": "model", "parts": [{"functionResponse": {"name": "f"}}]}]
    },
    "a result beside a text": {
        "contents": [
            {"role": "user", "parts": [{"text": "x"}, {"functionResponse": {"name": "f"}}]}
        ]
    },
    "executable code": {
        "contents": [{"role": "model", "parts": [{"executableCode": {"code": "1"}}]}]
    },
    "bytes that are no base64": {
        "contents": [
            {"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": "?"}}]}
        ]
    },
    "a null": configured(temperature=None),
    "a temperature out of range": configured(temperature=3),
    "a count with a fraction": configured(topK=7.0),
    "two lists of functions": {
        "contents": HI,
        "tools": [{"functionDeclarations": [{"name": "f"}], "codeExecution": {}}],
    },
    "a schema in the other dialect": {
        "contents": HI,
        "tools": [{"functionDeclarations": [{"name": "f", "parametersJsonSchema": {}}]}],
    },
}


@pytest.mark.parametrize("name", HELD)
def test_a_request_is_held(name: str) -> None:
    body, request = HELD[name]
    before = json.dumps(body)
    assert request_of(call(body)) == request
    assert json.dumps(body) == before


@pytest.mark.parametrize("name", EXTENSIONS)
def test_what_the_protocol_has_no_word_for_stands_in_the_extensions(name: str) -> None:
    body, extensions = EXTENSIONS[name]
    request = request_of(call(body))
    assert request is not None
    assert request.options.extensions == extensions


@pytest.mark.parametrize("name", NOT_HELD)
def test_a_request_that_does_not_fit_is_not_held_and_compared_as_it_is(name: str) -> None:
    sent = call(NOT_HELD[name])
    assert request_of(sent) is None
    assert identity(sent) == sent.fingerprint()


@pytest.mark.parametrize("name", [*HELD, *EXTENSIONS])
def test_the_client_sends_a_held_request_again_as_it_was(name: str) -> None:
    """But for the dialect of schemas: the client sends JSON schemas, which the API takes as well.

    It asks for one answer, and puts functions before all other tools.
    """
    body = HELD[name][0] if name in HELD else EXTENSIONS[name][0]
    request = request_of(call(body))
    assert request is not None
    if name == "candidates":
        with pytest.raises(UnsupportedOptionError, match="candidate_count"):
            GenerateContent().encode(request, stream=False)
    else:
        wire = GenerateContent("v1beta").encode(request, stream=False)
        assert wire.path == "/v1beta/models/m:generateContent"
        assert json.loads(wire.body) == in_json_schema(body)


def in_json_schema(body: dict[str, Any]) -> dict[str, Any]:
    """The body with its schemas as the client sends them."""
    body = json.loads(json.dumps(body))
    for tool in body.get("tools", []):
        for declared in tool.get("functionDeclarations", []):
            schema = json.dumps(declared.pop("parameters", {"type": "OBJECT"}))
            declared["parametersJsonSchema"] = json.loads(schema.lower())
    settings = body.get("generationConfig", {})
    if settings.get("responseMimeType") == "application/json" and "responseSchema" in settings:
        schema = json.dumps(settings.pop("responseSchema"))
        settings["responseJsonSchema"] = json.loads(schema.lower())
    return body


def test_other_methods_are_not_held() -> None:
    assert request_of(call({"contents": HI}, "countTokens")) is None


def test_an_id_that_was_sent_is_not_one_that_was_made() -> None:
    parts = [
        {"functionCall": {"name": "f", "args": {}}},
        {"functionCall": {"name": "f", "args": {}, "id": "f-0"}},
    ]
    sent = [call({"contents": [*HI, {"role": "model", "parts": [part]}]}) for part in parts]
    assert all(request_of(one) for one in sent)
    assert identity(sent[0]) != identity(sent[1])


@pytest.mark.parametrize(
    "change", [{"method": "streamGenerateContent"}, {"key": "k"}, {"version": "v1"}, {"host": "h"}]
)
def test_what_is_around_a_request_is_compared_too(change: dict[str, str]) -> None:
    plain = {"method": "generateContent", "name": "models/m", "version": "v1beta"}
    one, other = (Call(**fields, body={"contents": HI}) for fields in (plain, plain | change))
    assert request_of(one) == request_of(other)
    assert identity(one) != identity(other)


BODIES: Final = st.fixed_dictionaries(
    {
        "contents": st.lists(
            st.fixed_dictionaries(
                {
                    "role": st.sampled_from(["user", "model", "function"]),
                    "parts": st.lists(
                        st.sampled_from(
                            [
                                {"text": "a"},
                                {"text": "b"},
                                {"text": "a", "thought": True},
                                {"text": "a", "thought": False},
                                {"functionCall": {"name": "f"}},
                                {"functionCall": {"name": "f", "args": {}}},
                                {"functionCall": {"name": "f", "id": "f-0"}},
                                {"functionResponse": {"name": "f"}},
                                {"functionResponse": {"name": "f", "response": {}}},
                                {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
                            ]
                        ),
                        min_size=1,
                        max_size=2,
                    ),
                }
            ),
            min_size=1,
            max_size=2,
        ),
    },
    optional={
        "generationConfig": st.dictionaries(
            st.sampled_from(["temperature", "topK", "candidateCount", "responseMimeType"]),
            st.sampled_from([0, 1, 2, "application/json", "text/plain"]),
            max_size=2,
        ),
        "tools": st.sampled_from(
            [
                TOOLS,
                [{"functionDeclarations": []}],
                [*TOOLS, {"codeExecution": {}}],
                [{"codeExecution": {}}, *TOOLS],
                [*TOOLS, *TOOLS],
                [{"functionDeclarations": [{"name": "add"}]}],
            ]
        ),
        "toolConfig": st.sampled_from(
            [
                {},
                {"functionCallingConfig": {"mode": "ANY"}},
                {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["add"]}},
                {"functionCallingConfig": {"mode": "AUTO", "allowedFunctionNames": ["add"]}},
            ]
        ),
    },
)


@given(BODIES, BODIES)
def test_two_requests_are_one_value_only_when_they_are_one_request(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (identity(call(one)) == identity(call(other))) == same


def generating(row: Row, worker: Callable[[str], Worker]) -> tuple[list[Call], list[Call]]:
    workers = (worker("legacy"), worker("genai3"))
    before, after = IMPORTS + clean(row.before), NEW_IMPORTS + clean(row.right)
    pair = prove_pair(before, after, workers, script=row.script)
    return pair.exchanges_before, pair.exchanges_after


@pytest.mark.parametrize(
    "name",
    [
        "history-order",
        "safety-category",
        "temperature-zero-lost",
        "schema-dropped",
        "tool-mode",
        "arguments-renamed",
        "bytes-of-another-type",
        "turn-replaces-config",
        "stream-lines",
    ],
)
def test_both_sdks_send_one_value(worker: Callable[[str], Worker], name: str) -> None:
    before, after = generating(ROWS[name], worker)
    ours, theirs = (
        [request_of(one) for one in normalised(calls, IN_ORDER)] for calls in (before, after)
    )
    assert ours
    assert None not in ours
    assert ours == theirs
