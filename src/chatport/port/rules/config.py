"""The configuration of a model or a call, read from the author's expressions.

Legacy spreads it over several arguments and merges a model's with a call's; the new SDK takes one
object. A `Config` holds the fields in the order they are emitted, each with the expression it is
carried from; the parts that are no literals stay one expression, the `base`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, replace

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import NONE, Atom, Container, Made
from chatport.port.render.draft import Draft, commented
from chatport.port.render.layout import PLAIN, Element, Text, Value, call, without_comments
from chatport.port.rules.base import Refusal, Site, Workspace
from chatport.port.rules.portable import is_bound_once, is_portable
from chatport.port.rules.safety import SafetyTable


class RefusedError(Exception):
    """Raised while reading an argument; carries the refusal."""

    def __init__(self, code: str, detail: str, suggestion: str | None = None) -> None:
        super().__init__(code)
        self.refusal = Refusal(code, detail, suggestion)


@dataclass(frozen=True, slots=True)
class Entry:
    """One field: the author's expression, or constant code of the pack."""

    key: str
    node: ast.expr | None
    module: Module
    constant: str = ""
    comments: Element = PLAIN
    wrap: bool = False
    """The new field wants a list and the author gave one thing."""
    replacements: tuple[tuple[ast.expr, str], ...] = ()

    def element(self, draft: Draft) -> Element:
        if self.node is None:
            return Element(Text(self.constant), f"{self.key}=")
        value = draft.carried(self.node)
        if self.wrap:
            value = Text(f"[{value.code}]", value.base)
        return replace(self.comments, value=value, prefix=f"{self.key}=")


@dataclass(frozen=True, slots=True)
class Config:
    """Fields by name, the safety table apart, and a base no literal could be read from."""

    entries: tuple[Entry, ...] = ()
    safety: SafetyTable | None = None
    base: ast.expr | None = None
    base_is_object: bool = False
    """The base holds a legacy configuration object (a mapping otherwise)."""
    sources: tuple[ast.expr, ...] = ()
    """Names the fields were read through; their variables may be dead afterwards."""

    def __bool__(self) -> bool:
        return bool(self.entries or self.safety or self.base is not None)

    def keys(self) -> set[str]:
        return {entry.key for entry in self.entries} | (
            {"safety_settings"} if self.safety else set()
        )

    def merged(self, call: Config) -> Config:
        """A call's configuration over this one: key by key in place, safety by category."""
        theirs = {entry.key: entry for entry in call.entries}
        mine = {entry.key for entry in self.entries}
        entries = [theirs.get(entry.key, entry) for entry in self.entries]
        entries += [entry for entry in call.entries if entry.key not in mine]
        safety = call.safety if self.safety is None else self.safety.merged(call.safety)
        return Config(
            tuple(entries),
            safety,
            call.base or self.base,
            call.base_is_object if call.base is not None else self.base_is_object,
            self.sources + call.sources,
        )

    def with_entry(self, entry: Entry) -> Config:
        return replace(self, entries=(*self.entries, entry))

    def is_portable(self, target: Module, node: ast.AST) -> bool:
        """Whether every field means the same at `node`."""
        if self.base is not None:
            return False
        return all(
            entry.node is None or is_portable(entry.module, entry.node, target, node)
            for entry in self.entries
        )

    def elements(self, workspace: Workspace, module: Module, first: bool) -> tuple[Element, ...]:
        """Keyword arguments of the configuration class, in the order of emission."""
        carried: list[Element] = []
        late: list[Element] = []
        for entry in self.entries:
            element = entry.element(workspace.drafts[entry.module])
            element = element if first else without_comments(element)
            (late if entry.node is None else carried).append(element)
        if self.base is not None:
            carried.append(Element(workspace.drafts[module].carried(self.base), "**"))
        if self.safety is not None:
            carried.append(self.safety.element(workspace, module, first))
        return (*carried, *late)

    def value(
        self, workspace: Workspace, module: Module, class_name: str, *, first: bool, explode: bool
    ) -> Value:
        """The configuration object."""
        elements = self.elements(workspace, module, first)
        return call(workspace.types(module, class_name), elements, explode=explode)


class Reader:
    """Reads configuration arguments by the tables of a pack."""

    def __init__(self, workspace: Workspace, params: ModelCallsParams) -> None:
        self.workspace = workspace
        self.params = params

    def read(self, site: Site, arguments: dict[str, ast.expr]) -> Config:
        """The configuration a constructor or call states; raises `RefusedError`."""
        config = Config()
        for name in self.params.carried:
            if name in arguments and not self.is_none(arguments[name]):
                config = config.with_entry(Entry(name, arguments[name], site.module))
        generation = arguments.get(self.params.generation_config)
        if generation is not None and not self.is_none(generation):
            config = config.merged(self._generation(site, generation))
        safety = arguments.get(self.params.safety.parameter)
        if safety is not None and not self.is_none(safety):
            config = replace(config, safety=self._safety(site, safety))
        return config

    def is_none(self, node: ast.expr) -> bool:
        """Whether an argument says nothing."""
        return self.workspace.values(node) == frozenset({NONE})

    def _safety(self, site: Site, node: ast.expr) -> SafetyTable:
        table = SafetyTable.read(self.workspace, site.module, node, self.params.safety)
        if table is None:
            raise RefusedError(
                "safety_settings_not_static",
                f"`{ast.unparse(node)}` is not a table of listed categories and thresholds",
            )
        return table

    def _generation(self, site: Site, node: ast.expr) -> Config:
        literal = self._literal(node)
        if literal is None:
            return self._dynamic(site, node)
        home, pairs, start, end = literal
        comments = commented(self.workspace.drafts[home], start, end, [value for _, value in pairs])
        entries = []
        for (key, value), note in zip(pairs, comments, strict=True):
            if key not in self.params.generation_config_keys:
                raise RefusedError(
                    "generation_config_not_static",
                    f"the legacy configuration has no field {key!r}",
                )
            if not self.is_none(value):
                entries.append(Entry(key, value, home, comments=note))
        sources = () if isinstance(node, ast.Dict | ast.Call) else (node,)
        config = Config(tuple(entries), sources=sources)
        if sources and not config.is_portable(site.module, site.node):
            return self._dynamic(site, node)
        return config

    def _literal(
        self, node: ast.expr
    ) -> tuple[Module, list[tuple[str, ast.expr]], int, int] | None:
        """The pairs of the one literal `node` holds, and where they stand."""
        atoms = self.workspace.values(node) - {NONE}
        if len(atoms) != 1 or (NONE in self.workspace.values(node)):
            return None
        (atom,) = atoms
        target = self._literal_node(atom)
        if target is None or target in self.workspace.flow.mutated:
            return None
        home = self._home(target)
        if home is None:
            return None
        pairs = _pairs(target)
        if pairs is None:
            return None
        start, end = home.source.span(target)
        return home, pairs, start, end

    def _literal_node(self, atom: Atom) -> ast.expr | None:
        if isinstance(atom, Container) and isinstance(atom.node, ast.Dict):
            return atom.node
        if isinstance(atom, Container) and isinstance(atom.node, ast.Call):
            return atom.node if _name(atom.node.func) == "dict" else None
        kind = self.workspace.surface.makes.get(self.params.generation_config_class)
        if isinstance(atom, Made) and atom.type == kind and isinstance(atom.site, ast.Call):
            return atom.site
        return None

    def _home(self, node: ast.expr) -> Module | None:
        for module in self.workspace.modules:
            if node in module.parents:
                return module
        return None

    def _dynamic(self, site: Site, node: ast.expr) -> Config:
        """A mapping that is spread where it stands: all that is known is that it is one."""
        atoms = self.workspace.values(node)
        made = self.workspace.surface.makes.get(self.params.generation_config_class)
        if any(isinstance(atom, Made) and atom.type == made for atom in atoms):
            raise RefusedError(
                "generation_config_not_static",
                f"the fields of the configuration object `{ast.unparse(node)}` are not known",
            )
        mapping = all(
            isinstance(atom, Container) and isinstance(atom.node, ast.Dict | ast.DictComp)
            for atom in atoms
        )
        if not mapping:
            raise RefusedError(
                "generation_config_not_static",
                f"what `{ast.unparse(node)}` holds is not known",
            )
        return Config(base=node)

    def dead_after(self, config: Config, module: Module) -> Iterable[ast.stmt]:
        """The statements that only made what was folded."""
        for source in config.sources:
            statement = sole_assignment(module, source)
            if statement is not None:
                yield statement


def _pairs(node: ast.expr) -> list[tuple[str, ast.expr]] | None:
    """Constant keys and their values of a dict display, a ``dict(...)`` or a configuration call."""
    pairs: list[tuple[str, ast.expr]] = []
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                return None
            pairs.append((key.value, value))
    elif isinstance(node, ast.Call):
        if node.args:
            return None
        for keyword in node.keywords:
            if keyword.arg is None:
                return None
            pairs.append((keyword.arg, keyword.value))
    return pairs if len({key for key, _ in pairs}) == len(pairs) else None


def sole_assignment(module: Module, node: ast.expr) -> ast.Assign | ast.AnnAssign | None:
    """The assignment that gave a name its one value, when that is all the statement does."""
    variable = module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    if variable is None or not is_bound_once(variable):
        return None
    statement = module.statement(variable.stores[0])
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return statement if statement.targets[0] is variable.stores[0] else None
    if isinstance(statement, ast.AnnAssign) and statement.target is variable.stores[0]:
        return statement
    return None


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
