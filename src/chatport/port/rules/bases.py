"""Configurations that no literal can be read from: mappings and objects that are taken whole.

A mapping is spread into the new configuration; legacy took just the fields of the new one by the
same names, and refused others as the new one does. An object becomes one of the new class where it
is made, which has the same fields.
"""

from __future__ import annotations

import ast

from msgspec import Struct
from msgspec.structs import replace

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.calls import HARMLESS
from chatport.port.program.flow import only
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS, FunctionNode
from chatport.port.program.values import (
    NONE,
    STR,
    Atom,
    Container,
    External,
    Made,
    Unknown,
    Values,
    in_order,
)
from chatport.port.rules.base import RefusedError, Site, Workspace
from chatport.port.rules.origin import is_written_down

CODE = "generation_config_not_static"
WARNING = "generation_config_spread"


class Base(Struct, frozen=True):
    """What an expression holds that is taken whole."""

    node: ast.expr
    module: Module
    is_object: bool
    """A configuration object; a mapping otherwise."""
    nullable: bool
    """It may be None."""
    keys: frozenset[str] | None
    """The fields it may state; None when they are not known."""
    changed: bool = False
    """Somebody sets its fields after it was made."""
    fixed: bool = False
    """A mapping that is written down and never changed."""
    drops_none: bool = False
    """Its fields that are None say nothing, as those of an object do."""

    def may_state(self, key: str) -> bool:
        return self.keys is None or key in self.keys


def _is_given(module: Module, node: ast.expr) -> bool:
    """Whether code that is not seen may give what an expression holds: a parameter or an attribute,
    of which only some values are seen."""
    variable = module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    return isinstance(node, ast.Attribute) or (variable is not None and variable.is_parameter)


class Bases:
    """Reads what is taken whole, and remembers the objects that are made anew for it."""

    def __init__(self, workspace: Workspace, params: ModelCallsParams) -> None:
        self.workspace = workspace
        self.params = params
        self.objects: dict[ast.Call, Site] = {}
        """The legacy configuration objects that are taken whole."""

    def read(self, site: Site, node: ast.expr) -> Base:
        """What an argument holds; raises `RefusedError`."""
        atoms = in_order(self.workspace.values(node))
        said = [atom for atom in atoms if atom != NONE]
        objects = [atom for atom in said if isinstance(atom, Made)]
        if not said and self._says_object(node):
            return Base(node, site.module, is_object=True, nullable=True, keys=None)
        if not said and self._says_mapping(node):
            site.warn(WARNING)
            return Base(node, site.module, is_object=False, nullable=True, keys=None)
        if not said or (objects and len(objects) != len(said)):
            raise self._unknown(node)
        keys = [
            self._object_keys(site, atom, node)
            if isinstance(atom, Made)
            else self._mapping_keys(site, atom, node)
            for atom in said
        ]
        known = frozenset[str]().union(*(k for k in keys if k is not None))
        foreign = any(isinstance(atom, External) for atom in said)
        return Base(
            node,
            site.module,
            bool(objects),
            nullable=len(said) != len(atoms) or foreign,
            keys=None if None in keys or _is_given(site.module, node) else known,
            changed=any(self._is_changed(atom) for atom in said),
            fixed=all(self._is_fixed(site.module, atom, node) for atom in atoms),
        )

    def spread(self, site: Site, node: ast.expr) -> Base:
        """The mapping that gives an object more fields, which say nothing where they are None.
        What is unpacked into keywords is one, whatever else it is."""
        said = [atom for atom in self.workspace.values(node) if atom != NONE]
        if all(isinstance(atom, Unknown) for atom in said):
            site.warn(WARNING)
            return Base(
                node, site.module, is_object=False, nullable=False, keys=None, drops_none=True
            )
        return replace(self.read(site, node), drops_none=True)

    def _says_object(self, node: ast.expr) -> bool:
        """Whether the annotation of a parameter that nobody was seen to give promises an object."""
        promised = [
            self.workspace.surface.canonical(atom.name)
            for part in self._promises(node)
            for atom in self.workspace.flow.values.get(part, ())
            if isinstance(atom, External) and self.workspace.surface.is_legacy(atom.name)
        ]
        return self.params.generation_config_class in promised

    def _says_mapping(self, node: ast.expr) -> bool:
        """The same of a mapping."""
        parts = {getattr(part, "id", getattr(part, "attr", "")) for part in self._promises(node)}
        return bool(parts & {"dict", "Dict", "Mapping"}) and "list" not in parts

    def _promises(self, node: ast.expr) -> list[ast.AST]:
        """The parts of the annotations of a parameter."""
        home = self.workspace.home(node)
        variable = home.scopes.variable.get(node) if isinstance(node, ast.Name) else None
        return [
            part
            for store in (variable.stores if variable else ())
            if isinstance(store, ast.arg) and store.annotation is not None
            for part in ast.walk(store.annotation)
        ]

    def _unknown(self, node: ast.expr) -> RefusedError:
        return RefusedError(CODE, f"what `{ast.unparse(node)}` holds is not known")

    # -- mappings

    def _mapping_keys(self, site: Site, atom: Atom, node: ast.expr) -> frozenset[str] | None:
        """The keys of a mapping; raises `RefusedError` for what may be none, and for keys legacy
        did not know."""
        if isinstance(atom, External) and not self.workspace.surface.is_legacy(atom.name):
            site.warn(WARNING)
            return None
        if not isinstance(atom, Container) or not self._is_mapping(atom.node):
            raise self._unknown(node)
        flow = self.workspace.flow
        keys = {str(key) for key in flow.keys.get(atom.node, set())}
        unknown = sorted(keys - set(self.params.generation_config_keys))
        if unknown:
            raise RefusedError(CODE, f"the legacy configuration has no field {unknown[0]!r}")
        for key in self.params.list_keys:
            if flow.fact("item", atom.node, key) == frozenset({STR}):
                raise RefusedError(CODE, f"legacy took the text of {key!r} for a list of letters")
        for key in keys & set(self.params.schema_keys):
            self.note_schema(site, flow.fact("item", atom.node, key))
        if self._is_closed(atom.node):
            return frozenset(keys)
        site.warn(WARNING)
        return None

    def _is_mapping(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            made_by = self.workspace.values(node.func)
            return made_by == frozenset({External("builtins.dict")})
        if isinstance(node, ast.arg):
            return self._takes_the_rest(node) is not None
        return isinstance(node, ast.Dict | ast.DictComp) or node in self.workspace.flow.mappings

    def _is_closed(self, node: ast.AST) -> bool:
        """Whether every key a mapping was ever given is known."""
        flow = self.workspace.flow
        if flow.fact("element", node) or node in flow.mappings:
            return False
        if not isinstance(node, ast.arg):
            return True
        function = self._takes_the_rest(node)
        if function is None or not flow.calls.get(function):
            return False
        return not flow.fact("exposed", function)

    def _takes_the_rest(self, node: ast.arg) -> FunctionNode | None:
        """The function that gets its other keywords in this parameter."""
        home = self.workspace.home(node)
        parent = home.parents[home.parents[node]]
        return parent if isinstance(parent, FUNCTIONS) and parent.args.kwarg is node else None

    def _is_fixed(
        self, module: Module, atom: Atom, node: ast.expr, around: frozenset[ast.AST] = frozenset()
    ) -> bool:
        """Whether a mapping is written down and never changed, with all that it unpacks."""
        if not isinstance(atom, Container) or atom.node in around | self.workspace.flow.mutated:
            return False
        inner = around | {atom.node}
        return is_written_down(self.workspace, module, node, atom.node) and all(
            self.workspace.values(spread)
            and all(
                self._is_fixed(self.workspace.home(spread), unpacked, spread, inner)
                for unpacked in self.workspace.values(spread)
            )
            for spread in spreads(atom.node)
        )

    # -- objects

    def _object_keys(self, site: Site, atom: Made, node: ast.expr) -> frozenset[str] | None:
        """The fields an object is made with; its making joins the group of the call."""
        made = self.workspace.by_node.get(atom.site)
        call = made.call if made is not None else None
        kind = self.workspace.surface.makes.get(self.params.generation_config_class)
        if atom.type == kind and _is_promised(atom.site):
            if any(map(self._is_given_away, self.workspace.holders.get(atom, []))):
                raise self._unknown(node)
            self._keep_fields(site, atom.site, node)
            return None
        if made is None or call is None or atom.type != kind or call.args:
            raise self._unknown(node)
        if made.symbol != self.params.generation_config_class or call in self.workspace.flow.leaked:
            raise self._unknown(node)
        made.rule = site.rule
        site.group.merge(made.group)
        self.objects[call] = made
        self._keep_fields(site, call, node)
        keys: set[str] = set()
        closed = True
        for keyword in call.keywords:
            if keyword.arg is None:
                self._check_spread(site, keyword.value)
                closed = False
            else:
                keys.add(keyword.arg)
                self.check_field(site, keyword.arg, keyword.value)
        return frozenset(keys) if closed else None

    def _is_given_away(self, node: ast.AST) -> bool:
        """Whether an expression is handed to code of another library, which may read any of it."""
        home = self.workspace.find_home(node)
        parent = home.parents.get(node) if home is not None else None
        if isinstance(parent, ast.keyword) and home is not None:
            parent = home.parents[parent]
        if not isinstance(parent, ast.Call) or parent.func is node:
            return False
        return any(
            isinstance(atom, External)
            and atom.name not in HARMLESS
            and not self.workspace.surface.is_legacy(atom.name)
            for atom in self.workspace.values(parent.func)
        )

    def _check_spread(self, site: Site, node: ast.expr) -> None:
        """``**fields`` of an object: legacy knew the same names."""
        for atom in in_order(self.workspace.values(node)):
            if isinstance(atom, Container) and self._is_mapping(atom.node):
                self._mapping_keys(site, atom, node)
        site.warn(WARNING)

    def check_field(self, site: Site, key: str, node: ast.expr) -> None:
        if key not in self.params.generation_config_keys:
            raise RefusedError(CODE, f"the legacy configuration has no field {key!r}")
        if key in self.params.list_keys and self.workspace.values(node) == frozenset({STR}):
            raise RefusedError(CODE, f"legacy took the text of {key!r} for a list of letters")
        if key in self.params.schema_keys and not isinstance(node, ast.Dict):
            self.note_schema(site, self.workspace.values(node))

    def note_schema(self, site: Site, values: Values) -> None:
        """Say that the new SDK reads a schema otherwise, but where it is written as a message."""
        if not only(values, Made):
            site.warn("schema_fields_required")

    def _keep_fields(self, site: Site, call: ast.AST, node: ast.expr) -> None:
        """Fields of an object are read and set by the same names; one that a model was made with
        was copied then, and may not change later."""
        for other in self.workspace.uses_of(call):
            assert isinstance(other.node, ast.Attribute)
            if other.node.attr not in self.params.generation_config_keys:
                raise RefusedError(CODE, f"`{ast.unparse(other.node)}` is not on the new object")
            if other.node.attr in self.params.mapping_keys:
                raise RefusedError(CODE, f"`{ast.unparse(other.node)}` was on no legacy object")
            if site.member is None and not isinstance(other.node.ctx, ast.Load):
                raise RefusedError(CODE, f"`{ast.unparse(other.node)}` changes it later")
            self.workspace.unchanged.add(other)

    def _is_changed(self, atom: Atom) -> bool:
        """Whether somebody sets a field of an object."""
        return isinstance(atom, Made) and any(
            not isinstance(getattr(use.node, "ctx", None), ast.Load)
            for use in self.workspace.uses_of(atom.site)
        )

    def has_uses(self, site: ast.AST) -> bool:
        return bool(self.workspace.uses_of(site))


def _is_promised(site: ast.AST) -> bool:
    """Whether an object is one that only an annotation speaks of: code that is not seen makes it,
    of the class the annotation will name."""
    return isinstance(site, ast.arg) or isinstance(getattr(site, "ctx", None), ast.Store)


def spreads(node: ast.AST) -> list[ast.expr]:
    """What is unpacked into a literal mapping."""
    if not isinstance(node, ast.Dict):
        return []
    return [v for key, v in zip(node.keys, node.values, strict=True) if key is None]
