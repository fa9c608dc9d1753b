"""Turns that are put into a chat's history from outside, as objects of the new SDK.

Legacy's list took mappings as well, and its setter made objects of all it was given. The new list
is sent as it is, so each turn becomes an object where it is put in.
"""

from __future__ import annotations

import ast

from chatport.port.program.values import NONE, UNKNOWN, Container, Made, in_order
from chatport.port.render.authored import is_broken
from chatport.port.render.layout import Element, Sequence, Text, Value, call, keyword
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.contents import CODE, Contents, short
from chatport.port.rules.mappings import Written, keys_of, pairs_of
from chatport.port.rules.use import is_plain

WRITE = "history_write"


class Turns:
    """Makes objects of what is put into histories."""

    def __init__(self, workspace: Workspace, contents: Contents) -> None:
        self.workspace = workspace
        self.contents = contents
        self._turns_read_as_mappings: bool | None = None

    def one(self, site: Site, node: ast.expr) -> None:
        """One turn that is put into a chat's history, where it becomes an object: legacy's setter
        made such of all it was given. Raises `RefusedError`."""
        self._check_unread(node)
        atoms = in_order(self.workspace.values(node))
        if all(
            isinstance(atom, Made) and atom.type == self.contents.params.turn_type for atom in atoms
        ):
            return
        if (mapping := self.contents.mapping(node)) is not None:
            self._object(site, mapping)
            return
        known = all(map(self.contents.is_known_turn, atoms))
        if not is_plain(node) or not (known or all(map(self.contents.may_be_turns, atoms))):
            raise RefusedError(WRITE, f"what `{short(node)}` holds is not known to be a turn")
        self.contents.check_literal_parts(site, atoms)
        draft = self.workspace.drafts[self.workspace.home(node)]
        mappings = all(isinstance(atom, Container) for atom in atoms)

        def build() -> Text:
            lines = self.contents.made_of(draft, draft.text(node), mappings=mappings)
            if not mappings:
                lines = ["", *(draft.style.indent + line for line in lines), ""]
            return Text("\n".join(lines))

        draft.replace_value(node, build)
        site.warn("history_parts_rewritten")

    def many(self, site: Site, node: ast.expr) -> None:
        """Turns that are put into a chat's history; raises `RefusedError`."""
        self._check_unread(node)
        values, turns = self.workspace.values(node), list(self.contents.turns_in(node))
        if all(isinstance(atom, Made) for atom in turns) and not values & {NONE, UNKNOWN}:
            return
        if isinstance(node, ast.List):
            for element in node.elts:
                self.one(site, element)
            return
        self.contents.convert_turns(site, node)

    def _object(self, site: Site, node: Written) -> None:
        """A mapping that is written where it is put becomes an object there."""
        if keys_of(node) != {self.contents.params.role_key, self.contents.params.parts_key}:
            raise RefusedError(CODE, f"`{short(node)}` is not a turn of role and parts alone")
        home = self.workspace.home(node)
        self.contents.check_reads(home, node)
        draft = self.workspace.drafts[home]
        by_key = dict(pairs_of(node) or ())
        parts = by_key[self.contents.params.parts_key]
        texts = parts.elts if isinstance(parts, ast.List | ast.Tuple) else [parts]
        certain = all(map(self.contents.is_text, texts))
        if not certain:
            self.contents.check_parts(site, parts)
        self.contents.leave_class(node)
        explode = is_broken(draft, node)

        def part(text: ast.expr) -> Element:
            made = self.workspace.types(home, self.contents.params.part_type)
            return Element(
                call(made, (keyword(self.contents.params.text_key, draft.carried(text)),))
            )

        def build() -> Value:
            made: Value = Text(f"{self.contents.convert(home)}(parts={draft.code(parts)}).parts")
            if certain:
                made = Sequence("[", tuple(map(part, texts)), "]")
            said = (
                keyword(
                    self.contents.params.role_key,
                    draft.carried(by_key[self.contents.params.role_key]),
                ),
                keyword(self.contents.params.parts_key, made),
            )
            return call(
                self.workspace.types(home, self.contents.params.turn_type), said, explode=explode
            )

        draft.replace_value(node, build)
        site.warn("history_parts_rewritten")

    def _check_unread(self, node: ast.expr) -> None:
        """A turn that stays a mapping in the history, and is read there as one, keeps its shape."""
        if self._turns_read_as_mappings is None:
            self._turns_read_as_mappings = any(
                isinstance(key.value, str)
                for module in self.workspace.modules
                for part in module.nodes(ast.Subscript)
                if isinstance(key := part.slice, ast.Constant)
                for atom in self.workspace.flow.values.get(part.value, ())
                if isinstance(atom, Made) and atom.type == self.contents.params.turn_type
            )
        if self._turns_read_as_mappings:
            raise RefusedError(WRITE, f"`{short(node)}` is read as a mapping where it is put")
