"""What the Messages API cannot express is refused before anything is sent, with the place."""

from __future__ import annotations

import json

import pytest

from chatport.chat import (
    JSONFormat,
    Media,
    MediaPart,
    Message,
    Metadata,
    Options,
    ReasoningPart,
    RefusalPart,
    Request,
    TextPart,
    ToolCall,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    UnsupportedError,
    UnsupportedOptionError,
    UnsupportedOutputFormatError,
    assistant,
    tool_results,
    user,
)
from chatport.providers.anthropic import Messages
from chatport.providers.anthropic.words import JSON_TOOL
from tests.providers.refusals import (
    NAMELESS,
    ONLY_SYSTEM,
    TOOL,
    calling,
    of,
    resulting,
    showing,
    with_extensions,
    with_options,
)

CODEC = Messages()
PATH = "options.extensions['{}']".format


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        (NAMELESS, "options.model"),
        (ONLY_SYSTEM, "messages"),
        (showing("image/png", "data:image/png;base64,!"), "messages[0].parts[1].media.source.uri"),
        (showing("image/png", "gs://b/a.png"), "messages[0].parts[1].media.source.uri"),
        (showing("image/tiff", "https://h.test/a"), "messages[0].parts[1].media.mime"),
        (showing("audio/wav", "https://h.test/a"), "messages[0].parts[1].media.mime"),
        (showing("text/plain", "https://h.test/a"), "messages[0].parts[1].media.mime"),
        (
            of(user(Media.of_bytes("text/plain", b"\xff"))),
            "messages[0].parts[0].media.source",
        ),
        (
            of(user("Hi"), assistant(Media.of_bytes("image/png", b"x"))),
            "messages[1].parts[0].media",
        ),
        (
            resulting(Media.of_uri("image/png", "data:,")),
            "messages[0].parts[0].tool_result.output.content[1].media.source.uri",
        ),
        (calling("{"), "messages[1].parts[0].tool_call.arguments"),
        (calling("[1]"), "messages[1].parts[0].tool_call.arguments"),
        (
            resulting(Media.of_bytes("video/mp4", b"x")),
            "messages[0].parts[0].tool_result.output.content[1].media.mime",
        ),
        (
            of(user("Hi"), Message("assistant", (ReasoningPart("", b"\xff"),))),
            "messages[1].parts[0].reasoning_state",
        ),
        (
            Request(
                user("Hi"),
                tools=[TOOL, ToolDefinition(name=JSON_TOOL, input_schema={"type": "object"})],
                options=Options(model="m"),
            ),
            "tools[1].name",
        ),
    ],
)
def test_what_has_no_place_is_refused(request_: Request, path: str) -> None:
    with pytest.raises(UnsupportedError) as raised:
        CODEC.encode(request_, stream=False)
    assert raised.value.path == path


@pytest.mark.parametrize(
    ("request_", "path", "words"),
    [
        (with_options(temperature=1), "options.temperature", "2023-06-01"),
        (with_options(top_p=1), "options.top_p", "2023-06-01"),
        (with_options(top_k=1), "options.top_k", "2023-06-01"),
        (with_options(frequency_penalty=0), "options.frequency_penalty", "no penalties"),
        (with_options(presence_penalty=0), "options.presence_penalty", "no penalties"),
        (with_options(reasoning_effort="minimal"), "options.reasoning_effort", "low, medium"),
        (with_extensions(gemini__seed=1), PATH("gemini/seed"), "another"),
        (with_extensions(anthropic__messages=[]), PATH("anthropic/messages"), "not for extensions"),
        (with_extensions(anthropic__beta="x\nkey: y"), PATH("anthropic/beta"), "list of names"),
        (with_extensions(anthropic__beta=["x\nkey: y"]), PATH("anthropic/beta"), "list of names"),
    ],
)
def test_an_option_is_refused_with_what_to_do(request_: Request, path: str, words: str) -> None:
    with pytest.raises(UnsupportedOptionError, match=words) as raised:
        CODEC.encode(request_, stream=False)
    assert raised.value.path == path


def test_a_temperature_beyond_the_api_is_refused_by_the_old_version_too() -> None:
    with pytest.raises(UnsupportedOptionError, match="0 to 1"):
        Messages("2023-06-01").encode(with_options(temperature=1.5), stream=False)


def test_any_json_leaves_no_room_for_tools() -> None:
    options = Options(model="m", output_format=JSONFormat())
    with pytest.raises(UnsupportedOutputFormatError, match="give a schema"):
        CODEC.encode(Request(user("Hi"), tools=[TOOL], options=options), stream=False)


def test_what_another_model_thought_is_left_out() -> None:
    foreign = ReasoningPart("Hm.", b"sig", Metadata({"gemini/signed": 0}))
    request = of(
        user("Hi"),
        Message("assistant", (foreign,)),
        Message("assistant", (foreign, ReasoningPart("No signature."), TextPart("42"))),
    )
    body = json.loads(CODEC.encode(request, stream=False).body)
    assert body["messages"][1:] == [
        {"role": "assistant", "content": [{"type": "text", "text": "42"}]}
    ]


def test_a_refusal_goes_back_as_text() -> None:
    request = of(user("Hi"), Message("assistant", (RefusalPart("I will not."),)))
    body = json.loads(CODEC.encode(request, stream=False).body)
    assert body["messages"][1]["content"] == [{"type": "text", "text": "I will not."}]


def test_ids_of_other_letters_are_replaced_alike_in_call_and_result() -> None:
    request = of(
        user("Hi"),
        assistant(ToolCall("f:0|x", "f", "{}"), ToolCall("f:1|x", "f", "{}")),
        tool_results(
            ToolResult("f:0|x", "f", ToolOutput()), ToolResult("f:1|x", "f", ToolOutput())
        ),
    )
    _, calls, results = json.loads(CODEC.encode(request, stream=False).body)["messages"]
    made = [call["id"] for call in calls["content"]]
    assert made == [result["tool_use_id"] for result in results["content"]]
    assert len(set(made)) == 2
    assert all(one.replace("_", "").isalnum() for one in made)


def test_marks_of_a_mime_type_do_not_matter() -> None:
    media = MediaPart(Media.of_bytes("Image/PNG; a=b", b"x"))
    body = json.loads(CODEC.encode(of(Message("user", (media,))), stream=False).body)
    assert body["messages"][0]["content"][0]["source"]["media_type"] == "image/png"
