"""Reads the configuration of a model or a call out of its arguments."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import partial

from msgspec.structs import replace

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import NONE, STR, Container, Made, Shape, Values, in_order
from chatport.port.render.authored import commented, is_broken
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.bases import CODE, Base, Bases, spreads
from chatport.port.rules.config import Config, Entry
from chatport.port.rules.kept_tables import KeptTable, Table
from chatport.port.rules.origin import is_written_down
from chatport.port.rules.portable import is_written_none
from chatport.port.rules.safety import CODE as NOT_STATIC
from chatport.port.rules.safety import SafetyTable


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
                said = arguments[name]
                self.workspace.premise(partial(self._check_turn, said), lambda: None)
                config = config.with_entry(Entry(name, arguments[name], site.module))
        generation = arguments.get(self.params.generation_config)
        if generation is not None and not self.is_none(generation):
            read = self.workspace.premise(
                partial(self._generation, site, generation), partial(self._whole, site, generation)
            )
            config = replace(read, entries=(*config.entries, *read.entries))
        safety = arguments.get(self.params.safety.parameter)
        if safety is not None and not self.is_none(safety):
            table = self.workspace.premise(partial(self._safety, site, safety), lambda: None)
            if table is None:
                return config.with_entry(self._unread_safety(site, safety))
            self.workspace.consumed |= set(table.reads)
            if table.rows or isinstance(table, KeptTable):
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

    def _safety(self, site: Site, node: ast.expr) -> Table | None:
        given = self.workspace, site.module, node, self.params.safety
        table = SafetyTable.read(*given) or KeptTable.read(*given)
        if table is None:
            raise RefusedError(
                NOT_STATIC,
                f"`{ast.unparse(node)}` is not a table of listed categories and thresholds",
            )
        return table

    def _whole(self, site: Site, node: ast.expr) -> Config:
        """A configuration of which nothing is known: its fields by what is written down, or all of
        it as a mapping or an object."""
        if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
            pairs = zip(node.keys, node.values, strict=True)
            said = [(key.value, value) for key, value in pairs if isinstance(key, ast.Constant)]
            return Config(tuple(Entry(str(key), value, site.module) for key, value in said))
        is_object = any(isinstance(atom, Made) for atom in self.workspace.values(node))
        base = Base(node, site.module, is_object=is_object, nullable=False, keys=None)
        return Config(layers=(base,))

    def _unread_safety(self, site: Site, node: ast.expr) -> Entry:
        """A table of which nothing is known: a list as it is, each row of a mapping anew."""
        atoms = self.workspace.values(node)
        lists = ast.List | ast.Tuple | ast.ListComp
        if any(isinstance(a, Container) and isinstance(a.node, lists) for a in atoms):
            return Entry(self.params.safety.parameter, node, site.module)
        setting = self.workspace.types(site.module, self.params.safety.new_class)
        text = self.workspace.draft(site).text
        if isinstance(node, ast.Dict) and None not in node.keys:
            rows = [
                f"{setting}(category={text(key)}, threshold={text(value)})"
                for key, value in zip(node.keys, node.values, strict=True)
                if key is not None
            ]
            return Entry(self.params.safety.parameter, None, site.module, f"[{', '.join(rows)}]")
        row = f"{setting}(category=category, threshold=threshold)"
        each = f"[{row} for category, threshold in {text(node)}.items()]"
        return Entry(self.params.safety.parameter, None, site.module, each)

    def with_the_rest(self, site: Site, config: Config, known: Collection[str]) -> Config:
        """A configuration with the arguments that no table knows, as fields of the same name."""
        for keyword in site.arguments.keywords:
            if keyword.arg is None:
                base = Base(keyword.value, site.module, is_object=False, nullable=False, keys=None)
                config = replace(config, layers=(*config.layers, base))
            elif keyword.arg not in known:
                config = config.with_entry(Entry(keyword.arg, keyword.value, site.module))
        return config

    def _generation(self, site: Site, node: ast.expr) -> Config:
        if isinstance(node, ast.Call) and self._is_object(node) and _spreads_of(node):
            return self._object_of_spreads(site, node)
        literal = self._literal(site.module, node)
        pairs = self._pairs(literal) if literal is not None else None
        if literal is None or pairs is None or self.bases.has_uses(literal):
            return self._dynamic(site, node)
        if literal is not node and self._is_object(literal) and self._is_part(literal):
            return self._dynamic(site, node)  # what holds it stays, and the object in it
        self._claim(site, literal)
        home = self.workspace.home(literal)
        start, end = home.source.span(literal)
        if isinstance(literal, ast.Call):
            start = home.source.span(literal.func)[1]
        notes = commented(self.workspace.drafts[home], start, end, [value for _, value in pairs])
        entries = []
        for (key, value), note in zip(pairs, notes.elements, strict=True):
            lacks = key in self.params.mapping_keys and self._is_object(literal)
            if lacks or key not in self.params.generation_config_keys:
                raise RefusedError(CODE, f"the legacy configuration has no field {key!r}")
            if key in self.params.list_keys and is_text(self.workspace.values(value)):
                raise RefusedError(CODE, f"legacy took the text of {key!r} for a list of letters")
            if key in self.params.schema_keys:
                self._check_schema(self.workspace.values(value), value, set())
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

    def _check_schema(self, values: Values, node: ast.expr, seen: set[ast.AST]) -> None:
        """Refuse a schema with the spellings that only legacy knew, however deep."""
        flow = self.workspace.flow
        for atom in in_order(values):
            if not isinstance(atom, Container) or atom.node in seen:
                continue
            seen.add(atom.node)
            if flow.keys.get(atom.node, set()) & set(self.params.tools.legacy_keys):
                raise RefusedError(CODE, f"`{ast.unparse(node)[:60]}` has keys only legacy knew")
            inner = flow.fact("element", atom.node) | flow.fact("any item", atom.node)
            self._check_schema(inner, node, seen)

    def _is_part(self, literal: ast.expr) -> bool:
        """Whether something else is made of a literal: a statement does not only give it a name."""
        statement = self.workspace.home(literal).statement(literal)
        assigned = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        return assigned is not literal

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
