"""Binding the arguments of a legacy call to the parameters a pack lists."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from chatport.port.rules.base import RefusedError


def bind(
    call: ast.Call, positional: Sequence[str], allowed: Collection[str], function: str
) -> dict[str, ast.expr]:
    """Parameter -> argument, in the author's order; raises `RefusedError`."""
    bound: dict[str, ast.expr] = {}
    for index, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred) or index >= len(positional):
            raise RefusedError(
                "unsupported_kwarg", f"the positional arguments of `{function}` are not known"
            )
        bound[positional[index]] = argument
    for keyword in call.keywords:
        if keyword.arg is None:
            raise RefusedError(
                "unsupported_kwarg", f"`**{ast.unparse(keyword.value)}` may hold anything"
            )
        if keyword.arg not in allowed:
            raise RefusedError(
                "unsupported_kwarg", f"`{keyword.arg}=` of `{function}` is not carried over"
            )
        bound[keyword.arg] = keyword.value
    return bound


def bind_known(
    call: ast.Call, positional: Sequence[str], allowed: Collection[str]
) -> dict[str, ast.expr]:
    """The arguments that are known among others."""
    known = [argument for argument in call.args if not isinstance(argument, ast.Starred)]
    bound = dict(zip(positional, known, strict=False))
    return bound | {k.arg: k.value for k in call.keywords if k.arg in allowed and k.arg}


def order(arguments: dict[str, ast.expr]) -> list[tuple[str, ast.expr]]:
    """The bound arguments in the order of the text."""
    return sorted(arguments.items(), key=lambda item: (item[1].lineno, item[1].col_offset))
