"""What stand-ins give for answers, and for what the program hands to the SDK."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from chatport.port.findings import Kind
from chatport.port.packs.schema import MemberReads
from chatport.port.program.expressions import is_mock
from chatport.port.program.modules import Module
from chatport.port.program.values import Container
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.mocks.following import last_name
from chatport.port.rules.mocks.targets import FRESH

OF_LISTS = {"append", "extend", "clear", "pop", "insert"}
"""Names that are those of any list as well."""
PLAIN = {*FRESH, "SimpleNamespace"}
"""Classes whose objects have just what they are made with."""


class Answers:
    """The fields of stand-ins in one test module."""

    def __init__(self, workspace: Workspace, module: Module, about: set[Module]) -> None:
        self.workspace = workspace
        self.module = module
        self.about = about
        """The modules that the test is about."""

    def settle(self) -> Iterator[str]:
        """Name fields as the new SDK does, where an attribute only moved; what is left is why the
        test cannot be."""
        yield from self._fields_given()
        yield from self._fields_checked()

    def _fields_given(self) -> Iterator[str]:
        """Stand-ins for answers must be such as the new SDK gives."""
        reads = self.workspace.surface.change(MemberReads)
        members = [
            (name.rpartition(".")[2], name, member)
            for name, member in (reads.members.items() if reads else ())
        ]
        numbered = {last for last, _, member in members if member.numbers}
        moved = {
            last: member.becomes or ""
            for last, name, member in members
            if member.becomes or (member.code and not name.endswith(".value"))
        }
        for name, value, node in self._stated():
            number = isinstance(value, ast.Constant) and isinstance(value.value, int)
            if name in numbered and number:
                yield f"`{name}` of a stand-in is a number, which it is not on the new SDK"
            elif name in moved.keys() - OF_LISTS and not self._rename(node, name, moved[name]):
                yield f"`{name}` of a stand-in is not on the new object"

    def _rename(self, node: ast.AST, name: str, new: str) -> bool:
        """``Mock(name=…)``: a field that has another name now, and that the test does not read."""
        call = self.module.parents[node]
        if not new.isidentifier() or not isinstance(node, ast.keyword) or self._is_named(name):
            return False
        if not isinstance(call, ast.Call) or last_name(call.func) not in PLAIN:
            return False
        end = self.module.source.span(node.value)[0]
        start = self.module.source.text.rindex(name, 0, end)
        self.workspace.drafts[self.module].replace_span(start, start + len(name), lambda: new)
        return True

    def _is_named(self, name: str) -> bool:
        """Whether the test names a field in other ways than where it is given."""
        return any(node.attr == name for node in self.module.nodes(ast.Attribute)) or any(
            node.value == name for node in self.module.nodes(ast.Constant)
        )

    def _stated(self) -> Iterator[tuple[str, ast.expr, ast.AST]]:
        """What is stored in attributes, or given by name: the fields of stand-ins are among it."""
        for node in self.module.parents:
            if isinstance(node, ast.keyword) and node.arg is not None:
                yield node.arg, node.value, node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    while isinstance(target, ast.Attribute):
                        yield target.attr, node.value, target
                        target = target.value

    def _fields_checked(self) -> Iterator[str]:
        """Legacy took whatever a stand-in gave for a field; the new classes check their fields."""
        for site in self.workspace.sites:
            if site.module not in self.about or site.call is None or site.rule == "mock_targets":
                continue
            for value in self._fields(site):
                atoms = self.workspace.flow.values.get(value, frozenset())
                if atoms and all(is_mock(atom) for atom in atoms):
                    where = f"{site.module.path}: `{ast.unparse(value)[:60]}`"
                    yield f"{where} is a stand-in, and is checked now"
                    return

    def _fields(self, site: Site) -> Iterator[ast.expr]:
        """What a call states in fields of the SDK's: by name, where it makes something other than
        a model, or in the mapping of a configuration."""
        assert site.call is not None
        makes = site.kind is Kind.CALL and site.symbol.rpartition(".")[2][:1].isupper()
        for keyword in site.call.keywords:
            values = self.workspace.flow.values.get(keyword.value, frozenset())
            for atom in values:
                if isinstance(atom, Container) and isinstance(atom.node, ast.Dict):
                    yield from atom.node.values
            if makes and keyword.arg is not None and site.member is None:
                yield keyword.value
