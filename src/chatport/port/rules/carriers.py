"""Carriers: what stands in a variable after its legacy model is gone.

*Folded*: the name and the configuration mean the same at every call, so each call restates them
and the constructor goes; one of many lines is named all the same, where several would. *Named*:
the variable holds the model's name, and its configuration, if there is any, stands beside it under
``<variable>_config``; both are evaluated where the constructor was. *Bundled*: where a model
travels and its configuration must go with it, both are one mapping,
``{"model": ..., "config": ...}``, which each call takes as its arguments. Folding never moves an
effect, never repeats one, never outlives a rebinding.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from chatport.port.packs.schema import ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.scopes import COMPREHENSIONS, FUNCTIONS
from chatport.port.program.values import Container, Made
from chatport.port.render.layout import (
    Element,
    Sequence,
    Text,
    Value,
    call,
    keyword,
)
from chatport.port.rules.base import Group, RefusedError, Site, Workspace
from chatport.port.rules.bases import CODE
from chatport.port.rules.config import Config, as_item
from chatport.port.rules.identity import hashed, models_in, named_in_text, told_apart
from chatport.port.rules.kept_tables import merge_tables
from chatport.port.rules.portable import is_portable, is_pure
from chatport.port.rules.reach import has_slots

LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.comprehension, *COMPREHENSIONS)
WHY_TRAVELS = "the model travels with its configuration; where it arrives, both are needed"

MANY = 4
"""The settings from which on a configuration is not said again at each call."""


class Ctor(Struct, eq=False):
    """A model constructor, and how it lives on."""

    site: Site
    call: ast.Call
    arguments: dict[str, ast.expr] = field(default_factory=dict)
    model: ast.expr | None = None
    config: Config = field(default_factory=Config)
    uses: list[Site] = field(default_factory=list)
    folded: bool = False
    sibling: bool = False
    """Named, and its configuration stands in a variable beside it."""
    written_over: bool = False
    """A call writes fields of its own over its configuration."""
    bundled: bool = False
    """Name and configuration are one mapping."""

    @property
    def statement(self) -> ast.Assign | ast.AnnAssign | None:
        """The assignment whose whole value the constructor is, to one target."""
        parent = self.site.module.parents[self.call]
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            return parent if parent.value is self.call else None
        return parent if isinstance(parent, ast.AnnAssign) and parent.value is self.call else None

    @property
    def target(self) -> ast.expr | None:
        statement = self.statement
        if isinstance(statement, ast.Assign):
            return statement.targets[0]
        return statement.target if statement is not None else None

    @property
    def is_receiver(self) -> bool:
        """Whether a method is called on the constructor itself."""
        return isinstance(self.site.module.parents[self.call], ast.Attribute)


class Carriers:
    """Decides for every group and answers what a call restates."""

    def __init__(self, workspace: Workspace, params: ModelCallsParams) -> None:
        self.workspace = workspace
        self.params = params
        self.ctors: list[Ctor] = []
        self._is_sole: dict[tuple[Module, str], bool] = {}
        """Whether the attributes of a name only ever hold what constructors make."""

    # -- deciding

    def decide(self, ctors: list[Ctor], receivers: Iterable[ast.AST]) -> None:
        """Choose folded or named for each group; refuses what neither can carry."""
        self.ctors = ctors
        self._receivers = set(receivers)
        groups: dict[Group, list[Ctor]] = {}
        for ctor in ctors:
            groups.setdefault(ctor.site.group.root(), []).append(ctor)
        for members in groups.values():
            for ctor in members:
                if self._is_public(ctor):
                    ctor.site.refuse(
                        "model_object_escapes", "code that is not seen may read the model"
                    )
            if all(self._can_fold(ctor) for ctor in members):
                named = self._is_better_named(members)
                for ctor in members:
                    ctor.sibling, ctor.folded = named, not named
            else:
                self._name(members)
                self._check_told_apart(members)
        self._check_programs_in_text()

    def _check_told_apart(self, members: list[Ctor]) -> None:
        homes = self.workspace.homes
        for ctor in members:
            for node in self._holders_of(ctor):
                if not isinstance(node, ast.expr) or node not in homes:
                    continue
                why = told_apart(self.workspace, homes[node], node)
                parent = homes[node].parents[node]
                if isinstance(parent, ast.Compare) and self._differ(parent):
                    why = None
                if why is None and ctor.bundled:
                    why = hashed(self.workspace, homes[node], node)
                if why is not None:
                    ctor.site.refuse("model_object_escapes", why)

    def _differ(self, node: ast.Compare) -> bool:
        """Whether names are equal just where the models were the same one."""
        made = models_in(self.workspace, [node.left, *node.comparators])
        ctors = [ctor for ctor in self.ctors if ctor.call in made]
        names = {ast.unparse(ctor.model) for ctor in ctors if ctor.model is not None}
        return len(names) == len(made) and all(self._is_one_name(ctor) for ctor in ctors)

    def _is_one_name(self, ctor: Ctor) -> bool:
        """Whether a constructor runs once and its model has a literal name."""
        module, node = ctor.site.module, ctor.site.node
        while node in module.parents:
            node = module.parents[node]
            if isinstance(node, (*FUNCTIONS, *LOOPS)):
                return False
        return isinstance(ctor.model, ast.Constant) and not ctor.bundled

    def _check_programs_in_text(self) -> None:
        """A program in a string that is run may call what is no model any more."""
        by_name: dict[Module, dict[str, list[Ctor]]] = {}
        for ctor in self.ctors:
            target = ctor.target
            name = target.id if isinstance(target, ast.Name) else getattr(target, "attr", None)
            if name is not None:
                by_name.setdefault(ctor.site.module, {}).setdefault(name, []).append(ctor)
        for module, names in by_name.items():
            for name, runner in named_in_text(self.workspace, module, names).items():
                for ctor in names[name]:
                    ctor.site.refuse("dynamic_reference", f"`{ast.unparse(runner)[:60]}`")

    def _is_better_named(self, members: list[Ctor]) -> bool:
        """Whether several calls would say a configuration again that takes many lines, and all of
        them see a name it can be given."""
        uses = [use for ctor in members for use in ctor.uses]
        return any(map(self._is_long_to_say, members)) and self._has_siblings(members, uses)

    def _is_long_to_say(self, ctor: Ctor) -> bool:
        rows = len(ctor.config.safety.rows) if ctor.config.safety is not None else 0
        rewrites = [self.params.rewrites.get(use.member or "") for use in ctor.uses]
        restated = [one for one in rewrites if one and one.configures and not one.drops_config]
        return len(restated) > 1 and len(ctor.config.entries) + rows >= MANY

    def _can_fold(self, ctor: Ctor) -> bool:
        if ctor.model is None or ctor.site.refusal is not None:
            return True
        if any(len(self._makers(use)) != 1 for use in ctor.uses):
            return False
        if ctor.is_receiver:
            return True
        if ctor.target is None or not self._only_receivers(ctor) or self._empties_block(ctor):
            return False
        if self._reads_changed(ctor):
            return False
        # A constructor nobody calls keeps what its arguments do.
        return all(self._is_portable(ctor, use) for use in ctor.uses or [ctor.site])

    def _reads_changed(self, ctor: Ctor) -> bool:
        """Whether a list or mapping that is changed later is read when the model is made. As the
        value of a generation field it was only kept, and read by each call."""
        return any(
            isinstance(atom, Container) and atom.node in self.workspace.flow.mutated
            for entry in ctor.config.entries
            for node in entry.nodes()
            for part in ast.walk(node)
            if not (entry.generation and part is node)
            for atom in self.workspace.flow.values.get(part, ())
        )

    def _empties_block(self, ctor: Ctor) -> bool:
        """Whether the assignment is all there is in a block other than a function's."""
        module, statement = ctor.site.module, ctor.statement
        assert statement is not None
        parent = module.parents[statement]
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module | ast.ClassDef):
            return False
        blocks = [value for _, value in ast.iter_fields(parent) if isinstance(value, list)]
        return any(block == [statement] for block in blocks)

    def _is_public(self, ctor: Ctor) -> bool:
        """Whether the model can be reached by a name that is not written in the repository: one in
        ``__all__``, or an attribute that is read by a computed name."""
        module, target = ctor.site.module, ctor.target
        if isinstance(target, ast.Attribute):
            owner = module.class_of(ctor.call)
            flow = self.workspace.flow
            return owner is not None and any(
                cls is owner
                or owner in flow.ancestors.get(cls, ())
                or cls in flow.ancestors.get(owner, ())
                for cls in flow.dynamic
            )
        if not isinstance(target, ast.Name) or module.function(ctor.call) is not None:
            return False
        return target.id in module.offered

    def _makers(self, use: Site) -> set[ast.AST]:
        return {owner.site for owner in use.owners}

    def _is_portable(self, ctor: Ctor, use: Site) -> bool:
        assert ctor.model is not None
        home = ctor.site.module
        return is_portable(home, ctor.model, use.module, use.node) and ctor.config.is_portable(
            use.module, use.node
        )

    def _only_receivers(self, ctor: Ctor) -> bool:
        """Whether the model is only assigned once and then called, so that it can vanish."""
        if not self._is_sole_store(ctor):
            return False
        for node in self._holders_of(ctor):
            if node in self._receivers or node is ctor.target:
                continue
            return False
        return ctor.call not in self.workspace.flow.leaked

    def _holders_of(self, ctor: Ctor) -> list[ast.AST]:
        kind = self.workspace.surface.makes[self.params.ctor_symbol]
        return self.workspace.holders.get(Made(kind, ctor.call), [])

    def _is_sole_store(self, ctor: Ctor) -> bool:
        """Whether the target holds this model and nothing else, ever."""
        target = ctor.target
        flow = self.workspace.flow
        if isinstance(target, ast.Name):
            variable = ctor.site.module.scopes.variable[target]
            return all(self.is_ctor_store(ctor.site.module, s) for s in variable.stores)
        if isinstance(target, ast.Attribute):
            key = (ctor.site.module, target.attr)
            if key not in self._is_sole:
                self._is_sole[key] = all(
                    isinstance(atom, Made) and isinstance(atom.site, ast.Call)
                    for node in self._attribute_stores(ctor, target)
                    for atom in flow.of(node)
                )
            return self._is_sole[key]
        return False

    def _attribute_stores(self, ctor: Ctor, target: ast.Attribute) -> list[ast.AST]:
        module = ctor.site.module
        return [
            node
            for node in module.nodes(ast.Attribute)
            if node.attr == target.attr and isinstance(node.ctx, ast.Store | ast.Del)
        ]

    def is_ctor_store(self, module: Module, store: ast.AST) -> bool:
        values = self.workspace.flow.values.get(store, frozenset())
        return bool(values) and all(
            isinstance(atom, Made) and isinstance(atom.site, ast.Call) for atom in values
        )

    def _name(self, members: list[Ctor]) -> None:
        for ctor in members:
            if ctor.call in self.workspace.flow.leaked:
                ctor.site.refuse(
                    "model_object_escapes", "the model is handed to code that is not followed"
                )
        configured = [ctor for ctor in members if ctor.config]
        if not configured:
            return
        uses = [use for ctor in members for use in ctor.uses]
        if self._has_siblings(members, uses):
            for ctor in members:
                ctor.sibling = True
        elif all(len(self._makers(use)) == 1 for use in uses) and all(
            ctor.config.is_portable(use.module, use.node) for ctor in members for use in ctor.uses
        ):
            return  # each call restates it
        elif any(ctor.is_receiver for ctor in members):
            configured[0].site.refuse("model_object_escapes", WHY_TRAVELS)
        else:
            for ctor in members:
                ctor.bundled = True

    def _has_siblings(self, members: list[Ctor], uses: list[Site]) -> bool:
        """Whether every call names the variable a constructor was assigned to."""
        names = {_target_key(ctor.site.module, ctor.target) for ctor in members}
        for use in uses:
            receiver = use.node.value if isinstance(use.node, ast.Attribute) else None
            if _target_key(use.module, receiver) not in names:
                return False
        if None in names or any(self._sibling_is_taken(ctor) for ctor in members):
            return False
        return all(self._stores_are_known(ctor) for ctor in members)

    def _sibling_is_taken(self, ctor: Ctor) -> bool:
        """Whether the program has a variable or an attribute of the sibling's name."""
        module, target = ctor.site.module, ctor.target
        if isinstance(target, ast.Name):
            return self.sibling_text(target.id) in module.scopes.names
        name = self.sibling_text(target.attr) if isinstance(target, ast.Attribute) else ""
        attributes = {node.attr for node in module.nodes(ast.Attribute)}
        return name in attributes | module.scopes.names

    def _stores_are_known(self, ctor: Ctor) -> bool:
        """Whether whatever else the target is given is None or another constructor."""
        target = ctor.target
        if isinstance(target, ast.Name):
            variable = ctor.site.module.scopes.variable[target]
            return all(
                self.is_ctor_store(ctor.site.module, store) or self._is_none_store(store)
                for store in variable.stores
            )
        owner = ctor.site.module.class_of(ctor.call)
        return owner is None or not has_slots(owner)

    def _is_none_store(self, store: ast.AST) -> bool:
        values = self.workspace.flow.values.get(store, frozenset())
        return bool(values) and not any(isinstance(atom, Made) for atom in values)

    # -- answering

    def model_at(self, use: Site, ctors: list[Ctor]) -> Value:
        """The model argument of a call."""
        ctor = ctors[0]
        if ctor.folded:
            assert ctor.model is not None
            return self.workspace.drafts[ctor.site.module].carried(ctor.model)
        if ctor.bundled:
            return Text(self._item(use, self.params.model_keyword))
        receiver = use.node
        assert isinstance(receiver, ast.Attribute)
        return self.workspace.draft(use).carried(receiver.value)

    def names_at(self, site: Site, ctors: list[Ctor]) -> bool:
        """Whether the name of a model can be said at a place that is no call of it."""
        if not ctors[0].folded:
            return True
        (ctor, *others), model = ctors, ctors[0].model
        if others or model is None or not isinstance(model, ast.Name | ast.Attribute):
            return False
        return is_portable(ctor.site.module, model, site.module, site.node)

    def bundle_at(self, use: Site, ctors: list[Ctor]) -> Element | None:
        """The mapping a call is given whole: model and configuration; None when there is none."""
        if not ctors or not ctors[0].bundled:
            return None
        assert isinstance(use.node, ast.Attribute)
        return Element(self.workspace.draft(use).carried(use.node.value), "**")

    def _item(self, use: Site, key: str) -> str:
        """One of the two items of a bundle."""
        assert isinstance(use.node, ast.Attribute)
        draft = self.workspace.draft(use)
        return f"{draft.owner(use.node.value)}[{draft.style.string(key)}]"

    def held_config(self, use: Site, ctors: list[Ctor]) -> str:
        """The configuration that stands beside a model, or with it."""
        if ctors[0].bundled:
            return self._item(use, self.params.config_keyword)
        assert isinstance(use.node, ast.Attribute)
        return self.sibling_text(self.workspace.draft(use).text(use.node.value))

    def config_at(
        self, site: Site, ctors: list[Ctor], own: Config, target: Site | None = None
    ) -> Config | None:
        """What a call on these models restates; None when the sibling says it. With `target`, the
        configuration is restated somewhere else than at `site`."""
        if not ctors:
            return own
        ctor = ctors[0]
        if (ctor.sibling or ctor.bundled) and target is None:
            if ctor.bundled and own:
                self._check_parts(site, ctors)
            self._check_taken(own)
            for one in ctors if own else ():
                merge_tables(one.config.safety, own.safety)  # can it be?
                one.written_over = True
            return None
        if target is not None and not ctor.config.is_portable(target.module, target.node):
            raise RefusedError(
                "config_not_portable",
                "the model's configuration cannot be restated at this message",
            )
        if target is not None and len(ctors) > 1:
            raise RefusedError("config_not_portable", "the chat may come from several models")
        config = ctor.config if ctor.is_receiver else ctor.config.without_comments()
        return config.merged(own)

    def _check_taken(self, own: Config) -> None:
        """An object over a configuration that stands beside the model gives what it states."""
        taken = own.taken
        if taken is None:
            return
        simple = not any(taken.may_state(key) for key in self.params.schema_keys)
        if taken.nullable or not simple or not is_pure(taken.node):
            raise RefusedError(
                CODE, f"what `{ast.unparse(taken.node)[:60]}` states over the model's is not known"
            )

    def _check_parts(self, site: Site, ctors: list[Ctor]) -> None:
        """A call with fields of its own reads a mapping twice, and needs a configuration in it."""
        assert isinstance(site.node, ast.Attribute)
        if not is_pure(site.node.value):
            receiver = ast.unparse(site.node.value)[:60]
            raise RefusedError("config_not_portable", f"`{receiver}` would be evaluated twice")
        if not all(ctor.config for ctor in ctors):
            raise RefusedError(
                "config_not_portable", "one of the models this is called on has no configuration"
            )

    def stated(self, site: Site, merged: Config) -> Element | None:
        """``config=...`` written out; None when there is nothing to say."""
        if not merged:
            return None
        value = merged.value(self.workspace, site.module, self.params.config_class)
        return keyword(self.params.config_keyword, value)

    def updated(self, site: Site, sibling: str, ctors: list[Ctor], own: Config) -> Element:
        """``config=`` a sibling variable, with a call's own fields written over it."""
        name = self.params.config_keyword
        if not own:
            return keyword(name, sibling)
        if own.safety is not None and ctors[0].config.safety is not None:
            theirs = ctors[0].config.safety.without_comments()
            own = replace(own, safety=merge_tables(theirs, own.safety))
        if any(e.optional and any(c.config.states(e.key) for c in ctors) for e in own.entries):
            own = replace(own, entries=tuple(e.over_field(sibling) for e in own.entries))
        draft = self.workspace.draft(site)
        elements = own.elements(self.workspace, site.module)
        if (taken := own.taken) is not None:
            dumped = f"{draft.owner(taken.node)}.model_dump(exclude_none=True)"
            elements = (Element(Text(dumped), "**"), *elements)
        if len(elements) == 1 and elements[0].prefix == "**":
            update = replace(elements[0], prefix="update=")
            return keyword(name, call(f"{sibling}.model_copy", (update,)))
        fields = tuple(as_item(element, draft.style) for element in elements)
        display = Sequence("{", fields, "}", own.explode, own.note, own.last)
        return keyword(name, call(f"{sibling}.model_copy", (keyword("update", display),)))

    def sibling_text(self, target: str) -> str:
        return f"{target}_config"

    def sibling_at(self, ctor: Ctor, site: Site) -> str | None:
        """The sibling's name where it means the same at another place of the module."""
        target, module = ctor.target, ctor.site.module
        if module is not site.module:
            return None
        if isinstance(target, ast.Name):
            scope = module.scopes.around.get(site.node)
            variable = module.scopes.variable[target]
            seen = scope.lookup(target.id) if scope is not None else None
            alone = len(variable.stores) == 1
            return self.sibling_text(target.id) if seen is variable and alone else None
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            owner = module.class_of(site.node)
            function = module.function(site.node)
            if owner is None or owner is not module.class_of(ctor.call) or function is None:
                return None
            first = function.args.args[:1]
            if first and first[0].arg == target.value.id:
                return self.sibling_text(f"{target.value.id}.{target.attr}")
        return None


def _target_key(module: Module, node: ast.AST | None) -> tuple[object, ...] | None:
    """What an assignment target and a receiver have in common when they name one variable."""
    if isinstance(node, ast.Name):
        variable = module.scopes.variable.get(node)
        return ("name", variable) if variable is not None else None
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return ("attribute", node.attr)
    return None
