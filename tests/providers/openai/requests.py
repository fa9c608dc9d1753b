"""Requests said twice: to the official SDK, as its documentation says, and as ours."""

from __future__ import annotations

from typing import Any, NamedTuple

from chatport import (
    JSONFormat,
    JSONSchemaFormat,
    Media,
    Options,
    ReasoningPart,
    RefusalPart,
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

Json = dict[str, Any]


class Row(NamedTuple):
    """One request. `official` are the arguments of the SDK's `create`, without the model."""

    name: str
    official: Json
    ours: Request


PNG = Media.of_bytes("image/png", b"png")
WAV = Media.of_bytes("audio/wav", b"wav")
PDF = Media.of_bytes("application/pdf", b"pdf", name="a.pdf")
STRICT = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
LOOSE = {"type": "object", "properties": {"city": {"type": "string"}}}
WEATHER = ToolDefinition(name="weather", description="The weather.", input_schema=LOOSE)
TIME = ToolDefinition(name="time", input_schema={"type": "object", "properties": {}})
CALL = ToolCall("call_1", "weather", '{"city":"Oslo"}')
HI = {"role": "user", "content": "Hi"}
ASK = user("Hi")


def said(*messages: Json, **more: Any) -> Json:
    return {"messages": list(messages), **more}


def parts(*given: Json) -> Json:
    return said({"role": "user", "content": list(given)})


def opts(**options: Any) -> Request:
    return Request(ASK, options=Options(**options))


def ext(**extensions: Any) -> Request:
    return opts(extensions={f"openai/{name}": value for name, value in extensions.items()})


TEXT_PART = {"type": "text", "text": "Look"}
WIRE_CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "weather", "arguments": '{"city":"Oslo"}'},
}
WIRE_TOOL = {
    "type": "function",
    "function": {"name": "weather", "description": "The weather.", "parameters": LOOSE},
}
WIRE_TIME = {
    "type": "function",
    "function": {"name": "time", "parameters": {"type": "object", "properties": {}}},
}


def tooled(choice: Any = None, **more: Any) -> Json:
    return said(HI, tools=[WIRE_TOOL], **({"tool_choice": choice} if choice else {}), **more)


def choosing(choice: ToolChoice | None = None) -> Request:
    return Request(ASK, tools=[WEATHER], tool_choice=choice)


def schema_format(schema: Json, **more: Any) -> Json:
    told = {"name": "city", "schema": schema, **more}
    return {"response_format": {"type": "json_schema", "json_schema": told}}


CHAT = [
    Row("a question", said(HI), Request(ASK)),
    Row("a system message", said({"role": "system", "content": "Be brief."}, HI),
        Request(system("Be brief."), ASK)),
    Row("two system messages",
        said({"role": "system", "content": "A"}, {"role": "system", "content": "B"}, HI),
        Request(system("A"), system("B"), ASK)),
    Row("a system message of two texts",
        said({"role": "system", "content": [{"type": "text", "text": "A"},
                                            {"type": "text", "text": "B"}]}, HI),
        Request(system("A", "B"), ASK)),
    Row("a history", said(HI, {"role": "assistant", "content": "Hello."}, HI),
        Request(ASK, assistant("Hello."), ASK)),
    Row("two texts", parts(TEXT_PART, {"type": "text", "text": "there"}),
        Request(user("Look", "there"))),
    Row("characters of many bytes", said({"role": "user", "content": "Ж€😀\u2028\x00"}),
        Request(user("Ж€😀\u2028\x00"))),
    Row("an image as bytes",
        parts(TEXT_PART, {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}),
        Request(user("Look", PNG))),
    Row("an image by its address",
        parts({"type": "image_url", "image_url": {"url": "https://e.org/a.png"}}),
        Request(user(Media.of_uri("image/png", "https://e.org/a.png")))),
    Row("an image in detail",
        parts({"type": "image_url", "image_url": {"url": "https://e.org/a.png", "detail": "low"}}),
        Request(user(Media.of_uri("image/png", "https://e.org/a.png",
                                  metadata={"openai/detail": "low"})))),
    Row("an image as a data URI",
        parts({"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}),
        Request(user(Media.of_uri("image/png", "data:image/png;base64,cG5n")))),
    Row("a sound", parts({"type": "input_audio", "input_audio": {"data": "d2F2", "format": "wav"}}),
        Request(user(WAV))),
    Row("a sound as MP3",
        parts({"type": "input_audio", "input_audio": {"data": "bXAz", "format": "mp3"}}),
        Request(user(Media.of_bytes("audio/mpeg", b"mp3")))),
    Row("a file",
        parts({"type": "file", "file": {"file_data": "data:application/pdf;base64,cGRm",
                                        "filename": "a.pdf"}}),
        Request(user(PDF))),
    Row("a file by its id", parts({"type": "file", "file": {"file_id": "file-1"}}),
        Request(user(Media.of_reference("application/pdf", "file-1")))),
    Row("a tool", tooled(), choosing()),
    Row("two tools", said(HI, tools=[WIRE_TOOL, WIRE_TIME]), Request(ASK, tools=[WEATHER, TIME])),
    Row("a choice of the model's", tooled("auto"), choosing(ToolChoice("auto"))),
    Row("no tool now", tooled("none"), choosing(ToolChoice("none"))),
    Row("any tool", tooled("required"), choosing(ToolChoice("required"))),
    Row("one tool", tooled({"type": "function", "function": {"name": "weather"}}),
        choosing(ToolChoice("named", "weather"))),
    Row("one call at a time", tooled("auto", parallel_tool_calls=False),
        choosing(ToolChoice("auto", parallelism="single"))),
    Row("calls at the same time", tooled("required", parallel_tool_calls=True),
        choosing(ToolChoice("required", parallelism="allow"))),
    Row("a call and its result",
        said(HI, {"role": "assistant", "tool_calls": [WIRE_CALL]},
             {"role": "tool", "tool_call_id": "call_1", "content": "Rain."}),
        Request(ASK, assistant(CALL),
                tool_results(ToolResult("call_1", "weather", ToolOutput.of_text("Rain."))))),
    Row("a call after words",
        said(HI, {"role": "assistant", "content": "Let me see.", "tool_calls": [WIRE_CALL]}),
        Request(ASK, assistant("Let me see.", CALL))),
    Row("two results",
        said(HI, {"role": "tool", "tool_call_id": "a", "content": "1"},
             {"role": "tool", "tool_call_id": "b", "content": '{"n":2}'}),
        Request(ASK, tool_results(ToolResult("a", "weather", ToolOutput.of_text("1")),
                                  ToolResult("b", "time", ToolOutput.of_json({"n": 2}))))),
    Row("an empty result", said(HI, {"role": "tool", "tool_call_id": "a", "content": ""}),
        Request(ASK, tool_results(ToolResult("a", "weather", ToolOutput())))),
    Row("arguments that are no JSON",
        said(HI, {"role": "assistant", "tool_calls": [
            WIRE_CALL | {"function": {"name": "weather", "arguments": "{"}}]}),
        Request(ASK, assistant(ToolCall("call_1", "weather", "{")))),
    Row("a call of a custom tool",
        said(HI, {"role": "assistant", "tool_calls": [
            {"id": "c", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}]}),
        Request(ASK, assistant(ToolCallPart(ToolCall("c", "sql", "select 1"),
                                            {"openai/type": "custom"})))),
    Row("a refusal said again",
        said(HI, {"role": "assistant", "refusal": "No."}, HI),
        Request(ASK, assistant(RefusalPart("No.")), ASK)),
    Row("a sound the model made",
        said(HI, {"role": "assistant", "audio": {"id": "audio_1"}}, HI),
        Request(ASK, assistant(Media.of_reference("audio/wav", "audio_1")), ASK)),
    Row("free text", said(HI, response_format={"type": "text"}), opts(output_format=TextFormat())),
    Row("JSON", said(HI, response_format={"type": "json_object"}),
        opts(output_format=JSONFormat())),
    Row("a schema", said(HI, **schema_format(LOOSE)),
        opts(output_format=JSONSchemaFormat(name="city", schema=LOOSE))),
    Row("a strict schema", said(HI, **schema_format(STRICT, description="A city.", strict=True)),
        opts(output_format=JSONSchemaFormat(name="city", description="A city.", schema=STRICT))),
    Row("a limit", said(HI, max_completion_tokens=7), opts(max_output_tokens=7)),
    Row("a temperature", said(HI, temperature=0.5), opts(temperature=0.5)),
    Row("a temperature of zero", said(HI, temperature=0), opts(temperature=0)),
    Row("a nucleus", said(HI, top_p=0.9), opts(top_p=0.9)),
    Row("penalties", said(HI, frequency_penalty=0.5, presence_penalty=-0.5),
        opts(frequency_penalty=0.5, presence_penalty=-0.5)),
    Row("stops", said(HI, stop=["a", "b"]), opts(stop=["a", "b"])),
    Row("no stops", said(HI), opts(stop=[])),
    Row("an effort", said(HI, reasoning_effort="low"), opts(reasoning_effort="low")),
    Row("a seed", said(HI, seed=7), ext(seed=7)),
    Row("probabilities", said(HI, logprobs=True, top_logprobs=2),
        ext(logprobs=True, top_logprobs=2)),
    Row("a bias", said(HI, logit_bias={"50256": -100}), ext(logit_bias={"50256": -100})),
    Row("a user", said(HI, user="u", safety_identifier="s"), ext(user="u", safety_identifier="s")),
    Row("what is stored", said(HI, store=True, metadata={"a": "b"}),
        ext(store=True, metadata={"a": "b"})),
    Row("a tier", said(HI, service_tier="flex"), ext(service_tier="flex")),
    Row("a voice", said(HI, modalities=["text", "audio"], audio={"voice": "ash", "format": "wav"}),
        ext(modalities=["text", "audio"], audio={"voice": "ash", "format": "wav"})),
    Row("a prediction", said(HI, prediction={"type": "content", "content": "Hello"}),
        ext(prediction={"type": "content", "content": "Hello"})),
    Row("a web search", said(HI, web_search_options={"search_context_size": "low"}),
        ext(web_search_options={"search_context_size": "low"})),
    Row("verbosity", said(HI, verbosity="low"), ext(verbosity="low")),
    Row("a custom tool beside a function",
        said(HI, tools=[WIRE_TOOL, {"type": "custom", "custom": {"name": "sql"}}]),
        Request(ASK, tools=[WEATHER], options=Options(
            extensions={"openai/tools": [{"type": "custom", "custom": {"name": "sql"}}]}))),
]  # fmt: skip


def put(*items: Json | str, **more: Any) -> Json:
    return {"input": list(items), **more}


def content(*given: Json) -> Json:
    return put({"role": "user", "content": list(given)})


FUNCTION = {"type": "function", "name": "weather", "description": "The weather.",
            "parameters": LOOSE, "strict": False}  # fmt: skip
FUNCTION_CALL = {"type": "function_call", "call_id": "call_1", "name": "weather",
                 "arguments": '{"city":"Oslo"}'}  # fmt: skip
THOUGHT = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "c2VjcmV0"}


def result(output: Any) -> Json:
    return put(HI, {"type": "function_call_output", "call_id": "call_1", "output": output})


def answered(output: ToolOutput) -> Request:
    return Request(ASK, tool_results(ToolResult("call_1", "weather", output)))


RESPONSES = [
    Row("a question", put(HI), Request(ASK)),
    Row("a system message", put({"role": "system", "content": "Be brief."}, HI),
        Request(system("Be brief."), ASK)),
    Row("a history", put(HI, {"role": "assistant", "content": "Hello."}, HI),
        Request(ASK, assistant("Hello."), ASK)),
    Row("two texts",
        content({"type": "input_text", "text": "A"}, {"type": "input_text", "text": "B"}),
        Request(user("A", "B"))),
    Row("an image as bytes",
        content({"type": "input_image", "image_url": "data:image/png;base64,cG5n",
                 "detail": "auto"}),
        Request(user(PNG))),
    Row("an image by its address, in detail",
        content({"type": "input_image", "image_url": "https://e.org/a.png", "detail": "high"}),
        Request(user(Media.of_uri("image/png", "https://e.org/a.png",
                                  metadata={"openai/detail": "high"})))),
    Row("an image by its id",
        content({"type": "input_image", "file_id": "file-1", "detail": "auto"}),
        Request(user(Media.of_reference("image/png", "file-1")))),
    Row("a file",
        content({"type": "input_file", "filename": "a.pdf",
                 "file_data": "data:application/pdf;base64,cGRm"}),
        Request(user(PDF))),
    Row("a file by its id", content({"type": "input_file", "file_id": "file-1"}),
        Request(user(Media.of_reference("application/pdf", "file-1")))),
    Row("a file by its address", content({"type": "input_file", "file_url": "https://e.org/a.pdf"}),
        Request(user(Media.of_uri("application/pdf", "https://e.org/a.pdf")))),
    Row("a tool", put(HI, tools=[FUNCTION]), choosing()),
    Row("a strict tool", put(HI, tools=[FUNCTION | {"parameters": STRICT, "strict": True}]),
        Request(ASK, tools=[WEATHER.replace(input_schema=STRICT)])),
    Row("any tool, one at a time",
        put(HI, tools=[FUNCTION], tool_choice="required", parallel_tool_calls=False),
        choosing(ToolChoice("required", parallelism="single"))),
    Row("one tool", put(HI, tools=[FUNCTION], tool_choice={"type": "function", "name": "weather"}),
        choosing(ToolChoice("named", "weather"))),
    Row("a tool of the provider's beside a function",
        put(HI, tools=[FUNCTION, {"type": "web_search"}]),
        Request(ASK, tools=[WEATHER],
                options=Options(extensions={"openai/tools": [{"type": "web_search"}]}))),
    Row("a call", put(HI, FUNCTION_CALL), Request(ASK, assistant(CALL))),
    Row("a call with the id of its item", put(HI, FUNCTION_CALL | {"id": "fc_1"}),
        Request(ASK, assistant(ToolCallPart(CALL, {"openai/id": "fc_1"})))),
    Row("a result", result("Rain."), answered(ToolOutput.of_text("Rain."))),
    Row("a result of JSON", result('{"n":2}'), answered(ToolOutput.of_json({"n": 2}))),
    Row("a result with an image",
        result([{"type": "input_text", "text": "See"},
                {"type": "input_image", "image_url": "data:image/png;base64,cG5n",
                 "detail": "auto"}]),
        answered(ToolOutput((TextPart("See"), user(PNG).parts[0])))),  # type: ignore[arg-type]
    Row("reasoning before a call", put(HI, THOUGHT, FUNCTION_CALL),
        Request(ASK, assistant(
            ReasoningPart("", b'{"id":"rs_1","type":"reasoning","summary":[],'
                              b'"encrypted_content":"c2VjcmV0"}', {"openai/item": "rs_1"}),
            CALL))),
    Row("a refusal said again",
        put(HI, {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}),
        Request(ASK, assistant(RefusalPart("No.")))),
    Row("free text", put(HI, text={"format": {"type": "text"}}), opts(output_format=TextFormat())),
    Row("JSON", put(HI, text={"format": {"type": "json_object"}}),
        opts(output_format=JSONFormat())),
    Row("a strict schema",
        put(HI, text={"format": {"type": "json_schema", "name": "city", "schema": STRICT,
                                 "strict": True}}),
        opts(output_format=JSONSchemaFormat(name="city", schema=STRICT))),
    Row("a schema, tersely",
        put(HI, text={"format": {"type": "json_schema", "name": "city", "schema": LOOSE},
                      "verbosity": "low"}),
        opts(output_format=JSONSchemaFormat(name="city", schema=LOOSE),
             extensions={"openai/text": {"verbosity": "low"}})),
    Row("a limit", put(HI, max_output_tokens=16), opts(max_output_tokens=16)),
    Row("a temperature and a nucleus", put(HI, temperature=0.5, top_p=0.9),
        opts(temperature=0.5, top_p=0.9)),
    Row("an effort", put(HI, reasoning={"effort": "low"}), opts(reasoning_effort="low")),
    Row("an effort with a summary", put(HI, reasoning={"effort": "low", "summary": "auto"}),
        opts(reasoning_effort="low", extensions={"openai/reasoning": {"summary": "auto"}})),
    Row("nothing stored, state encrypted",
        put(HI, store=False, include=["reasoning.encrypted_content"]),
        ext(store=False, include=["reasoning.encrypted_content"])),
    Row("after another response", put(HI, previous_response_id="resp_1"),
        ext(previous_response_id="resp_1")),
    Row("a tier", put(HI, service_tier="flex"), ext(service_tier="flex")),
]  # fmt: skip
