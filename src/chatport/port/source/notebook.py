"""A notebook (nbformat 4) as one Python file, and the way back into its cells.

The code cells, in order, are the text: each ends its line, and an empty line stands behind it. What
only the notebook's shell understands (``!pip install``, ``%time``, ``%%bash``) is masked by Python
of the same length, so that every position is one of the original; no edit may touch it. An edit
is made in the cell it lies in. Of the file, only the strings of changed lines are written anew.
"""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from msgspec import Struct

from chatport.port.findings import Place
from chatport.port.source.edits import Edit, common_start
from chatport.port.source.errors import SourceError
from chatport.port.source.text import MAX_BYTES, SourceFile, parse

__all__ = ["NotebookFile"]

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^ \t\r\n,\]}]+")
_TIMED = {"time", "timeit", "prun", "memit", "mprun"}
"""Magics whose line is Python."""
_PYTHON_CELLS = {"time", "timeit", "capture", "prun", "memit"}
"""Magics whose cell is Python."""
_MAGIC = re.compile(
    r"(?P<indent>[ \t]*)(?P<assigned>[\w, \t]+=[ \t]*)?"
    r"(?P<mark>%%?(?=[A-Za-z])|!{1,2}(?!=))(?P<name>\w*)"
)


class _Token(Struct, frozen=True):
    """A JSON string: where it stands in the file's text, and what it says."""

    start: int
    end: int
    value: str


class Cell(Struct, frozen=True):
    """A code cell. `start` and `end` are in the text of the notebook as Python."""

    number: int
    """From 1, all kinds of cells counted."""
    tokens: tuple[_Token, ...]
    opening: int
    """Where the source begins in the file: its bracket or its quote."""
    closing: int
    start: int
    end: int


class NotebookFile(SourceFile):
    """One parsed notebook; see `SourceFile`."""

    __slots__ = ("_shown", "cells", "hidden", "raw")

    def __init__(
        self,
        path: str,
        data: bytes,
        encoding: str,
        raw: str,
        cells: Sequence[Cell],
        shown: str,
        text: str,
        hidden: Sequence[tuple[int, int]],
        tree: ast.Module,
    ) -> None:
        super().__init__(path, data, encoding, text, tree)
        self.raw: str = raw
        self._shown = shown
        self.cells: tuple[Cell, ...] = tuple(cells)
        self.hidden: tuple[tuple[int, int], ...] = tuple(hidden)
        """The stretches that are masked."""

    @classmethod
    def read(cls, path: str, data: bytes) -> NotebookFile:
        """Decode and parse; raises `SourceError`."""
        if len(data) > MAX_BYTES:
            raise SourceError(
                f"the notebook is larger than {MAX_BYTES // 1_000_000} MB; clear its outputs"
            )
        encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
        try:
            raw = data.decode(encoding)
            document = json.loads(raw)
        except ValueError as error:
            raise SourceError(f"the notebook is not JSON: {error}; save it anew") from error
        except RecursionError as error:
            raise SourceError("the notebook is nested too deeply; save it anew") from error
        cells = list(_cells(raw, document))
        shown = "".join(_text(cell) + _gap(_text(cell)) for cell in cells)
        masked, hidden = _masked(shown, cells)
        try:
            tree = parse(masked)
        except SourceError as error:
            raise SourceError(_in_cell(str(error), masked, cells)) from error
        return cls(path, data, encoding, raw, cells, shown, masked, hidden, tree)

    @property
    def shown(self) -> str:
        """The text with what is no Python."""
        return self._shown

    def cell_at(self, offset: int) -> Cell:
        """The cell an offset lies in; the gap behind a cell is part of it."""
        index = bisect_right([cell.start for cell in self.cells], offset)
        return self.cells[max(0, index - 1)]

    def place(self, start: int, end: int) -> Place:
        """The lines of the file, and the cell with the line in it."""
        first, last = self._in_file(start), self._in_file(max(start, end - 1))
        cell = self.cell_at(start)
        line = self.shown.count("\n", cell.start, start) + 1
        return Place(*first, last[0], last[1] + 1, cell.number, line)

    def line_of(self, place: Place) -> int:
        """The line of `text` a place begins in."""
        assert place.cell is not None
        assert place.cell_line is not None
        cell = next(cell for cell in self.cells if cell.number == place.cell)
        return self.text.count("\n", 0, cell.start) + place.cell_line

    def _in_file(self, offset: int) -> tuple[int, int]:
        """Line and column in the file: exact for what JSON does not escape."""
        cell = self.cell_at(offset)
        position, at = cell.start, cell.opening
        for token in cell.tokens:
            if offset < position + len(token.value) or token is cell.tokens[-1]:
                inside = json.dumps(token.value[: offset - position], ensure_ascii=False)
                at = min(token.start + len(inside) - 1, token.end - 1)
                break
            position += len(token.value)
        line = self.raw.count("\n", 0, at) + 1
        return line, at - self.raw.rfind("\n", 0, at)

    def apply(self, edits: Iterable[Edit]) -> bytes:
        """The notebook with the edits made in its cells; raises `SourceError` for an edit of what
        is not Python."""
        pieces, position = [], 0
        by_cell: dict[int, list[Edit]] = {}
        for edit in sorted(set(edits)):
            for number, part in self._parts(edit):
                by_cell.setdefault(number, []).append(part)
        for index, cell in enumerate(self.cells):
            if index not in by_cell:
                continue
            text = _edited(_text(cell), by_cell[index])
            if text == _text(cell):
                continue
            pieces += [self.raw[position : cell.opening], _source(self.raw, cell, text)]
            position = cell.closing
        pieces.append(self.raw[position:])
        return "".join(pieces).encode(self.encoding)

    def _parts(self, edit: Edit) -> Iterator[tuple[int, Edit]]:
        """An edit by the cells it lies in, in offsets of their own; its text is in the first."""
        for start, end in self.hidden:
            inside = start <= edit.start and edit.end <= end
            if edit.start < end and edit.end > start and not inside:
                line = self.place(start, end)
                raise SourceError(
                    f"cell {line.cell}, line {line.cell_line}: what only a notebook understands "
                    "stands on the line of an edit; put it on a line of its own"
                )
        first = self.cells.index(self.cell_at(edit.start))
        for index in range(first, len(self.cells)):
            cell = self.cells[index]
            if index > first and cell.start >= edit.end:
                return
            length = cell.end - cell.start
            start = max(0, min(edit.start - cell.start, length))
            end = max(start, min(edit.end - cell.start, length))
            if index > first and not self.shown[cell.start : edit.end].strip():
                return  # empty lines that begin the next cell
            text = edit.text if index == first else ""
            if edit.start - cell.start > length and text:
                text = "\n" + text.rstrip("\n")  # a line of its own below the cell's last
            yield index, Edit(start, end, text)


def _edited(text: str, edits: Sequence[Edit]) -> str:
    pieces, position = [], 0
    for edit in sorted(edits):
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:]])


# --- reading ---------------------------------------------------------------------------------


def _cells(raw: str, document: Any) -> Iterator[Cell]:
    """The code cells of a notebook in Python."""
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise SourceError("the notebook has no list of cells; open it and save it as version 4")
    metadata = _mapping(document, "metadata")
    language = _mapping(metadata, "kernelspec").get("language")
    language = _mapping(metadata, "language_info").get("name", language)
    if language not in (None, "python", "python3", "ipython"):
        return
    position = 0
    for number, (cell, (opening, closing)) in enumerate(
        zip(document["cells"], _sources(raw), strict=True), 1
    ):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        tokens = tuple(_tokens(raw, opening, closing))
        text = "".join(token.value for token in tokens)
        yield Cell(number, tokens, opening, closing, position, position + len(text))
        position += len(text) + len(_gap(text))


def _mapping(document: dict[str, Any], key: str) -> dict[str, Any]:
    found = document.get(key)
    return found if isinstance(found, dict) else {}


def _text(cell: Cell) -> str:
    return "".join(token.value for token in cell.tokens)


def _gap(text: str) -> str:
    """What stands behind a cell: it ends its line, and an empty one follows."""
    return "\n" if text.endswith("\n") else "\n\n"


def _sources(raw: str) -> Iterator[tuple[int, int]]:
    """Where the ``source`` of each cell stands; an empty stretch where there is none."""
    spans: list[tuple[int, int]] = []

    def cells(start: int) -> int:
        for begin in _items(raw, start):
            found = (0, 0)
            for key, value in _members(raw, begin) if raw[begin] == "{" else ():
                if key == "source":
                    found = (value, _skip(raw, value))
            spans.append(found)
        return _skip(raw, start)

    for key, value in _members(raw, _SPACE.match(raw).end()):  # type: ignore[union-attr]
        if key == "cells":
            spans.clear()
            cells(value)
    yield from spans


def _tokens(raw: str, opening: int, closing: int) -> Iterator[_Token]:
    """The strings of a source: one, or a list of them."""
    if opening == closing:
        return
    starts = [opening] if raw[opening] == '"' else _items(raw, opening)
    for start in starts:
        if raw[start] != '"':
            raise SourceError("a cell's source is not text; open the notebook and save it anew")
        value, end = scanstring(raw, start + 1)
        yield _Token(start, end, value)


def _members(raw: str, start: int) -> Iterator[tuple[str, int]]:
    """The keys of a JSON object, and where their values begin."""
    position = _space(raw, start + 1)
    while raw[position] != "}":
        key, position = scanstring(raw, position + 1)
        value = _space(raw, _space(raw, position) + 1)
        yield key, value
        position = _space(raw, _skip(raw, value))
        if raw[position] == ",":
            position = _space(raw, position + 1)


def _items(raw: str, start: int) -> Iterator[int]:
    """Where the items of a JSON array begin."""
    position = _space(raw, start + 1)
    while raw[position] != "]":
        yield position
        position = _space(raw, _skip(raw, position))
        if raw[position] == ",":
            position = _space(raw, position + 1)


def _skip(raw: str, start: int) -> int:
    """Where the JSON value that begins at `start` ends."""
    depth, position = 0, start
    while True:
        character = raw[position]
        if character == '"':
            position = scanstring(raw, position + 1)[1]
        elif character in "{[":
            depth, position = depth + 1, position + 1
        elif character in "}]":
            depth, position = depth - 1, position + 1
        elif character in ",: \t\r\n":
            position += 1
            continue
        else:
            match = re.compile(r"[^ \t\r\n,:\]}]+").match(raw, position)
            assert match is not None
            position = match.end()
        if depth == 0:
            return position


def _space(raw: str, position: int) -> int:
    match = _SPACE.match(raw, position)
    assert match is not None
    return match.end()


def _in_cell(message: str, text: str, cells: Sequence[Cell]) -> str:
    """A fault of the text, placed in its cell."""
    match = re.match(r"line (\d+): ", message)
    if match is None or not cells:
        return message
    offset = sum(len(line) for line in text.splitlines(keepends=True)[: int(match[1]) - 1])
    cell = max((cell for cell in cells if cell.start <= offset), key=lambda cell: cell.start)
    line = text.count("\n", cell.start, offset) + 1
    return f"cell {cell.number}, line {line}: {message[match.end() :]}"


# --- what is no Python -------------------------------------------------------------------------


def _masked(text: str, cells: Sequence[Cell]) -> tuple[str, list[tuple[int, int]]]:
    """The text with Python of the same length in the place of what is none, and where."""
    hidden: list[tuple[int, int, str]] = []
    for cell in cells:
        hidden += _hidden_in(text, cell)
    pieces, position = [], 0
    for start, end, mask in hidden:
        pieces += [text[position:start], mask]
        position = end
    return "".join([*pieces, text[position:]]), [(start, end) for start, end, _ in hidden]


def _hidden_in(text: str, cell: Cell) -> Iterator[tuple[int, int, str]]:
    inside, first = False, True
    whole = False
    strings = _in_strings(text[cell.start : cell.end])
    position = cell.start
    for line in text[cell.start : cell.end].splitlines(keepends=True):
        start, position = position, position + len(line)
        code = line.rstrip("\r\n")
        magic = _MAGIC.match(code)
        if first and code.strip():
            first = False
            whole = code.lstrip().startswith("%%") and not _is_python_cell(code)
        if whole or inside:
            if code:
                yield start, start + len(code), "#" * len(code)
            inside = inside and code.endswith("\\")
        elif start - cell.start in strings:
            continue
        elif magic is not None and magic["mark"][0] in "%!":
            mask, end = _mask(code, magic)
            if mask is not None:
                yield start + magic.start("mark"), start + end, mask
                inside = code.endswith("\\")
        elif re.fullmatch(r"\s*(\?{1,2}[\w.]+|[\w.]+\?{1,2})\s*", code):
            yield start, start + len(code), "#" * len(code)


def _is_python_cell(line: str) -> bool:
    found = re.match(r"\s*%%(\w+)", line)
    return found is not None and found[1] in _PYTHON_CELLS


def _mask(code: str, magic: re.Match[str]) -> tuple[str | None, int]:
    """Python in the place of a magic, and where the magic ends in its line."""
    start = magic.start("mark")
    if magic["mark"] == "%" and magic["name"] in _TIMED and not magic["assigned"]:
        end = magic.end()
        end += len(code[end:]) - len(code[end:].lstrip(" "))
        length = end - start
        if length >= len("True;") and code[end:].strip() and not code[end:].startswith("-"):
            return "True;".ljust(length), end
    length = len(code) - start
    if magic["assigned"] or magic["indent"]:
        return ("0#".ljust(length, "#") if length > 1 else None), len(code)
    return "#" * length, len(code)


def _in_strings(text: str) -> set[int]:
    """The offsets of lines that begin inside a string of several lines."""
    found: set[int] = set()
    quote = ""
    position = 0
    for line in text.splitlines(keepends=True):
        if quote:
            found.add(position)
        rest = line
        while True:
            match = re.search(r'"""|\'\'\'' if not quote else re.escape(quote), rest)
            if match is None or (not quote and "#" in rest[: match.start()]):
                break
            quote = "" if quote else match.group()
            rest = rest[match.end() :]
        position += len(line)
    return found


# --- writing -----------------------------------------------------------------------------------


def _source(raw: str, cell: Cell, text: str) -> str:
    """The JSON of a cell's source with a new text: as it was, where a line is as it was."""
    ascii_only = raw.isascii() and "\\u" in raw
    if raw[cell.opening] == '"':
        return json.dumps(text, ensure_ascii=ascii_only)
    old = [(token.value, raw[token.start : token.end]) for token in cell.tokens]
    lines = text.splitlines(keepends=True)
    head = common_start([value for value, _ in old], lines)
    tail = common_start([value for value, _ in old[head:]][::-1], lines[head:][::-1])
    middle = [json.dumps(line, ensure_ascii=ascii_only) for line in lines[head : len(lines) - tail]]
    items = [json_ for _, json_ in old[:head]] + middle
    items += [json_ for _, json_ in old[len(old) - tail :]] if tail else []
    if not items:
        return "[]"
    if not cell.tokens:
        return f"[{', '.join(items)}]"
    opening = raw[cell.opening + 1 : cell.tokens[0].start]
    closing = raw[cell.tokens[-1].end : cell.closing - 1]
    between = ", " if not opening else "," + opening
    if len(cell.tokens) > 1:
        between = raw[cell.tokens[0].end : cell.tokens[1].start]
    return f"[{opening}{between.join(items)}{closing}]"
