"""Changes of a program that change nothing it does: what is found in it must stay the same."""

from __future__ import annotations

import ast
import io
import textwrap
import tokenize
from collections.abc import Callable, Iterator

Change = Callable[[str], str]


def comment_above_every_statement(source: str) -> str:
    """A comment of its own line stands above each statement."""
    return _above(source, "# the line is {line}")


def statement_above_every_statement(source: str) -> str:
    """Nothing reads what the added statements set."""
    return _above(source, "unrelated = {line}")


def call_above_every_statement(source: str) -> str:
    """A call of a builtin, which a careless analysis takes for one that may do anything."""
    return _above(source, 'len("{line}")')


def parentheses_around_assigned_calls(source: str) -> str:
    """``x = f()`` becomes ``x = (f())``."""
    lines = source.split("\n")
    for node in sorted(_assigned_calls(source), key=lambda n: (n.lineno, n.col_offset))[::-1]:
        data = lines[node.lineno - 1].encode()
        start, end = node.col_offset, node.end_col_offset
        lines[node.lineno - 1] = (
            data[:start] + b"(" + data[start:end] + b")" + data[end:]
        ).decode()
    return "\n".join(lines)


def all_in_a_condition(source: str) -> str:
    """The module's statements stand in an ``if`` that always holds."""
    return _within(source, 'if __name__ != "no such name":')


def all_in_a_try(source: str) -> str:
    """The module's statements stand in a ``try`` that handles nothing."""
    return _within(source, "try:", "finally:\n    pass\n")


def all_in_a_function(source: str) -> str:
    """The module's statements stand in a function that is called once."""
    return _within(source, "def everything():", "\n\neverything()\n")


def _assigned_calls(source: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and node.lineno == node.end_lineno
        ):
            yield node.value


def _above(source: str, text: str) -> str:
    lines = source.splitlines(keepends=True)
    places = {_start(s) for s in _statements(ast.parse(source)) if _alone(s, lines)}
    for line, column in sorted(places, reverse=True):
        indent = lines[line - 1][:column]
        lines.insert(line - 1, f"{indent}{text.format(line=line)}\n")
    return "".join(lines)


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Each statement above which another may stand."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            yield from (
                s for s in block if isinstance(s, ast.stmt) and not _leads(s, s is block[0])
            )


def _leads(statement: ast.stmt, first: bool) -> bool:
    """Whether the statement must stay the first of its block."""
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return True
    return first and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _start(statement: ast.stmt) -> tuple[int, int]:
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)]), statement.col_offset


def _alone(statement: ast.stmt, lines: list[str]) -> bool:
    """Whether nothing stands before the statement on its line, which is no ``elif``."""
    line, column = _start(statement)
    text = lines[line - 1]
    return not text[:column].strip() and not text.lstrip().startswith("elif")


def _within(source: str, head: str, tail: str = "") -> str:
    """The module's statements below `head`; its docstring and ``__future__`` stay above."""
    body = ast.parse(source).body
    moved = [s for i, s in enumerate(body) if not _leads(s, i == 0)]
    if not moved:
        return source
    lines = source.splitlines(keepends=True)
    first = _start(moved[0])[0] - 1
    inside = _inside_strings(source)
    block = [
        line if number in inside else textwrap.indent(line, "    ")
        for number, line in enumerate(lines[first:], first + 1)
    ]
    return "".join([*lines[:first], head + "\n", *block]).rstrip("\n") + "\n" + tail


def _inside_strings(source: str) -> set[int]:
    """The lines that start within a string, whose indentation is part of it."""
    strings = [
        token
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.STRING
    ]
    return {line for token in strings for line in range(token.start[0] + 1, token.end[0] + 1)}
