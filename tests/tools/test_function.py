from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
import pydantic
import pytest

from chatport import (
    FunctionTool,
    InvalidInvocationError,
    InvalidToolError,
    Media,
    MediaPart,
    SchemaTool,
    ToolCall,
    ToolOutput,
    tool,
)
from chatport.tools import bind


def run(made: Any, arguments: str = "{}") -> ToolOutput:
    bound = bind(made)
    result = bound.call(bound.contract.prepare(ToolCall("1", made.definition.name, arguments)))
    if isinstance(result, ToolOutput):
        return result

    async def wait() -> Any:
        return await result

    return asyncio.run(wait())  # type: ignore[no-any-return]


def refused(made: Any, arguments: str) -> str:
    with pytest.raises(InvalidInvocationError) as caught:
        bind(made).contract.prepare(ToolCall("1", made.definition.name, arguments))
    return str(caught.value)


def schema(made: Any) -> Any:
    return made.definition.input_schema.value()


def test_a_function_describes_itself() -> None:
    @tool
    def weather(
        city: Annotated[str, "the city's name"],
        days: Annotated[int, pydantic.Field(ge=1, le=7)] = 1,
        unit: Literal["C", "F"] = "C",
    ) -> str:
        """Forecast the weather.

        In some detail.

        Args:
            city: is described in its annotation already
            days: how many
                days
            unit: of temperature
        """
        return f"{city} {days} {unit}"

    assert weather.definition.name == "weather"
    assert weather.definition.description == "Forecast the weather.\n\nIn some detail."
    assert schema(weather) == {
        "type": "object",
        "properties": {
            "city": {"description": "the city's name", "title": "City", "type": "string"},
            "days": {
                "default": 1,
                "description": "how many days",
                "maximum": 7,
                "minimum": 1,
                "title": "Days",
                "type": "integer",
            },
            "unit": {
                "default": "C",
                "description": "of temperature",
                "enum": ("C", "F"),
                "title": "Unit",
                "type": "string",
            },
        },
        "required": ("city",),
        "additionalProperties": False,
    }
    assert run(weather, '{"city": "Lima", "days": 2}').text() == "Lima 2 C"
    assert weather("Rome", 3) == "Rome 3 C"
    assert repr(weather) == "<tool weather>"
    assert weather.__name__ == "weather"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "docstring",
    [
        "Do.\n\nArgs:\n    x: the number",
        "Do.\n\n:param x: the number",
        "Do.\n\nParameters\n----------\nx : int\n    the number",
    ],
)
def test_docstrings_of_the_usual_styles_are_read(docstring: str) -> None:
    def function(x: int) -> int:
        return x

    function.__doc__ = docstring
    made = tool(function)
    assert made.definition.description == "Do."
    assert schema(made)["properties"]["x"]["description"] == "the number"


def test_a_name_and_a_description_may_be_given() -> None:
    @tool(name="other", description="Said here.")
    def function() -> None:
        """Said there."""

    assert (function.definition.name, function.definition.description) == ("other", "Said here.")
    assert tool(name="n")(lambda: 1).definition.description is None


def test_a_coroutine_function_is_an_asynchronous_tool() -> None:
    @tool
    async def late(x: int) -> int:
        return x + 1

    assert bind(late).is_async
    assert run(late, '{"x": 1}').text() == "2"


def test_a_method_is_a_tool() -> None:
    class Store:
        def put(self, key: str) -> str:
            return f"{key} put"

    assert run(tool(Store().put), '{"key": "k"}').text() == "k put"


def test_parameters_may_have_any_name() -> None:
    @tool
    def function(schema: str, json: int, self: bool, model_config: str = "x") -> str:
        return f"{schema} {json} {self} {model_config}"

    assert run(function, '{"schema": "a", "json": 1, "self": true}').text() == "a 1 True x"


@dataclass
class Place:
    name: str
    height: int = 0


class Filter(pydantic.BaseModel):
    field: str
    at_least: float = 0.0


class Point(msgspec.Struct):
    x: int
    y: int


class Color(enum.Enum):
    RED = "red"


def test_parameters_may_be_records() -> None:
    @tool
    def look(place: Place, filters: list[Filter], color: Color, day: date) -> str:
        return f"{place} {filters[0].at_least} {color} {day.year}"

    text = run(
        look,
        '{"place": {"name": "K2"}, "filters": [{"field": "f", "at_least": 2}],'
        ' "color": "red", "day": "2024-02-29"}',
    ).text()
    assert text == "Place(name='K2', height=0) 2.0 Color.RED 2024"
    assert "unknown" not in refused(look, "{}")
    nested = (
        '{"place": {"name": "K2", "more": 1}, "filters": [], "color": "red", "day": "2024-02-29"}'
    )
    assert "place" in refused(look, nested)


class Box(TypedDict):
    width: Annotated[int, pydantic.Field(ge=1)]
    label: NotRequired[str]


def test_parameters_may_be_typed_dicts() -> None:
    @tool
    def pack(box: Box, boxes: list[Box] | None = None) -> str:
        return f"{box} {boxes}"

    arguments = '{"box": {"width": 2}, "boxes": [{"width": 1, "label": "x"}]}'
    assert run(pack, arguments).text() == "{'width': 2} [{'width': 1, 'label': 'x'}]"
    for wrong in ('{"box": {"width": 0}}', '{"box": {"width": 1, "depth": 1}}', '{"box": {}}'):
        refused(pack, wrong)


def test_a_callable_object_with_a_coroutine_is_asynchronous() -> None:
    class Late:
        async def __call__(self, x: int) -> int:
            return x

    assert bind(tool(name="late")(Late())).is_async


def test_attributes_of_the_function_do_not_become_the_tools() -> None:
    def function() -> str:
        return "x"

    function.definition = "mine"  # type: ignore[attr-defined]
    function.parallel = True  # type: ignore[attr-defined]
    made = tool(function)
    assert made.definition.name == "function"
    assert not made.parallel


def test_a_docstring_of_no_style_is_the_description() -> None:
    def function(x: int) -> int:
        return x

    function.__doc__ = "Do.\n\nArgs:\n    :"
    assert tool(function).definition.description


def test_a_default_that_is_not_json_is_not_shown() -> None:
    marker = object()

    @tool
    def function(x: int = marker) -> str:  # type: ignore[assignment]
        return str(x is marker)

    assert "default" not in schema(function)["properties"]["x"]
    assert run(function).text() == "True"


@tool
def exact(
    small: Annotated[int, pydantic.Field(ge=-128, le=127)] = 0,
    positive: Annotated[int, pydantic.Field(ge=0)] = 0,
    ratio: float = 0.0,
    data: pydantic.Base64Bytes = b"",
) -> str:
    """Take exact values."""
    return "ran"


@pytest.mark.parametrize(
    "arguments",
    [
        "null",
        "[]",
        '"text"',
        '{"more": 1}',
        '{"small": 1, "small": 2}',
        "{} {}",
        '{"small": 128}',
        '{"small": 1.0}',
        '{"small": 1e0}',
        '{"small": "1"}',
        '{"small": true}',
        '{"positive": -1}',
        '{"ratio": 1e999}',
        '{"ratio": "1"}',
        '{"data": "not base64!"}',
        '{"small": null}',
    ],
)
def test_s55_what_is_admitted_can_be_decoded_and_nothing_else_is(arguments: str) -> None:
    refused(exact, arguments)


@pytest.mark.parametrize(
    "arguments", ["", "{}", '{"small": 127}', '{"ratio": 1}', '{"data": "YQ=="}']
)
def test_s55_what_fits_is_admitted(arguments: str) -> None:
    assert run(exact, arguments).text() == "ran"


@pytest.mark.parametrize(
    "function",
    [
        lambda *args: 1,
        lambda **kwargs: 1,
        lambda x: 1,
        "not a function",
        None,
    ],
)
def test_a_function_a_model_cannot_call_is_refused(function: Any) -> None:
    with pytest.raises(InvalidToolError):
        FunctionTool(function, name="f")


def test_a_function_that_cannot_be_described_is_refused() -> None:
    class Odd:
        pass

    def positional(x: int, /) -> int:
        return x

    def strange(x: Odd) -> int:
        return 1

    def unknown(x: NoSuchName) -> int:  # type: ignore[name-defined]  # noqa: F821
        return 1

    def struct(points: list[Point]) -> int:
        return 1

    for function in (positional, strange, unknown, struct):
        with pytest.raises(InvalidToolError):
            tool(function)
    with pytest.raises(InvalidToolError, match="name"):
        tool(name="no spaces")(lambda: 1)
    with pytest.raises(InvalidToolError):
        tool(lambda: 1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("text", "text"),
        ("", ""),
        (None, "null"),
        (7, "7"),
        ([1, "ä"], '[1,"ä"]'),
        (Place("K2"), '{"name":"K2","height":0}'),
        (Filter(field="f"), '{"field":"f","at_least":0.0}'),
        (Point(1, 2), '{"x":1,"y":2}'),
        ([Filter(field="f")], '[{"field":"f","at_least":0.0}]'),
        (date(2024, 2, 29), '"2024-02-29"'),
        ({1: "a"}, '{"1":"a"}'),
        (ToolOutput.of_text("as it is"), "as it is"),
    ],
)
def test_results_become_text_or_json(value: Any, text: str) -> None:
    assert run(tool(name="f")(lambda: value)).text() == text


def test_media_become_content() -> None:
    image = Media.of_bytes("image/png", b"x")
    (part,) = run(tool(name="f")(lambda: image)).content
    assert isinstance(part, MediaPart)
    assert part.media is image


@pytest.mark.parametrize("value", [float("nan"), "\ud800", ["\ud800"], object(), lambda: 1])
def test_a_result_that_json_cannot_say_is_an_error(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        run(tool(name="f")(lambda: value))


def test_a_tool_may_have_a_schema_of_its_own() -> None:
    seen: list[dict[str, Any]] = []

    def put(arguments: dict[str, Any]) -> str:
        seen.append(arguments)
        return "put"

    made = SchemaTool(
        put,
        name="put",
        description="Put.",
        schema={"type": "object", "properties": {"n": {"type": "integer", "maximum": 3}}},
        parallel=True,
    )
    assert run(made, '{"n": 2, "m": [1]}').text() == "put"
    assert seen == [{"n": 2, "m": [1]}]
    assert bind(made).parallel
    assert repr(made) == "<tool put>"
    refused(made, '{"n": 4}')


def test_a_tool_with_a_schema_may_be_asynchronous() -> None:
    async def late(arguments: dict[str, Any]) -> int:
        return len(arguments)

    made = SchemaTool(late, name="late", schema='{"type": "object"}')
    assert bind(made).is_async
    assert run(made, '{"a": 1}').text() == "1"


@pytest.mark.parametrize("schema", ["{", [], {"type": "array"}, {}, "null"])
def test_a_faulty_schema_is_refused(schema: Any) -> None:
    with pytest.raises(InvalidToolError):
        SchemaTool(lambda arguments: 1, name="x", schema=schema)
    with pytest.raises(InvalidToolError):
        SchemaTool(None, name="x", schema={"type": "object"})  # type: ignore[arg-type]


def test_an_argument_without_a_schema_is_refused_when_the_tool_is_made() -> None:
    with pytest.raises(InvalidToolError, match="call_back: no schema can be derived"):

        @tool
        def call_back(function: Callable[[int], int]) -> str:
            """Call back."""
            return "done"


@pytest.mark.parametrize(
    "text",
    [
        "Save.\n\nArgs:\nnote",
        "Save.\n\n:param",
        "Save.\n\n@param note",
        "Save.\n\nParameters\n-----",
        "Save.\n\nArgs:\n\nReturns:",
    ],
)
def test_a_docstring_in_no_style_still_describes(text: str) -> None:
    def save(note: str) -> str:
        return note

    save.__doc__ = text
    assert tool(save).definition.description.startswith("Save.")
