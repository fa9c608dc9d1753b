"""Requests as ours, and as the arguments of google-genai's `generate_content`."""

from __future__ import annotations

from typing import Any

from chatport.chat import (
    JSONFormat,
    JSONSchemaFormat,
    Media,
    MediaPart,
    Message,
    Options,
    ReasoningPart,
    Request,
    TextFormat,
    TextPart,
    ToolCall,
    ToolCallPart,
    ToolChoice,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    assistant,
    system,
    tool_results,
    user,
)
from tests.providers.official import Case, data

MODEL = "gemini-2.5-flash"
PNG = b"\x89PNG\xff\xfe"
HI = {"role": "user", "parts": [{"text": "Hi"}]}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = ToolDefinition(name="weather", description="Tells it.", input_schema=SCHEMA)
CLOCK = ToolDefinition(name="clock", input_schema={"type": "object", "properties": {}})
THEIR_WEATHER = {
    "name": "weather",
    "description": "Tells it.",
    "parameters_json_schema": SCHEMA,
}
THEIR_CLOCK = {"name": "clock", "parameters_json_schema": {"type": "object", "properties": {}}}
OFFERED = [{"function_declarations": [THEIR_WEATHER]}]


def plain(name: str, config: dict[str, Any], **options: Any) -> Case:
    """A greeting with options."""
    ours = Request(user("Hi"), options=Options(model=MODEL, **options))
    return Case(name, ours, {"model": MODEL, "contents": [HI], "config": config})


def extended(name: str, config: dict[str, Any], **own: Any) -> Case:
    """A greeting with extensions."""
    return plain(name, config, extensions={f"gemini/{key}": value for key, value in own.items()})


def said(name: str, messages: list[Message], contents: list[Any], **config: Any) -> Case:
    """A conversation."""
    ours = Request(*messages, options=Options(model=MODEL))
    return Case(name, ours, {"model": MODEL, "contents": contents, "config": config})


def shown(name: str, part: Media | MediaPart, wire: Any) -> Case:
    """A user's message with media."""
    contents = [{"role": "user", "parts": [{"text": "See"}, wire]}]
    return said(name, [user("See", part)], contents)


def offered(name: str, choice: ToolChoice | None, config: dict[str, Any]) -> Case:
    """A greeting with a tool."""
    ours = Request(user("Hi"), tools=[WEATHER], tool_choice=choice, options=Options(model=MODEL))
    theirs = {"model": MODEL, "contents": [HI], "config": {"tools": OFFERED, **config}}
    return Case(name, ours, theirs)


def used(name: str, result: ToolResult, response: Any) -> Case:
    """A call and its result."""
    call = ToolCall("c1", "weather", '{"city":"Ulm"}')
    contents = [
        HI,
        {
            "role": "model",
            "parts": [{"function_call": {"id": "c1", "name": "weather", "args": {"city": "Ulm"}}}],
        },
        {"role": "user", "parts": [{"function_response": response}]},
    ]
    return said(name, [user("Hi"), assistant(call), tool_results(result)], contents)


def mode(**config: Any) -> dict[str, Any]:
    return {"tool_config": {"function_calling_config": config}}


def marked(**members: Any) -> Any:
    return {f"gemini/{key}": value for key, value in members.items()}


def _answer(identity: str, **response: Any) -> dict[str, Any]:
    return {"id": identity, "name": "weather", "response": response}


CASES = [
    plain("a text", {}),
    Case(
        "a text in a stream",
        Request(user("Hi"), options=Options(model=MODEL)),
        {"model": MODEL, "contents": [HI], "stream": True},
    ),
    Case(
        "a model by its full name",
        Request(user("Hi"), options=Options(model="models/gemini-2.5-flash")),
        {"model": "models/gemini-2.5-flash", "contents": [HI]},
    ),
    Case(
        "a tuned model",
        Request(user("Hi"), options=Options(model="tunedModels/mine")),
        {"model": "tunedModels/mine", "contents": [HI]},
    ),
    Case(
        "the cloud",
        Request(user("Hi"), options=Options(model=MODEL, temperature=0.5)),
        {"model": MODEL, "contents": [HI], "config": {"temperature": 0.5}, "vertex": True},
    ),
    Case(
        "the cloud in a stream",
        Request(system("Brief."), user("Hi"), options=Options(model=MODEL)),
        {
            "model": MODEL,
            "contents": [HI],
            "config": {"system_instruction": "Brief."},
            "vertex": True,
            "stream": True,
        },
    ),
    Case(
        "a model of another publisher, in the cloud",
        Request(user("Hi"), options=Options(model="publishers/meta/models/llama-4")),
        {"model": "publishers/meta/models/llama-4", "contents": [HI], "vertex": True},
    ),
    said(
        "several texts",
        [user("One", "Two")],
        [{"role": "user", "parts": [{"text": "One"}, {"text": "Two"}]}],
    ),
    said(
        "a conversation",
        [user("Hi"), assistant("Hello."), user("Why?")],
        [
            HI,
            {"role": "model", "parts": [{"text": "Hello."}]},
            {"role": "user", "parts": [{"text": "Why?"}]},
        ],
    ),
    said("a system message", [system("Brief."), user("Hi")], [HI], system_instruction="Brief."),
    said(
        "several system messages",
        [system("Brief."), system("Kind."), user("Hi")],
        [HI],
        system_instruction=["Brief.", "Kind."],
    ),
    plain("temperature", {"temperature": 0}, temperature=0),
    plain("sampling", {"top_p": 0.5, "top_k": 40}, top_p=0.5, top_k=40),
    plain("the length", {"max_output_tokens": 9}, max_output_tokens=9),
    plain("stops", {"stop_sequences": ["a", "b"]}, stop=["a", "b"]),
    plain(
        "penalties",
        {"presence_penalty": 0.5, "frequency_penalty": -1},
        presence_penalty=0.5,
        frequency_penalty=-1,
    ),
    plain("effort", {"thinking_config": {"thinking_level": "LOW"}}, reasoning_effort="low"),
    plain("text as the format", {"response_mime_type": "text/plain"}, output_format=TextFormat()),
    plain("JSON", {"response_mime_type": "application/json"}, output_format=JSONFormat()),
    plain(
        "a schema",
        {"response_mime_type": "application/json", "response_json_schema": SCHEMA},
        output_format=JSONSchemaFormat(name="answer", schema=SCHEMA),
    ),
    plain(
        "a described schema",
        {
            "response_mime_type": "application/json",
            "response_json_schema": {"description": "A city.", **SCHEMA},
        },
        output_format=JSONSchemaFormat(name="answer", description="A city.", schema=SCHEMA),
    ),
    shown(
        "an image",
        Media.of_bytes("image/png", PNG),
        {"inline_data": {"mime_type": "image/png", "data": data(PNG)}},
    ),
    shown(
        "an image in a data: URI",
        Media.of_uri("image/png", "data:image/png;base64,iVBORw=="),
        {"inline_data": {"mime_type": "image/png", "data": data(b"\x89PNG")}},
    ),
    shown(
        "a sound",
        Media.of_bytes("audio/wav", b"RIFF"),
        {"inline_data": {"mime_type": "audio/wav", "data": data(b"RIFF")}},
    ),
    shown(
        "a document at a URI",
        Media.of_uri("application/pdf", "https://h.test/a.pdf"),
        {"file_data": {"mime_type": "application/pdf", "file_uri": "https://h.test/a.pdf"}},
    ),
    shown(
        "an uploaded file",
        Media.of_reference("video/mp4", "files/abc"),
        {
            "file_data": {
                "mime_type": "video/mp4",
                "file_uri": "https://generativelanguage.googleapis.com/v1beta/files/abc",
            }
        },
    ),
    shown(
        "a part of a film",
        MediaPart(
            Media.of_uri("video/mp4", "https://h.test/a.mp4"),
            marked(video_metadata={"startOffset": "1s", "endOffset": "3s"}),
        ),
        {
            "file_data": {"mime_type": "video/mp4", "file_uri": "https://h.test/a.mp4"},
            "video_metadata": {"start_offset": "1s", "end_offset": "3s"},
        },
    ),
    shown(
        "an image with a name",
        Media.of_bytes("image/png", PNG, name="map"),
        {"inline_data": {"mime_type": "image/png", "data": data(PNG), "display_name": "map"}},
    ),
    offered("a tool", None, {}),
    Case(
        "two tools",
        Request(user("Hi"), tools=[WEATHER, CLOCK], options=Options(model=MODEL)),
        {
            "model": MODEL,
            "contents": [HI],
            "config": {"tools": [{"function_declarations": [THEIR_WEATHER, THEIR_CLOCK]}]},
        },
    ),
    offered("a choice left to the model", ToolChoice("auto"), mode(mode="AUTO")),
    offered("no tool, though offered", ToolChoice("none"), mode(mode="NONE")),
    offered("some tool", ToolChoice("required"), mode(mode="ANY")),
    offered(
        "some tool, several allowed",
        ToolChoice("required", parallelism="allow"),
        mode(mode="ANY"),
    ),
    offered(
        "this tool",
        ToolChoice("named", "weather"),
        mode(mode="ANY", allowed_function_names=["weather"]),
    ),
    used(
        "a result that is text",
        ToolResult("c1", "weather", ToolOutput.of_text("Sunny")),
        _answer("c1", output="Sunny"),
    ),
    used(
        "a result that is an object",
        ToolResult("c1", "weather", ToolOutput.of_json({"sun": True})),
        _answer("c1", sun=True),
    ),
    used(
        "a result that is a list",
        ToolResult("c1", "weather", ToolOutput.of_json([1, 2])),
        _answer("c1", output=[1, 2]),
    ),
    used(
        "a result that is an error",
        ToolResult("c1", "weather", ToolOutput.of_text("No such city"), is_error=True),
        _answer("c1", error="No such city"),
    ),
    used("an empty result", ToolResult("c1", "weather", ToolOutput()), _answer("c1")),
    used(
        "a result with an image",
        ToolResult(
            "c1",
            "weather",
            ToolOutput((TextPart("See"), MediaPart(Media.of_bytes("image/png", PNG)))),
        ),
        _answer("c1", output="See")
        | {"parts": [{"inline_data": {"mime_type": "image/png", "data": data(PNG)}}]},
    ),
    said(
        "results in messages of their own",
        [
            user("Hi"),
            assistant(ToolCall("c1", "weather", "{}"), ToolCall("c2", "weather", "{}")),
            tool_results(ToolResult("c1", "weather", ToolOutput.of_text("A"))),
            tool_results(ToolResult("c2", "weather", ToolOutput.of_text("B"))),
        ],
        [
            HI,
            {
                "role": "model",
                "parts": [
                    {"function_call": {"id": "c1", "name": "weather", "args": {}}},
                    {"function_call": {"id": "c2", "name": "weather", "args": {}}},
                ],
            },
            {
                "role": "user",
                "parts": [
                    {"function_response": _answer("c1", output="A")},
                    {"function_response": _answer("c2", output="B")},
                ],
            },
        ],
    ),
    said(
        "a signed call",
        [
            user("Hi"),
            Message(
                "assistant",
                (
                    ToolCallPart(
                        ToolCall("c1", "weather", '{"city":"Ulm"}'),
                        marked(thought_signature="c2lnbmVk"),
                    ),
                ),
            ),
            tool_results(ToolResult("c1", "weather", ToolOutput.of_text("A"))),
        ],
        [
            HI,
            {
                "role": "model",
                "parts": [
                    {
                        "function_call": {"id": "c1", "name": "weather", "args": {"city": "Ulm"}},
                        "thought_signature": data(b"signed"),
                    }
                ],
            },
            {"role": "user", "parts": [{"function_response": _answer("c1", output="A")}]},
        ],
    ),
    said(
        "a signed thought",
        [
            user("Hi"),
            Message("assistant", (ReasoningPart("Hm.", b"c2lnbmVk"), TextPart("42"))),
            user("Why?"),
        ],
        [
            HI,
            {
                "role": "model",
                "parts": [
                    {"text": "Hm.", "thought": True, "thought_signature": data(b"signed")},
                    {"text": "42"},
                ],
            },
            {"role": "user", "parts": [{"text": "Why?"}]},
        ],
    ),
    said(
        "code that was run",
        [
            user("Hi"),
            Message(
                "assistant",
                (
                    ReasoningPart(
                        "",
                        b'{"executableCode":{"language":"PYTHON","code":"print(1)"}}\n',
                        marked(parts=True),
                    ),
                    TextPart("1"),
                ),
            ),
            user("Why?"),
        ],
        [
            HI,
            {
                "role": "model",
                "parts": [
                    {"executable_code": {"language": "PYTHON", "code": "print(1)"}},
                    {"text": "1"},
                ],
            },
            {"role": "user", "parts": [{"text": "Why?"}]},
        ],
    ),
    extended(
        "a budget for thinking",
        {"thinking_config": {"thinking_budget": 0, "include_thoughts": True}},
        thinking_config={"thinkingBudget": 0, "includeThoughts": True},
    ),
    extended(
        "safety",
        {"safety_settings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}]},
        safety_settings=[{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
    ),
    extended("a seed", {"seed": 7}, seed=7),
    extended(
        "cached content", {"cached_content": "cachedContents/x"}, cached_content="cachedContents/x"
    ),
    extended("a search", {"tools": [{"google_search": {}}]}, tools=[{"googleSearch": {}}]),
    Case(
        "a search beside a tool",
        Request(
            user("Hi"),
            tools=[WEATHER],
            tool_choice=ToolChoice("required"),
            options=Options(
                model=MODEL,
                extensions={
                    "gemini/tools": [{"codeExecution": {}}],
                    "gemini/tool_config": {"retrievalConfig": {"languageCode": "de"}},
                },
            ),
        ),
        {
            "model": MODEL,
            "contents": [HI],
            "config": {
                "tools": [*OFFERED, {"code_execution": {}}],
                "tool_config": {
                    "function_calling_config": {"mode": "ANY"},
                    "retrieval_config": {"language_code": "de"},
                },
            },
        },
    ),
    extended(
        "a voice",
        {
            "response_modalities": ["AUDIO"],
            "speech_config": {"voice_config": {"prebuilt_voice_config": {"voice_name": "Kore"}}},
        },
        response_modalities=["AUDIO"],
        speech_config={"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": "Kore"}}},
    ),
    extended(
        "an image asked for",
        {"response_modalities": ["IMAGE"], "image_config": {"aspect_ratio": "16:9"}},
        response_modalities=["IMAGE"],
        image_config={"aspectRatio": "16:9"},
    ),
    extended(
        "log probabilities",
        {"response_logprobs": True, "logprobs": 3},
        response_logprobs=True,
        logprobs=3,
    ),
    extended("labels", {"labels": {"team": "a_b"}}, labels={"team": "a_b"}),
    extended("a tier", {"service_tier": "flex"}, service_tier="flex"),
    extended(
        "a setting of tomorrow",
        {"enable_enhanced_civic_answers": True},
        generation_config={"enableEnhancedCivicAnswers": True},
    ),
]
