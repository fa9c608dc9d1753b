from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from chatport import (
    AuthorizationError,
    CallCancelledError,
    CallError,
    DuplicateToolError,
    Failure,
    Guard,
    InvalidFailureError,
    InvalidInvocationError,
    InvalidJSONError,
    InvalidSchemaError,
    InvalidToolCallError,
    InvalidToolDefinitionError,
    InvalidToolError,
    InvalidWrappingError,
    Registry,
    SchemaMismatchError,
    SchemaTool,
    ToolCall,
    ToolDefinition,
    ToolOutput,
    cancellable,
    checkpoint,
    tool,
)
from chatport.chat import find_cause
from chatport.tools import Authorization, Binding, Invocation, bind, make_contract

SCHEMA = {
    "type": "object",
    "properties": {"q": {"type": "string", "minLength": 2}},
    "additionalProperties": False,
}


class Search:
    """A tool written by hand."""

    def __init__(self, name: str = "search") -> None:
        self.read = 0
        self.ran: list[str] = []
        self._definition = ToolDefinition(name=name, description="d", input_schema=SCHEMA)

    @property
    def definition(self) -> ToolDefinition:
        self.read += 1
        return self._definition

    def call(self, invocation: Invocation) -> ToolOutput:
        self.ran.append(invocation.arguments)
        return ToolOutput.of_text("found")


def call(arguments: str = "{}", name: str = "search", id: str = "1") -> ToolCall:  # noqa: A002
    return ToolCall(id, name, arguments)


def test_s52_a_definition_is_read_once_and_frozen() -> None:
    search = Search()
    bound = bind(search)
    search._definition = ToolDefinition(name="other", input_schema={"type": "object"})
    assert bound.definition.name == "search"
    bound.call(bound.contract.prepare(call()))
    assert (search.read, search.ran) == (1, ["{}"])


@pytest.mark.parametrize("nothing", [None, object(), "tool"])
def test_s52_what_has_no_call_is_no_tool(nothing: Any) -> None:
    with pytest.raises(InvalidToolError, match="no method call"):
        bind(nothing)


def test_a_tool_with_a_faulty_definition_cannot_be_bound() -> None:
    class Broken(Search):
        @property
        def definition(self) -> ToolDefinition:
            return ToolDefinition(name="no spaces", input_schema=SCHEMA)

    class Missing(Search):
        definition = None  # type: ignore[assignment]

    with pytest.raises(InvalidToolError) as caught:
        bind(Broken())
    assert find_cause(caught.value, InvalidToolDefinitionError)
    with pytest.raises(InvalidToolError, match="NoneType"):
        bind(Missing())


def test_a_schema_that_does_not_compile_cannot_be_bound() -> None:
    with pytest.raises(InvalidToolError) as caught:
        bind(SchemaTool(str, name="x", schema={"type": "object", "properties": 7}))
    assert find_cause(caught.value, InvalidSchemaError)


@pytest.mark.parametrize(
    ("proposal", "cause"),
    [
        (call(name="other"), None),
        (call("{"), InvalidJSONError),
        (call('{"q": "ab", "q": "cd"}'), InvalidJSONError),
        (call('{"q": "x"}'), SchemaMismatchError),
        (call('{"q": 7}'), SchemaMismatchError),
        (call('{"more": 1}'), SchemaMismatchError),
        (call("[]"), SchemaMismatchError),
    ],
)
def test_s53_a_call_that_does_not_fit_is_not_admitted(proposal: ToolCall, cause: Any) -> None:
    search = Search()
    with pytest.raises(InvalidInvocationError) as caught:
        bind(search).contract.prepare(proposal)
    assert caught.value.path.startswith("name" if cause is None else "arguments")
    assert cause is None or find_cause(caught.value, cause)
    assert search.ran == []


def test_s53_a_call_without_an_id_cannot_be_made() -> None:
    with pytest.raises(InvalidToolCallError):
        call(id="")
    with pytest.raises(InvalidInvocationError, match="NoneType"):
        bind(Search()).contract.prepare(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("blank", ["", " \n"])
def test_s54_blank_arguments_are_an_empty_object(blank: str) -> None:
    invocation = bind(Search()).contract.prepare(call(blank))
    assert (invocation.arguments, invocation.call_id) == ("{}", "1")


def test_s54_an_invocation_belongs_to_the_binding_that_admitted_it() -> None:
    one, twin = bind(Search()), bind(Search())
    for foreign in (twin.contract.prepare(call()), None):
        with pytest.raises(InvalidInvocationError):
            one.call(foreign)  # type: ignore[arg-type]


def test_arguments_are_kept_as_the_model_wrote_them() -> None:
    written = '{ "q" : "a\\u0062" }'
    assert bind(Search()).contract.prepare(call(written)).arguments == written


def test_a_contract_does_not_keep_the_tool() -> None:
    search = Search()
    contract = make_contract(search)
    gone = weakref.ref(search)
    del search
    gc.collect()
    assert gone() is None
    assert contract.prepare(call()).arguments == "{}"


class Validated(Search):
    def __init__(self, validator: Any) -> None:
        super().__init__()
        self.declared = 0
        self._validator = validator

    def input_validator(self) -> Callable[[str], object]:
        self.declared += 1
        if isinstance(self._validator, Exception):
            raise self._validator
        return self._validator  # type: ignore[no-any-return]


def test_s57_a_validator_that_breaks_is_an_error_of_its_stage() -> None:
    for declared in (RuntimeError("no"), 7):
        with pytest.raises(InvalidToolError, match="input validator"):
            bind(Validated(declared))

    def refuse(arguments: str) -> None:
        raise KeyError("nothing like it")

    validated = Validated(refuse)
    contract = bind(validated).contract
    for _ in range(2):
        with pytest.raises(InvalidInvocationError, match="nothing like it") as caught:
            contract.prepare(call())
        assert isinstance(caught.value.__cause__, KeyError)
    assert (validated.declared, validated.ran) == (1, [])


def test_capabilities_are_found_through_wrappers() -> None:
    def refuse(arguments: str) -> None:
        raise ValueError("refused")

    bound = bind(Guard(Validated(refuse), lambda authorization: True))
    with pytest.raises(InvalidInvocationError, match="refused"):
        bound.contract.prepare(call())


def test_wrappers_that_form_a_cycle_are_found() -> None:
    search: Any = Search()
    search.wrapped = search
    with pytest.raises(InvalidWrappingError):
        bind(search)


def test_parallelism_is_found_through_wrappers() -> None:
    @tool(parallel=True)
    def look(q: str) -> str:
        return q

    assert bind(look).parallel
    assert bind(Guard(look, lambda authorization: True)).parallel
    assert not bind(Search()).parallel


# Guards


def guarded(authorizer: Any) -> tuple[Search, Binding]:
    search = Search()
    return search, bind(Guard(search, authorizer))


def run(bound: Binding, arguments: str = '{"q": "ab"}') -> Any:
    result = bound.call(bound.contract.prepare(call(arguments)))
    if isinstance(result, ToolOutput):
        return result

    async def wait() -> Any:
        return await result

    return asyncio.run(wait())


def test_s56_a_policy_sees_definition_and_arguments_and_lets_the_tool_run() -> None:
    asked: list[Authorization] = []
    search, bound = guarded(lambda a: asked.append(a) or True)
    assert run(bound).text() == "found"
    assert [(a.definition.name, a.arguments) for a in asked] == [("search", '{"q": "ab"}')]
    assert len(search.ran) == 1


def test_s56_a_policy_that_says_no_rejects_the_call() -> None:
    search, bound = guarded(lambda a: False)
    with pytest.raises(Failure) as caught:
        run(bound)
    assert (caught.value.kind, caught.value.reason) == ("rejected", None)
    assert "search" in str(caught.value)
    assert search.ran == []


def test_s56_a_cancelled_call_does_not_reach_the_policy() -> None:
    asked: list[Authorization] = []
    search, bound = guarded(lambda a: asked.append(a) or True)
    with cancellable() as scope:
        scope.cancel()
        with pytest.raises(CallCancelledError):
            run(bound)
    assert (asked, search.ran) == ([], [])


def test_s56_a_call_cancelled_while_the_policy_decides_does_not_run() -> None:
    with cancellable() as scope:
        search, bound = guarded(lambda a: scope.cancel() or True)
        with pytest.raises(CallCancelledError):
            run(bound)
    assert search.ran == []


def test_s56_a_policy_that_breaks_off_hides_its_reason() -> None:
    def authorizer(authorization: Authorization) -> bool:
        raise TimeoutError("secret host is down")

    search, bound = guarded(authorizer)
    with pytest.raises(AuthorizationError) as caught:
        run(bound)
    error = caught.value
    assert "secret" not in str(error)
    assert error.__cause__ is None
    assert error.__context__ is None
    assert find_cause(error, TimeoutError) is None
    assert isinstance(error.reason, TimeoutError)
    assert search.ran == []


def test_s56_a_cancellation_beside_a_policys_error_is_seen() -> None:
    with cancellable() as scope:

        def authorizer(authorization: Authorization) -> bool:
            scope.cancel()
            raise RuntimeError("x")

        _, bound = guarded(authorizer)
        with pytest.raises(CallCancelledError):
            run(bound)


def test_a_guard_may_be_asynchronous_in_either_part() -> None:
    async def yes(authorization: Authorization) -> bool:
        return True

    @tool(name="search")
    async def look(q: str) -> str:
        return q

    _, bound = guarded(yes)
    assert bound.is_async
    assert run(bound).text() == "found"
    late = bind(Guard(look, lambda a: True))
    assert late.is_async
    assert run(late).text() == "ab"


def test_a_guard_needs_a_tool_and_a_policy() -> None:
    with pytest.raises(InvalidToolError, match="tool"):
        Guard(None, lambda a: True)  # type: ignore[arg-type]
    with pytest.raises(InvalidToolError, match="authorizer"):
        Guard(Search(), None)  # type: ignore[arg-type]


# Failures


def test_a_failure_keeps_its_reason_out_of_reach() -> None:
    reason = OSError("disk")
    failure = Failure("failed", "could not save", reason=reason)
    assert failure.reason is reason
    assert failure.__cause__ is None
    assert failure.output.text() == "could not save"
    assert str(failure) == "the tool call was failed: could not save"
    assert str(Failure("rejected")) == "the tool call was rejected"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Failure("odd"),  # type: ignore[arg-type]
        lambda: Failure("failed"),
        lambda: Failure("failed", reason="text"),  # type: ignore[arg-type]
        lambda: Failure("rejected", 7),  # type: ignore[arg-type]
        lambda: CallError(None),  # type: ignore[arg-type]
        lambda: CallError(OSError(), 7),  # type: ignore[arg-type]
    ],
)
def test_a_failure_made_wrongly_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidFailureError):
        make()


def test_a_call_error_shows_its_cause_and_keeps_evidence() -> None:
    cause = ConnectionError("cut")
    error = CallError(cause, ToolOutput.of_text("3 of 5 sent"))
    assert find_cause(error, ConnectionError) is cause
    assert error.evidence.text() == "3 of 5 sent"
    assert "cut" in str(error)


# Registry


def test_s58_tools_are_registered_all_or_none() -> None:
    registry = Registry(Search("b"))
    with pytest.raises(DuplicateToolError, match=r"tools\[1\]"):
        registry.register(Search("c"), Search("b"), Search("c"))
    assert registry.resolve("c") is None
    with pytest.raises(DuplicateToolError, match=r"tools\[2\]: there is a tool a already"):
        registry.register(Search("a"), Search("d"), Search("a"))
    with pytest.raises(InvalidToolError, match=r"tools\[0\]"):
        registry.register(None)  # type: ignore[arg-type]
    registry.register()
    registry.register(Search("a"))
    assert [definition.name for definition in registry.definitions()] == ["a", "b"]
    found = registry.resolve("b")
    assert found is not None
    assert found.definition.name == "b"


def test_a_checkpoint_outside_any_scope_passes() -> None:
    checkpoint()
    assert not bind(Search()).is_async
