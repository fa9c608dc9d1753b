"""The configuration of a model or a call, read from the author's expressions.

Legacy spreads it over several arguments and merges a model's with a call's; the new SDK takes one
object. A `Config` holds the fields in the order they are emitted, each with the expression it is
carried from; the parts that are no literals stay one expression, the `base`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import NONE, STR, Atom, Container, Made, Shape, Values
from chatport.port.render.draft import commented, is_broken
from chatport.port.render.layout import PLAIN, Element, Sequence, Text, Value, call
from chatport.port.rules.base import Refusal, Site, Workspace
from chatport.port.rules.portable import is_bound_once, is_portable, is_pure, is_written_none
from chatport.port.rules.safety import SafetyTable

CODE = "generation_config_not_static"


class RefusedError(Exception):
    """Raised while reading an argument; carries the refusal."""

    def __init__(self, code: str, detail: str, suggestion: str | None = None) -> None:
        super().__init__(code)
        self.refusal: Refusal = Refusal(code, detail, suggestion)


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
    unset: bool = False
    """The author took the key back by saying None."""
    optional: bool = False
    """Says nothing where the value is None: legacy's objects left such fields out."""
    otherwise: Entry | None = None
    """What the field is where an optional value is None."""

    def over(self, other: Entry) -> Entry:
        """This entry where it says something, the other where it does not; raises
        `RefusedError`."""
        if not self.optional:
            return self
        if not isinstance(self.node, ast.Name | ast.Attribute) or other.node is None:
            raise RefusedError(CODE, f"whether `{self.key}` is None here is not known")
        return replace(self, otherwise=other)

    def over_field(self, owner: str) -> Entry:
        """The same over a field of an object; raises `RefusedError`."""
        if self.optional and not isinstance(self.node, ast.Name | ast.Attribute):
            raise RefusedError(CODE, f"whether `{self.key}` is None here is not known")
        rest = Entry(self.key, None, self.module, f"{owner}.{self.key}")
        return replace(self, otherwise=rest) if self.optional else self

    def nodes(self) -> list[ast.expr]:
        """The author's expressions it is written with."""
        mine = [self.node] if self.node is not None else []
        return mine + (self.otherwise.nodes() if self.otherwise is not None else [])

    def element(self, workspace: Workspace) -> Element:
        if self.node is None:
            return Element(Text(self.constant), f"{self.key}=")
        draft = workspace.drafts[self.module]
        value = draft.carried(self.node)
        if self.otherwise is not None:
            mine, other = draft.code(self.node), self.otherwise
            rest = workspace.drafts[other.module].code(other.node) if other.node else other.constant
            value = Text(f"{mine} if {mine} is not None else {rest}")
        if self.wrap:
            value = Sequence("[", (Element(value),), "]")
        return replace(self.comments, value=value, prefix=f"{self.key}=")


@dataclass(frozen=True, slots=True)
class Config:
    """Fields by name, the safety table apart, and a base no literal could be read from."""

    entries: tuple[Entry, ...] = ()
    safety: SafetyTable | None = None
    base: ast.expr | None = None
    base_is_object: bool = False
    """The base holds a legacy configuration object (a mapping otherwise)."""
    explode: bool = False
    """A literal it was read from has one field a line."""
    note: str = ""
    last: tuple[str, ...] = ()
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
        mine = {entry.key: entry for entry in self.entries}
        call = replace(
            call,
            entries=tuple(e.over(mine[e.key]) if e.key in mine else e for e in call.entries),
        )
        theirs = {entry.key: entry for entry in call.entries}
        if all(entry.node is None or is_pure(entry.node) for entry in call.entries):
            entries = [theirs.get(entry.key, entry) for entry in self.entries]
        else:  # what the call evaluates keeps its order
            entries = [entry for entry in self.entries if entry.key not in theirs]
        said = {entry.key for entry in entries}
        entries += [entry for entry in call.entries if entry.key not in said]
        entries = [entry for entry in entries if not entry.unset]
        safety = call.safety if self.safety is None else self.safety.merged(call.safety)
        return Config(
            tuple(entries),
            safety,
            call.base or self.base,
            call.base_is_object if call.base is not None else self.base_is_object,
            self.explode or call.explode,
            call.note or self.note,
            self.last + call.last,
            self.sources + call.sources,
        )

    def says_what(self, other: Config) -> bool:
        """Whether two configurations that may stand at one place are the same there."""
        return self._said() == other._said()

    def _said(self) -> tuple[object, ...]:
        fields = [(e.key, e.node and ast.dump(e.node)) for e in self.entries]
        rows = self.safety.rows if self.safety is not None else ()
        safety = [(row.category, row.threshold) for row in rows]
        return fields, safety, self.base and ast.dump(self.base)

    def with_entry(self, entry: Entry) -> Config:
        return replace(self, entries=(*self.entries, entry))

    def without_comments(self) -> Config:
        """For emission elsewhere: the comments stay where the author put them."""
        safety = self.safety.without_comments() if self.safety is not None else None
        entries = tuple(replace(entry, comments=PLAIN) for entry in self.entries)
        return replace(self, entries=entries, safety=safety, note="", last=())

    def is_portable(self, target: Module, node: ast.AST) -> bool:
        """Whether every field means the same at `node`."""
        if self.base is not None:
            return False
        return all(
            is_portable(entry.module, part, target, node)
            for entry in self.entries
            for part in entry.nodes()
        )

    def elements(self, workspace: Workspace, module: Module) -> tuple[Element, ...]:
        """Keyword arguments of the configuration class, in the order of emission."""
        carried: list[Element] = []
        late: list[Element] = []
        for entry in self.entries:
            element = entry.element(workspace)
            (late if entry.node is None else carried).append(element)
        if self.base is not None:
            carried.append(Element(workspace.drafts[module].carried(self.base), "**"))
        if self.safety is not None:
            carried.append(self.safety.element(workspace, module))
        return (*carried, *late)

    def value(self, workspace: Workspace, module: Module, class_name: str) -> Value:
        """The configuration object."""
        elements = self.elements(workspace, module)
        return call(
            workspace.types(module, class_name),
            elements,
            explode=self.explode,
            note=self.note,
            last=self.last,
        )


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
                self._check_turn(arguments[name])
                config = config.with_entry(Entry(name, arguments[name], site.module))
        generation = arguments.get(self.params.generation_config)
        if generation is not None and not self.is_none(generation):
            read = self._generation(site, generation)
            config = replace(read, entries=(*config.entries, *read.entries))
        safety = arguments.get(self.params.safety.parameter)
        if safety is not None and not self.is_none(safety):
            table = self._safety(site, safety)
            self.workspace.consumed |= set(table.reads)
            if table.rows:
                config = replace(config, safety=table)
        return config

    def _check_turn(self, node: ast.expr) -> None:
        """A turn among the carried parameters is none whose parts could be strings."""
        for atom in self.workspace.values(node):
            if not (isinstance(atom, Container) and isinstance(atom.node, ast.Dict)):
                continue
            keys = {key.value for key in atom.node.keys if isinstance(key, ast.Constant)}
            if self.params.history.parts_key in keys:
                raise RefusedError(
                    "history_parts_shape_incompatible",
                    f"`{ast.unparse(node)[:60]}` is a turn; the new SDK takes its parts alone",
                )

    def is_none(self, node: ast.expr) -> bool:
        """Whether an argument says nothing, whoever calls: a parameter or an attribute that is
        only seen to be None may be given something by code that is not seen."""
        if is_written_none(node):
            return True
        home = self._home(node)
        variable = home.scopes.variable.get(node) if isinstance(node, ast.Name) else None
        own = variable is not None and not variable.is_parameter and not variable.foreign_stores
        return own and self.workspace.values(node) == frozenset({NONE})

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
        pairs = self._pairs(literal) if literal is not None else None
        if literal is None or pairs is None:
            return self._dynamic(site, node)
        self._claim(site, literal)
        home = self._home(literal)
        start, end = home.source.span(literal)
        if isinstance(literal, ast.Call):
            start = home.source.span(literal.func)[1]
        notes = commented(self.workspace.drafts[home], start, end, [value for _, value in pairs])
        entries = []
        for (key, value), note in zip(pairs, notes.elements, strict=True):
            if key not in self.params.generation_config_keys:
                raise RefusedError(CODE, f"the legacy configuration has no field {key!r}")
            if key in self.params.list_keys and is_text(self.workspace.values(value)):
                raise RefusedError(CODE, f"legacy took the text of {key!r} for a list of letters")
            if key in self.params.schema_keys and not isinstance(value, ast.Dict):
                site.warn("schema_fields_required")
            entry = Entry(key, value, self._home(value), comments=note)
            if isinstance(literal, ast.Dict) or not self._is_object(literal):
                entries.append(replace(entry, unset=self.is_none(value)))
            elif not self.is_none(value):  # an object's None was as good as nothing
                entries.append(replace(entry, optional=self._may_be_none(value)))
        sources = (() if literal is node else (node,)) + tuple(_spreads(literal))
        explode = is_broken(self.workspace.drafts[home], literal)
        config = Config(
            tuple(entries), explode=explode, note=notes.opening, last=notes.closing, sources=sources
        )
        if literal is not node and not config.is_portable(site.module, site.node):
            return self._dynamic(site, node)
        return config

    def _literal(self, node: ast.expr) -> ast.expr | None:
        """The one literal that `node` holds and that nobody changes."""
        atoms = self.workspace.values(node)
        if len(atoms) != 1:
            return None
        (atom,) = atoms
        target: ast.AST | None = None
        if isinstance(atom, Container) and isinstance(atom.node, ast.Dict | ast.Call):
            target = atom.node
        elif isinstance(atom, Made) and atom.type == self._object_type:
            target = atom.site if isinstance(atom.site, ast.Call) else None
        if not isinstance(target, ast.expr) or target in self.workspace.flow.mutated:
            return None
        return target

    @property
    def _object_type(self) -> str | None:
        return self.workspace.surface.makes.get(self.params.generation_config_class)

    def _is_object(self, literal: ast.expr) -> bool:
        made = self.workspace.by_node.get(literal)
        return made is not None and made.symbol == self.params.generation_config_class

    def _may_be_none(self, node: ast.expr) -> bool:
        if isinstance(node, ast.BinOp | ast.JoinedStr | ast.Dict | ast.List):
            return False
        return any(
            atom == NONE or not isinstance(atom, Shape | Container | Made)
            for atom in self.workspace.values(node)
        )

    def _claim(self, site: Site, literal: ast.expr) -> None:
        """A legacy configuration object belongs to the group that reads it."""
        made = self.workspace.by_node.get(literal)
        if made is None or made.symbol != self.params.generation_config_class:
            return
        made.rule = site.rule
        site.group.merge(made.group)
        for other in self.workspace.sites:
            if any(owner.site is literal for owner in other.owners):
                self.workspace.unchanged.add(other)
                made.refuse(CODE, f"`{ast.unparse(other.node)}` changes or reads the object")

    def _pairs(self, node: ast.expr) -> list[tuple[str, ast.expr]] | None:
        """Constant keys and their values of a dict display, a ``dict(...)`` or a configuration
        call; another literal may be spread into a display."""
        pairs: dict[str, ast.expr] = {}
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                spread = self._literal(value) if key is None else None
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    pairs[key.value] = value
                elif isinstance(spread, ast.Dict) and (more := self._pairs(spread)) is not None:
                    pairs |= dict(more)
                else:
                    return None
        elif isinstance(node, ast.Call):
            if node.args:
                return None
            for keyword in node.keywords:
                if keyword.arg is None:
                    return None
                pairs[keyword.arg] = keyword.value
        return list(pairs.items())

    def _home(self, node: ast.expr) -> Module:
        return next(module for module in self.workspace.modules if node in module.parents)

    def _is_mapping_of_fields(self, atom: Atom) -> bool:
        """Whether an atom is a dict whose keys are known to be legacy fields."""
        if not (isinstance(atom, Container) and isinstance(atom.node, ast.Dict)):
            return False
        flow = self.workspace.flow
        keys = flow.keys.get(atom.node, set())
        return not flow.fact("element", atom.node) and keys <= set(
            self.params.generation_config_keys
        )

    def _dynamic(self, site: Site, node: ast.expr) -> Config:
        """A mapping that is spread where it stands: all that is known is that it is one."""
        atoms = self.workspace.values(node)
        for atom in atoms:
            if isinstance(atom, Made) and isinstance(atom.site, ast.Call):
                self._claim(site, atom.site)
        if not all(self._is_mapping_of_fields(atom) for atom in atoms):
            raise RefusedError(CODE, f"what `{ast.unparse(node)}` holds is not known")
        return Config(base=node)


def is_text(values: Values) -> bool:
    return values == frozenset({STR})


def _spreads(literal: ast.expr) -> list[ast.expr]:
    """What a display takes over from elsewhere."""
    if not isinstance(literal, ast.Dict):
        return []
    return [v for k, v in zip(literal.keys, literal.values, strict=True) if k is None]


def sole_assignment(module: Module, node: ast.expr) -> ast.Assign | ast.AnnAssign | None:
    """The assignment that gave a name its one value, when that is all the statement does."""
    if isinstance(node, ast.Attribute):
        return _attribute_assignment(module, node.attr)
    variable = module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    if variable is None or not is_bound_once(variable):
        return None
    statement = module.statement(variable.stores[0])
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return statement if statement.targets[0] is variable.stores[0] else None
    if isinstance(statement, ast.AnnAssign) and statement.target is variable.stores[0]:
        return statement
    return None


def _attribute_assignment(module: Module, name: str) -> ast.Assign | ast.AnnAssign | None:
    """The one statement of a module that assigns to an attribute of this name."""
    stores = [
        node
        for node in module.parents
        if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store)
    ]
    if len(stores) != 1:
        return None
    parent = module.parents[stores[0]]
    if isinstance(parent, ast.Assign) and parent.targets == stores:
        return parent
    return parent if isinstance(parent, ast.AnnAssign) else None
