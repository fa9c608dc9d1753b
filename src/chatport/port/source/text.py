"""A Python file as bytes, as text and as a tree, and where each node stands in the text.

Every position is a character offset into `SourceFile.text`, which is the decoded file as it is:
no line end is translated, only a byte order mark is left out. That is what makes edits over the
original bytes possible (see `edits`).
"""

from __future__ import annotations

import ast
import re
import tokenize
import warnings
from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TypeAlias

from chatport.port.findings import Place
from chatport.port.source.discover import MAX_SEARCHED, NOTEBOOK_SUFFIX
from chatport.port.source.errors import SourceError, UnreliablePosition
from chatport.port.source.trees import TOO_DEEP, Nodes

__all__ = ["MAX_BYTES", "Node", "SourceError", "SourceFile", "UnreliablePosition"]

MAX_BYTES = MAX_SEARCHED
"""Larger files are refused: no person writes them, and parsing one takes a gigabyte."""

Node: TypeAlias = (
    ast.expr | ast.stmt | ast.alias | ast.keyword | ast.arg | ast.excepthandler | ast.pattern
)
"""The kinds of node that have a position."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_LEADING_SPACE = re.compile(r"[ \t\f]*")


class SourceFile:
    """One parsed Python file.

    path      relative to the root, with `/`
    data      the bytes as read
    encoding  a codec name; `utf-8-sig` when the file starts with a byte order mark
    text      the decoded file without its byte order mark; line ends as they are
    newline   the dominant line end: `\\n`, `\\r\\n` or `\\r`
    tree      parsed from `text`
    nodes     all nodes below it
    """

    __slots__ = (
        "_ascii",
        "_comments",
        "_lines",
        "data",
        "encoding",
        "newline",
        "nodes",
        "path",
        "text",
        "tree",
    )

    hidden: tuple[tuple[int, int], ...] = ()
    """Stretches of the text that stand for what is no Python."""

    @property
    def shown(self) -> str:
        """The text as people see it."""
        return self.text

    def __init__(self, path: str, data: bytes, encoding: str, text: str, tree: ast.Module) -> None:
        """Raises `SourceError` for a tree that is too deep."""
        self.path: str = path
        self.data: bytes = data
        self.encoding: str = encoding
        self.text: str = text
        self.tree: ast.Module = tree
        self.nodes: Nodes = Nodes(tree)
        self.newline: str = _dominant_newline(text)
        self._ascii = text.isascii()
        self._lines = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._comments: list[tuple[int, str]] | None = None

    @classmethod
    def read(cls, path: str, data: bytes) -> SourceFile:
        """Decode and parse; raises `SourceError` with the place and the remedy."""
        if path.endswith(NOTEBOOK_SUFFIX):
            from chatport.port.source.notebook import NotebookFile  # only where there is one

            return NotebookFile.read(path, data)
        if len(data) > MAX_BYTES:
            raise SourceError(
                f"the file is larger than {MAX_BYTES // 1_000_000} MB; "
                "split it or leave it out of the paths given"
            )
        encoding, text = _decode(data)
        tree = parse(text)
        return cls(path, data, encoding, text, tree)

    # --- nodes to text -----------------------------------------------------------------------

    def span(self, node: Node) -> tuple[int, int]:
        """Start and end (exclusive) of a node, as character offsets into `text`.

        A function or class starts at its `def` or `class`, not at its decorators; enclosing
        parentheses belong to no node. Inside an f-string the position is only good when
        `verified_span` agrees.
        """
        end_line, end_column = node.end_lineno, node.end_col_offset
        assert end_line is not None
        assert end_column is not None
        return self._offset(node.lineno, node.col_offset), self._offset(end_line, end_column)

    def segment(self, node: Node) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def verified_span(self, node: Node) -> tuple[int, int]:
        """As `span`, after making sure that the text there parses to this very node.

        Python 3.11 misplaces nodes inside f-strings, and the literal pieces of an f-string have
        no text of their own on any version. Raises `UnreliablePosition`.
        """
        start, end = self.span(node)
        if not _parses_to(self.text[start:end], self.indent_at(start), node):
            raise UnreliablePosition(
                f"line {node.lineno}: the position of this {type(node).__name__} is not reliable"
            )
        return start, end

    def _offset(self, line: int, column: int) -> int:
        start = self._lines[line - 1]
        if self._ascii or column == 0:
            return start + column
        end = self._lines[line] if line < len(self._lines) else len(self.text)
        text = self.text[start:end]
        if text.isascii():
            return start + column
        return start + len(text.encode()[:column].decode())

    # --- offsets to lines --------------------------------------------------------------------

    def place(self, start: int, end: int) -> Place:
        """The lines and columns of a stretch of text."""
        first, last = bisect_right(self._lines, start), bisect_right(self._lines, end)
        return Place(
            first, start - self._lines[first - 1] + 1, last, end - self._lines[last - 1] + 1
        )

    def line_at(self, offset: int) -> int:
        """The line of `text` an offset is in, counted from 1."""
        return bisect_right(self._lines, offset)

    def line_of(self, place: Place) -> int:
        """The line of `text` a place begins in: that of the file, but in a notebook."""
        return place.line

    def offset_of_line(self, line: int) -> int:
        """Where a line starts, counted from 1."""
        return self._lines[line - 1]

    def line_start(self, offset: int) -> int:
        """Where the line that holds `offset` starts."""
        return self._lines[bisect_right(self._lines, offset) - 1]

    def indent_at(self, offset: int) -> str:
        """The white space the line of `offset` begins with; a form feed starts it anew."""
        match = _LEADING_SPACE.match(self.text, self.line_start(offset))
        assert match is not None
        return match.group().rpartition("\f")[2]

    # --- comments ----------------------------------------------------------------------------

    def comments(self, start: int, end: int) -> list[tuple[int, str]]:
        """The comments that begin inside a stretch, in order: offset and text with its `#`.

        Raises `SourceError` when the file parses but cannot be split into tokens, so that no
        comment is ever lost by not being seen.
        """
        if self.text.find("#", start, end) < 0:
            return []
        if self._comments is None:
            self._comments = self._find_comments()
        first = bisect_left(self._comments, (start, ""))
        return self._comments[first : bisect_left(self._comments, (end, ""))]

    def _find_comments(self) -> list[tuple[int, str]]:
        # `tokenize` knows only \n and \r\n, so it is given each line with a \n of its own.
        bounds = [*self._lines, len(self.text)]
        lines = (
            self.text[start:end].rstrip("\r\n") + "\n"
            for start, end in pairwise(bounds)
            if start < end
        )
        try:
            return [
                (self._lines[token.start[0] - 1] + token.start[1], token.string)
                for token in tokenize.generate_tokens(lambda: next(lines, ""))
                if token.type == tokenize.COMMENT
            ]
        except (tokenize.TokenError, SyntaxError) as error:
            raise SourceError(
                f"the comments of the file cannot be found ({error.args[0]}); edit it by hand"
            ) from error


def _dominant_newline(text: str) -> str:
    windows = text.count("\r\n")
    counts = {"\n": text.count("\n") - windows, "\r\n": windows, "\r": text.count("\r") - windows}
    return max(counts, key=lambda newline: counts[newline])


def _decode(data: bytes) -> tuple[str, str]:
    """The name of the encoding (PEP 263) and the text without a byte order mark."""
    if (null := data.find(b"\0")) >= 0:
        raise SourceError(
            f"line {_line_of(data, null)}: the file holds a null byte, so it is not Python text "
            "(UTF-16, or binary); save it as UTF-8"
        )
    # Two lines are all that PEP 263 looks at; a bare CR ends a line for Python too.
    lines = iter(data[:10_000].splitlines(keepends=True)[:2])
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(lines, b""))
    except SyntaxError as error:
        _require_utf8(data)
        raise SourceError(
            f"line 1: {error.msg}; name an encoding that Python knows, or save the file as UTF-8 "
            "without the encoding comment"
        ) from error
    if encoding in ("utf-8", "utf-8-sig"):
        _require_utf8(data)
    try:
        return encoding, data.decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceError(
            f"line {_line_of(data, error.start)}: the file says it is {encoding}, but byte "
            f"0x{data[error.start]:02x} is not; correct the encoding comment or the byte"
        ) from error
    except (LookupError, UnicodeError) as error:
        raise SourceError(
            f"line 1: {encoding} cannot encode Python text; save the file as UTF-8"
        ) from error


def _require_utf8(data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise SourceError(
            f"line {_line_of(data, error.start)}: byte 0x{data[error.start]:02x} is not UTF-8 and "
            "the file names no other encoding; save it as UTF-8 or begin it with a line such as "
            "# -*- coding: latin-1 -*-"
        ) from error


def _line_of(data: bytes, offset: int) -> int:
    return len((data[:offset] + b"x").splitlines())


def parse(text: str) -> ast.Module:
    """The tree of a text; raises `SourceError`."""
    try:
        return _quiet_parse(text)
    except SyntaxError as error:
        from chatport.port.source.diagnose import explain_syntax_error  # most files parse

        raise SourceError(explain_syntax_error(error)) from error
    except (RecursionError, MemoryError) as error:
        raise SourceError(TOO_DEEP) from error
    except ValueError as error:  # a lone surrogate, or an integer past the digit limit
        raise SourceError(f"Python cannot read the file: {error}") from error


def _quiet_parse(text: str) -> ast.Module:
    with warnings.catch_warnings():  # a "\d" in somebody's file is not our user's business
        warnings.simplefilter("ignore")
        return ast.parse(text)


# Text around a node's own text under which it parses alone, and the way back down to it.
_CALL, _PARENTHESES, _SUBSCRIPT = "_({}\n)", "({}\n)", "_[{}\n]"


def _parses_to(segment: str, indent: str, node: Node) -> bool:
    try:
        found = _parse_alone(segment, indent, node)
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return False
    return found is not None and _shape(found) == _shape(node)


def _parse_alone(segment: str, indent: str, node: Node) -> ast.AST | None:
    match node:
        case ast.stmt():
            if isinstance(node, ast.If):
                segment = re.sub("^elif", "if", segment)
            # Under an `if` the statement may keep the indentation of its later lines.
            text = f"if 1:\n{indent}{segment}" if indent else segment
            (parsed,) = _quiet_parse(text).body
            return parsed.body[0] if indent and isinstance(parsed, ast.If) else parsed
        case ast.keyword():
            call = _expression(_CALL.format(segment))
            return call.keywords[0] if isinstance(call, ast.Call) else None
        case ast.arg():
            (function,) = _quiet_parse(f"def _(*{segment}\n): pass").body
            return function.args.vararg if isinstance(function, ast.FunctionDef) else None
        case ast.alias():
            (statement,) = _quiet_parse(
                f"import {segment}" if "." in node.name else f"from _ import {segment}"
            ).body
            return (
                statement.names[0] if isinstance(statement, ast.Import | ast.ImportFrom) else None
            )
        case ast.Starred():
            call = _expression(_CALL.format(segment))
            return call.args[0] if isinstance(call, ast.Call) else None
        case ast.expr():
            if isinstance(node, ast.Slice) or _holds_slice(node):
                subscript = _expression(_SUBSCRIPT.format(segment))
                return subscript.slice if isinstance(subscript, ast.Subscript) else None
            return _expression(_PARENTHESES.format(segment))
        case _:
            return None


def _expression(text: str) -> ast.expr:
    (statement,) = _quiet_parse(text).body
    assert isinstance(statement, ast.Expr)
    return statement.value


def _holds_slice(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple) and any(isinstance(item, ast.Slice) for item in node.elts)


def _shape(node: ast.AST) -> str:
    # Whether a name is read, bound or deleted is said by what stands around it.
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        fields = {name: getattr(node, name) for name in node._fields}
        node = type(node)(**{**fields, "decorator_list": []})
    return re.sub(r"ctx=(Store|Del)\(\)", "ctx=Load()", ast.dump(node))
