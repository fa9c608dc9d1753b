"""What all values share: they are frozen, comparable, readable, replaced rather than changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given

from chatport.chat import (
    Citation,
    InvalidMessageError,
    InvalidOptionsError,
    Media,
    Message,
    Metadata,
    Options,
    Output,
    ReasoningPart,
    RefusalPart,
    Request,
    Response,
    ResponseDelta,
    ResponseMetadata,
    TextDelta,
    TextPart,
    ToolCall,
    ToolCallPart,
    ToolDefinition,
    ToolOutput,
    ToolResult,
    ToolResultPart,
    Usage,
    assistant,
    system,
    tool_results,
    user,
)
from chatport.chat.value import Value
from tests.chat import strategies
from tests.chat.test_json import EVERYTHING

IMAGE = Media.of_bytes("image/png", b"\x89PNG", name="a.png")
LEAVES = (type(None), bool, int, float, str, bytes)


@given(strategies.values)
def test_a_value_is_frozen_to_the_last_leaf(value: Value) -> None:
    assert_frozen(value)


@pytest.mark.parametrize("value", EVERYTHING.values(), ids=EVERYTHING)
def test_no_member_of_anything_can_be_set(value: Value) -> None:
    text = value.to_json()
    for inner in walk(value):
        if isinstance(inner, Value):
            names = inner.__struct_fields__
        else:
            names = tuple(name for kind in type(inner).__mro__ for name in slots(kind))
        for name in (*names, "brand_new"):
            with pytest.raises(AttributeError):
                setattr(inner, name, None)
            with pytest.raises(AttributeError):
                delattr(inner, name)
    assert value.to_json() == text


def assert_frozen(value: Any) -> None:
    """Nothing in the value is of a type that could change."""
    for inner in walk(value):
        hash(inner)


def walk(value: Any) -> Any:
    """The value, and every value, metadata and document in it."""
    if isinstance(value, Value):
        yield value
        for name in value.__struct_fields__:
            yield from walk(getattr(value, name))
    elif type(value) is tuple:
        for item in value:
            yield from walk(item)
    elif isinstance(value, Mapping):
        yield value
        for item in value.values():
            assert_frozen_json(item)
    elif hasattr(value, "to_json"):
        yield value
        assert_frozen_json(value.value())
    else:
        assert type(value) in LEAVES or type(value).__name__ == "datetime"


def assert_frozen_json(value: Any) -> None:
    if type(value) is tuple:
        for item in value:
            assert_frozen_json(item)
    elif isinstance(value, Mapping):
        assert not hasattr(value, "__setitem__")
        for item in value.values():
            assert_frozen_json(item)
    else:
        assert type(value) in LEAVES


def slots(kind: type) -> tuple[str, ...]:
    return tuple(getattr(kind, "__slots__", ()))


def test_lists_given_to_a_value_are_not_kept() -> None:
    parts, tools, stop = [TextPart("x")], [tool()], ["a"]
    message = Message("user", parts)  # type: ignore[arg-type]
    request = Request(message, tools=tools, options=Options(stop=stop))
    parts.clear()
    tools.clear()
    stop.clear()
    assert request.messages[0].parts == (TextPart("x"),)
    assert request.tools == (tool(),)
    assert request.options.stop == ("a",)


def test_mappings_and_buffers_given_to_a_value_are_not_kept() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {}}}
    extensions: dict[str, Any] = {"acme/list": [1]}
    data = bytearray(b"x")
    definition = ToolDefinition(name="t", input_schema=schema)
    options = Options(extensions=extensions)
    image = Media.of_bytes("image/png", data)  # type: ignore[arg-type]
    schema["properties"].clear()
    extensions["acme/list"].append(2)
    data.clear()
    assert definition.input_schema.value() == {"type": "object", "properties": {"a": {}}}
    assert options.extensions == {"acme/list": [1]}
    assert image.as_bytes() == b"x"


def tool() -> ToolDefinition:
    return ToolDefinition(name="t", input_schema={"type": "object"})


def test_equal_values_are_one_key_of_a_mapping() -> None:
    seen = {Request(user("x", IMAGE)): 1}
    assert seen[Request(user("x", IMAGE))] == 1
    assert Request(user("x")) not in seen


def test_values_of_different_kinds_are_not_equal() -> None:
    assert TextPart("x") != RefusalPart("x")
    assert TextPart("x") != TextDelta("x")
    assert ToolCall("a", "b") != ToolCallPart(ToolCall("a", "b"))


def test_a_repr_shows_what_is_set_and_no_bytes_of_media() -> None:
    assert repr(user("Hi", IMAGE)) == (
        "Message(role='user', parts=(TextPart(text='Hi'), MediaPart(media=Media("
        "mime='image/png', source=BytesSource(<4 bytes>), name='a.png'))))"
    )
    film = Media.of_uri("video/mp4", "data:," + "x" * 10_000).source
    assert repr(film) == f"URISource(uri='data:,{'x' * 194}', 9806 characters more)"
    assert repr(Options(temperature=1, extensions={"acme/a": {"b": [1]}})) == (
        "Options(temperature=1.0, extensions=Extensions({'acme/a': {'b': (1,)}}))"
    )


def test_replace_gives_a_checked_copy() -> None:
    options = Options(temperature=1.0, top_k=3)
    assert options.replace(temperature=None) == Options(top_k=3)
    assert options == Options(temperature=1.0, top_k=3)
    with pytest.raises(InvalidOptionsError):
        options.replace(temperature=3)
    with pytest.raises(InvalidOptionsError):
        msgspec.structs.replace(options, temperature=3)
    with pytest.raises(TypeError):
        options.replace(heat=3)


def test_replace_knows_the_fields_given_one_by_one() -> None:
    request = Request(user("x"), options=Options(top_k=1))
    assert request.replace(messages=[user("y")]) == Request(user("y"), options=Options(top_k=1))
    assert request.replace(options=Options()) == Request(user("x"))
    delta = ResponseDelta(TextDelta("x"), finish_reason="stop")
    assert delta.replace(parts=(TextDelta("y"),)) == ResponseDelta(
        TextDelta("y"), finish_reason="stop"
    )
    assert delta.replace(finish_reason=None) == ResponseDelta(TextDelta("x"))


def test_extend_puts_messages_at_the_end() -> None:
    request = Request(user("x"), options=Options(top_k=1))
    longer = request.extend(assistant("y"), user("z"))
    assert [message.text() for message in longer.messages] == ["x", "y", "z"]
    assert longer.options == request.options
    assert len(request.messages) == 1


def test_a_field_given_twice_is_a_mistake() -> None:
    with pytest.raises(TypeError):
        Request(user("x"), messages=(user("y"),))  # type: ignore[call-arg]


def test_matching_by_kind_and_content() -> None:
    match assistant("hi", ToolCall("c1", "geo")).parts:
        case (TextPart(text), ToolCallPart(ToolCall(name=name))):
            assert (text, name) == ("hi", "geo")
        case _:
            pytest.fail("no match")


def test_the_makers_of_messages_take_what_stands_for_a_part() -> None:
    result = ToolResult("c1", "geo", ToolOutput())
    call = ToolCall("c1", "geo")
    assert system("a", TextPart("b")) == Message("system", (TextPart("a"), TextPart("b")))
    assert assistant("a", call, ReasoningPart("r")).parts == (
        TextPart("a"),
        ToolCallPart(call),
        ReasoningPart("r"),
    )
    assert tool_results(result, ToolResultPart(result)).parts == (ToolResultPart(result),) * 2
    for make, part in ((system, "x"), (user, IMAGE), (assistant, call), (tool_results, result)):
        assert make(part, metadata={"a": 1}).metadata == {"a": 1}  # type: ignore[operator]


def test_text_is_the_text_parts_joined_and_nothing_else() -> None:
    message = assistant(
        ReasoningPart("thinking"), "one ", IMAGE, ToolCall("c", "t", "{}"), RefusalPart("no"), "two"
    )
    assert message.text() == "one two"
    assert user(IMAGE).text() == ""
    assert Response(Output(message, "stop")).text() == "one two"
    assert Response(Output(None, "stop")).text() == ""
    assert ResponseDelta(TextDelta("a"), TextDelta("b"), finish_reason="stop").text() == "ab"
    assert ResponseDelta(finish_reason="stop").text() == ""


def test_a_response_leads_to_what_is_asked_for_most() -> None:
    call = ToolCall("c1", "geo")
    usage = Usage(input_tokens=1)
    response = Response(Output(assistant("hi", call), "tool_calls"), ResponseMetadata(usage=usage))
    assert response.message == assistant("hi", call)
    assert response.tool_calls == (call,)
    assert response.finish_reason == "tool_calls"
    assert response.usage == usage
    assert Response(Output(None, "stop")).tool_calls == ()
    assert Response(Output(None, "stop")).usage is None


def test_usage_adds_up_and_keeps_what_is_unknown_apart_from_zero() -> None:
    first = Usage(input_tokens=3, output_tokens=4, reasoning_tokens=2)
    second = Usage(input_tokens=5, output_tokens=6, cache_read_input_tokens=0)
    assert first + second == Usage(
        input_tokens=8, output_tokens=10, reasoning_tokens=2, cache_read_input_tokens=0
    )
    assert (first + second).total_tokens == 18
    thought = Usage(output_tokens=9, reasoning_tokens=3)
    assert (first + thought).reasoning_tokens == 5
    with pytest.raises(TypeError):
        first + 1  # type: ignore[operator]


def test_options_overlay_field_by_field() -> None:
    base = Options(model="m", stop=["a"], temperature=1, extensions={"x/a": 1, "x/b": 1})
    override = Options(stop=[], top_p=0.5, extensions={"x/b": 2, "x/c": 3})
    assert base.overlay(override) == Options(
        model="m", stop=[], temperature=1, top_p=0.5, extensions={"x/a": 1, "x/b": 2, "x/c": 3}
    )
    assert base.overlay(Options()) == base
    assert Options().overlay(base) == base


def test_tool_output_text_is_what_a_model_sees() -> None:
    details = ToolOutput.of_json({"a": 1}).details
    image = user(IMAGE).parts[0]
    assert ToolOutput().text() == ""
    assert ToolOutput(details=details).text() == '{"a":1}'
    assert ToolOutput((TextPart("x"), TextPart("y")), details).text() == "xy"
    assert ToolOutput((TextPart("x"), image)).text() is None  # type: ignore[arg-type]
    assert ToolOutput.of_text("") == ToolOutput()
    assert ToolOutput.of_text("x") == ToolOutput((TextPart("x"),))


def test_media_gives_what_it_was_made_of_and_nothing_else() -> None:
    assert IMAGE.as_bytes() == b"\x89PNG"
    assert Media.of_uri("a/b", "x:y").as_uri() == "x:y"
    assert Media.of_reference("a/b", "f/1").as_reference() == "f/1"
    for media in (
        Media.of_bytes("a/b", b"x", name="n", metadata={"k": 1}),
        Media.of_uri("a/b", "x:y", name="n", metadata={"k": 1}),
        Media.of_reference("a/b", "f/1", name="n", metadata={"k": 1}),
    ):
        assert (media.mime, media.name, media.metadata) == ("a/b", "n", {"k": 1})


def test_a_citation_may_name_a_page_or_a_document() -> None:
    page = Citation.of_uri("https://h.test", title="t", quote="q")
    document = Citation.of_reference("doc", title="t", quote="q")
    assert (page.source.kind, page.source.value) == ("uri", "https://h.test")
    assert (document.source.kind, document.source.value) == ("reference", "doc")
    assert [(each.title, each.quote) for each in (page, document)] == [("t", "q")] * 2


def test_empty_metadata_is_the_same_as_none() -> None:
    assert TextPart("x", metadata=Metadata({})) == TextPart("x")
    assert user("x", metadata={}) == user("x")
    assert user("x", metadata={}).to_json() == user("x").to_json()


def test_the_helpful_words_of_an_error() -> None:
    with pytest.raises(InvalidMessageError) as caught:
        user("x", "")
    assert str(caught.value) == "parts[1].text: must not be empty"
