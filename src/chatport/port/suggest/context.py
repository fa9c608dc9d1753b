"""What the forms of suggestions know of a refused use, and how they ask for text."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from chatport.port.packs.schema import Call, ModelCalls, RenameImport
from chatport.port.program.modules import Module
from chatport.port.render.draft import Draft
from chatport.port.render.layout import Text, Value, render
from chatport.port.rules.base import Refusal, Site, Workspace
from chatport.port.source.edits import Edit
from chatport.port.source.errors import UnreliablePosition
from chatport.port.source.text import Node, SourceFile

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_REST = re.compile(r", config=[\w.]+\(\{rest\}\)")


class Context(NamedTuple):
    """A refused use in a workspace that waives what refused it."""

    workspace: Workspace
    site: Site
    refusal: Refusal

    @property
    def module(self) -> Module:
        return self.site.module

    @property
    def source(self) -> SourceFile:
        return self.site.module.source

    @property
    def draft(self) -> Draft:
        return self.workspace.drafts[self.site.module]

    @property
    def models(self) -> ModelCalls:
        change = self.workspace.surface.change(ModelCalls)
        assert change is not None
        return change

    @property
    def calls(self) -> Call:
        change = self.workspace.surface.change(Call)
        assert change is not None
        return change

    @property
    def client(self) -> str:
        """The client the use would be made on."""
        return self.workspace.client_of.get(self.site) or "client"

    @property
    def types(self) -> str:
        return self.workspace.names[self.module].types

    @property
    def member(self) -> str:
        """``Type.name``, also where what has it is only guessed."""
        return self.site.member or ".".join(self.site.symbol.split(".")[-2:])

    @property
    def expression(self) -> ast.expr | None:
        node = self.site.call or self.site.node
        return node if isinstance(node, ast.expr) else None

    @property
    def receiver(self) -> ast.expr | None:
        return self.site.node.value if isinstance(self.site.node, ast.Attribute) else None

    def text(self, node: Node) -> str:
        """An expression of the author, with what is ported inside of it."""
        try:
            return self.draft.text(node)
        except UnreliablePosition:  # it stands in an f-string
            return ast.unparse(node)

    def owner(self, node: ast.expr) -> str:
        """An expression that something is read from."""
        code = self.text(node)
        plain = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        return code if plain else f"({code})"

    def carried(self, node: ast.expr) -> Text:
        """An expression as an argument."""
        try:
            start, _ = self.draft.span(node)
        except UnreliablePosition:
            return Text(ast.unparse(node))
        return Text(self.draft.code(node), self.source.indent_at(start))

    def class_of(self, symbol: str) -> str | None:
        """The new class of a legacy one, as it is written here."""
        known = self._imports.types.get(symbol)
        if known is None:
            return None
        names = self.workspace.names[self.module]
        return f"{names.package if '.' in known else names.types}.{known}"

    def dotted(self, symbol: str) -> str | None:
        """The same by its whole name, as a string names it."""
        known = self._imports.types.get(symbol)
        if known is None or "." not in known:
            return known and f"{self._imports.types_module}.{known}"
        return f"{self.workspace.surface.pack.target.module}.{known}"

    @property
    def _imports(self) -> RenameImport:
        change = self.workspace.surface.change(RenameImport)
        assert change is not None
        return change

    def put(self, node: Node, text: str) -> Edit:
        return Edit(*self.source.span(node), text)

    def lay_out(self, node: ast.expr, value: Value) -> Edit:
        """A value in the place of an expression, broken as the project breaks lines."""
        start, end = self.source.span(node)
        column = start - self.source.line_start(start)
        code = render(value, self.draft.style, self.source.indent_at(start), column)
        return Edit(start, end, code)

    def above(self, node: ast.AST, code: str) -> Edit:
        """Lines above the statement a node is in."""
        statement = self.module.statement(node)
        first = min((statement, *getattr(statement, "decorator_list", ())), key=_line)
        start, _ = self.source.span(first)
        line, indent = self.source.line_start(start), self.source.indent_at(start)
        return Edit(line, line, "".join(f"{indent}{part}\n" for part in code.split("\n")))

    def lines(self, node: ast.AST) -> tuple[int, int]:
        """The whole lines of the statement a node is in; of one with a block, those of the
        expression in its head."""
        statement = self.module.statement(node)
        whole: Node = statement
        if hasattr(statement, "body"):
            here = node
            while here is not statement:
                whole = here if isinstance(here, ast.expr | ast.arg) else whole
                here = self.module.parents[here]
        start, end = self.source.span(whole)
        rest = re.compile(r"[^\r\n]*(\r\n|\r|\n|$)").match(self.source.text, end)
        assert rest is not None
        return self.source.line_start(start), rest.end()

    def filled(self, form: str) -> str:
        """A form with the author's expressions in it: ``{self}`` the object, ``{callee}`` what is
        called, ``{args}`` all that it is given, ``{name}`` one argument; ``...`` what is not
        there."""
        said: dict[str, str] = {"args": ""}
        if self.receiver is not None:
            said["self"] = self.owner(self.receiver)
        if self.site.call is not None:
            call = self.site.call
            said["callee"] = self.text(call.func)
            said |= {str(n): self.text(argument) for n, argument in enumerate(call.args)}
            said |= {k.arg: self.text(k.value) for k in call.keywords if k.arg is not None}
            for inner in [k.value for k in call.keywords if isinstance(k.value, ast.Dict)]:
                pairs = zip(inner.keys, inner.values, strict=True)
                said |= {
                    str(k.value): self.text(v) for k, v in pairs if isinstance(k, ast.Constant)
                }
            parts = [self.text(argument) for argument in call.args]
            parts += [
                f"{k.arg}={self.text(k.value)}" if k.arg else f"**{self.text(k.value)}"
                for k in call.keywords
            ]
            said["args"] = ", ".join(parts)
            used = {*_PLACEHOLDER.findall(form), "model"}
            rest = [k for k in call.keywords if k.arg is not None and k.arg not in used]
            said["rest"] = ", ".join(f"{k.arg}={self.text(k.value)}" for k in rest)
            form = form if rest else _REST.sub("", form)
        first = said.get("0", "...")
        text = _PLACEHOLDER.sub(lambda found: said.get(found[1], first), form)
        return re.sub(r"\bclient\.", f"{self.client}.", text.replace(", )", ")"))


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)
