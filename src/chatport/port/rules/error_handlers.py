"""Handlers of the transport's exceptions, written for those of the new SDK.

A handler that met one status asks for it and lets everything else go on. Where a later handler of
the same ``try`` would have met the rest, the two become one with branches, because what a handler
raises again is not seen by its neighbours.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from msgspec import Struct

from chatport.port.program.modules import Module
from chatport.port.render.draft import Draft
from chatport.port.render.layout import shift
from chatport.port.rules.error_classes import Caught, ErrorTable, NotConvertedError


class Arm(Struct, eq=False):
    """One handler of a ``try`` and what it catches."""

    node: ast.ExceptHandler
    caught: Caught


def arms_of(table: ErrorTable, node: ast.Try) -> list[Arm]:
    """The handlers of a statement."""
    return [Arm(handler, table.caught(handler.type)) for handler in node.handlers]


def chains(table: ErrorTable, arms: Sequence[Arm]) -> list[list[Arm]]:
    """The handlers that are written together: one that asks, and those that would have met what it
    lets go. Raises `NotConvertedError`."""
    found: list[list[Arm]] = []
    done: set[Arm] = set()
    for index, arm in enumerate(arms):
        if arm in done or not arm.caught.mapped:
            continue
        chain = [arm]
        for later in arms[index + 1 :] if arm.caught.asks else ():
            if not any(_overlap(table, member.caught, later.caught) for member in chain):
                continue
            chain.append(later)
            if not later.caught.asks:
                if not all(_covers(table, later.caught, m.caught) for m in chain):
                    raise NotConvertedError("its handlers meet different parts of one another")
                break
        found.append(chain)
        done |= set(chain)
    return found


def _overlap(table: ErrorTable, one: Caught, later: Caught) -> bool:
    if later.unknown:
        raise NotConvertedError("what a handler catches is not known")
    pairs = [(a.name, b.name) for a in one.mapped for b in later.mapped]
    return later.broad or any(table.covers(a, b) or table.covers(b, a) for a, b in pairs)


def _covers(table: ErrorTable, later: Caught, one: Caught) -> bool:
    uppers = [error.name for error in later.mapped]
    return later.broad or all(any(table.covers(u, e.name) for u in uppers) for e in one.mapped)


class HandlerWriter:
    """Writes the chains of one module."""

    def __init__(self, table: ErrorTable, module: Module, draft: Draft) -> None:
        self.table = table
        self.module = module
        self.draft = draft

    # -- what may be done

    def check(self, chain: Sequence[Arm], arms: Sequence[Arm]) -> None:
        """Raises `NotConvertedError` where a chain cannot be written."""
        for arm in chain:
            _header(self.draft, arm.node)
            if arm.caught.mapped and arm.node.name:
                self._check_reads(arm)
        if len(chain) == 1:
            return
        first, last = arms.index(chain[0]), arms.index(chain[-1])
        between = last - first + 1 != len(chain)
        name = self._name(chain)
        for arm in chain:
            asked = arm.caught.asks
            if asked and arm.caught.foreign and (between or not chain[-1].caught.broad):
                raise NotConvertedError("a handler waits for several things at once")
            self._check_name(arm, name)

    def shows(self, arm: Arm) -> bool:
        """Whether a handler of the transport's classes does more with the error than to read what
        is the same on both sides."""
        parents = [self.module.parents[node] for node in _loads(arm)]
        return bool(arm.caught.mapped) and any(
            not isinstance(p, ast.Attribute) or p.attr == "args" for p in parents
        )

    def _check_reads(self, arm: Arm) -> None:
        for node in _loads(arm):
            parent = self.module.parents[node]
            attribute: object = parent.attr if isinstance(parent, ast.Attribute) else None
            if isinstance(parent, ast.Call) and parent.args[:1] == [node] and len(parent.args) > 1:
                key = parent.args[1]  # getattr(error, "code")
                attribute = key.value if isinstance(key, ast.Constant) else None
            if isinstance(attribute, str) and attribute not in self.table.table.attributes:
                raise NotConvertedError(f"`{arm.node.name}.{attribute}` is not on the new error")
            if attribute == "code" and not self._is_number(parent):
                raise NotConvertedError(f"`{ast.unparse(parent)}` is a plain number now")

    def _is_number(self, code: ast.AST) -> bool:
        above = self.module.parents[code]
        return not isinstance(above, ast.Attribute) or above.attr == "value"

    def _check_name(self, arm: Arm, name: str) -> None:
        """The one name of the error must not be another thing in a handler."""
        own = arm.node.name
        if own == name:
            return
        names = [n for s in arm.node.body for n in ast.walk(s) if isinstance(n, ast.Name)]
        variable = self.module.scopes.around[arm.node].lookup(name)
        outside = variable is not None and any(
            not isinstance(store, ast.ExceptHandler) for store in variable.stores
        )
        stored = own is not None and any(
            n.id == own and not isinstance(n.ctx, ast.Load) for n in names
        )
        if stored or outside or any(n.id == name for n in names):
            raise NotConvertedError("the handlers call the error by different names")

    # -- names

    def _name(self, chain: Sequence[Arm]) -> str:
        """What the error is called: as the last handler says, else as the first that says."""
        named = [arm.node.name for arm in reversed(chain) if arm.node.name]
        taken = self.module.scopes.names
        fresh = ("error", "api_error", "request_error")
        return named[0] if named else next((n for n in fresh if n not in taken), "_error")

    def _type(self, arm: Arm) -> str:
        """What an ``except`` names now: the new class, and what it named beside the old ones."""
        if not arm.caught.mapped:
            if arm.node.type is None:
                return "BaseException"  # a bare except met those as well
            return self.draft.text(arm.node.type)
        new = self.table.written(self.module, arm.caught.mapped)
        parts = self.table.parts(arm.node.type)
        texts = [self.draft.text(part) if part in arm.caught.foreign else new for part in parts]
        texts = list(dict.fromkeys(texts))
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"

    # -- writing

    def write(self, chain: Sequence[Arm], arms: Sequence[Arm]) -> None:
        """Draft a chain that was checked."""
        for arm in chain:
            for node in _loads(arm) if arm.caught.mapped else ():
                above = self.module.parents[self.module.parents[node]]
                if isinstance(above, ast.Attribute) and above.attr == "value":
                    self.draft.replace_with(above, f"{node.id}.code")
        if len(chain) > 1:
            self._write_branches(chain, arms)
        elif chain[0].caught.asks:
            self._write_asking(chain[0])
        else:
            arm = chain[0]
            assert arm.node.type is not None
            self.draft.replace(arm.node.type, lambda: self._type(arm))

    def _write_asking(self, arm: Arm) -> None:
        """``if error.code != 429: raise`` before what the handler does."""
        name, draft, node = self._name([arm]), self.draft, arm.node
        start, colon = _header(draft, node)
        draft.replace_span(start, colon, lambda: f"except {self._type(arm)} as {name}:")
        test = self.table.test(name, arm.caught.mapped, draft.style, negated=True)
        if arm.caught.foreign:
            new = self.table.written(self.module, arm.caught.mapped)
            test = f"isinstance({name}, {new}) and {test}"
        guard = f"if {test}:\n{draft.style.indent}raise"
        if not _is_inline(draft, node):
            draft.insert_before(node.body[0], guard)
            return
        indent = draft.source.indent_at(start) + draft.style.indent
        lines = "".join(f"\n{indent}{line}" for line in guard.split("\n")) + f"\n{indent}"
        draft.replace_span(colon, draft.source.span(node.body[0])[0], lambda: lines)

    def _write_branches(self, chain: Sequence[Arm], arms: Sequence[Arm]) -> None:
        """One handler with a branch for each of a chain."""
        name, draft = self._name(chain), self.draft
        for arm in chain:
            for node in _loads(arm):
                if node.id != name:
                    draft.replace_with(node, name)
        region = arms[arms.index(chain[0]) : arms.index(chain[-1]) + 1]
        start = draft.source.span(chain[0].node)[0]
        end = _line_end(draft, chain[-1].node)
        draft.replace_span(start, end, lambda: self._branches(chain, region, name))

    def _branches(self, chain: Sequence[Arm], region: Sequence[Arm], name: str) -> str:
        draft = self.draft
        indent = draft.source.indent_at(draft.source.span(chain[0].node)[0])
        inner = indent + draft.style.indent
        end = chain[-1]
        other: list[str] = []
        branches: list[str] = []
        behind = draft.source.span(chain[0].node)[0]
        for arm in region:
            start = draft.source.span(arm.node)[0]
            notes = [text for _, text in draft.source.comments(behind, start)]
            behind = _line_end(draft, arm.node)
            if arm not in chain:
                other += [indent + note for note in notes]
                other.append(indent + draft.span_text(start, behind))
                continue
            word = "elif" if branches else "if"
            last = arm is end and not end.caught.asks
            head = "else:" if last else f"{word} {self._question(arm, end, name)}:"
            branches.append(f"{inner}{head}")
            branches += [f"{inner}{draft.style.indent}{note}" for note in notes]
            branches.append(self._body(arm.node, inner))
        if end.caught.asks:
            branches += [f"{inner}else:", f"{inner}{draft.style.indent}raise"]
        mapped = [error for arm in chain for error in arm.caught.mapped]
        kind = self.table.written(self.module, mapped) if end.caught.asks else self._type(end)
        lines = [*other, f"{indent}except {kind} as {name}:", *branches]
        return "\n".join(lines).removeprefix(indent)

    def _question(self, arm: Arm, end: Arm, name: str) -> str:
        """The condition under which an error is one that a handler was for."""
        errors = arm.caught.mapped
        test = self.table.test(name, errors, self.draft.style)
        if end.caught.broad or end.caught.foreign:
            new = self.table.written(self.module, errors)
            test = f"({test})" if " or " in test else test
            test = f"isinstance({name}, {new}) and {test}"
        if arm.caught.foreign:
            others = [self.draft.text(part) for part in arm.caught.foreign]
            one = others[0] if len(others) == 1 else f"({', '.join(others)})"
            test = f"isinstance({name}, {one}) or {test}"
        return test

    def _body(self, node: ast.ExceptHandler, inner: str) -> str:
        """What a handler does, one step further in."""
        draft, unit = self.draft, self.draft.style.indent
        _, colon = _header(draft, node)
        text, stop = draft.source.text, _line_end(draft, node)
        if _is_inline(draft, node):
            return f"{inner}{unit}{draft.span_text(draft.source.span(node.body[0])[0], stop)}"
        rest = re.compile(r"([^\r\n]*)(\r\n|\r|\n)").match(text, colon)
        assert rest is not None
        code = draft.span_text(rest.end(), stop)
        base = draft.source.indent_at(draft.source.span(node.body[0])[0])
        lines = shift(f"\n{code}\n", base, inner + unit).strip("\n")
        note = rest.group(1).strip()
        return f"{inner}{unit}{note}\n{lines}" if note else lines


def is_asked(module: Module, arm: Arm) -> bool:
    """Whether a handler reads more of the error than its text."""
    parents = [module.parents[node] for node in _loads(arm)]
    calls = [p.func for p in parents if isinstance(p, ast.Call)]
    asked = any(isinstance(f, ast.Name) and f.id in {"getattr", "isinstance"} for f in calls)
    return asked or any(isinstance(parent, ast.Attribute) for parent in parents)


def _loads(arm: Arm) -> list[ast.Name]:
    return [
        node
        for statement in arm.node.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and node.id == arm.node.name
    ]


def _header(draft: Draft, node: ast.ExceptHandler) -> tuple[int, int]:
    """From ``except`` to behind its colon; raises `NotConvertedError`."""
    start = draft.source.span(node)[0]
    behind = draft.source.span(node.type)[1] if node.type is not None else start + len("except")
    found = re.compile(r"[\s)]*(?:as\s+\w+\s*)?:").match(draft.source.text, behind)
    if found is None:
        raise NotConvertedError("a handler is laid out in a way that is not read")
    return start, found.end()


def _is_inline(draft: Draft, node: ast.ExceptHandler) -> bool:
    """Whether a handler's body stands on the line of its ``except``."""
    _, colon = _header(draft, node)
    first = draft.source.span(node.body[0])[0]
    return draft.source.line_start(colon) == draft.source.line_start(first)


def _line_end(draft: Draft, node: ast.ExceptHandler) -> int:
    """The end of the line a handler ends on, with a comment behind it."""
    end = draft.source.span(node.body[-1])[1]
    rest = re.compile(r"[^\r\n]*").match(draft.source.text, end)
    assert rest is not None
    return rest.end()
