from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Required, TypedDict

import msgspec
import pydantic
import pytest
import typing_extensions

from chatport import (
    JSON,
    InvalidClientError,
    InvalidOutputError,
    InvalidOutputFormatError,
    InvalidResponseError,
    JSONFormat,
    JSONSchema,
    JSONSchemaFormat,
    Options,
    Output,
    OutputCompletionError,
    OutputFormat,
    ReasoningPart,
    RefusalPart,
    Request,
    Response,
    Text,
    TextFormat,
    ToolCall,
    assistant,
    user,
)
from chatport.testing import ScriptedModel, answer

from .conftest import Half


@dataclass
class Recipe:
    title: str
    minutes: int
    tags: list[str]


class RecipeModel(pydantic.BaseModel):
    title: str
    minutes: int
    tags: list[str]


class RecipeStruct(msgspec.Struct):
    title: str
    minutes: int
    tags: list[str]


class RecipeDict(TypedDict):
    title: str
    minutes: int
    tags: list[str]


class ModernDict(typing_extensions.TypedDict):
    title: str
    minutes: int
    tags: list[str]


SOUP = '{"title": "Soup", "minutes": 30, "tags": ["hot"]}'
KINDS: list[Any] = [Recipe, RecipeModel, RecipeStruct, RecipeDict, ModernDict]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("made", [JSON, JSONSchema])
def test_s16_a_value_comes_back_and_the_request_stays_as_it_was(
    half: Half, question: Request, kind: Any, made: Any
) -> None:
    model = half.script(SOUP)
    value = half.output(half.client(model), question, made(kind))
    plain = value if isinstance(value, dict) else msgspec.to_builtins(value, enc_hook=vars)
    if isinstance(value, pydantic.BaseModel):
        plain = value.model_dump()
    assert plain == {"title": "Soup", "minutes": 30, "tags": ["hot"]}
    sent = model.requests[0].options.output_format
    assert isinstance(sent, JSONFormat if made is JSON else JSONSchemaFormat)
    assert question.options.output_format is None


@pytest.mark.parametrize("reason", ["length", "tool_calls", "content_filter", "refusal", "other"])
def test_s17_only_an_answer_that_ended_by_itself_is_a_value(
    half: Half, question: Request, reason: Any
) -> None:
    model = half.script(answer(SOUP, finish_reason=reason))
    with pytest.raises(OutputCompletionError) as caught:
        half.output(half.client(model), question, JSON(Recipe))
    assert caught.value.finish_reason == reason
    assert reason in str(caught.value)
    assert isinstance(caught.value, InvalidOutputError)
    assert caught.value.response is not None


def _response(*parts: Any, reason: Any = "stop") -> Response:
    return Response(Output(assistant(*parts) if parts else None, reason))


def test_s18_a_refusal_is_told(half: Half, question: Request) -> None:
    model = half.script(
        _response(RefusalPart("I cannot "), RefusalPart("do that"), reason="refusal")
    )
    with pytest.raises(OutputCompletionError) as caught:
        half.output(half.client(model), question, Text())
    assert caught.value.refusal == "I cannot do that"
    assert "I cannot do that" in str(caught.value)


def test_s19_a_refusal_beside_text_is_a_refusal(half: Half, question: Request) -> None:
    model = half.script(_response("Well.", RefusalPart("no")))
    with pytest.raises(OutputCompletionError) as caught:
        half.output(half.client(model), question, Text())
    assert (caught.value.finish_reason, caught.value.refusal) == ("stop", "no")


def test_s20_a_tool_call_is_no_part_of_a_value(half: Half, question: Request) -> None:
    model = half.script(_response("Well.", ToolCall("1", "geo", "{}")))
    with pytest.raises(InvalidOutputError, match="ToolCallPart") as caught:
        half.output(half.client(model), question, Text())
    assert not isinstance(caught.value, OutputCompletionError)


def test_s21_texts_are_joined_and_reasoning_left_out(half: Half, question: Request) -> None:
    model = half.script(_response(ReasoningPart("hm"), "six ", "times"))
    assert half.output(half.client(model), question, Text()) == "six times"


@pytest.mark.parametrize("parts", [(), (ReasoningPart("hm"),)])
def test_s22_no_text_is_no_value(half: Half, question: Request, parts: Any) -> None:
    with pytest.raises(InvalidOutputError, match="no text"):
        half.output(half.client(half.script(_response(*parts))), question, Text())


def test_s23_text_comes_back_byte_for_byte(half: Half, question: Request) -> None:
    assert half.output(half.client(half.script(" exact \n")), question, Text()) == " exact \n"


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{SOUP}\n```",
        f"Here you are: {SOUP}",
        SOUP[:-5],
        SOUP + SOUP,
        SOUP[:-1] + ', "title": "Stew"}',
        '{"title": "\\ud800", "minutes": 1, "tags": []}',
        '{"title": "x", "minutes": NaN, "tags": []}',
        "[" * 100_000,
    ],
    ids=["fence", "prose", "cut", "two", "twice", "surrogate", "nan", "deep"],
)
@pytest.mark.parametrize("made", [JSON, JSONSchema])
def test_s24_only_one_strict_document_is_a_value(
    half: Half, question: Request, text: str, made: Any
) -> None:
    with pytest.raises(InvalidOutputError) as caught:
        half.output(half.client(half.script(text)), question, made(Recipe))
    assert caught.value.__cause__ is not None


def test_s25_a_request_with_a_format_of_its_own_is_refused(half: Half) -> None:
    model = half.script("never")
    request = Request(user("hi"), options=Options(output_format=TextFormat()))
    with pytest.raises(InvalidOutputFormatError, match="leave it to the client"):
        half.output(half.client(model), request, Text())
    assert model.requests == []


def test_s26_what_is_no_format_is_refused(half: Half, question: Request) -> None:
    model = half.script("never")
    with pytest.raises(InvalidOutputFormatError, match="expected Text"):
        half.output(half.client(model), question, None)  # type: ignore[arg-type]
    assert model.requests == []
    assert issubclass(InvalidClientError, TypeError)


def test_s27_a_schema_needs_a_name_and_a_type_with_a_json_form() -> None:
    for name in ("", " padded "):
        with pytest.raises(InvalidOutputFormatError):
            JSONSchema(Recipe, name=name)
    with pytest.raises(InvalidOutputFormatError):
        JSONSchema(Recipe, description=" padded ")
    for kind in (threading_lock_type(), "NoSuchName"):
        with pytest.raises(InvalidOutputFormatError):
            JSONSchema(kind)
    with pytest.raises(InvalidOutputFormatError):
        JSONSchema(pydantic.BaseModel.__class__)


def threading_lock_type() -> Any:
    class Unknown:
        def __init__(self, secret: object) -> None:
            self.secret = secret

    return Unknown


def test_s28_the_schema_a_model_received_is_a_frozen_value(half: Half, question: Request) -> None:
    made = JSONSchema(Recipe)
    before = made.contract

    def model(request: Request) -> Response:
        sent = request.options.output_format
        assert sent is made.contract
        with pytest.raises(AttributeError):
            sent.schema = None  # type: ignore[union-attr, misc, assignment]
        return answer(SOUP)

    half.output(half.client(half.model(model)), question, made)
    assert made.contract == before
    with pytest.raises(AttributeError, match="immutable"):
        made.contract = TextFormat()  # type: ignore[misc]


def test_s29_a_models_error_is_the_callers(half: Half, question: Request) -> None:
    error = RuntimeError("upstream")
    with pytest.raises(RuntimeError) as caught:
        half.output(half.client(half.script(error)), question, Text())
    assert caught.value is error
    with pytest.raises(InvalidOutputError) as wrong:
        half.output(half.client(half.model(lambda request: None)), question, Text())  # type: ignore[arg-type, return-value]
    assert isinstance(wrong.value.__cause__, InvalidResponseError)


# What the answer must not get away with, by kind of type and by what is wrong with it.
WRONG = {
    "text for a number": '{"title": "x", "minutes": "36", "tags": []}',
    "fraction for a number": '{"title": "x", "minutes": 1.0, "tags": []}',
    "truth for a number": '{"title": "x", "minutes": true, "tags": []}',
    "missing member": '{"title": "x", "tags": []}',
    "null": '{"title": null, "minutes": 1, "tags": []}',
    "unknown member": '{"title": "x", "minutes": 1, "tags": [], "more": 1}',
    "wrong case": '{"Title": "x", "minutes": 1, "tags": []}',
    "a list": "[]",
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("made", [JSON, JSONSchema])
def test_nothing_is_converted_missed_or_ignored(kind: Any, made: Any, wrong: str) -> None:
    with pytest.raises(InvalidOutputError, match="not the value asked for") as caught:
        made(kind).parse(answer(WRONG[wrong]))
    assert caught.value.response is not None


@pytest.mark.parametrize("unit", ["[", '{"a":'])
@pytest.mark.parametrize("made", [JSON(dict[str, Any]), JSONSchema(Recipe, name="recipe")])
def test_ten_megabytes_of_nesting_are_no_value(made: Any, unit: str) -> None:
    with pytest.raises(InvalidOutputError, match="not one strict JSON document: recursion limit"):
        made.parse(answer(unit * (10_000_000 // len(unit))))


class Outer(pydantic.BaseModel):
    inner: Recipe


class OuterStruct(msgspec.Struct):
    inner: RecipeStruct


@pytest.mark.parametrize("kind", [Outer, OuterStruct, list[Outer], dict[str, OuterStruct]])
@pytest.mark.parametrize("made", [JSON, JSONSchema])
def test_unknown_members_are_found_at_every_depth(kind: Any, made: Any) -> None:
    good = f'{{"inner": {SOUP}}}'
    bad = f'{{"inner": {SOUP[:-1]}, "extra": 1}}}}'
    for text in (good, bad):
        if kind == list[Outer]:
            text = f"[{text}]"
        elif kind == dict[str, OuterStruct]:
            text = f'{{"a": {text}}}'
        if "extra" in text:
            with pytest.raises(InvalidOutputError, match="extra"):
                made(kind).parse(answer(text))
        else:
            assert made(kind).parse(answer(text)) is not None


@pytest.mark.parametrize("kind", [RecipeModel, RecipeStruct, RecipeDict])
def test_unknown_members_may_be_left_to_the_type(kind: Any) -> None:
    text = f'{SOUP[:-1]}, "extra": 1}}'
    for made in (JSON, JSONSchema):
        assert made(kind, unknown="allow").parse(answer(text)) is not None


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (int, "42", 42),
        (list[int], "[1, 2]", [1, 2]),
        (Literal["a", "b"], '"b"', "b"),
        (int | None, "null", None),
        (dict[str, float], '{"x": 1}', {"x": 1.0}),
        (tuple[int, str], '[1, "a"]', (1, "a")),
        (Annotated[int, pydantic.Field(le=127)], "127", 127),
        (list[RecipeDict], f"[{SOUP}]", [{"title": "Soup", "minutes": 30, "tags": ["hot"]}]),
        (RecipeDict | None, "null", None),
    ],
)
def test_a_value_may_be_of_any_type_with_a_json_form(kind: Any, text: str, value: Any) -> None:
    assert JSON(kind).parse(answer(text)) == value
    assert JSONSchema(kind).parse(answer(text)) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Annotated[int, pydantic.Field(le=127)], "128"),
        (int, "1e0"),
        (float, "1e999"),
        (Literal["a"], '"b"'),
        (Annotated[str, pydantic.Field(min_length=2)], '"x"'),
    ],
)
def test_bounds_of_a_type_hold(kind: Any, text: str) -> None:
    for made in (JSON, JSONSchema):
        with pytest.raises(InvalidOutputError):
            made(kind).parse(answer(text))


def test_a_schema_has_its_root_expanded_and_its_objects_closed() -> None:
    contract = JSONSchema(Outer, name="outer", description="a recipe in a box").contract
    assert isinstance(contract, JSONSchemaFormat)
    schema: Any = contract.schema.value()
    assert (contract.name, contract.description) == ("outer", "a recipe in a box")
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Recipe"]["additionalProperties"] is False
    assert schema["$defs"]["Recipe"]["required"] == ("title", "minutes", "tags")


class Tree(pydantic.BaseModel):
    children: list[Tree] = []


def test_a_recursive_type_has_its_root_expanded() -> None:
    contract = JSONSchema(Tree).contract
    assert isinstance(contract, JSONSchemaFormat)
    schema: Any = contract.schema.value()
    assert schema["type"] == "object"
    assert JSONSchema(Tree).parse(answer('{"children": [{"children": []}]}')).children


def test_a_schema_is_named_after_its_type() -> None:
    names = [JSONSchema(kind).contract for kind in (Recipe, list[int])]
    assert [getattr(contract, "name", None) for contract in names] == ["Recipe", "answer"]


def test_an_open_mapping_stays_open() -> None:
    contract = JSONSchema(dict[str, Any]).contract
    assert isinstance(contract, JSONSchemaFormat)
    assert contract.schema.value()["additionalProperties"] is True  # type: ignore[index, call-overload]


def test_an_unknown_type_is_found_with_the_first_answer() -> None:
    made = JSON(threading_lock_type())
    with pytest.raises(InvalidOutputFormatError):
        made.parse(answer("{}"))


def test_a_type_that_cannot_be_hashed_works() -> None:
    kind = Annotated[int, ["metadata that cannot be hashed"]]
    assert JSON(kind).parse(answer("1")) == 1


class Holder(msgspec.Struct):
    other: threading.Thread


@pytest.mark.parametrize("kind", [Callable[[], int], Holder])
def test_a_type_without_a_schema_is_refused(kind: Any) -> None:
    with pytest.raises(InvalidOutputFormatError):
        JSONSchema(kind)


class OpenDict(TypedDict, total=False):
    must: Required[int]
    may: str


def test_a_typed_dict_keeps_what_is_required() -> None:
    for kind in (OpenDict, list[OpenDict], OpenDict | int, Annotated[OpenDict, "note"]):
        made = JSONSchema(kind)
        good, bad = '{"must": 1}', '{"may": "x"}'
        if kind == list[OpenDict]:
            good, bad = f"[{good}]", f"[{bad}]"
        assert made.parse(answer(good)) in ({"must": 1}, [{"must": 1}])
        with pytest.raises(InvalidOutputError):
            made.parse(answer(bad))


@pytest.mark.parametrize("made", [JSON, JSONSchema])
def test_what_to_do_with_unknown_members_is_one_of_two(made: Any) -> None:
    with pytest.raises(InvalidOutputFormatError, match="neither refuse nor allow"):
        made(int, unknown="forbid")


def test_the_codec_of_a_type_is_made_once() -> None:
    from chatport.tools.codec import codec_for

    assert codec_for(Recipe) is codec_for(Recipe)


def test_pydantic_is_loaded_with_the_first_pydantic_value_only() -> None:
    program = """
import sys, msgspec
from chatport import JSON, Client, Request, user, JSONSchema
from chatport.testing import ScriptedModel
class Answer(msgspec.Struct):
    value: int
client = Client(ScriptedModel('{"value": 42}', '{"value": 42}'))
request = Request(user("?"))
assert client.output(request, JSON(Answer)).value == 42
assert client.output(request, JSONSchema(Answer)).value == 42
lazy = JSON(dict[str, int])
heavy = {"pydantic", "jinja2", "httpx2", "stamina", "opentelemetry", "docstring_parser"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_format_shows_what_it_sends() -> None:
    assert repr(Text()) == "OutputFormat(TextFormat())"
    assert isinstance(JSON(int), OutputFormat)


def test_ten_megabytes_of_nesting_are_refused(question: Request) -> None:
    with pytest.raises(InvalidOutputError):
        JSON(dict[str, Any]).parse(answer('{"a":' * 2_000_000))
    assert ScriptedModel("x").requests == []
