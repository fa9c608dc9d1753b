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

from chatport.port.program.modules import Module
from chatport.port.render.layout import PLAIN, Element, Sequence, Style, Text, Value, call, keyword
from chatport.port.rules.base import RefusedError, Workspace
from chatport.port.rules.bases import CODE, Base
from chatport.port.rules.kept_tables import KeptTable, Table, merge_tables
from chatport.port.rules.portable import is_bound_once, is_portable, is_pure


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
    safety: Table | None = None
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
        return Config(
            tuple(entries),
            merge_tables(self.safety, call.safety),
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
        table = self.safety
        safety = [(row.category, row.threshold) for row in (table.rows if table else ())]
        kept = ast.dump(table.node) if isinstance(table, KeptTable) else None
        layers = [layer.node and ast.dump(layer.node) for layer in self.layers]
        return fields, safety, kept, layers

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
        kept = self.safety if isinstance(self.safety, KeptTable) else None
        if kept and (kept.grows or not is_portable(kept.module, kept.node, target, node)):
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


def sole_assignment(module: Module, node: ast.expr) -> ast.Assign | ast.AnnAssign | None:
    """The assignment that gave a name its one value, when that is all the statement does."""
    if isinstance(node, ast.Attribute):
        return _attribute_assignment(module, node.attr)
    variable = module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    if variable is None or not is_bound_once(module, variable):
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
