"""The configuration of tools: how the model may call functions."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from chatport.port.packs.schema import Tools
from chatport.port.program.values import Container, Made
from chatport.port.render.layout import Style
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.config import Entry, Wrap
from chatport.port.rules.constants import constants_of

CODE = "afc_semantics_differ"


class ToolConfigs:
    """Settles what is said under the parameter of a tool configuration."""

    def __init__(self, workspace: Workspace, params: Tools) -> None:
        self.workspace = workspace
        self.params = params

    def settle(self, entry: Entry) -> Entry:
        """The entry in the new form; raises `RefusedError`. A message of the same class and a
        mapping with the full name of a mode stay; other mappings that are written down become the
        message they stood for."""
        node = entry.node
        if node is None:
            return entry
        values = self.workspace.values(node)
        if values and all(self._is_config(atom) for atom in values):
            return entry
        said = self._literal(node)
        inner = said.get(self.params.mode_path[0]) if isinstance(said, dict) else None
        if isinstance(said, dict) and len(said) == 1 and inner is not None:
            return self._of_literal(entry, inner)
        raise RefusedError(CODE, "this form of tool configuration is read by legacy only")

    def _literal(self, node: ast.expr) -> object:
        """What an expression is written as, also under a name of what nobody changes."""
        atoms = self.workspace.values(node)
        literal: ast.AST = node
        for atom in atoms if len(atoms) == 1 else ():
            if isinstance(atom, Container) and atom.node not in self.workspace.flow.mutated:
                literal = atom.node
        try:
            return ast.literal_eval(literal) if isinstance(literal, ast.expr) else None
        except ValueError:
            return None

    def _is_config(self, atom: object) -> bool:
        return isinstance(atom, Made) and atom.type == self.params.config_class

    def _of_literal(self, entry: Entry, inner: object) -> Entry:
        fields = dict(inner) if isinstance(inner, dict) else {self.params.mode_path[1]: inner}
        mode = fields.get(self.params.mode_path[1])
        if isinstance(inner, dict) and mode in self.params.modes.values():
            return entry
        spelling = self.params.modes.get(str(mode).lower())
        if spelling is None or isinstance(mode, bool):
            raise RefusedError(CODE, f"{mode!r} is none of the modes that are known")
        style = self.workspace.drafts[entry.module].style
        fields[self.params.mode_path[1]] = spelling
        said = ", ".join(f"{name}={_written(style, value)}" for name, value in fields.items())
        outer = self.workspace.types(entry.module, self.params.config_class)
        inside = self.workspace.types(entry.module, self.params.mode_class)
        wrap = Wrap(f"{inside}("), Wrap(f"{outer}(", prefix=f"{self.params.mode_path[0]}=")
        return replace(entry, node=None, constant=said, wrap=wrap)

    def convert(self, site: Site) -> None:
        """A call that made a configuration of a mapping; raises `RefusedError`."""
        call = site.call
        given = call.args[0] if call is not None and len(call.args) == 1 else None
        outer, mode = self.params.mode_path
        inner = _value_of(given, outer)
        modes = _value_of(inner, mode)
        said = constants_of(self.workspace, modes) if modes is not None else None
        known = said is not None and all(self._is_spelling(value) for value in said)
        if call is None or call.keywords or given is None or not known:
            raise RefusedError(CODE, "this form of tool configuration is read by legacy only")
        draft = self.workspace.draft(site)
        assert isinstance(site.node, ast.expr)
        new = self.workspace.types(site.module, self.params.config_class)
        draft.replace_with(site.node, f"{new}.model_validate")

    def _is_spelling(self, value: object) -> bool:
        """Whether the new SDK takes a mode as it is spelled, in whatever case."""
        return isinstance(value, str) and value.upper() in self.params.modes.values()


def _written(style: Style, value: object) -> str:
    """A constant as code, texts in the quotes of the file."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(_written(style, item) for item in value)}]"
    return style.string(value) if isinstance(value, str) else repr(value)


def _value_of(node: ast.expr | None, key: str) -> ast.expr | None:
    """The value under a key of a mapping that is written down."""
    if not isinstance(node, ast.Dict):
        return None
    for name, value in zip(node.keys, node.values, strict=True):
        if isinstance(name, ast.Constant) and name.value == key:
            return value
    return None
