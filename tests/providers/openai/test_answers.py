"""Answers of OpenAI, and of servers that speak like it, whole and streamed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chatport import (
    Citation,
    MediaPart,
    Options,
    ReasoningPart,
    RefusalPart,
    Request,
    Response,
    TextPart,
    ToolCall,
    ToolCallPart,
    UnsupportedError,
    UnsupportedOptionError,
    Usage,
    assistant,
    collect,
    user,
)
from chatport.chat import JSONSchemaFormat, Media, ToolOutput, ToolResult, tool_results
from chatport.providers import errors, openai
from chatport.providers.openai import API, Chat, Responses, chat_answer, responses_answer
from chatport.providers.openai.fields import is_strict
from chatport.providers.sse import Event
from chatport.testing.openai_server import calls, openai_server, refusal, text
from chatport.testing.openai_server_script import Answer

ASK = Request(user("Hi"), options=Options(model="m"))
Json = dict[str, Any]


def streamed(*deltas: Json, finish: str | None = "stop", **more: Any) -> Response:
    """The response of a stream with these deltas."""
    decoder = chat_answer.ChatDecoder()
    chunks: list[Json] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]} | more)
    made = [delta for chunk in chunks for delta in decoder.feed(Event(json.dumps(chunk).encode()))]
    return collect([*made, *decoder.finish()])


def whole(message: Json, finish: str = "stop", **more: Any) -> Response:
    """The response of a whole answer with this message."""
    answer = {"choices": [{"index": 0, "message": message, "finish_reason": finish}]} | more
    return chat_answer.decode(json.dumps(answer).encode())


def fragment(
    index: int | None = None, identity: Any = None, name: Any = None, args: Any = ""
) -> Json:
    """One fragment of a tool call, without what is None."""
    function = {"arguments": args} | ({"name": name} if name else {})
    told: Json = {"function": function}
    if index is not None:
        told["index"] = index
    if identity is not None:
        told["id"] = identity
    return told


A, B = ToolCall("a", "f", '{"x":1}'), ToolCall("b", "g", '{"y":2}')
FRAGMENTS: list[tuple[str, list[Json], tuple[ToolCall, ...]]] = [
    ("in pieces", [fragment(0, "a", "f"), fragment(0, args='{"x"'), fragment(0, args=":1}")], (A,)),
    ("interleaved",
     [fragment(0, "a", "f"), fragment(1, "b", "g"), fragment(0, args='{"x":1}'),
      fragment(1, args='{"y":2}')], (A, B)),
    ("out of order", [fragment(1, "b", "g", '{"y":2}'), fragment(0, "a", "f", '{"x":1}')], (B, A)),
    ("without index", [fragment(None, "a", "f", '{"x":1}'), fragment(None, "b", "g", '{"y":2}')],
     (A, B)),
    ("without index, in pieces",
     [fragment(None, "a", "f"), fragment(None, args='{"x":1}'), fragment(None, "b", "g"),
      fragment(None, args='{"y":2}')], (A, B)),
    ("all of index 0, with ids",
     [fragment(0, "a", "f", '{"x":1}'), fragment(0, "b", "g", '{"y":2}')], (A, B)),
    ("with the id again", [fragment(0, "a", "f"), fragment(0, "a", args='{"x":1}')], (A,)),
    ("with id and name again", [fragment(0, "a", "f"), fragment(0, "a", "f", '{"x":1}')], (A,)),
    ("with an empty id later", [fragment(0, "a", "f"), fragment(0, "", args='{"x":1}')], (A,)),
    ("without ids", [fragment(0, None, "f", "{}"), fragment(1, None, "g", "{}")],
     (ToolCall("call_0", "f", "{}"), ToolCall("call_1", "g", "{}"))),
    ("without ids and index", [fragment(None, None, "f", "{}"), fragment(None, None, "g", "{}")],
     (ToolCall("call_0", "f", "{}"), ToolCall("call_1", "g", "{}"))),
    ("arguments before the name", [fragment(0, "a", args='{"x"'), fragment(0, None, "f", ":1}")],
     (A,)),
    ("arguments as an object", [fragment(0, "a", "f", {"x": 1})], (A,)),
    ("arguments that are no JSON", [fragment(0, "a", "f", "{x")], (ToolCall("a", "f", "{x"),)),
    ("no arguments", [fragment(0, "a", "f", None)], (ToolCall("a", "f", ""),)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "made"), [row[1:] for row in FRAGMENTS], ids=[row[0] for row in FRAGMENTS]
)
def test_tool_calls_come_together(pieces: list[Json], made: tuple[ToolCall, ...]) -> None:
    response = streamed(*({"tool_calls": [piece]} for piece in pieces), finish="tool_calls")
    assert response.tool_calls == made
    assert streamed({"tool_calls": pieces}, finish="tool_calls").tool_calls == made


def test_a_fragment_that_gives_a_call_another_name_is_ignored_in_that() -> None:
    pieces = [fragment(0, "a", "f"), fragment(0, "a", "other", "{}")]
    assert streamed({"tool_calls": pieces}).tool_calls == (ToolCall("a", "f", "{}"),)


MESSAGES: list[tuple[str, Json, Any, str]] = [
    ("text", {"content": "Hi"}, [TextPart("Hi")], "stop"),
    ("null", {"content": None}, [], "stop"),
    ("nothing", {}, [], "stop"),
    ("a refusal", {"refusal": "No."}, [RefusalPart("No.")], "refusal"),
    ("text and calls", {"content": "Hi", "tool_calls": [fragment(0, "a", "f", "{}")]},
     [TextPart("Hi"), ToolCallPart(ToolCall("a", "f", "{}"))], "tool_calls"),
    ("a function call of old", {"function_call": {"name": "f", "arguments": "{}"}},
     [ToolCallPart(ToolCall("call_0", "f", "{}"))], "tool_calls"),
    ("reasoning of DeepSeek", {"reasoning_content": "Hm.", "content": "Hi"},
     [ReasoningPart("Hm.", metadata={"openai/field": "reasoning_content"}), TextPart("Hi")],
     "stop"),
    ("reasoning of vLLM, said twice",
     {"reasoning": "Hm.", "reasoning_content": "Hm.", "content": "Hi"},
     [ReasoningPart("Hm.", metadata={"openai/field": "reasoning_content"}), TextPart("Hi")],
     "stop"),
    ("content of Mistral",
     {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
                  {"type": "text", "text": "Hi"}]},
     [ReasoningPart("Hm."), TextPart("Hi")], "stop"),
    ("a citation",
     {"content": "Hi", "annotations": [{"type": "url_citation", "url_citation": {
         "url": "https://e.org/", "title": " T ", "start_index": 0, "end_index": 2}}]},
     [TextPart("Hi", (Citation.of_uri("https://e.org/", title="T"),))], "stop"),
    ("an image of OpenRouter",
     {"images": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}]},
     [MediaPart(Media.of_bytes("image/png", b"png"))], "stop"),
    ("a sound", {"audio": {"id": "au", "data": "UklGRg==", "transcript": "Hi"}},
     [MediaPart(Media.of_bytes("audio/wav", b"RIFF", metadata={"openai/transcript": "Hi"})
                .replace(id="au"))], "stop"),
    ("a signature on a call",
     {"tool_calls": [fragment(0, "a", "f", "{}") | {"extra_content": {"google": {"s": "x"}}}]},
     [ToolCallPart(ToolCall("a", "f", "{}"), {"openai/extra_content": {"google": {"s": "x"}}})],
     "tool_calls"),
    ("details of OpenRouter", {"reasoning_details": [
        {"type": "reasoning.encrypted", "data": "c2Vj", "index": 0}]},
     [ReasoningPart("", b'[{"type":"reasoning.encrypted","data":"c2Vj","index":0}]',
                    {"openai/field": "reasoning_details"})], "stop"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "parts", "finish"), [row[1:] for row in MESSAGES], ids=[r[0] for r in MESSAGES]
)
def test_a_message_is_read_alike_whole_and_streamed(
    message: Json, parts: list[Any], finish: str
) -> None:
    for response in (whole(message), streamed(message)):
        made = response.message.parts if response.message else ()
        assert list(made) == parts
        assert response.finish_reason == finish


def test_pieces_of_opaque_details_are_put_together() -> None:
    first = {"type": "reasoning.text", "text": "Hm", "index": 0}
    second = {"type": "reasoning.text", "text": "m.", "index": 0, "signature": "s"}
    third = {"type": "reasoning.text", "text": "So.", "index": 1}
    response = streamed(*({"reasoning_details": [one]} for one in (first, second, third)))
    assert response.message is not None
    (part,) = response.message.parts
    assert isinstance(part, ReasoningPart)
    assert json.loads(part.reasoning_state) == [
        {"type": "reasoning.text", "text": "Hmm.", "index": 0, "signature": "s"},
        third,
    ]


@pytest.mark.parametrize(
    ("native", "finish"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("tool_calls", "tool_calls"),
        ("model_length", "length"),
        ("eos", "stop"),
        ("something new", "other"),
    ],
)
def test_the_end_is_told_in_our_words_and_theirs_is_kept(native: str, finish: str) -> None:
    for response in (whole({"content": "x"}, native), streamed({"content": "x"}, finish=native)):
        assert response.finish_reason == finish
        assert response.output.metadata.extra["openai/finish_reason"] == native


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 3}, Usage(input_tokens=5, output_tokens=3)),
        ({"prompt_tokens": 5, "completion_tokens": 3,
          "prompt_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 1},
          "completion_tokens_details": {"reasoning_tokens": 1}},
         Usage(input_tokens=5, output_tokens=3, reasoning_tokens=1, cache_read_input_tokens=2,
               cache_write_input_tokens=1)),
        # Reasoning beside the output, not inside it.
        ({"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 18,
          "completion_tokens_details": {"reasoning_tokens": 10}},
         Usage(input_tokens=5, output_tokens=13, reasoning_tokens=10)),
        ({"prompt_tokens": 5, "completion_tokens": 3, "prompt_cache_hit_tokens": 4},
         Usage(input_tokens=5, output_tokens=3, cache_read_input_tokens=4)),
        ({"prompt_tokens": 5, "completion_tokens": None,
          "prompt_tokens_details": {"cached_tokens": 9}},
         Usage(input_tokens=5, cache_read_input_tokens=5)),
        (None, None),
    ],
)  # fmt: skip
def test_usage_in_all_its_spellings(told: Json | None, usage: Usage | None) -> None:
    assert whole({"content": "x"}, usage=told).usage == usage
    response = streamed({"content": "x"}, usage=told)
    assert response.usage == usage
    assert (response.metadata.extra.get("openai/usage") is None) == (told is None)


def test_what_has_no_place_is_kept() -> None:
    response = streamed(
        {"content": "x", "novelty": {"a": 1}},
        {"content": [{"type": "hologram", "data": "y"}]},
        {"annotations": [{"type": "file_path"}]},
        service_tier="flex",
        citations=["https://e.org/"],
    )
    assert response.output.metadata.extra == {
        "openai/novelty": {"a": 1},
        "openai/content": [{"type": "hologram", "data": "y"}],
        "openai/annotations": [{"type": "file_path"}],
        "openai/finish_reason": "stop",
    }
    assert response.metadata.extra["openai/citations"] == ("https://e.org/",)
    assert response.metadata.extra["openai/service_tier"] == "flex"


def test_probabilities_are_kept_in_their_order() -> None:
    decoder = chat_answer.ChatDecoder()
    for token in "ab":
        choice = {"delta": {"content": token}, "logprobs": {"content": [{"token": token}]}}
        decoder.feed(Event(json.dumps({"choices": [choice | {"finish_reason": "stop"}]}).encode()))
    (last,) = decoder.finish()
    assert last.output_metadata is not None
    kept = last.output_metadata.extra["openai/logprobs"]
    assert kept == {"content": ({"token": "a"}, {"token": "b"})}


def test_other_answers_to_the_same_request_are_not_mixed_in() -> None:
    chunk = {"choices": [{"index": 1, "delta": {"content": "other"}}]}
    assert chat_answer.ChatDecoder().feed(Event(json.dumps(chunk).encode())) == ()


SPOKEN = {
    "text": text("Hel", "lo."),
    "calls": calls(("a", "f", '{"x": 1}'), ("b", "g", "")),
    "a refusal": refusal("No."),
    "reasoning": Answer(("Hi",), reasoning="Hm."),
    "reasoning before a call": Answer(calls=(("a", "f", "{}"),), reasoning="Hm."),
    "cut": text("Hel", finish="length"),
    "filtered": text("Hel", finish="content_filter"),
}


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("answer", SPOKEN.values(), ids=SPOKEN)
def test_a_response_is_the_same_whole_and_streamed(api: API, answer: Answer) -> None:
    with (
        openai_server([answer, answer]) as server,
        openai.Model("m", api=api, base_url=server.url) as model,
    ):
        called, streaming = model.call(ASK), collect(model.stream(ASK))
    assert called == streaming
    assert called.usage == Usage(
        input_tokens=9, output_tokens=5, reasoning_tokens=2, cache_read_input_tokens=4
    )


def test_reasoning_of_responses_goes_back_as_it_came() -> None:
    spoken = Answer(calls=(("a", "f", "{}"),), reasoning="Hm.")
    with (
        openai_server([spoken]) as server,
        openai.Model("m", api="responses", base_url=server.url) as model,
    ):
        answer = model.call(ASK).message
        assert answer is not None
        result = tool_results(ToolResult("a", "f", ToolOutput.of_text("1")))
        model.call(ASK.extend(answer, result))
        given = json.loads(server.exchanges[0].reply.pieces[0])["output"]
    sent = server.exchanges[1].body["input"]
    assert sent[1] == given[0]
    assert sent[2] == {k: v for k, v in given[1].items() if k != "status"}
    assert sent[3] == {"type": "function_call_output", "call_id": "a", "output": "1"}


@pytest.mark.parametrize(
    ("reasoned", "message"),
    [
        (("Hm.", "reasoning_content"), {"reasoning_content": "Hm.", "tool_calls": "…"}),
        (("Hm.", None), {"tool_calls": "…"}),
    ],
)
def test_reasoning_of_chat_goes_back_with_its_calls_where_it_came_from(
    reasoned: tuple[str, str | None], message: Json
) -> None:
    words, field = reasoned
    thought = ReasoningPart(words, metadata={"openai/field": field} if field else {})
    for calls_too in (True, False):
        parts = [thought, A] if calls_too else [thought, TextPart("Hi")]
        body = json.loads(Chat().encode(ASK.extend(assistant(*parts)), stream=False).body)
        sent = body["messages"][1]
        if calls_too:
            assert sent.keys() == {"role", *message}
        else:
            assert sent == {"role": "assistant", "content": "Hi"}


def test_what_the_chat_protocol_gave_does_not_reach_responses() -> None:
    thought = ReasoningPart("Hm.", b"state", {"other/signature": "x"})
    request = ASK.extend(assistant(thought, "Hi"))
    for codec in (Chat(), Responses()):
        body = json.loads(codec.encode(request, stream=False).body)
        said = body.get("messages") or body["input"]
        assert said[1] == {"role": "assistant", "content": "Hi"}


EVENTS: list[tuple[str, list[Json], type[errors.ProviderError], str]] = [
    ("an error event", [{"type": "error", "message": "boom", "code": "server_error"}],
     errors.ServerError, "boom"),
    ("a failed response",
     [{"type": "response.failed", "response": {"status": "failed", "error": {
         "code": "rate_limit_exceeded", "message": "slow down"}}}],
     errors.RateLimitedError, "slow down"),
    ("an event without its members", [{"type": "response.output_text.delta"}],
     errors.UnexpectedAnswerError, "malformed"),
    ("arguments of no call", [{"type": "response.function_call_arguments.delta", "item_id": "x",
                               "delta": "{"}], errors.UnexpectedAnswerError, "malformed"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("events", "kind", "said"), [row[1:] for row in EVENTS], ids=[row[0] for row in EVENTS]
)
def test_an_event_that_tells_of_an_error(
    events: list[Json], kind: type[errors.ProviderError], said: str
) -> None:
    decoder = responses_answer.ResponsesDecoder()
    *before, last = events
    for event in before:
        decoder.feed(Event(json.dumps(event).encode()))
    with pytest.raises(kind, match=said):
        decoder.feed(Event(json.dumps(last).encode()))


def test_events_and_items_that_nobody_knows_are_no_error() -> None:
    decoder = responses_answer.ResponsesDecoder()
    deltas = []
    search = {"type": "web_search_call", "id": "ws", "status": "completed"}
    for event in (
        {"type": "keepalive", "n": 1},
        {"type": "response.novelty", "x": 1},
        {"type": "response.output_item.done", "item": search},
        {"type": "response.completed", "response": {"status": "completed", "output": []}},
    ):
        deltas += decoder.feed(Event(json.dumps(event).encode()))
    assert decoder.done
    response = collect(deltas)
    assert response.output.metadata.extra["openai/items"] == (search,)
    assert response.output.metadata.extra["openai/events"][0]["n"] == 1  # type: ignore[index,call-overload]


def test_an_image_and_a_file_citation_of_responses() -> None:
    cited = {"type": "file_citation", "file_id": "file-1", "filename": "a.pdf", "index": 0}
    told = {
        "status": "completed",
        "output": [
            {"type": "message", "id": "m", "content": [
                {"type": "output_text", "text": "Hi", "annotations": [cited, {"type": "odd"}]}]},
            {"type": "image_generation_call", "id": "ig", "result": "cG5n"},
        ],
    }  # fmt: skip
    response = responses_answer.decode(json.dumps(told).encode())
    assert response.message == assistant(
        TextPart("Hi", (Citation.of_reference("file-1", title="a.pdf"),)),
        Media.of_bytes("image/png", b"png").replace(id="ig"),
    )
    assert response.output.metadata.extra["openai/annotations"] == ({"type": "odd"},)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"output": None, "error": {"message": "boom"}}, errors.ServerError),
        ({}, errors.UnexpectedAnswerError),
        ([], errors.UnexpectedAnswerError),
        ({"output": [{"type": "function_call"}]}, errors.UnexpectedAnswerError),
        ({"output": [], "status": "queued"}, errors.UnexpectedAnswerError),
        (
            {"output": [{"type": "image_generation_call", "id": "i", "result": "x"}]},
            errors.UnexpectedAnswerError,
        ),
    ],
)
def test_a_response_that_is_none_is_told(body: Any, kind: type[errors.ProviderError]) -> None:
    with pytest.raises(kind):
        responses_answer.decode(json.dumps(body).encode())


IMAGE = Media.of_bytes("image/png", b"png")
REFUSED: list[tuple[str, API, Request, str]] = [
    ("top_k", "chat", Request(user("Hi"), options=Options(top_k=3)), "options.top_k"),
    ("top_k", "responses", Request(user("Hi"), options=Options(top_k=3)), "options.top_k"),
    ("stop", "responses", Request(user("Hi"), options=Options(stop=["x"])), "options.stop"),
    ("a penalty", "responses", Request(user("Hi"), options=Options(presence_penalty=1)),
     "options.presence_penalty"),
    ("another provider's extension", "chat",
     Request(user("Hi"), options=Options(extensions={"acme/x": 1})),
     "options.extensions['acme/x']"),
    ("several answers", "chat", Request(user("Hi"), options=Options(extensions={"openai/n": 2})),
     "options.extensions['openai/n']"),
    ("an option said twice", "chat",
     Request(user("Hi"), options=Options(temperature=1, extensions={"openai/temperature": 0})),
     "options.extensions['openai/temperature']"),
    ("half of an option said twice", "responses",
     Request(user("Hi"), options=Options(reasoning_effort="low",
                                         extensions={"openai/reasoning": {"effort": "high"}})),
     "options.extensions['openai/reasoning']"),
    ("tools that are no list", "chat",
     Request(user("Hi"), options=Options(extensions={"openai/tools": {"type": "x"}})),
     "options.extensions['openai/tools']"),
    ("a schema's name", "chat", Request(user("Hi"), options=Options(
        output_format=JSONSchemaFormat(name="my schema", schema={}))),
     "options.output_format.name"),
    ("an image by reference", "chat", Request(user("Hi", Media.of_reference("image/png", "f"))),
     "messages[0].parts[1]"),
    ("a sound by its address", "chat", Request(user(Media.of_uri("audio/wav", "https://e.org/a"))),
     "messages[0].parts[0]"),
    ("a sound of another kind", "chat", Request(user(Media.of_bytes("audio/flac", b"x"))),
     "messages[0].parts[0]"),
    ("a sound", "responses", Request(user(Media.of_bytes("audio/wav", b"x"))),
     "messages[0].parts[0]"),
    ("a file by its address", "chat", Request(user(Media.of_uri("application/pdf", "https://e.org/"))),
     "messages[0].parts[0]"),
    ("an image of the model's", "chat", Request(user("Hi"), assistant(IMAGE)),
     "messages[1].parts[0]"),
    ("an image of the model's", "responses", Request(user("Hi"), assistant("x", IMAGE)),
     "messages[1].parts[1]"),
    ("an image from a tool", "chat",
     Request(tool_results(ToolResult("a", "f", ToolOutput((MediaPart(IMAGE),))))),
     "messages[0].parts[0]"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("api", "request_", "path"),
    [row[1:] for row in REFUSED],
    ids=[f"{api}: {name}" for name, api, _, _ in REFUSED],
)
def test_what_cannot_be_said_is_refused_before_anything_is_sent(
    api: API, request_: Request, path: str
) -> None:
    with openai_server() as server, openai.Model("m", api=api, base_url=server.url) as model:
        with pytest.raises(UnsupportedError) as refused:
            model.call(request_)
        with pytest.raises(UnsupportedError):
            collect(model.stream(request_))
    assert refused.value.path == path
    assert isinstance(refused.value, UnsupportedOptionError) or not path.startswith("options.t")
    assert server.exchanges == ()


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        ({"type": "object", "properties": {}, "required": [], "additionalProperties": False}, True),
        ({"type": "object", "properties": {}, "additionalProperties": False}, True),
        ({"type": "object", "properties": {"a": {}}, "additionalProperties": False}, False),
        ({"type": "object", "properties": {}}, False),
        ({"type": "object"}, False),
        ({"type": "array", "items": {"type": "object"}}, False),
        ({"type": "array", "items": {"type": "string"}}, True),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, False),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}, False),
        ({"type": "string", "default": "x"}, False),
        ({"oneOf": [{"type": "string"}]}, False),
    ],
)
def test_a_schema_is_called_strict_only_when_strict_mode_takes_it(
    schema: Json, strict: bool
) -> None:
    assert is_strict(schema) is strict
