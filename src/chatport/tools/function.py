"""Tools made of Python functions: the signature is the schema, the docstring the description."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Awaitable, Callable, Mapping
from functools import update_wrapper
from typing import Annotated, Any, Generic, ParamSpec, TypeVar, overload

import typing_extensions

from chatport.chat import Document, InvalidValueError, Media, MediaPart, ToolDefinition, ToolOutput
from chatport.tools.codec import (
    Codec,
    NoJSONFormError,
    codec_for,
    encode,
    for_pydantic,
    holds_struct,
    record_type,
)
from chatport.tools.contract import Invocation
from chatport.tools.errors import InvalidToolError

P = ParamSpec("P")
R = TypeVar("R")
_UNNAMED = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.VAR_KEYWORD,
)


class FunctionTool(Generic[P, R]):
    """A function as a tool. Still callable as the function it is made of.

    The arguments' schema comes from the signature: annotations are types, ``Annotated[str, "what
    it is"]`` or the docstring describes a parameter, a default makes it optional. The result is
    text as it is, `ToolOutput` and `Media` as they are, and anything else as JSON. Raises
    `InvalidToolError`.
    """

    def __init__(
        self,
        function: Callable[P, R],
        *,
        name: str | None = None,
        description: str | None = None,
        parallel: bool = False,
    ) -> None:
        if not callable(function):
            raise InvalidToolError(f"{function!r} is not a function")
        update_wrapper(self, function)  # first: it copies the function's own attributes, too
        self._function = function
        self.parallel: bool = parallel
        self.is_async: bool = _is_coroutine_function(function)
        codec, definition = _read_function(function, name, description)
        self._codec = codec
        self.definition: ToolDefinition = definition

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._function(*args, **kwargs)

    def input_validator(self) -> Callable[[str], object]:
        """Admission decodes as the call will, so whatever is admitted can be decoded."""
        return self._codec.decode

    def call(self, invocation: Invocation, /) -> ToolOutput | Awaitable[ToolOutput]:
        """Run the function with the admitted arguments; awaitable when the function is."""
        result = self._run(invocation)
        return _awaited(result) if self.is_async else to_output(result)

    def _run(self, invocation: Invocation) -> Any:
        return self._function(**self._codec.decode(invocation.arguments))  # type: ignore[call-arg]

    def __repr__(self) -> str:
        return f"<tool {self.definition.name}>"


@overload
def tool(function: Callable[P, R], /) -> FunctionTool[P, R]: ...
@overload
def tool(
    *, name: str | None = None, description: str | None = None, parallel: bool = False
) -> Callable[[Callable[P, R]], FunctionTool[P, R]]: ...
def tool(
    function: Callable[P, R] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    parallel: bool = False,
) -> FunctionTool[P, R] | Callable[[Callable[P, R]], FunctionTool[P, R]]:
    """Make a tool of a function: ``@tool``, or ``@tool(name=…, description=…, parallel=True)``.

    `parallel` says that calls of this tool may run beside other calls of the same batch. See
    `FunctionTool`.
    """

    def make(function: Callable[P, R]) -> FunctionTool[P, R]:
        return FunctionTool(function, name=name, description=description, parallel=parallel)

    return make if function is None else make(function)


class SchemaTool:
    """A function as a tool whose schema is given, not derived.

    It is called with the decoded arguments, a dict. Raises `InvalidToolError` for a faulty
    definition.
    """

    def __init__(
        self,
        function: Callable[[dict[str, Any]], object],
        *,
        name: str,
        schema: Document | Mapping[str, object] | str,
        description: str = "",
        parallel: bool = False,
    ) -> None:
        if not callable(function):
            raise InvalidToolError(f"{function!r} is not a function")
        self._function = function
        self.parallel: bool = parallel
        self.is_async: bool = _is_coroutine_function(function)
        self.definition: ToolDefinition = _define(name, description, schema)

    def call(self, invocation: Invocation, /) -> ToolOutput | Awaitable[ToolOutput]:
        """Run the function with the admitted arguments; awaitable when the function is."""
        result = self._run(invocation)
        return _awaited(result) if self.is_async else to_output(result)

    def _run(self, invocation: Invocation) -> Any:
        import json

        return self._function(json.loads(invocation.arguments))

    def __repr__(self) -> str:
        return f"<tool {self.definition.name}>"


async def _awaited(result: Any) -> ToolOutput:
    return to_output(await result)


def _is_coroutine_function(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(type(function), "__call__", None)  # noqa: B004
    )


def to_output(value: object) -> ToolOutput:
    """A function's result as the model will see it.

    Raises `TypeError` or `ValueError` when JSON cannot say it.
    """
    if isinstance(value, ToolOutput):
        return value
    if isinstance(value, str):
        return ToolOutput.of_text(value)
    if isinstance(value, Media):
        return ToolOutput((MediaPart(value),))
    return ToolOutput(details=Document(encode(value)))


def _read_function(
    function: Callable[..., Any], name: str | None, description: str | None
) -> tuple[Codec[dict[str, Any]], ToolDefinition]:
    name = name or str(getattr(function, "__name__", ""))
    documented = _docstring(function)
    try:
        codec = codec_for(_arguments_type(function, documented.parameters))
        schema = codec.schema()
    except NoJSONFormError as error:
        raise InvalidToolError(str(error), name) from error
    schema = {"type": "object", **{key: schema[key] for key in schema if key != "title"}}
    return codec, _define(name, description or documented.summary, schema)


def _define(
    name: str, description: str, schema: Document | Mapping[str, object] | str
) -> ToolDefinition:
    try:
        return ToolDefinition(name=name, description=description, input_schema=schema)
    except InvalidValueError as error:
        raise InvalidToolError.around(error, "definition") from error


def _arguments_type(function: Callable[..., Any], described: dict[str, str]) -> Any:
    """A TypedDict of the parameters; in a class none could be named ``schema``."""
    try:
        signature = inspect.signature(function, eval_str=True)
    except (NameError, ValueError) as error:
        raise InvalidToolError(
            f"{error}; types of parameters are defined at module level"
        ) from error
    members: dict[str, Any] = {}
    for name, parameter in signature.parameters.items():
        hint = parameter.annotation
        if parameter.kind in _UNNAMED:
            raise InvalidToolError(f"a model names its arguments, so {parameter} is none", name)
        if hint is parameter.empty:
            raise InvalidToolError("a parameter needs a type annotation", name)
        if holds_struct(hint):
            raise InvalidToolError("a struct cannot be a parameter; use a dataclass", name)
        members[name] = _member(for_pydantic(hint), described.get(name), parameter.default)
    return record_type("Arguments", members)


def _member(hint: Any, description: str | None, default: object) -> Any:
    from pydantic import Field

    metadata: list[Any] = []
    if typing.get_origin(hint) is Annotated:
        hint, *metadata = typing.get_args(hint)
    said = [item for item in metadata if isinstance(item, str)]
    kept = [item for item in metadata if not isinstance(item, str)]
    text = said[0] if said else description
    if text and not any(getattr(item, "description", None) for item in kept):
        kept.append(Field(description=text))
    if default is not inspect.Parameter.empty:
        shown = _shown_default(default)
        if shown is not None:
            kept.append(Field(json_schema_extra=shown))
    for item in kept:
        hint = Annotated[hint, item]
    return hint if default is inspect.Parameter.empty else typing_extensions.NotRequired[hint]


def _shown_default(default: object) -> dict[str, Any] | None:
    """The default for the schema, when JSON can say it. The call itself uses Python's own."""
    import json

    try:
        return {"default": json.loads(encode(default))}
    except (TypeError, ValueError):
        return None


class _Docstring(typing.NamedTuple):
    summary: str
    parameters: dict[str, str]


def _docstring(function: Callable[..., Any]) -> _Docstring:
    text = inspect.getdoc(function)
    if not text:
        return _Docstring("", {})
    from docstring_parser import parse

    parsed = parse(text)  # of the styles it tries, one takes any text
    parameters = {
        item.arg_name: " ".join((item.description or "").split()) for item in parsed.params
    }
    return _Docstring((parsed.description or "").strip(), parameters)
