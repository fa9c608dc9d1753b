"""The contract of a tool, and `Contract.prepare`, the boundary model text has to pass."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, cast, runtime_checkable

from chatport.chat import (
    InvalidValueError,
    Schema,
    ToolCall,
    ToolDefinition,
    ToolOutput,
    compiled,
)
from chatport.tools._dual import Runtime
from chatport.tools.errors import InvalidInvocationError, InvalidToolError, InvalidWrappingError

MAX_WRAPPING = 64
"""Wrappers around one tool. More is taken for a cycle."""

InputValidator = Callable[[str], object]
"""Checks argument text beyond the schema; raises to refuse it."""


@runtime_checkable
class Tool(Protocol):
    """Something a model may ask to run.

    A tool may also have, each found through its wrappers: ``input_validator()``, asked once when
    the tool is bound; ``parallel``, true when calls of it may run beside other calls;
    ``wrapped``, the tool inside it.
    """

    @property
    def definition(self) -> ToolDefinition:
        """What the model is told. Read once, when the tool is bound."""

    def call(self, invocation: Invocation, /) -> ToolOutput | Awaitable[ToolOutput]:
        """Run. Keeps neither the invocation nor its arguments; raises to report that it failed."""


class Invocation:
    """An admitted call. Only `Contract.prepare` makes one."""

    __slots__ = ("_call", "_contract")

    def __init__(self, contract: Contract, call: ToolCall) -> None:
        self._contract = contract
        self._call = call

    @property
    def call_id(self) -> str:
        """The id the model gave the call."""
        return self._call.id

    @property
    def arguments(self) -> str:
        """The argument text exactly as admitted: one strict JSON object."""
        return self._call.arguments

    def belongs_to(self, contract: Contract) -> bool:
        """Whether this contract, not merely an equal one, admitted the call."""
        return self._contract is contract


class Contract:
    """What a tool promised when it was bound. Holds the promise, not the tool."""

    __slots__ = ("_schema", "_validate", "definition")

    def __init__(
        self, definition: ToolDefinition, schema: Schema, validate: InputValidator | None
    ) -> None:
        self.definition: ToolDefinition = definition
        self._schema = schema
        self._validate = validate

    def prepare(self, call: ToolCall) -> Invocation:
        """Admit a call the model proposes, or raise `InvalidInvocationError`. Runs nothing.

        Blank arguments count as ``{}``. The text has to be strict JSON that conforms to the
        schema and passes the tool's own validator.
        """
        if not isinstance(call, ToolCall):
            raise InvalidInvocationError(f"expected a ToolCall, got {type(call).__name__}")
        if call.name != self.definition.name:
            raise InvalidInvocationError(
                f"the call is for {call.name!r}, this tool is {self.definition.name!r}", "name"
            )
        if not call.arguments.strip():
            call = call.replace(arguments="{}")
        try:
            self._schema.validate(call.arguments)
            if self._validate is not None:
                self._validate(call.arguments)
        except InvalidValueError as error:
            raise InvalidInvocationError.around(error, "arguments") from error
        except Exception as error:
            raise InvalidInvocationError(str(error) or type(error).__name__, "arguments") from error
        return Invocation(self, call)


class Binding:
    """A tool together with the contract it was bound under."""

    __slots__ = ("_tool", "contract", "is_async", "parallel")

    def __init__(self, tool: Tool, contract: Contract) -> None:
        self._tool = tool
        self.contract: Contract = contract
        self.is_async: bool = is_async(tool)
        self.parallel: bool = any(getattr(layer, "parallel", False) for layer in layers(tool))

    @property
    def definition(self) -> ToolDefinition:
        """The definition as it was when the tool was bound."""
        return self.contract.definition

    async def run(self, invocation: Invocation, run: Runtime) -> Any:
        """Run the tool the way the runtime has it. See `call`."""
        self._check(invocation)
        return await run_tool(
            self._tool, asynchronous=self.is_async, invocation=invocation, run=run
        )

    def call(self, invocation: Invocation) -> ToolOutput | Awaitable[ToolOutput]:
        """Run the tool. Raises `InvalidInvocationError` for a call another binding admitted."""
        self._check(invocation)
        return self._tool.call(invocation)

    def _check(self, invocation: Invocation) -> None:
        if not isinstance(invocation, Invocation) or not invocation.belongs_to(self.contract):
            raise InvalidInvocationError("the invocation was not prepared by this binding")


async def run_tool(tool: Tool, *, asynchronous: bool, invocation: Invocation, run: Runtime) -> Any:
    """What the tool returns, however it runs: awaited, or called where it may take its time."""
    if asynchronous:
        return await run.resolve(tool.call(invocation))
    return await run.resolve(await run.blocking(tool.call, invocation))


def bind(tool: Tool) -> Binding:
    """Freeze a tool's contract. Raises `InvalidToolError` for what is not a usable tool."""
    return Binding(tool, make_contract(tool))


def make_contract(tool: Tool) -> Contract:
    """The contract of a tool as it is now, without keeping the tool."""
    if not callable(getattr(tool, "call", None)):
        remedy = "; decorate it with @tool" if callable(tool) else ""
        raise InvalidToolError(f"{tool!r} is no tool: it has no method call{remedy}")
    definition = read_definition(tool)
    try:
        schema = compiled(definition.input_schema)
    except InvalidValueError as error:
        raise InvalidToolError.around(error, "input_schema") from error
    return Contract(definition, schema, _input_validator(tool))


def read_definition(tool: Tool) -> ToolDefinition:
    """The tool's definition, read once. Raises `InvalidToolError`."""
    try:
        definition = tool.definition
    except InvalidValueError as error:
        raise InvalidToolError.around(error, "definition") from error
    if not isinstance(definition, ToolDefinition):
        raise InvalidToolError(
            f"expected a ToolDefinition, got {type(definition).__name__}", "definition"
        )
    return definition


def _input_validator(tool: Tool) -> InputValidator | None:
    declare = capability(tool, "input_validator")
    if declare is None:
        return None
    try:
        validator = declare()
    except Exception as error:
        raise InvalidToolError(f"its input validator cannot be made: {error}") from error
    if not callable(validator):
        raise InvalidToolError("its input validator cannot be called")
    return cast(InputValidator, validator)


def layers(tool: Any) -> list[Any]:
    """The tool and what it wraps, outermost first. Raises `InvalidWrappingError` for a cycle."""
    found: list[Any] = []
    layer = tool
    while layer is not None:
        if len(found) > MAX_WRAPPING:
            raise InvalidWrappingError(f"more than {MAX_WRAPPING} wrappers, or a cycle of them")
        found.append(layer)
        layer = getattr(layer, "wrapped", None)
    return found


def capability(tool: Any, name: str) -> Any:
    """The attribute of the outermost layer of a tool that has it; None when none does."""
    return next(
        (getattr(layer, name) for layer in layers(tool) if getattr(layer, name, None) is not None),
        None,
    )


def is_async(tool: Any) -> bool:
    """Whether running the tool needs an event loop: one of its layers is a coroutine function."""
    return any(
        getattr(layer, "is_async", False)
        or inspect.iscoroutinefunction(getattr(layer, "call", None))
        for layer in layers(tool)
    )
