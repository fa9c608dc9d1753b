"""The draft of a file: rewrites of nodes and statements, rendered into edits.

A rewrite builds its text when the draft is rendered and may ask the draft for the text of the
nodes inside it, with their own rewrites made: so nested rewrites compose, and an expression the
author wrote is carried as it stands.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import NamedTuple

from msgspec.structs import replace

from chatport.port.program.modules import Module
from chatport.port.render.layout import Element, Sequence, Style, Text, Value, one_line, render
from chatport.port.render.strings import f_string_quotes, fit_f_string, prints_source
from chatport.port.source.edits import Edit
from chatport.port.source.errors import UnreliablePosition
from chatport.port.source.text import Node, SourceFile

_PRIMARIES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict)
"""Expressions that need no parentheses in front of a dot."""


_START = attrgetter("start")
_KEY = attrgetter("key")


class Rewrite(NamedTuple):
    """Text for a stretch of the source, built late."""

    start: int
    rank: int
    order: int
    end: int
    build: Callable[[], str]

    @property
    def key(self) -> tuple[int, int, int]:
        """What it is sorted and known by: insertions and wider stretches first."""
        return self[:3]


class Draft:
    """All rewrites of one module."""

    def __init__(self, module: Module, style: Style) -> None:
        self.module = module
        self.source: SourceFile = module.source
        self.style = style
        self.needs: set[str] = set()
        """Names the emitted code reads that an import must give (``types``, ``os``)."""
        self.unreliable: list[tuple[ast.AST, str]] = []
        """Nodes that cannot be replaced, and why."""
        self.noted: set[int] = set()
        """Where comments stand that go along with what is written elsewhere."""
        self._rewrites: list[Rewrite] = []
        self._deleted: set[ast.stmt] = set()
        self._values: dict[ast.AST, Callable[[], Value]] = {}
        self._made: dict[ast.AST, Callable[[], str]] = {}
        """Attributes and items that are read nowhere -> how they would be."""
        self._longer: dict[int, int] = {}
        """How much longer a line gets, by where it starts."""
        self._building: list[tuple[int, int, int]] = []
        """The keys of the rewrites whose text is asked for."""
        self._placed: set[ast.stmt] = set()

    # -- asking for text

    def text(self, node: Node) -> str:
        """The text of a node with every rewrite inside it made; parentheses around it, which
        belong to no node, are kept when the node needs them to stand alone."""
        if node in self._made:
            return self._made[node]()
        return self.span_text(*self.span(node))

    def member(self, node: ast.expr, name: str) -> ast.Attribute:
        """An attribute of an expression, as if it stood where that does."""
        made = ast.Attribute(value=node, attr=name, ctx=ast.Load())
        self._made[made] = lambda: f"{self.owner(node)}.{name}"
        return ast.copy_location(made, node)

    def item(self, node: ast.expr, key: str, *, certain: bool) -> ast.expr:
        """An item of an expression, as if it stood where that does; None where a key that is not
        `certain` is missing."""
        made: ast.Subscript | ast.Call
        made = ast.Subscript(value=node, slice=ast.Constant(key), ctx=ast.Load())
        if not certain:
            get = ast.Attribute(value=node, attr="get", ctx=ast.Load())
            made = ast.Call(func=get, args=[ast.Constant(key)], keywords=[])
        form = "{}[{}]" if certain else "{}.get({})"
        self._made[made] = lambda: form.format(self.owner(node), self.style.string(key))
        return ast.copy_location(made, node)

    def span(self, node: Node) -> tuple[int, int]:
        """Where a node stands. Inside f-strings the position is checked; raises
        `UnreliablePosition`."""
        string = self._f_string(node)
        if string is None:
            return self.source.span(node)
        self._check_not_shown(node, string)
        return self.source.verified_span(node)

    def _check_not_shown(self, node: ast.AST, string: ast.JoinedStr) -> None:
        """An f-string with ``=`` prints its own source, which an edit would change."""
        while not isinstance(self.module.parents[node], ast.FormattedValue):
            node = self.module.parents[node]
        assert isinstance(node, ast.expr)
        if prints_source(self.source, node):
            raise UnreliablePosition("the f-string prints the source of this expression")

    def _f_string(self, node: ast.AST) -> ast.JoinedStr | None:
        """The f-string a node stands in."""
        here = self.module.parents.get(node)
        while here is not None and not isinstance(here, ast.stmt):
            if isinstance(here, ast.JoinedStr):
                return here
            here = self.module.parents.get(here)
        return None

    def carried(self, node: ast.expr) -> Value:
        """An author's expression as an element; what was drafted for it is laid out anew."""
        if node in self._values:
            return self._value(node)
        code = self.code(node)
        if isinstance(node, ast.List) and "\n" in code and node.lineno == node.end_lineno:
            return Sequence("[", tuple(Element(self.carried(part)) for part in node.elts), "]")
        start, _ = self.source.span(node)
        return Text(code, self.source.indent_at(start))

    def _value(self, node: ast.expr) -> Value:
        """What was drafted for a node; what it asks of its own stretch is the text without it."""
        start, end = self.span(node)
        before = len(self._building)
        self._building += [one.key for one in self._from(start, start) if one.end == end]
        try:
            return self._values[node]()
        finally:
            del self._building[before:]

    def code(self, node: ast.expr) -> str:
        """The text of an expression that is to stand alone, in parentheses where it needs them."""
        code = self.text(node)
        if isinstance(node, ast.NamedExpr | ast.Yield | ast.YieldFrom) or (
            "\n" in code and not _is_enclosed(node)
        ):
            return f"({code})"
        return code

    def owner(self, node: ast.expr) -> str:
        """An author's expression that something is read from: ``(a or b)`` of ``(a or b).x``."""
        code = self.text(node)
        return code if isinstance(node, _PRIMARIES) else f"({code})"

    def span_text(self, start: int, end: int) -> str:
        pieces: list[str] = []
        position = start
        for rewrite in self._outermost(start, end):
            pieces += (self.source.text[position : rewrite.start], self._build(rewrite))
            position = rewrite.end
        pieces.append(self.source.text[position:end])
        return "".join(pieces).replace("\r\n", "\n").replace("\r", "\n")

    def _build(self, rewrite: Rewrite) -> str:
        """A rewrite's text; what it asks of its own stretch is the text without it."""
        self._building.append(rewrite.key)
        try:
            return rewrite.build()
        finally:
            self._building.pop()

    def _outermost(self, start: int, end: int) -> Iterator[Rewrite]:
        position = start
        for rewrite in self._from(start, end):
            if rewrite.start == end and rewrite.end > end:
                return
            inside = rewrite.start >= position and rewrite.end <= end
            if inside and rewrite.key not in self._building:
                yield rewrite
                position = rewrite.end

    def _from(self, first: int, last: int) -> Iterator[Rewrite]:
        """The rewrites that begin at `first`, at `last` or in between, in order; what is added
        meanwhile is met as well."""
        index = bisect_left(self._rewrites, first, key=_START)
        while index < len(self._rewrites) and self._rewrites[index].start <= last:
            yield self._rewrites[index]
            index += 1

    # -- making rewrites

    def replace_span(
        self, start: int, end: int, build: Callable[[], str], *, around: bool = False
    ) -> None:
        """Put text in the place of a stretch; with `around`, around what others put there."""
        rank = start - end or -len(self.source.text) - 1
        order = -1 if around else len(self._rewrites)
        insort(self._rewrites, Rewrite(start, rank, order, end, build), key=_KEY)

    def replace(self, node: Node, build: Callable[[], str]) -> None:
        try:
            start, end = self.span(node)
        except UnreliablePosition as error:
            self.unreliable.append((node, str(error)))
            return
        string = self._f_string(node)
        if string is not None:
            quotes = f_string_quotes(self.source.segment(string))
            self.replace_span(start, end, lambda: fit_f_string(build(), quotes))
        else:
            self.replace_span(start, end, build)

    def replace_with(self, node: Node, text: str) -> None:
        self.replace(node, lambda: text)

    def replace_value(self, node: ast.expr, value: Callable[[], Value]) -> None:
        """Put a laid-out value in the place of an expression."""
        self._values[node] = value
        if self._f_string(node) is not None:
            endless = replace(self.style, width=1_000_000)
            self.replace(node, lambda: render(value(), endless, "", 0))
            return
        start, end = self.span(node)
        if (brackets := self._awaited_in_brackets(node)) is not None:
            self.replace_span(*brackets, lambda: self._bracketed(value(), *brackets))
            return
        indent = self.source.indent_at(start)
        line = self.source.line_start(start)
        tail = self._tail(end)
        self.replace_span(
            start,
            end,
            lambda: render(
                value(), self.style, indent, start - line + self._longer.get(line, 0), tail
            ),
        )

    def _awaited_in_brackets(self, node: ast.expr) -> tuple[int, int] | None:
        """The brackets of ``(await node).attribute``, which a formatter breaks inside of."""
        parent = self.module.parents[node]
        if not isinstance(parent, ast.Await):
            return None
        outer = self.module.parents[parent]
        if not (isinstance(outer, ast.Attribute | ast.Subscript) and outer.value is parent):
            return None
        start, end = self.source.span(parent)
        line = self.source.line_start(start)
        before = re.search(r"\([ \t]*\Z", self.source.text[line:start])
        behind = re.compile(r"[ \t]*\)").match(self.source.text, end)
        return (line + before.start(), behind.end()) if before and behind else None

    def _bracketed(self, value: Value, start: int, end: int) -> str:
        column = start - self.source.line_start(start)
        flat = one_line(value)
        if flat is not None and column + len(f"(await {flat})") + self._tail(end) <= (
            self.style.width
        ):
            return f"(await {flat})"
        indent = self.source.indent_at(start)
        inner = f"{indent}{self.style.indent}"
        code = render(value, self.style, inner, len(f"{inner}await "))
        return f"(\n{inner}await {code}\n{indent})"

    def _tail(self, end: int) -> int:
        """How much code follows on the line: closing brackets and attributes count, a comment
        does not."""
        rest = re.compile(r"[^\r\n#]*").match(self.source.text, end)
        return len(rest.group().rstrip()) if rest else 0

    def starts(self, statement: ast.stmt, word: str) -> bool:
        """Whether a statement begins with a word, as an ``if`` that is no ``elif`` does."""
        return self.source.text.startswith(word, self.source.span(statement)[0])

    def put_before(self, statement: ast.stmt, text: str) -> None:
        """Text in front of a statement, on its first line, which is laid out that much longer."""
        start, end = self.source.span(statement)
        self._longer[self.source.line_start(start)] = len(text)
        self.replace_span(start, end, lambda: text + self.span_text(start, end), around=True)

    def insert(self, offset: int, text: str) -> None:
        self.replace_span(offset, offset, lambda: text)

    def insert_after(self, statement: ast.stmt, build: Callable[[], str]) -> None:
        """New lines directly below a statement, at its indentation."""
        start, end = self.source.span(statement)
        indent = self.source.indent_at(start)
        rest = re.compile(r"[^\r\n]*(\r\n|\r|\n|$)").match(self.source.text, end)
        assert rest is not None
        ended = bool(rest.group(1))

        def lines() -> str:
            code = "".join(f"{indent}{line}\n" if line else "\n" for line in build().split("\n"))
            return code if ended else "\n" + code.removesuffix("\n")

        self.replace_span(rest.end(), rest.end(), lines)

    def blank_lines_below(self, statement: ast.stmt) -> int:
        """The blank lines that will stand between a statement and what follows it."""
        body = _body_of(self.module.parents[statement], statement)
        rest = body[body.index(statement) + 1 :]
        following = next((other for other in rest if other not in self._deleted), None)
        if following is None:
            return 2
        start = self.source.line_start(self._first_offset(following))
        if following is rest[0]:  # a comment may stand between
            end = re.compile(r"[^\r\n]*").match(self.source.text, self.source.span(statement)[1])
            assert end is not None
            run = re.match(r"(?:[ \t]*(?:\r\n|\r|\n))*", self.source.text[end.end() : start])
        else:
            run = re.search(r"(?:[ \t]*(?:\r\n|\r|\n))*\Z", self._up_to(start))
        return max(0, len(run.group().splitlines()) - 1) if run is not None else 0

    def insert_before(self, statement: ast.stmt, code: str) -> None:
        """New lines directly above a statement (and its decorators), at its indentation."""
        start = self._first_offset(statement)
        indent = self.source.indent_at(start)
        text = "".join(f"{indent}{line}\n" for line in code.split("\n"))
        self.insert(self.source.line_start(start), text)

    def name_before(self, statement: ast.stmt, name: str, node: ast.expr) -> None:
        """``name = <node>`` on a line of its own above a statement, laid out anew."""
        start = self._first_offset(statement)
        indent = self.source.indent_at(start)
        line = self.source.line_start(start)

        def build() -> str:
            head = f"{indent}{name} = "
            inner = node
            if isinstance(node, ast.Await):
                head, inner = f"{head}await ", node.value
            return f"{head}{render(self.carried(inner), self.style, indent, len(head))}\n"

        self.replace_span(line, line, build)

    def in_f_string(self, node: ast.AST) -> bool:
        """Whether a node stands in an f-string, where positions are not always reliable."""
        return self._f_string(node) is not None

    def starts_line(self, statement: ast.stmt) -> bool:
        """Whether nothing stands before a statement on its line."""
        start = self._first_offset(statement)
        return not self.source.text[self.source.line_start(start) : start].strip()

    def has_lines(self, statement: ast.stmt) -> bool:
        """Whether no other code stands on the lines of a statement."""
        return not self._shares_line(statement)

    def _first_offset(self, statement: ast.stmt) -> int:
        decorators = getattr(statement, "decorator_list", [])
        return min(self.source.span(node)[0] for node in (statement, *decorators))

    def delete(self, statement: ast.stmt) -> None:
        """Take a statement out; its comments stay where it stood."""
        self._deleted.add(statement)

    def is_deleted(self, statement: ast.stmt) -> bool:
        return statement in self._deleted

    # -- rendering

    def edits(self) -> list[Edit]:
        """The edits; the draft is done with after this."""
        self._place_deletions()
        found: dict[tuple[int, int], dict[str, None]] = {}
        for rewrite in self._outermost(0, len(self.source.text)):
            texts = found.setdefault((rewrite.start, rewrite.end), {})
            texts[self._build(rewrite)] = None  # insertions at one place stay in their order
        return [Edit(start, end, "".join(texts)) for (start, end), texts in found.items()]

    def edits_in(self, start: int, end: int) -> list[Edit]:
        """Those inside of a stretch, at its ends or across them; nothing else is built."""
        self._place_deletions()
        found: dict[tuple[int, int], dict[str, None]] = {}
        for rewrite in self._outermost(0, len(self.source.text)):
            here = (rewrite.start, rewrite.end)
            inserted = rewrite.start == rewrite.end and start <= rewrite.start <= end
            if inserted or (rewrite.start < end and start < rewrite.end):
                found.setdefault(here, {})[self._build(rewrite)] = None
        return [Edit(*here, "".join(texts)) for here, texts in found.items()]

    def _place_deletions(self) -> None:
        bodies: dict[int, list[ast.stmt]] = {}
        for statement in self._deleted:
            if statement not in self._placed:
                body = _body_of(self.module.parents[statement], statement)
                bodies.setdefault(id(body[0]), body)
        for body in bodies.values():
            emptied = all(statement in self._deleted for statement in body)
            for run in self._runs(body):
                keep = emptied and run[0] is body[0] and not _is_module(self.module, run[0])
                self._delete_run(run, "pass" if keep else "")
                self._placed |= set(run)

    def _runs(self, body: list[ast.stmt]) -> list[list[ast.stmt]]:
        """Deleted statements with nothing but white space and comments between them."""
        runs: list[list[ast.stmt]] = []
        previous: ast.stmt | None = None
        for statement in body:
            if statement in self._deleted and statement not in self._placed:
                if previous is None or self._shares_line(statement):
                    runs.append([])
                runs[-1].append(statement)
                previous = None if self._shares_line(statement) else statement
            else:
                previous = None
        return runs

    def _shares_line(self, statement: ast.stmt) -> bool:
        """Whether other code stands on the lines of a statement."""
        text = self.source.text
        start, end = self.source.span(statement)
        before = text[self.source.line_start(start) : start]
        behind = re.compile(r"[^\r\n#]*").match(text, end)
        return bool(before.strip() or (behind is not None and behind.group().strip(" \t;")))

    def _delete_run(self, run: list[ast.stmt], keep: str) -> None:
        text = self.source.text
        start, end = self.source.span(run[0])[0], self.source.span(run[-1])[1]
        if self._shares_line(run[0]):
            before = re.search(r"[ \t]*;[ \t]*\Z", text[self.source.line_start(start) : start])
            behind = re.compile(r"[ \t]*;[ \t]*").match(text, end)
            if before is not None and not keep:
                start -= len(before.group())
            elif behind is not None and not keep:
                end = behind.end()
            self.replace_span(start, end, lambda: keep)
            return
        line, indent = self.source.line_start(start), self.source.indent_at(start)
        rest = re.compile(r"[^\r\n]*(\r\n|\r|\n|$)").match(text, end)
        assert rest is not None
        here = self.source.comments(start, rest.end())
        lines = [comment for offset, comment in here if offset not in self.noted]
        lines += [keep] if keep else []
        stop = rest.end()
        if not lines:
            line, stop = self._with_blank_lines(line, stop)
        code = "".join(f"{indent}{part}\n" for part in lines)
        self.replace_span(line, stop, lambda: code)

    def _with_blank_lines(self, start: int, end: int) -> tuple[int, int]:
        """Of the blank lines around what goes the longer run stays; none opens a block."""
        text = self.source.text
        head = self._up_to(start)
        offset = start - len(head)
        above = re.search(r"(?:(?:^|(?<=\n)|(?<=\r)(?!\n))[ \t]*(?:\r\n|\r|\n))*\Z", head)
        below = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*").match(text, end)
        assert above is not None
        assert below is not None
        opens = re.search(r":[ \t]*(#[^\r\n]*)?(\r\n|\r|\n)\Z", head[: above.start()])
        if opens or offset + above.start() == 0:
            return start, below.end()
        if len(above.group().splitlines()) >= len(below.group().splitlines()):
            return start, below.end()
        return offset + above.start(), end

    def _up_to(self, start: int) -> str:
        """The text in front of a place, from the last line there that is not blank."""
        first = self.source.line_start(start)
        while first > 0 and not self.source.text[first:start].strip(" \t\r\n"):
            first = self.source.line_start(first - 1)
        return self.source.text[first:start]


def _is_module(module: Module, statement: ast.stmt) -> bool:
    return isinstance(module.parents[statement], ast.Module)


def _body_of(parent: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    """The block a statement stands in."""
    for _, value in ast.iter_fields(parent):
        if isinstance(value, list) and any(item is statement for item in value):
            return [item for item in value if isinstance(item, ast.stmt)]
    return [statement]


def _is_enclosed(node: ast.expr) -> bool:
    """Whether a multi-line expression carries its own brackets or quotes."""
    return isinstance(
        node,
        ast.Call
        | ast.List
        | ast.Tuple
        | ast.Dict
        | ast.Set
        | ast.ListComp
        | ast.SetComp
        | ast.DictComp
        | ast.Subscript
        | ast.Constant
        | ast.JoinedStr
        | ast.Attribute,
    )
