"""Safety tables that are taken as they are, where no fixed rows can be read from an expression.

The new SDK takes a list of mappings as legacy did, of members or of their full names. Of a mapping
from categories to thresholds the list is made where it is given. What a table holds is proven all
the same: each row it may have is of the two closed sets.
"""

from __future__ import annotations

import ast
from typing import TypeAlias

from msgspec import Struct

from chatport.port.packs.schema import Safety
from chatport.port.program.modules import Module
from chatport.port.program.values import NONE, Container, External, in_order
from chatport.port.render.layout import Element, Text
from chatport.port.rules.base import RefusedError, Workspace
from chatport.port.rules.mappings import pairs_of
from chatport.port.rules.origin import is_made_of
from chatport.port.rules.safety import CODE, Row, SafetyTable

DISPLAYS = ast.Dict | ast.List | ast.Tuple | ast.ListComp | ast.DictComp


class KeptTable(Struct, frozen=True):
    """A table by the expression that holds it."""

    node: ast.expr
    module: Module
    params: Safety
    is_mapping: bool
    """It is given as a mapping, and a list is made of it."""
    nullable: bool
    """It may be None."""
    grows: bool
    """It is built row by row."""
    rows: tuple[Row, ...] = ()
    """None are known."""
    reads: tuple[ast.AST, ...] = ()
    sources: tuple[ast.expr, ...] = ()
    literal: ast.expr | None = None

    @classmethod
    def read(
        cls, workspace: Workspace, module: Module, node: ast.expr, params: Safety
    ) -> KeptTable | None:
        """The table an expression holds; None where it may hold anything else."""
        atoms = workspace.values(node)
        held = {atom.node for atom in atoms if isinstance(atom, Container)}
        displays: set[ast.AST] = {display for display in held if isinstance(display, DISPLAYS)}
        others = [a for a in atoms if not isinstance(a, Container) and a != NONE]
        if others or not displays or not all(map(_is_annotation, held - displays)):
            return None
        if not is_made_of(workspace, module, node, displays):
            return None
        mappings = {isinstance(display, ast.Dict | ast.DictComp) for display in displays}
        proof = _Proof(workspace, params)
        if len(mappings) > 1 or not all(map(proof.is_table, displays)):
            return None
        grows = any(display in workspace.flow.mutated for display in displays)
        return cls(node, module, params, mappings.pop(), NONE in atoms, grows)

    def without_comments(self) -> KeptTable:
        return self

    def element(self, workspace: Workspace, module: Module) -> Element:
        """``safety_settings=table``, or a list made of it."""
        draft, prefix = workspace.drafts[self.module], f"{self.params.parameter}="
        if not self.is_mapping:
            return Element(draft.carried(self.node), prefix)
        one, two = self.params.legacy_category_key, self.params.legacy_threshold_key
        made = f"{workspace.types(module, self.params.new_class)}({one}={one}, {two}={two})"
        code = f"({draft.code(self.node)} or {{}})" if self.nullable else draft.owner(self.node)
        lines = [made, f"for {one}, {two} in {code}.items()"]
        indent = draft.style.indent
        return Element(Text("[\n" + "".join(f"{indent}{line}\n" for line in lines) + "]"), prefix)


Table: TypeAlias = SafetyTable | KeptTable


def merge_tables(own: Table | None, over: Table | None) -> Table | None:
    """A call's table over a model's, category by category; raises `RefusedError` where the rows of
    one are only known when it runs."""
    if own is None or over is None:
        return over if own is None else own
    if isinstance(own, KeptTable) or isinstance(over, KeptTable):
        raise RefusedError(CODE, "a model's table and a call's are merged, and not both are known")
    return own.merged(over)


class _Proof:
    """Whether displays hold nothing but rows of the two sets."""

    def __init__(self, workspace: Workspace, params: Safety) -> None:
        self.workspace = workspace
        self.params = params

    def is_table(self, display: ast.AST) -> bool:
        flow = self.workspace.flow
        if display in flow.leaked:
            return False
        if display in flow.mutated:  # built row by row, of categories that are not written out
            grown = isinstance(display, ast.List) and not display.elts
            rows = self._rows_of(display) if grown else None
            return rows is not None and len(rows) == 1 and self._are_apart(rows)
        if isinstance(display, ast.DictComp):
            return self._are_rows([(display.key, display.value)])
        if isinstance(display, ast.Dict):
            pairs = [(key, value) for key, value in zip(display.keys, display.values, strict=True)]
            rows = [(key, value) for key, value in pairs if key is not None]
            return len(rows) == len(pairs) and self._are_apart(rows)
        rows = self._rows_of(display)
        if rows is None or (isinstance(display, ast.ListComp) and len(rows) != 1):
            return False
        return self._are_apart(rows)

    def _are_apart(self, rows: list[tuple[ast.expr, ast.expr]]) -> bool:
        """Whether all are rows, no two of one category, of which legacy took the last."""
        named = [self._name_of(category) for category, _ in rows]
        alone = len(rows) < 2 or (None not in named and len(set(named)) == len(named))
        return alone and self._are_rows(rows)

    def _name_of(self, category: ast.expr) -> str | None:
        if isinstance(category, ast.Constant):
            return str(category.value).upper()
        names = {
            a.name.rpartition(".")[2]
            for a in self.workspace.values(category)
            if isinstance(a, External)
        }
        return names.pop() if len(names) == 1 else None

    def _rows_of(self, display: ast.AST) -> list[tuple[ast.expr, ast.expr]] | None:
        """The category and the threshold of each mapping that a list may hold."""
        flow = self.workspace.flow
        rows = []
        for atom in in_order(flow.fact("element", display) | flow.fact("any item", display)):
            row = self._parts_of(atom.node) if isinstance(atom, Container) else None
            if row is None:
                return None
            rows.append(row)
        return rows

    def _parts_of(self, node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
        """The two parts of a mapping that is one row."""
        pairs = pairs_of(node) if isinstance(node, ast.Dict) else None
        wanted = (self.params.legacy_category_key, self.params.legacy_threshold_key)
        if pairs is None or len(pairs) != 2 or {key for key, _ in pairs} != set(wanted):
            return None
        flow, row = self.workspace.flow, dict(pairs)
        if node in flow.mutated or node in flow.leaked:
            return None
        return row[wanted[0]], row[wanted[1]]

    def _are_rows(self, rows: list[tuple[ast.expr, ast.expr]]) -> bool:
        return all(map(self._is_row, rows))

    def _is_row(self, row: tuple[ast.expr, ast.expr]) -> bool:
        (category, threshold), params = row, self.params
        return self._is_member(
            category, params.legacy_category_class, params.category_members, params.categories
        ) and self._is_member(
            threshold, params.legacy_threshold_class, params.threshold_members, params.thresholds
        )

    def _is_member(
        self, node: ast.expr, owner: str, members: tuple[str, ...], strings: dict[str, str]
    ) -> bool:
        """Whether an expression is a member under the name both SDKs have for it, or that name as
        a text. Legacy's short names and numbers are not read by the new SDK."""
        if isinstance(node, ast.Constant):
            name = node.value if isinstance(node.value, str) else ""
            return strings.get(name.lower()) == name.upper()
        atoms = self.workspace.values(node)
        names = [
            self.workspace.surface.canonical(atom.name).rpartition(".")
            for atom in atoms
            if isinstance(atom, External)
        ]
        return (
            bool(atoms)
            and len(names) == len(atoms)
            and all(there == owner and member in members for there, _, member in names)
        )


def _is_annotation(node: ast.AST) -> bool:
    """Whether a container is one that only an annotation speaks of."""
    return isinstance(node, ast.Subscript | ast.Name | ast.Attribute)
