"""Where the client a test must replace is born: what a stand-in is put in the place of.

Legacy looked its classes up in the SDK whenever a model was made. A ported program makes a client
and later reads it. So a stand-in for the class of models becomes one for the class of clients
where both are made at the same time, and one for the client's name where the client is there
before.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from msgspec import Struct

from chatport.port.program.modules import Module
from chatport.port.program.values import Instance
from chatport.port.rules import accessor
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.mocks.extents import Extents
from chatport.port.rules.mocks.targets import Patch, Role, Target, Targets
from chatport.port.rules.reach import Reach

CLIENTS = {Role.CONSTRUCTOR, Role.CONFIGURE, Role.PACKAGE, Role.MODEL}
"""What is replaced by a stand-in for the client."""


class Birth(Struct, frozen=True):
    """What a stand-in replaces now. `called`: it is called to give the client; otherwise it is
    the client. `name` is below `home`, or, where that is None, below the new SDK's module."""

    called: bool
    name: str
    home: Module | None = None


def follows_at_once(module: Module, one: ast.AST, other: ast.AST) -> bool:
    """Whether the statement of a node comes behind that of another one, in its block, or is it,
    and what stands between them only binds names."""
    first, second = module.statement(one), module.statement(other)
    block = next((b for b in _blocks(module.parents[first]) if first in b), [])
    if second not in block:
        return False
    between = block[block.index(first) + 1 : block.index(second)]
    return block.index(first) <= block.index(second) and not any(
        isinstance(part, ast.Call | ast.Raise | ast.Return | ast.Yield | ast.Await | ast.Assert)
        for statement in between
        for part in ast.walk(statement)
    )


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    return [
        value
        for _, value in ast.iter_fields(node)
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt)
    ]


class Births:
    """Finds births once the client of every call is placed."""

    def __init__(self, workspace: Workspace, targets: Targets) -> None:
        self.workspace: Workspace = workspace
        self.targets: Targets = targets
        self.reach: Reach = Reach(workspace)
        self.users: dict[Module, list[Site]] = {}
        for user in workspace.client_users:
            self.users.setdefault(user.module, []).append(user)

    def of(self, patch: Patch, extents: Extents) -> Birth | str:
        """The birth a patch has to do with, or why it is not known."""
        target = patch.target
        if target.role is Role.MODEL:
            return self._of_object(patch)
        if target.role is Role.CHAT:
            return Birth(called=False, name=patch.name.rpartition(".")[2], home=target.home)
        of_chat = target.role is Role.METHOD and self.targets.is_chat(target.made)
        if of_chat and (patch.is_held or patch.owner is not None):
            return Birth(called=False, name=ast.unparse(patch.owner or patch.node))
        if target.role is Role.METHOD:
            return self._of_object(patch) if target.made else Birth(called=False, name="")
        if target.role is Role.FACTORY:
            return f"`{target.member}` gives no model any more; {self._instead(target)}"
        if target.role is Role.VALUE:
            return Birth(called=False, name="")
        if target.role is Role.OTHER or self.targets.configure is None:
            return f"`{target.symbol}` is replaced here"
        return self._of_class(patch, extents)

    def _instead(self, target: Target) -> str:
        """What to replace, where a function that makes a model is replaced."""
        if target.home is None or self.targets.configure is None:
            return "replace the client"
        module = target.home.path.removesuffix(".py").replace("/", ".")
        package = self.workspace.names[target.home].package
        client = f"{module}.{package}.{self.targets.configure.client_class}"
        return f"let it run, and replace `{client}`"

    def of_function(
        self, patch: Patch, extents: Extents, known: Mapping[Patch, Birth]
    ) -> Birth | str:
        """The birth of the client whose method a free function is now, where it is replaced too;
        a birth without a name where the method is replaced on the class of its service."""
        home = patch.target.home
        modules = {home} if home is not None else self.loaded(patch.module)
        sites = [
            site
            for site in self.workspace.sites
            if site.symbol == patch.target.symbol and site.call is not None
        ]
        sites = [site for site in sites if site.module in modules]
        if not sites:
            return "it is not called where this is replaced"
        clients = [p for p in known if p.target.role in CLIENTS]
        beside = [p for p in clients if extents.are_beside(patch, p)]
        if beside:
            births = {self._of_site(site, patch, extents) for site in sites}
            births |= {known[p] for p in beside}
            return births.pop() if len(births) == 1 else "its calls are made on another client"
        function = extents.function_of(patch)
        near = [p for p in clients if extents.function_of(p) is function]
        if near or any(extents.runs_in(p, patch) or extents.runs_in(patch, p) for p in clients):
            return "the stand-in for the client has this one"
        return Birth(called=False, name="")

    def affected(self, patch: Patch) -> set[Module]:
        """The modules a patch is about: what it names, else what the test loads."""
        home = patch.target.home
        if home is not None:
            return {home}
        modules = {site.module for site in self.made() if site.module is not patch.module}
        loaded = {m for m in modules if self.reach.imports(patch.module, m)}
        return loaded or modules

    def relies(self, patch: Patch) -> set[Module]:
        """The modules that must be ported with the test: what it names, else what it loads of
        those that use the SDK."""
        home = patch.target.home
        return {home} if home is not None else self.loaded(patch.module)

    def loaded(self, test: Module) -> set[Module]:
        """The modules with uses of the SDK that a test loads; all where it loads none."""
        modules = {s.module for s in self.workspace.sites if s.rule != "mock_targets"}
        modules.discard(test)
        return {m for m in modules if self.reach.imports(test, m)} or modules

    def made(self) -> list[Site]:
        """Where models are made."""
        calls = self.targets.calls
        return [
            site
            for site in self.workspace.sites
            if calls is not None and site.symbol == calls.ctor_symbol and site.call is not None
        ]

    def _of_class(self, patch: Patch, extents: Extents) -> Birth | str:
        assert self.targets.configure is not None
        client = self.targets.configure.client_class
        if patch.target.role is Role.CONFIGURE and patch.target.home is not None:
            functions = self._configures(patch.target.home)
            if functions and all(patch.target.home.function(c.node) for c in functions):
                return self._of_configure(patch.target.home)
        modules = self.affected(patch)
        if patch.target.role is not Role.PACKAGE and patch.target.home is not None:
            modules |= {
                site.module
                for site in self.made()
                if site.module is not patch.module and self.reach.imports(patch.module, site.module)
            }
        made = [site for site in self.made() if site.module in modules]
        if not made and patch.target.role is Role.CONFIGURE:
            return Birth(called=True, name=client)
        if not made:
            return "no model is made where this is replaced"
        if not patch.target.follows:
            return Birth(called=True, name=client)
        births = {self._of_site(site, patch, extents) for site in made}
        if len(births) > 1:
            return "the modules it is about have their clients from different places"
        (birth,) = births
        if isinstance(birth, Birth) and not birth.called:
            callers = {m for m in self.users if m in modules or self.reach.imports(patch.module, m)}
            if callers != {birth.home}:
                return "several modules use the client"
        return birth

    def _of_site(self, site: Site, patch: Patch, extents: Extents) -> Birth | str:
        assert self.targets.configure is not None
        module = site.module
        configures = self._configures(module)
        functions = [module.function(one.node) for one in configures]
        function = module.function(site.node)
        client = self._client(module)
        if client == f"{accessor.GETTER}()":
            return Birth(called=True, name=accessor.GETTER, home=module)
        if function in functions:
            return self._of_configure(module)
        if client is not None and client.startswith("self."):
            owner = module.class_of(site.node)
            at_once = patch.target.role is Role.CONFIGURE or (
                owner is not None and extents.reaches(patch, owner)
            )
            if module not in self.workspace.kept_clients and at_once:
                return Birth(called=True, name=self.targets.configure.client_class)
        if client is None or not client.isidentifier() or any(functions):
            return "the client is made before, where the stand-in does not reach"
        if function is None:
            if configures or module in self.workspace.extra_imports:
                return "the client is made before, where the stand-in does not reach"
            return Birth(called=True, name=self.targets.configure.client_class)
        return Birth(called=False, name=client, home=module)

    def _of_configure(self, module: Module) -> Birth:
        """What gives a client where the module was configured."""
        assert self.targets.configure is not None
        if module in self.workspace.kept_clients:
            return Birth(called=True, name=accessor.KEEPER, home=module)
        return Birth(called=True, name=self.targets.configure.client_class)

    def one_each(self, made: list[Site]) -> bool:
        """Whether models are made each beside a configuration of its own, so that stand-ins for
        the two classes are called equally often."""
        places = [self._block(site) for site in made]
        modules = {site.module for site in made}
        functions = {site.module.function(site.node) for site in made}
        beside = [
            self._block(site)
            for module in modules
            for site in self._configures(module)
            if module.function(site.node) in functions
        ]
        return sorted(places) == sorted(beside) and len(set(places)) == len(places)

    def at_once(self, made: list[Site]) -> bool:
        """Whether each model is made right behind a configuration: where the one fails, the other
        fails in its place, and nothing that could be seen was done between them."""
        return bool(made) and all(
            any(
                follows_at_once(site.module, one.node, site.node)
                for one in self._configures(site.module)
            )
            for site in made
        )

    def _block(self, site: Site) -> int:
        return id(site.module.parents[site.module.statement(site.node)])

    def _configures(self, module: Module) -> list[Site]:
        assert self.targets.configure is not None
        return [
            site
            for site in self.workspace.sites
            if site.module is module and site.symbol == self.targets.configure.symbol and site.call
        ]

    def _client(self, module: Module) -> str | None:
        """The one expression a module reads its client with."""
        said = {self.workspace.client_of.get(user) for user in self.users.get(module, [])}
        return said.pop() if len(said) == 1 else None

    def _of_object(self, patch: Patch) -> Birth | str:
        """The client that is read where a model of the program was."""
        target = patch.target
        modules = {
            m for m, users in self.users.items() if any(target.made in u.owners for u in users)
        }
        if len(modules) != 1:
            return "the model is used in several modules, or nowhere"
        (module,) = modules
        client = self._client(module)
        if client is None:
            return "calls on it are made on different clients"
        functions = [module.function(one.node) for one in self._configures(module)]
        if client.isidentifier() and not any(functions) and target.home is module:
            others = self.users[module]
            birth = Birth(called=False, name=client, home=module)
        else:
            head, _, name = client.partition(".")
            holder = patch.holder
            if target.home is not None or holder is None or head != "self" or not name:
                return "the client that takes its place cannot be named from here"
            classes = {module.class_of(u.node) for u in self.users[module]}
            if module in self.workspace.kept_clients or not self._is_of(holder, classes):
                return "the client that takes its place is not of this object alone"
            others = [u for u in self.users[module] if module.class_of(u.node) in classes]
            birth = Birth(called=False, name=name)
        stays = patch.is_held or target.role is Role.METHOD
        if stays and self._serves_others(target, others):
            return "the client that takes its place is asked for other things too"
        return birth

    def _is_of(self, owner: ast.expr, classes: set[ast.ClassDef | None]) -> bool:
        """Whether an object is of all of these classes."""
        ancestors = self.workspace.flow.ancestors
        kinds = {a.node for a in self.workspace.values(owner) if isinstance(a, Instance)}
        return bool(kinds) and all(classes <= {k, *ancestors.get(k, ())} for k in kinds)

    def _serves_others(self, target: Target, users: list[Site]) -> bool:
        """Whether a stand-in in the client's place would answer what legacy's did not."""
        return any(
            target.made not in user.owners
            and (target.role is Role.MODEL or user.member == target.member)
            for user in users
        )
