"""Tools, and the default of automatic function calling, which flipped.

Legacy called functions by itself only in a chat that was told to; the new SDK does wherever a
function is among the tools, so every other place says that it must not.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from chatport.port.packs.schema import Tools
from chatport.port.program.values import (
    NONE,
    Atom,
    Bound,
    Container,
    Function,
    Made,
    Shape,
    Values,
    in_order,
)
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.config import Config, Entry
from chatport.port.rules.portable import constant_of

CODE = "afc_semantics_differ"
_TEXT_ONLY = {"str", "bool"}


class ToolRules:
    """Settles the tools of one merged configuration."""

    def __init__(self, workspace: Workspace, params: Tools) -> None:
        self.workspace = workspace
        self.params = params

    def settle(self, site: Site, config: Config, enabled: ast.expr | None) -> Config:
        """The configuration with its tools as the new SDK wants them, and automatic calling as
        legacy had it. `enabled` is the author's flag. Raises `RefusedError`."""
        for stated in config.entries:
            if stated.key == self.params.config_parameter:
                self._check_tool_config(stated)
        entry = next((e for e in config.entries if e.key == self.params.parameter), None)
        if entry is None or entry.node is None:
            return config
        functions, entry = self._classify(entry, entry.node)
        config = replace(
            config,
            entries=tuple(entry if e.key == entry.key else e for e in config.entries),
        )
        if not functions:
            return config
        if self._flag(site, enabled):
            self._check_enabled(functions)
            return config
        for key, code in self.params.off.items():
            constant = self.workspace.expression(site.module, code)
            config = config.with_entry(Entry(key, None, site.module, constant))
        return config

    def _check_tool_config(self, entry: Entry) -> None:
        """Only the form both SDKs read alike: modes by their full names, in a mapping."""
        try:
            mode: object = ast.literal_eval(entry.node) if entry.node is not None else None
            for key in self.params.mode_path:
                mode = mode[key] if isinstance(mode, dict) else None
        except (ValueError, KeyError):
            mode = None
        if mode not in self.params.modes:
            raise RefusedError(CODE, "this form of tool configuration is read by legacy only")

    def _flag(self, site: Site, enabled: ast.expr | None) -> bool:
        if enabled is None:
            return False
        constant = constant_of(site.module, enabled)
        if constant is not None:
            return bool(constant.value)
        raise RefusedError(
            CODE, f"whether functions are called by themselves depends on `{ast.unparse(enabled)}`"
        )

    def _classify(self, entry: Entry, node: ast.expr) -> tuple[list[Atom], Entry]:
        """The functions among the tools, and the entry in the new form."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            code = self.params.strings.get(node.value)
            if code is None:
                raise RefusedError(CODE, f"the tool {node.value!r} has no counterpart")
            constant = f"[{self.workspace.expression(entry.module, code)}]"
            return [], replace(entry, node=None, constant=constant)
        values = self.workspace.values(node)
        if values and all(_is_function(atom) for atom in values):
            return list(values), replace(entry, wrap=True)
        elements = self._elements(node, values)
        functions = [atom for atom in elements if _is_function(atom)]
        if not all(_is_function(atom) or _is_declaration(atom) for atom in elements):
            raise RefusedError(CODE, f"what tools `{ast.unparse(node)}` holds is not known")
        return functions, entry

    def _elements(self, node: ast.expr, values: Values) -> Values:
        elements: Values = frozenset()
        for atom in in_order(values):
            if not (isinstance(atom, Container) and isinstance(atom.node, ast.List)):
                raise RefusedError(CODE, f"what tools `{ast.unparse(node)}` holds is not known")
            flow = self.workspace.flow
            elements |= flow.fact("element", atom.node) | flow.fact("any item", atom.node)
        return elements - {NONE}

    def _check_enabled(self, functions: list[Atom]) -> None:
        """Called by themselves, results and numbers are passed on differently; text is the same."""
        for atom in functions:
            node = atom.node if isinstance(atom, Function) else getattr(atom, "function", None)
            if not isinstance(node, ast.FunctionDef) or not _speaks_text(node):
                raise RefusedError(
                    CODE,
                    "functions that take numbers or give back more than text are called "
                    "differently: numbers arrive whole, results are wrapped, errors are sent on",
                )


def _is_function(atom: Atom) -> bool:
    return isinstance(atom, Function | Bound)


def _is_declaration(atom: Atom) -> bool:
    return isinstance(atom, Made) or (isinstance(atom, Shape) and atom.name == "Tool")


def _speaks_text(node: ast.FunctionDef) -> bool:
    arguments = [arg for arg in node.args.args if arg.arg not in {"self", "cls"}]
    annotations = [arg.annotation for arg in arguments]
    return all(
        isinstance(annotation, ast.Name) and annotation.id in _TEXT_ONLY
        for annotation in annotations
    ) and (isinstance(node.returns, ast.Name) and node.returns.id == "str")
