"""The configuration of a model or a call, read from the author's expressions.

Legacy spreads it over several arguments and merges a model's with a call's; the new SDK takes one
object. A `Config` holds the fields in the order they are emitted, each with the expression it is
carried from; the parts that are no literals stay one expression, the `base`.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import NONE, STR, Container, Made, Shape, Values
from chatport.port.render.draft import commented, is_broken
from chatport.port.render.layout import PLAIN, Element, Sequence, Style, Text, Value, call, keyword
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.bases import CODE, Base, Bases, spreads
from chatport.port.rules.origin import is_written_down
from chatport.port.rules.portable import is_bound_once, is_portable, is_pure, is_written_none
from chatport.port.rules.safety import SafetyTable


class Wrap(NamedTuple):
    """A list or a call around an expression."""

    opening: str
    closing: str = ")"
    prefix: str = ""


LIST = Wrap("[", "]")


class Entry(Struct, frozen=True):
    """One field: the author's expression, or constant code of the pack."""

    key: str
    node: ast.expr | None
    module: Module
    constant: str = ""
    comments: Element = PLAIN
    generation: bool = False
    """A generation key, which a mapping or an object that is taken whole may state too."""
    wrap: tuple[Wrap, ...] = ()
    """What is put around the expression, the innermost first."""
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
            return Element(self._wrapped(Text(self.constant)), f"{self.key}=")
        draft = workspace.drafts[self.module]
        value = draft.carried(self.node)
        if self.otherwise is not None:
            mine, other = draft.code(self.node), self.otherwise
            rest = workspace.drafts[other.module].code(other.node) if other.node else other.constant
            value = Text(f"{mine} if {mine} is not None else {rest}")
        return replace(self.comments, value=self._wrapped(value), prefix=f"{self.key}=")

    def _wrapped(self, value: Value) -> Value:
        for wrap in self.wrap:
            value = Sequence(wrap.opening, (Element(value, wrap.prefix),), wrap.closing)
        return value


class Config(Struct, frozen=True):
    """Fields by name, the safety table apart, and layers no literal could be read from."""

    entries: tuple[Entry, ...] = ()
    safety: SafetyTable | None = None
    layers: tuple[Base | Entry, ...] = ()
    """What is taken whole, and the fields under and over it; empty or with at least one base."""
    explode: bool = False
    """A literal it was read from has one field a line."""
    note: str = ""
    last: tuple[str, ...] = ()
    sources: tuple[ast.expr, ...] = ()
    """Names the fields were read through; their variables may be dead afterwards."""

    def __bool__(self) -> bool:
        return bool(self.entries or self.safety or self.layers)

    @property
    def bases(self) -> list[Base]:
        return [layer for layer in self.layers if isinstance(layer, Base)]

    @property
    def taken(self) -> Base | None:
        """The configuration object that is taken whole."""
        return next((base for base in self.bases if base.is_object), None)

    def states(self, key: str) -> bool:
        """Whether a field may be stated."""
        return key in self.keys() or any(base.may_state(key) for base in self.bases)

    def keys(self) -> set[str]:
        """The fields that are certainly stated."""
        layered = {layer.key for layer in self.layers if isinstance(layer, Entry)}
        safety = {"safety_settings"} if self.safety else set()
        return {entry.key for entry in self.entries} | layered | safety

    def merged(self, call: Config) -> Config:
        """A call's configuration over this one: key by key in place, safety by category. Raises
        `RefusedError` where which of two says a field is only known when it runs."""
        lower, upper = self, call
        if lower.layers or upper.layers:
            lower, upper = _layered(lower, upper)
        mine = {entry.key: entry for entry in lower.entries}
        over = tuple(e.over(mine[e.key]) if e.key in mine else e for e in upper.entries)
        theirs = {entry.key: entry for entry in over}
        if all(entry.node is None or is_pure(entry.node) for entry in over):
            entries = [theirs.get(entry.key, entry) for entry in lower.entries]
        else:  # what the call evaluates keeps its order
            entries = [entry for entry in lower.entries if entry.key not in theirs]
        said = {entry.key for entry in entries}
        entries += [entry for entry in over if entry.key not in said]
        entries = [entry for entry in entries if not entry.unset]
        safety = call.safety if self.safety is None else self.safety.merged(call.safety)
        return Config(
            tuple(entries),
            safety,
            lower.layers + upper.layers,
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
        layers = [layer.node and ast.dump(layer.node) for layer in self.layers]
        return fields, safety, layers

    def with_entry(self, entry: Entry) -> Config:
        return replace(self, entries=(*self.entries, entry))

    def without_comments(self) -> Config:
        """For emission elsewhere: the comments stay where the author put them."""
        safety = self.safety.without_comments() if self.safety is not None else None
        entries = tuple(replace(entry, comments=PLAIN) for entry in self.entries)
        return replace(self, entries=entries, safety=safety, note="", last=())

    def is_portable(self, target: Module, node: ast.AST) -> bool:
        """Whether every field means the same at `node`. What nobody changes does."""
        if not all(base.fixed or (base.is_object and not base.changed) for base in self.bases):
            return False
        stated = [entry for entry in (*self.entries, *self.layers) if isinstance(entry, Entry)]
        return all(
            is_portable(entry.module, part, target, node)
            for entry in stated
            for part in entry.nodes()
        ) and all(is_portable(base.module, base.node, target, node) for base in self.bases)

    def elements(self, workspace: Workspace, module: Module) -> tuple[Element, ...]:
        """Keyword arguments of the configuration class, in the order of emission."""
        carried: list[Element] = []
        late: list[Element] = []
        for entry in self.entries:
            element = entry.element(workspace)
            (late if entry.node is None else carried).append(element)
        if self.layers and self.taken is None:
            carried.append(self._spread(workspace, module))
        if self.safety is not None:
            carried.append(self.safety.element(workspace, module))
        return (*carried, *late)

    def _spread(self, workspace: Workspace, module: Module) -> Element:
        """``**mapping``; a display of mappings and fields where one may say what another does."""
        draft = workspace.drafts[module]
        items = []
        for layer in self.layers:
            if isinstance(layer, Entry):
                items.append(as_item(layer.element(workspace), draft.style))
            else:
                code = draft.code(layer.node)
                items.append(Element(Text(f"({code} or {{}})" if layer.nullable else code), "**"))
        if len(items) > 1:
            return Element(Sequence("{", tuple(items), "}"), "**")
        (only,), base = items, self.bases[0]
        return only if base.nullable else Element(draft.carried(base.node), "**")

    def value(self, workspace: Workspace, module: Module, class_name: str) -> Value:
        """The configuration object."""
        elements = self.elements(workspace, module)
        taken = self.taken
        if taken is None:
            return call(
                workspace.types(module, class_name),
                elements,
                explode=self.explode,
                note=self.note,
                last=self.last,
            )
        draft = workspace.drafts[module]
        if not elements:
            return draft.carried(taken.node)
        owner = draft.owner(taken.node)
        if taken.nullable:
            owner = f"({draft.code(taken.node)} or {workspace.types(module, class_name)}())"
        fields = tuple(as_item(element, draft.style) for element in elements)
        update = Sequence("{", fields, "}", self.explode, self.note, self.last)
        return call(f"{owner}.model_copy", (keyword("update", update),))


def as_item(element: Element, style: Style) -> Element:
    """A keyword argument as an item of a display."""
    if element.prefix == "**":
        return element
    return replace(element, prefix=f"{style.string(element.prefix[:-1])}: ")


def _layered(lower: Config, upper: Config) -> tuple[Config, Config]:
    """Two configurations, at least one of which takes something whole, with the generation keys
    that may be said twice among the layers. Raises `RefusedError`."""
    if lower.layers and upper.layers and (lower.taken or upper.taken):
        raise RefusedError(CODE, "two objects that are not known are merged here")
    taken = lower.taken or upper.taken
    doubtful = [
        entry
        for entry, other in (
            *((entry, upper) for entry in lower.entries),
            *((entry, lower) for entry in upper.entries),
        )
        if entry.generation and any(base.may_state(entry.key) for base in other.bases)
    ]
    quiet = any(base.drops_none for base in upper.bases)
    if (upper.taken is not None or quiet) and doubtful:
        raise RefusedError(CODE, f"whether the call says {doubtful[0].key!r} is not known")
    if taken is not None:
        over = tuple(_over_object(entry, taken) for entry in upper.entries)
        return lower, replace(upper, entries=over)
    moved = {id(entry) for entry in doubtful}
    sides = []
    for side, first in ((lower, True), (upper, False)):
        gone = tuple(entry for entry in side.entries if id(entry) in moved)
        rest = tuple(entry for entry in side.entries if id(entry) not in moved)
        if any(entry.optional for entry in gone) and not first:
            raise RefusedError(CODE, f"whether {gone[0].key!r} is None here is not known")
        gone = tuple(replace(entry, comments=PLAIN) for entry in gone)
        layers = (*gone, *side.layers) if first else (*side.layers, *gone)
        sides.append(replace(side, entries=rest, layers=layers))
    return sides[0], sides[1]


def _over_object(entry: Entry, taken: Base) -> Entry:
    """A call's field over a model's object; raises `RefusedError`."""
    if not entry.generation or not taken.may_state(entry.key):
        return entry
    if entry.optional and (taken.nullable or not isinstance(taken.node, ast.Name | ast.Attribute)):
        raise RefusedError(CODE, f"whether {entry.key!r} is None here is not known")
    return replace(entry.over_field(ast.unparse(taken.node)), unset=False)


class Reader:
    """Reads configuration arguments by the tables of a pack."""

    def __init__(self, workspace: Workspace, params: ModelCallsParams) -> None:
        self.workspace = workspace
        self.params = params
        self.bases: Bases = Bases(workspace, params)
        self._pairs_of: dict[ast.expr, list[tuple[str, ast.expr]] | None] = {}

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
        home = self.workspace.home(node)
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
        if isinstance(node, ast.Call) and self._is_object(node) and _spreads_of(node):
            return self._object_of_spreads(site, node)
        literal = self._literal(site.module, node)
        pairs = self._pairs(literal) if literal is not None else None
        if literal is None or pairs is None or self.bases.has_uses(literal):
            return self._dynamic(site, node)
        self._claim(site, literal)
        home = self.workspace.home(literal)
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
                self.bases.note_schema(site, self.workspace.values(value))
            entry = Entry(key, value, self.workspace.home(value), comments=note, generation=True)
            if isinstance(literal, ast.Dict) or not self._is_object(literal):
                entries.append(replace(entry, unset=self.is_none(value)))
            elif not self.is_none(value):  # an object's None was as good as nothing
                entries.append(replace(entry, optional=self._may_be_none(value)))
        sources = (() if literal is node else (node,)) + tuple(spreads(literal))
        explode = is_broken(self.workspace.drafts[home], literal)
        config = Config(
            tuple(entries), explode=explode, note=notes.opening, last=notes.closing, sources=sources
        )
        if literal is not node and not config.is_portable(site.module, site.node):
            return self._dynamic(site, node)
        return config

    def _object_of_spreads(self, site: Site, node: ast.Call) -> Config:
        """An object made in the argument, of fields and of mappings that give it more."""
        if node.args:
            raise RefusedError(CODE, f"what `{ast.unparse(node)}` holds is not known")
        self._claim(site, node)
        written = [keyword for keyword in node.keywords if keyword.arg is not None]
        start, end = site.module.source.span(node.func)[1], site.module.source.span(node)[1]
        draft = self.workspace.drafts[site.module]
        notes = commented(draft, start, end, [keyword.value for keyword in written])
        entries = []
        for said, note in zip(written, notes.elements, strict=True):
            assert said.arg is not None
            self.bases.check_field(site, said.arg, said.value)
            entry = Entry(said.arg, said.value, site.module, comments=note, generation=True)
            if not self.is_none(said.value):
                entries.append(replace(entry, optional=self._may_be_none(said.value)))
        layers = tuple(self.bases.spread(site, value) for value in _spreads_of(node))
        explode = is_broken(draft, node)
        return Config(
            tuple(entries), layers=layers, explode=explode, note=notes.opening, last=notes.closing
        )

    def _literal(self, module: Module, node: ast.expr) -> ast.expr | None:
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
        if target not in module.parents:
            return None  # what modules share stays where it is
        return target if is_written_down(self.workspace, module, node, target) else None

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

    def _pairs(self, node: ast.expr) -> list[tuple[str, ast.expr]] | None:
        """Constant keys and their values of a dict display, a ``dict(...)`` or a configuration
        call; another literal may be spread into a display.

        Each is read once: displays may spread others twice each, however deep, or themselves.
        """
        if node not in self._pairs_of:
            self._pairs_of[node] = None  # what a display that spreads itself finds
            self._pairs_of[node] = self._read_pairs(node)
        return self._pairs_of[node]

    def _read_pairs(self, node: ast.expr) -> list[tuple[str, ast.expr]] | None:
        pairs: dict[str, ast.expr] = {}
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                spread = self._literal(self.workspace.home(value), value) if key is None else None
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

    def _dynamic(self, site: Site, node: ast.expr) -> Config:
        """What is taken whole where it stands."""
        return Config(layers=(self.bases.read(site, node),))


def _spreads_of(node: ast.Call) -> list[ast.expr]:
    return [keyword.value for keyword in node.keywords if keyword.arg is None]


def is_text(values: Values) -> bool:
    return values == frozenset({STR})


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
        for node in module.nodes(ast.Attribute)
        if node.attr == name and isinstance(node.ctx, ast.Store)
    ]
    if len(stores) != 1:
        return None
    parent = module.parents[stores[0]]
    if isinstance(parent, ast.Assign) and parent.targets == stores:
        return parent
    return parent if isinstance(parent, ast.AnnAssign) else None
