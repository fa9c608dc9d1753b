"""Where the client of a module stands that configures the SDK.

Legacy had one global configuration; the new SDK has a client object. It is bound to the widest
name that its calls need: a module name, an attribute of ``self``, or a local variable when nothing
that depends on the client outlives the function. A client that is collected closes its transport
under its chats and streams, so one that may be replaced while they go on is kept by its key, and
one that may not be there yet is asked for (see `accessor`).
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import Literal

from msgspec import Struct, field

from chatport.port.packs.schema import ConfigureParams
from chatport.port.program.modules import Module
from chatport.port.program.values import Class, External
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.reach import Reach
from chatport.port.rules.timing import Late, Timing

EMPTY_BASES = {External("builtins.object"), External("abc.ABC"), External("typing.Protocol")}
AMBIGUOUS = "client_placement_ambiguous"


class Place(Struct, eq=False):
    """Where one module's client stands."""

    kind: Literal["module", "self", "local", "global"]
    configures: list[Site] = field(default_factory=list)
    name: str = ""
    lazy: bool = False
    """Calls ask for it: it may not have been made yet."""
    kept: bool = False
    """It may be replaced while what it made is in use, so each key's client is kept."""
    home: Module | None = None
    """The module that holds it, where that is not the one that configures."""
    alias: str = ""
    """What the module that configures calls `home`."""

    @property
    def of_module(self) -> bool:
        """Whether the whole module sees the name."""
        return self.kind in {"module", "global"}


class Placing:
    """Decides about the places of clients."""

    def __init__(self, workspace: Workspace, params: ConfigureParams, reach: Reach) -> None:
        self.workspace = workspace
        self.params = params
        self.reach = reach

    def place(
        self, module: Module, configures: list[Site], users: list[Site], borrowers: list[Site]
    ) -> Place:
        """The place of the client of a module; `users` are its calls that need one, `borrowers`
        those of modules that do not configure themselves."""
        lends = bool(borrowers)
        place = Place("module", configures)
        place.kind = self._kind(module, configures, users, lends=lends)
        users = users + borrowers
        if self._is_unsure(module, place, users):
            place.lazy = True
            if place.kind != "module":
                place.kind = "global"
        place.kept = self._is_replaced_in_use(module, place, users)
        if place.kept and any(map(self.reach.is_coroutine, users)) and self.reach.several_loops():
            for site in configures:
                site.refuse(AMBIGUOUS, "each of several event loops needs a client of its own")
        functions = self._functions(place)
        inside = all(self.reach.is_inside(functions, user) for user in users)
        if place.kept and place.kind == "global" and inside and not (lends or place.lazy):
            place.kind = "local"
        place.name = self._name(module, place.kind, configures)
        self._check_class_bodies(place)
        return place

    def _functions(self, place: Place) -> list[ast.AST]:
        found = [site.module.function(site.node) for site in place.configures]
        return [function for function in found if function is not None]

    def _kind(
        self, module: Module, configures: list[Site], users: list[Site], *, lends: bool
    ) -> Literal["module", "self", "local", "global"]:
        functions = [module.function(site.node) for site in configures]
        if all(function is None for function in functions):
            return "module"
        if users and not lends:
            if self.reach.by_self(module, configures, users):
                return "self"
            if all(functions) and self.reach.stays_inside(module, functions, users):
                return "local"
        return "global"

    # -- not there yet

    def _is_unsure(self, module: Module, place: Place, users: list[Site]) -> bool:
        """Whether a call may need the client where it has not been made; refuses where asking for
        it would not help."""
        timing = Timing(self.workspace, module, place.configures)
        unsure = False
        for user in users:
            late = timing.lateness(user)
            if late is Late.INSIDE or (late is Late.BEFORE and self.reach.binds(user)):
                for site in place.configures:
                    site.refuse(AMBIGUOUS, late.value)
            unsure |= late is not None or (place.kind == "self" and timing.skips(user))
        unseen = place.kind == "global" and self._is_never_run(place)
        return unsure or (unseen and not all(timing.is_led(user) for user in users))

    def _is_never_run(self, place: Place) -> bool:
        """Whether nobody who is seen runs a configuration: then the environment is likely to."""
        functions = self._functions(place)
        return len(functions) == len(place.configures) and not any(
            self.workspace.flow.calls.get(function) or self.workspace.flow.fact("exposed", function)
            for function in functions
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        )

    def _check_class_bodies(self, place: Place) -> None:
        for site in place.configures:
            if site.module.function(site.node) is None and site.module.class_of(site.node):
                site.refuse(AMBIGUOUS, "the methods of a class do not see its names")

    # -- replaced

    def _is_replaced_in_use(self, module: Module, place: Place, users: list[Site]) -> bool:
        """Whether the client may be made anew while something made by an earlier one, or a call
        that others run at the same time, still goes through that."""
        again = [site for site in place.configures if self._runs_again(module, place, site)]
        several = len(place.configures) > 1 and not self.reach.exclusive(module, place.configures)
        if place.kind == "local":
            several &= len({module.function(site.node) for site in place.configures}) == 1
            return (bool(again) or several) and any(self.reach.is_held(user) for user in users)
        in_use = any(
            user.call is not None and self.reach.outlives(user.module, user.call, pauses=True)
            for user in users
        )
        return ((bool(again) or several) and in_use) or any(
            self.reach.may_overlap(function) for site in again if (function := _around(site))
        )

    def _runs_again(self, module: Module, place: Place, site: Site) -> bool:
        function = module.function(site.node)
        if self.reach.in_loop(module, site.node):
            return True
        if function is None or place.kind == "local":
            return False
        return self.reach.may_run_again(function, of_instance=place.kind == "self")

    # -- naming

    def _name(self, module: Module, kind: str, configures: Sequence[Site]) -> str:
        if kind == "self":
            attributes = {n.attr for n in module.nodes(ast.Attribute)}
            return self.free_name(attributes | self._inherited(module, configures))
        if kind != "global":
            names = {self.reach.name_of_nothing(site) for site in configures}
            name = names.pop() if len(names) == 1 else None
            if name is not None and name.strip("_"):
                return name
        return self.free_name(module.scopes.names)

    def free_name(self, taken: Collection[str]) -> str:
        """What the client is called where the names in `taken` are something else's."""
        for name in (self.params.name, self.params.fallback_name):
            if name not in taken:
                return name
        number = 2
        while f"{self.params.fallback_name}_{number}" in taken:
            number += 1
        return f"{self.params.fallback_name}_{number}"

    def _inherited(self, module: Module, configures: Sequence[Site]) -> set[str]:
        """The attributes an object may have from classes elsewhere; of a class that is not in the
        repository, the first choice of a name."""
        flow = self.workspace.flow
        found: set[str] = set()
        for owner in {module.class_of(site.node) for site in configures} - {None}:
            assert owner is not None
            classes = {owner, *flow.ancestors.get(owner, ())}
            for atom in (a for cls in classes for base in cls.bases for a in flow.of(base)):
                home = flow.module_of.get(atom.node) if isinstance(atom, Class) else None
                if home is not None:
                    found |= {n.attr for n in home.nodes(ast.Attribute)}
                elif atom not in EMPTY_BASES:
                    found.add(self.params.name)
        return found


def _around(site: Site) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    function = site.module.function(site.node)
    return function if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else None
