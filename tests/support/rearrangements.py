"""Changes of the order, the names and the division of a program that change nothing it does."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator


def other_names(source: str) -> str:
    """Every variable that is only that gets another name, wherever it stands.

    Left are names that something else goes by too: an attribute, an argument, a string, an import,
    a function or class.
    """
    tree = ast.parse(source)
    taken = set(_other_uses(tree))
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _is_store(n)}
    renamed = {name for name in stored - taken if name.isascii() and not name.startswith("__")}
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in renamed]
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    for node in sorted(nodes, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        line, start = lines[node.lineno - 1], node.col_offset
        end = start + len(node.id)
        assert line[start:end].decode() == node.id
        lines[node.lineno - 1] = line[:start] + f"{node.id}_x".encode() + line[end:]
    return b"".join(lines).decode()


def _is_store(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _other_uses(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.keyword(arg=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0]
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Constant(value=str(text)):
                yield from re.findall(r"\w+", text)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
            case ast.JoinedStr():  # where their parts stand is not told before Python 3.12
                yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name))
            case _:
                pass


def other_quotes(source: str) -> str:
    """Plain strings in double quotes get single ones, and the other way round."""
    lines = source.splitlines(keepends=True)
    docstrings = {
        statement.lineno
        for statement in ast.walk(ast.parse(source))
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    }
    found = [
        token
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.STRING
        and re.fullmatch(r"\"[^\"'\\]+\"|'[^\"'\\]+'", token.string)
    ]
    for token in reversed(found):
        row, start = token.start
        if row not in docstrings:
            quote = "'" if token.string[0] == '"' else '"'
            line, end = lines[row - 1], token.end[1]
            lines[row - 1] = line[:start] + quote + token.string[1:-1] + quote + line[end:]
    return "".join(lines)


def functions_turned_round(source: str) -> str:
    """Plain functions that follow each other in a module stand in the other order."""
    body = ast.parse(source).body
    lines = source.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    run: list[ast.stmt] = []
    for statement in [*reversed(body), None]:
        if statement is not None and _is_plain_function(statement, lines):
            run.append(statement)
            continue
        if len(run) > 1:
            names = Counter(getattr(one, "name", "") for one in run)
            if max(names.values()) == 1:
                first, last = run[-1].lineno - 1, run[0].end_lineno
                pieces = ["".join(lines[one.lineno - 1 : one.end_lineno]) for one in run]
                lines[first:last] = ["\n\n".join(pieces)]
        run = []
    return "".join(lines)


def _is_plain_function(statement: ast.stmt, lines: list[str]) -> bool:
    """Whether defining it does nothing else, and only it stands on its lines."""
    return (
        isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
        and not statement.decorator_list
        and not statement.args.defaults
        and not any(statement.args.kw_defaults)
        and statement.returns is None
        and not any(one.annotation for one in ast.walk(statement.args) if isinstance(one, ast.arg))
        and lines[statement.lineno - 1].startswith(("def ", "async "))
    )


def split_in_two(source: str) -> tuple[str, str] | None:
    """A module as two: `first` with its imports and what comes next, and the rest, which takes the
    names it reads from there. None where that would not be the same program."""
    tree = ast.parse(source)
    head = [s for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    rest = [s for s in tree.body[1 if _has_docstring(tree) else 0 :] if s not in head]
    cut = len(rest) // 2
    first, second = rest[:cut], rest[cut:]
    if not first or not second or tree.body[len(tree.body) - len(rest) :] != rest:
        return None
    bound, later = _bound(first), _bound(second)
    if bound & later or any(isinstance(n, ast.Global) for n in ast.walk(tree)):
        return None
    if later & _read(first) or {"__name__", "__file__", "globals", "locals"} & _read(rest):
        return None
    wanted = sorted(bound & _read(second))
    if not wanted or {n for n in bound if n.startswith("_")} & set(wanted):
        return None
    lines = source.splitlines(keepends=True)
    start, middle = _line(first[0]) - 1, _line(second[0]) - 1
    if any(lines[_line(s) - 1][: s.col_offset].strip() for s in (first[0], second[0])):
        return None
    imports = "".join(lines[:start])
    names = ", ".join(wanted)
    return (
        "".join(lines[:middle]),
        f"{imports}from first import {names}\n" + "".join(lines[middle:]),
    )


def _line(statement: ast.stmt) -> int:
    return min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])


def _has_docstring(tree: ast.Module) -> bool:
    return ast.get_docstring(tree, clean=False) is not None


def _bound(statements: list[ast.stmt]) -> set[str]:
    """The names a module has by some of its statements; those in functions are their own."""
    found: set[str] = set()
    todo: list[ast.AST] = list(statements)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        todo += ast.iter_child_nodes(node)
    return found


def _read(statements: list[ast.stmt]) -> set[str]:
    nodes = (node for statement in statements for node in ast.walk(statement))
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
