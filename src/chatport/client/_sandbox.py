"""The Jinja2 environment prompts are rendered in: no attribute escapes, no unbounded work.

Jinja2's own sandbox guards attributes. It does not guard time and memory: nested loops over
``range``, doubling strings, recursive macros and field widths such as ``"%999999999d"`` all pass
it. Every step of a rendering therefore spends from one budget, made afresh for each rendering,
and whatever makes a large value out of a small one (repetition, powers, padding, replacing) is
limited before it runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import StrictUndefined, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.meta import find_undeclared_variables
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import _PassArg

MAX_STEPS = 100_000
"""Loop turns and calls one rendering may make."""

MAX_CHARACTERS = 10_000_000
"""Characters one rendering may put out or build, counted at every stage they pass through."""

_MAX_WIDTH = 10_000
_MAX_BITS = 4096
_BUDGET = "(budget)"  # not an identifier, so no template can name it
_WIDE = re.compile(rf"\d{{{len(str(_MAX_WIDTH))},}}|\*")

_WIDTHS: Mapping[str, int] = {
    "batch": _MAX_WIDTH,
    "center": _MAX_WIDTH,
    "indent": 100,
    "ljust": _MAX_WIDTH,
    "rjust": _MAX_WIDTH,
    "round": 100,
    "slice": _MAX_WIDTH,
    "tojson": 16,
    "wordwrap": MAX_CHARACTERS,
    "zfill": _MAX_WIDTH,
}
"""Filters and string methods that take a size, with the largest one they may be given."""

_REFUSED_METHODS = frozenset({"expandtabs", "translate"})
_REFUSED_STATEMENTS = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)


class Missing(StrictUndefined):
    """A name or attribute the data lacks. Not even a list that holds it can be printed."""

    __slots__ = ()
    __repr__ = StrictUndefined._fail_with_undefined_error  # noqa: SLF001


class _Budget:
    """What is left of one rendering's allowance."""

    __slots__ = ("characters", "steps")

    def __init__(self) -> None:
        self.steps = MAX_STEPS
        self.characters = MAX_CHARACTERS

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise SecurityError(f"the template takes more than {MAX_STEPS} steps")

    def spend(self, value: Any) -> None:
        if isinstance(value, (str, bytes, list, tuple)):
            self.characters -= len(value)
            if self.characters < 0:
                raise SecurityError(f"the template builds more than {MAX_CHARACTERS} characters")


def _budget(context: Context) -> _Budget:
    budget: _Budget = context.parent[_BUDGET]
    return budget


@pass_context
def _count_output(context: Context, value: Any) -> Any:
    if isinstance(value, StrictUndefined):
        return value
    text = value if isinstance(value, str) else str(value)
    _budget(context).spend(text)
    return text


def _loop_turn() -> None:
    """Called at the head of every loop turn; the counting is done by the environment's ``call``."""


def _join(*pieces: Any) -> str:
    """What ``~`` does."""
    return "".join(str(piece) for piece in pieces)


def _check_size(name: str, receiver: Any, arguments: tuple[Any, ...]) -> None:
    """Refuse a filter or string method whose result would be out of all proportion."""
    if name in _WIDTHS:
        for argument in arguments:
            size = len(argument) if isinstance(argument, str) else argument
            if isinstance(size, int) and abs(size) > _WIDTHS[name]:
                raise SecurityError(f"{name} may not be given a size over {_WIDTHS[name]}")
    elif name == "format":
        _check_pattern(str(receiver))
    elif name == "replace" and len(arguments) >= 2:
        _check_product(str(receiver).count(str(arguments[0])), len(str(arguments[1])))
    elif name == "join" and arguments:
        separator, pieces = (
            (receiver, arguments[0]) if isinstance(receiver, str) else (arguments[0], receiver)
        )
        if isinstance(separator, str) and hasattr(pieces, "__len__"):
            _check_product(len(separator), len(pieces))


def _check_pattern(pattern: str) -> None:
    if _WIDE.search(pattern):
        raise SecurityError("a format has no width of five digits, nor one taken from a value")


def _check_product(count: int, length: int) -> None:
    if count * length > MAX_CHARACTERS:
        raise SecurityError(f"the template builds more than {MAX_CHARACTERS} characters")


def _check_operands(operator: str, left: Any, right: Any) -> None:
    for number, other in ((left, right), (right, left)):
        if isinstance(number, int):
            if number.bit_length() > _MAX_BITS:
                raise SecurityError(f"a number to reckon with has at most {_MAX_BITS} bits")
            if operator == "*" and hasattr(other, "__len__"):
                _check_product(number, len(other))
    if operator == "%" and isinstance(left, str):
        _check_pattern(left)
    elif operator == "**" and isinstance(right, int) and abs(right) > 64:
        raise SecurityError("an exponent is at most 64")


def _counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The filter with its sizes checked before it runs and its result counted after."""
    passes = _PassArg.from_obj(function)

    @pass_context
    def counted(context: Context, value: Any, *args: Any, **kwargs: Any) -> Any:
        _budget(context).step()
        _check_size(name, value, (*args, *kwargs.values()))
        if passes is _PassArg.context:
            result = function(context, value, *args, **kwargs)
        elif passes is _PassArg.eval_context:
            result = function(context.eval_ctx, value, *args, **kwargs)
        elif passes is _PassArg.environment:
            result = function(context.environment, value, *args, **kwargs)
        else:
            result = function(value, *args, **kwargs)
        _budget(context).spend(result)
        return result

    return counted


class PromptEnvironment(ImmutableSandboxedEnvironment):
    """The sandbox, with calls, loop turns, filters, operators and output counted."""

    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "%", "**"})
    loop_turn = staticmethod(_loop_turn)
    joined = staticmethod(_join)

    def __init__(self) -> None:
        super().__init__(
            undefined=Missing,
            autoescape=False,
            keep_trailing_newline=True,
            finalize=_count_output,
        )
        for name in ("lipsum", "cycler", "joiner"):
            del self.globals[name]
        for name, function in list(self.filters.items()):
            self.filters[name] = _counted(name, function)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if attr.startswith("_") or (isinstance(obj, str) and attr in _REFUSED_METHODS):
            return False
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        wrapper = super().wrap_str_format(value)
        if wrapper is not None:
            _check_pattern(value.__self__)
        return wrapper

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        budget = _budget(__context)
        budget.step()
        receiver = getattr(__obj, "__self__", None)
        if isinstance(receiver, (str, bytes)):
            _check_size(getattr(__obj, "__name__", ""), receiver, (*args, *kwargs.values()))
        result = super().call(__context, __obj, *args, **kwargs)
        budget.spend(result)
        return result

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        _check_operands(operator, left, right)
        result = super().call_binop(context, operator, left, right)
        _budget(context).spend(result)
        return result


def refused_statement(tree: nodes.Template) -> nodes.Node | None:
    """The first statement that wants another template, of which a prompt has none."""
    return next(tree.find_all(_REFUSED_STATEMENTS), None)


def root_names(tree: nodes.Template) -> frozenset[str]:
    """Names the template reads from its data: not loop variables, not names it sets itself."""
    return frozenset(find_undeclared_variables(tree))


def count_work(environment: PromptEnvironment, tree: nodes.Template) -> None:
    """Make every loop turn and ``~`` of the tree a call, so that it is counted. In place."""
    for loop in tree.find_all(nodes.For):
        turn = nodes.Call(nodes.EnvironmentAttribute("loop_turn"), [], [], None, None)
        loop.body.insert(0, nodes.ExprStmt(turn, lineno=loop.lineno))
    _replace_joins(tree)
    tree.set_environment(environment)


def _replace_joins(node: nodes.Node) -> None:
    for field, value in node.iter_fields():
        if isinstance(value, nodes.Node):
            setattr(node, field, _joining(value))
        elif isinstance(value, list):
            value[:] = [_joining(item) if isinstance(item, nodes.Node) else item for item in value]


def _joining(node: nodes.Node) -> nodes.Node:
    _replace_joins(node)
    if not isinstance(node, nodes.Concat):
        return node
    joined = nodes.EnvironmentAttribute("joined")
    return nodes.Call(joined, node.nodes, [], None, None, lineno=node.lineno)


def budgeted(values: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of one rendering: the data and a fresh budget."""
    return {**values, _BUDGET: _Budget()}
