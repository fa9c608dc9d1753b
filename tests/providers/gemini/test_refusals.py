"""What the Gemini API cannot express is refused before anything is sent, with the place."""

from __future__ import annotations

import json

import pytest

from chatport.chat import (
    Media,
    Message,
    Metadata,
    ReasoningPart,
    Request,
    TextPart,
    ToolChoice,
    UnsupportedError,
    UnsupportedOptionError,
    user,
)
from chatport.providers.gemini import GenerateContent
from tests.providers.refusals import (
    NAMELESS,
    ONLY_SYSTEM,
    calling,
    choosing,
    of,
    resulting,
    showing,
    with_extensions,
    with_options,
)

CODEC = GenerateContent()
PATH = "options.extensions['{}']".format


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        (NAMELESS, "options.model"),
        (
            with_options().replace(options=with_options().options.replace(model="../x")),
            "options.model",
        ),
        (ONLY_SYSTEM, "messages"),
        (showing("image/png", "data:image/png;base64,!"), "messages[0].parts[1].media.source.uri"),
        (showing("image/png", "data:image/png,"), "messages[0].parts[1].media.source.uri"),
        (
            of(user(Media.of_reference("image/png", "file-1"))),
            "messages[0].parts[0].media.source",
        ),
        (
            resulting(Media.of_uri("image/png", "data:,")),
            "messages[0].parts[0].tool_result.output.content[1].media.source.uri",
        ),
        (calling("{"), "messages[1].parts[0].tool_call.arguments"),
        (calling("[1]"), "messages[1].parts[0].tool_call.arguments"),
        (calling('{"a":1,"a":2}'), "messages[1].parts[0].tool_call.arguments"),
        (
            resulting(Media.of_reference("image/png", "file-1")),
            "messages[0].parts[0].tool_result.output.content[1].media.source",
        ),
        (
            of(user("Hi"), Message("assistant", (ReasoningPart("", b"\xff"),))),
            "messages[1].parts[0].reasoning_state",
        ),
        (choosing(ToolChoice("auto", parallelism="single")), "tool_choice.parallelism"),
    ],
)
def test_what_has_no_place_is_refused(request_: Request, path: str) -> None:
    with pytest.raises(UnsupportedError) as raised:
        CODEC.encode(request_, stream=False)
    assert raised.value.path == path


@pytest.mark.parametrize(
    ("request_", "path", "words"),
    [
        (with_options(reasoning_effort="extreme"), "options.reasoning_effort", "minimal, low"),
        (with_extensions(openai__seed=1), PATH("openai/seed"), "another"),
        (with_extensions(gemini__contents=[]), PATH("gemini/contents"), "not for extensions"),
        (with_extensions(gemini__candidate_count=2), PATH("gemini/candidate_count"), "not for"),
        (
            with_extensions(gemini__generation_config={"candidateCount": 2}),
            PATH("gemini/candidateCount"),
            "not for",
        ),
        (
            with_extensions(gemini__generation_config=3),
            PATH("gemini/generation_config"),
            "must be an object",
        ),
    ],
)
def test_an_option_is_refused_with_what_to_do(request_: Request, path: str, words: str) -> None:
    with pytest.raises(UnsupportedOptionError, match=words) as raised:
        CODEC.encode(request_, stream=False)
    assert raised.value.path == path


def test_an_extension_does_not_replace_what_the_request_says() -> None:
    options = with_extensions(gemini__thinking_config={"thinkingLevel": "HIGH"}).options
    request = Request(user("Hi"), options=options.replace(reasoning_effort="low"))
    with pytest.raises(UnsupportedOptionError, match="thinkingLevel already"):
        CODEC.encode(request, stream=False)


def test_an_extension_that_is_null_leaves_its_member_out() -> None:
    request = with_extensions(gemini__labels=None)
    assert "labels" not in json.loads(CODEC.encode(request, stream=False).body)


def test_what_another_model_thought_is_left_out() -> None:
    foreign = ReasoningPart("Hm.", b"sig", Metadata({"anthropic/block": 0}))
    request = of(
        user("Hi"),
        Message("assistant", (foreign,)),
        Message("assistant", (foreign, TextPart("42"))),
    )
    body = json.loads(CODEC.encode(request, stream=False).body)
    assert body["contents"] == [
        {"role": "user", "parts": [{"text": "Hi"}]},
        {"role": "model", "parts": [{"text": "42"}]},
    ]


def test_the_name_of_a_model_cannot_leave_its_place() -> None:
    options = with_options().options.replace(model="x?key=1#:evil")
    path = CODEC.encode(Request(user("Hi"), options=options), stream=False).path
    assert path == "/v1/models/x%3Fkey%3D1%23%3Aevil:generateContent"
