"""Tools, and the default of automatic function calling, which flipped.

Legacy called functions by itself only in a chat that was told to; the new SDK does wherever a
function is among the tools, so every other place says that it must not.
"""

from __future__ import annotations

import ast

from msgspec.structs import replace

from chatport.port.packs.schema import Tools
from chatport.port.program.flow import only
from chatport.port.program.values import (
    NONE,
    Atom,
    Bound,
    Container,
    Function,
    Made,
    Values,
    in_order,
)
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.config import LIST, Config, Entry, Wrap
from chatport.port.rules.portable import constant_of
from chatport.port.rules.tool_configs import CODE, ToolConfigs
from chatport.port.rules.tool_functions import check_called, check_declared

_COPIED = Wrap("list(")


class ToolRules:
    """Settles the tools of one merged configuration."""

    def __init__(self, workspace: Workspace, params: Tools) -> None:
        self.workspace = workspace
        self.params = params
        self.configs: ToolConfigs = ToolConfigs(workspace, params)

    def settle(self, site: Site, config: Config, enabled: ast.expr | None) -> Config:
        """The configuration with its tools as the new SDK wants them, and automatic calling as
        legacy had it. `enabled` is the author's flag. Raises `RefusedError`."""
        stated = {entry.key: entry for entry in config.entries}
        if (steered := stated.get(self.params.config_parameter)) is not None:
            config = _with(config, self.configs.settle(steered))
        entry = stated.get(self.params.parameter)
        if entry is None or entry.node is None:
            return config
        functions, declared, entry = self._classify(entry, entry.node)
        config = _with(config, entry)
        for atom in functions:
            check_declared(atom)
        if not functions:
            return config
        if self._flag(site, enabled):
            if declared:
                raise RefusedError(CODE, "tools beside the functions keep those from being called")
            if steered is not None:
                raise RefusedError(
                    CODE, "legacy left the tool configuration out of the calls that follow"
                )
            for atom in functions:
                check_called(self.workspace, site, atom)
            return config
        for key, code in self.params.off.items():
            constant = self.workspace.expression(site.module, code)
            config = config.with_entry(Entry(key, None, site.module, constant))
        return config

    def unsettled(self, site: Site, config: Config, enabled: ast.expr | None) -> Config:
        """The same where what the tools are is not known: the flag is handed on."""
        known = constant_of(site.module, enabled) if enabled is not None else None
        if known is not None and known.value:
            return config
        asked = enabled is not None and known is None
        flag = self.workspace.draft(site).text(enabled) if asked and enabled is not None else ""
        for key, code in self.params.off.items():
            constant = self.workspace.expression(site.module, code)
            said = constant.replace("True", f"not {flag}") if flag else constant
            config = config.with_entry(Entry(key, None, site.module, said))
        return config

    def _flag(self, site: Site, enabled: ast.expr | None) -> bool:
        if enabled is None:
            return False
        constant = constant_of(site.module, enabled)
        if constant is not None:
            return bool(constant.value)
        raise RefusedError(
            CODE, f"whether functions are called by themselves depends on `{ast.unparse(enabled)}`"
        )

    def _classify(self, entry: Entry, node: ast.expr) -> tuple[list[Atom], bool, Entry]:
        """The functions among the tools, whether there are other tools, and the entry in the new
        form."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            code = f"[{self._named(entry, node.value)}]"
            return [], True, replace(entry, node=None, constant=code)
        values = self.workspace.values(node)
        lists = [atom for atom in in_order(values) if self._is_list(atom)]
        elements = self._elements(lists) if lists else values
        kinds = {self._kind(entry, atom, node) for atom in elements - {NONE}}
        alone = NONE not in values and not lists
        if not ((lists and only(values - {NONE}, Container)) or alone) or len(lists) + alone == 0:
            raise self._unknown(node)
        wraps: list[Wrap] = []
        if "declaration" in kinds:
            if len(kinds) > 1 or NONE in values:
                raise RefusedError(CODE, f"`{ast.unparse(node)[:60]}` mixes tools and declarations")
            tool = self.workspace.types(entry.module, self.params.tool_class)
            wraps += [LIST] if alone else []
            wraps += [Wrap(f"{tool}(", prefix=f"{self.params.declarations}="), LIST]
        elif alone:
            wraps.append(LIST)
        elif any(isinstance(atom.node, ast.Call) for atom in lists if isinstance(atom, Container)):
            wraps.append(_COPIED)
        functions = [atom for atom in in_order(elements) if _is_function(atom)]
        return functions, "tool" in kinds, replace(entry, wrap=tuple(wraps))

    def _named(self, entry: Entry, name: str) -> str:
        code = self.params.strings.get(name)
        if code is None:
            raise RefusedError(CODE, f"the tool {name!r} has no counterpart")
        return self.workspace.expression(entry.module, code)

    def _kind(self, entry: Entry, atom: Atom, node: ast.expr) -> str:
        """What one of the tools is: a function, a tool, or what is declared in a tool. Raises
        `RefusedError`."""
        if _is_function(atom):
            return "function"
        if isinstance(atom, Made) and atom.type == self.params.tool_class:
            return "tool"
        if isinstance(atom, Made) and atom.type == self.params.declaration_type:
            return "declaration"
        if isinstance(atom, Container) and isinstance(atom.node, ast.Dict):
            return self._kind_of_mapping(atom.node, node)
        raise self._unknown(node)

    def _kind_of_mapping(self, mapping: ast.Dict, node: ast.expr) -> str:
        flow = self.workspace.flow
        keys = {str(key) for key in flow.keys.get(mapping, ())}
        closed = not flow.fact("element", mapping)
        self._check_keys(mapping, node, set())
        if closed and keys and keys <= set(self.params.tool_keys):
            return "tool"
        names = self.params.declaration_keys
        if closed and names[0] in keys and keys <= set(names):
            return "declaration"
        raise self._unknown(node)

    def _check_keys(self, mapping: ast.AST, node: ast.expr, seen: set[ast.AST]) -> None:
        """Refuse the spellings of a schema's keys that only legacy knew, and functions inside."""
        seen.add(mapping)
        flow = self.workspace.flow
        if flow.keys.get(mapping, set()) & set(self.params.legacy_keys):
            raise RefusedError(CODE, f"`{ast.unparse(node)[:60]}` has keys that only legacy knew")
        for atom in in_order(flow.fact("element", mapping) | flow.fact("any item", mapping)):
            if _is_function(atom):
                raise self._unknown(node)
            if isinstance(atom, Container) and atom.node not in seen:
                self._check_keys(atom.node, node, seen)

    def _is_list(self, atom: Atom) -> bool:
        """Whether an atom is a list of tools; the values of a mapping are as good as one."""
        node = atom.node if isinstance(atom, Container) else None
        values = isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "values"
        return values or isinstance(node, ast.List | ast.Tuple | ast.ListComp)

    def _elements(self, lists: list[Atom]) -> Values:
        elements: Values = frozenset()
        for atom in lists:
            assert isinstance(atom, Container)
            flow = self.workspace.flow
            elements |= flow.fact("element", atom.node) | flow.fact("any item", atom.node)
        return elements - {NONE}

    def _unknown(self, node: ast.expr) -> RefusedError:
        return RefusedError(CODE, f"what tools `{ast.unparse(node)}` holds is not known")


def _with(config: Config, entry: Entry) -> Config:
    """The configuration with one of its fields written in another way."""
    entries = (entry if e.key == entry.key else e for e in config.entries)
    return replace(config, entries=tuple(entries))


def _is_function(atom: Atom) -> bool:
    return isinstance(atom, Function | Bound)
