"""The safety table: read in every form legacy took, emitted in the one the new SDK takes.

Strings were looked up lower-cased in a closed table, enum members by their class; the two sets
differ. A name outside both is refused, because the new enums invent unknown members with only a
warning.
"""

from __future__ import annotations

import ast
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from chatport.port.packs.schema import Safety
from chatport.port.program.modules import Module
from chatport.port.program.values import Container, External
from chatport.port.render.authored import commented
from chatport.port.render.layout import PLAIN, Element, Sequence, call, keyword
from chatport.port.rules.base import Workspace
from chatport.port.rules.origin import is_written_down

CODE = "safety_settings_not_static"


class Row(Struct, frozen=True):
    """One category with its threshold, both as new members."""

    category: str
    threshold: str
    comments: Element = PLAIN


class SafetyTable(Struct, frozen=True):
    """Rows in the author's order; `reads` are the nodes that vanish when the table is rebuilt."""

    rows: tuple[Row, ...]
    params: Safety
    reads: tuple[ast.AST, ...] = ()
    sources: tuple[ast.expr, ...] = ()
    literal: ast.expr | None = None
    """The display the rows were read from."""

    @classmethod
    def read(
        cls, workspace: Workspace, module: Module, node: ast.expr, params: Safety
    ) -> SafetyTable | None:
        """The table an expression holds; None when any part of it is not in the pack's tables."""
        if (threshold := _threshold(workspace, node, params)) is not None:
            each = tuple(Row(category, threshold) for category in params.all_categories)
            return cls(each, params, tuple(ast.walk(node)))
        literal = _literal(workspace, node)
        if literal is None or _is_changed(workspace, literal):
            return None
        if not is_written_down(workspace, module, node, literal):
            return None
        home = workspace.find_home(literal)
        if home is None:
            return None
        pairs = _rows(workspace, literal, params)
        if pairs is None:
            return None
        start, end = home.source.span(literal)
        if isinstance(literal, ast.ListComp | ast.DictComp):
            end = start  # its rows stand elsewhere, or are one
        notes = commented(workspace.drafts[home], start, end, [anchor for anchor, *_ in pairs])
        rows: dict[str, Row] = {}
        reads: list[ast.AST] = []
        for (_, category, level), note in zip(pairs, notes.elements, strict=True):
            one = _member(
                workspace,
                category,
                params.legacy_category_class,
                params.category_members,
                params.categories,
            )
            two = _member(
                workspace,
                level,
                params.legacy_threshold_class,
                params.threshold_members,
                params.thresholds,
            )
            if one is None or two is None:
                return None
            rows[one] = Row(one, two, note)
            reads += [*ast.walk(category), *ast.walk(level)]
        if isinstance(literal, ast.ListComp | ast.DictComp):
            reads = list(ast.walk(literal))  # categories listed elsewhere stay there
        sources = () if literal is node else (node,)
        return cls(tuple(rows.values()), params, tuple(reads), sources, literal)

    def merged(self, over: SafetyTable | None) -> SafetyTable:
        """A call's table over a model's, category by category."""
        if over is None:
            return self
        theirs = {row.category: row for row in over.rows}
        mine = {row.category for row in self.rows}
        rows = [theirs.get(row.category, row) for row in self.rows]
        rows += [row for row in over.rows if row.category not in mine]
        return replace(
            self,
            rows=tuple(rows),
            reads=self.reads + over.reads,
            sources=self.sources + over.sources,
        )

    def without_comments(self) -> SafetyTable:
        return replace(self, rows=tuple(replace(row, comments=PLAIN) for row in self.rows))

    def element(self, workspace: Workspace, module: Module) -> Element:
        """``safety_settings=[...]``."""
        settings = []
        for row in self.rows:
            member = self.params.new_category_class, self.params.new_threshold_class
            value = call(
                workspace.types(module, self.params.new_class),
                (
                    keyword("category", f"{workspace.types(module, member[0])}.{row.category}"),
                    keyword("threshold", f"{workspace.types(module, member[1])}.{row.threshold}"),
                ),
            )
            settings.append(replace(row.comments, value=value))
        return Element(Sequence("[", tuple(settings), "]"), f"{self.params.parameter}=")


_Literal: TypeAlias = ast.Dict | ast.List | ast.Tuple | ast.ListComp | ast.DictComp
_Rows: TypeAlias = list[tuple[ast.expr, ast.expr, ast.expr]]


def _threshold(workspace: Workspace, node: ast.expr, params: Safety) -> str | None:
    """The one threshold an argument says for every category."""
    return _member(
        workspace,
        node,
        params.legacy_threshold_class,
        params.threshold_members,
        params.thresholds,
    )


def _literal(workspace: Workspace, node: ast.expr) -> _Literal | None:
    atoms = [
        atom
        for atom in workspace.values(node)
        if not (isinstance(atom, Container) and atom.node in workspace.flow.mappings)
    ]  # an annotation says of what kind it is
    if len(atoms) != 1:
        return None
    (atom,) = atoms
    if isinstance(atom, Container) and isinstance(atom.node, _Literal):
        return atom.node
    return None


def _rows(workspace: Workspace, literal: _Literal, params: Safety) -> _Rows | None:
    """An anchor for comments, the category and the threshold of each row."""
    if isinstance(literal, ast.Dict):
        return _mapping_rows(literal)
    if isinstance(literal, ast.ListComp | ast.DictComp):
        return _rows_of_each(workspace, literal, params)
    return _list_rows(literal, params)


def _rows_of_each(
    workspace: Workspace, literal: ast.ListComp | ast.DictComp, params: Safety
) -> _Rows | None:
    """``{category: THRESHOLD for category in (...)}``, or the same as a list of mappings: one row
    for each of the categories that are written out."""
    generator = literal.generators[0]
    if len(literal.generators) != 1 or generator.ifs or not isinstance(generator.target, ast.Name):
        return None
    if isinstance(literal, ast.DictComp):
        category, threshold = literal.key, literal.value
    elif isinstance(literal.elt, ast.Dict):
        rows = _list_rows(ast.List([literal.elt]), params)
        if rows is None:
            return None
        _, category, threshold = rows[0]
    else:
        return None
    listed = _literal(workspace, generator.iter)
    if not isinstance(listed, ast.List | ast.Tuple) or listed in workspace.flow.mutated:
        return None
    name = generator.target.id
    if not (isinstance(category, ast.Name) and category.id == name):
        return None
    if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(threshold)):
        return None
    return [(listed, element, threshold) for element in listed.elts]


def _is_changed(workspace: Workspace, literal: ast.expr) -> bool:
    """Whether a table, or one of its rows, is changed somewhere."""
    rows = literal.elts if isinstance(literal, ast.List | ast.Tuple) else []
    rows = [literal.elt] if isinstance(literal, ast.ListComp) else rows
    return not workspace.flow.mutated.isdisjoint([literal, *rows])


def _mapping_rows(node: ast.Dict) -> _Rows | None:
    """``{category: threshold}``: an anchor for comments, the category, the threshold."""
    if None in node.keys:
        return None
    keys = [key for key in node.keys if key is not None]
    return [(value, key, value) for key, value in zip(keys, node.values, strict=True)]


def _list_rows(node: ast.List | ast.Tuple, params: Safety) -> _Rows | None:
    """``[{"category": c, "threshold": t}, ...]``."""
    rows: _Rows = []
    for element in node.elts:
        if not isinstance(element, ast.Dict):
            return None
        by_key = {
            key.value: value
            for key, value in zip(element.keys, element.values, strict=True)
            if isinstance(key, ast.Constant)
        }
        if set(by_key) != {params.legacy_category_key, params.legacy_threshold_key}:
            return None
        if len(element.keys) != len(by_key):
            return None
        rows.append(
            (element, by_key[params.legacy_category_key], by_key[params.legacy_threshold_key])
        )
    return rows


def _member(
    workspace: Workspace,
    node: ast.expr,
    legacy_class: str,
    members: tuple[str, ...],
    strings: dict[str, str],
) -> str | None:
    """The new member for a legacy one, a string, or an integer."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            return None
        return strings.get(str(node.value).lower())
    symbols = {
        workspace.surface.canonical(atom.name)
        for atom in workspace.values(node)
        if isinstance(atom, External)
    }
    if len(symbols) != 1 or len(workspace.values(node)) != 1:
        return None
    owner, _, member = symbols.pop().rpartition(".")
    return member if owner == legacy_class and member in members else None
