"""What rules share: the sites they decide about, the groups those form, the workspace of a run.

A *site* is one use of the legacy SDK. A rule claims sites, adds rewrites to the drafts and may
refuse; a refusal spreads through the site's *group* (a constructor and all that it leads to), and
from there to the file. Nothing a refused file drafted is used.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Protocol, TypeVar

from msgspec import Struct, field

from chatport.port.findings import Kind, Verdict
from chatport.port.packs.surface import PackSurface
from chatport.port.program.flow import Flow
from chatport.port.program.modules import Layout, Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.threads import Runner
from chatport.port.program.values import Container, Made, Values
from chatport.port.render.draft import Draft
from chatport.port.render.layout import Style

T = TypeVar("T")

CONFIGURE = "configure_to_client"
"""The rule of what configures the SDK."""


class Refusal(Struct, frozen=True):
    """Why a site is not rewritten: a code, what about this place, and what a person would write."""

    code: str
    detail: str = ""
    suggestion: str | None = None
    verdict: Verdict = Verdict.REVIEW


class RefusedError(Exception):
    """Raised while reading an argument; carries the refusal."""

    def __init__(self, code: str, detail: str, suggestion: str | None = None) -> None:
        super().__init__(code)
        self.refusal: Refusal = Refusal(code, detail, suggestion)


class Group(Struct, eq=False):
    """Sites that stand or fall together; `parent` makes it a union-find forest."""

    parent: Group | None = None
    sites: list[Site] = field(default_factory=list)

    def root(self) -> Group:
        group = self
        while group.parent is not None:
            group = group.parent
        return group

    def merge(self, other: Group) -> None:
        mine, theirs = self.root(), other.root()
        if mine is not theirs:
            theirs.parent = mine
            mine.sites += theirs.sites
            theirs.sites = []


class Site(Struct, eq=False):
    """One use of the legacy SDK. `node` is the expression (or alias) that names it, `call` the
    call it is the callee of."""

    module: Module
    node: ast.AST
    symbol: str
    kind: Kind
    call: ast.Call | None = None
    attribute: str | None = None
    """The member of the class `symbol` that is read."""
    member: str | None = None
    """``Type.name`` for a use of a legacy object."""
    owners: tuple[Made, ...] = ()
    """The legacy objects the member is used on."""
    runner: Runner | None = None
    """How `call` runs the member that it is given, where it does not call it itself."""
    mixed: bool = False
    """The receiver may also be something else."""
    quoted: str = ""
    """How `symbol` is written in the quotes of an annotation."""
    rule: str | None = None
    refusal: Refusal | None = None
    warnings: list[str] = field(default_factory=list)
    group: Group = field(default_factory=Group)
    is_waived: bool = False
    """Whatever speaks against its rewrite is let pass: what is drafted is only suggested."""

    def __post_init__(self) -> None:
        self.group.sites.append(self)

    def refuse(
        self,
        code: str,
        detail: str = "",
        suggestion: str | None = None,
        verdict: Verdict = Verdict.REVIEW,
    ) -> None:
        """Only the first refusal of a site counts."""
        if self.refusal is None and not self.is_waived:
            self.refusal = Refusal(code, detail, suggestion, verdict)

    def warn(self, code: str) -> None:
        if code not in self.warnings:
            self.warnings.append(code)

    def in_quotes(self, new: str) -> str:
        """What a quoted annotation says with another name in place of the legacy one."""
        assert isinstance(self.node, ast.Constant)
        pattern = rf"(?<![\w.]){re.escape(self.quoted)}(?!\w)"
        return re.sub(pattern, lambda _: new, str(self.node.value))

    @property
    def expression(self) -> ast.expr:
        """What a rewrite replaces: the call, or the name itself."""
        node = self.call or self.node
        assert isinstance(node, ast.expr)
        return node

    @property
    def serves_all(self) -> bool:
        """Whether the site may be there for both SDKs at once: an import, a configuration."""
        return self.kind is Kind.IMPORT or self.rule == CONFIGURE

    @property
    def arguments(self) -> ast.Call:
        """The call with the arguments that the member itself gets."""
        assert self.call is not None
        if self.runner is None:
            return self.call
        assert isinstance(self.node, ast.expr)
        given = self.call.args[self.runner.callee + 1 :]
        return ast.Call(func=self.node, args=given, keywords=self.call.keywords)


class StandIn(Struct, frozen=True):
    """What a test puts, or expects to be, where the program keeps a legacy object."""

    made: Made
    """The object of the program."""
    member: str = ""
    """``Type.method``, where it is only a method of it that is a stand-in."""


class Called(Struct, frozen=True):
    """The name an answer is given, and the call it comes from."""

    name: str
    maker: Site


class Names(Struct):
    """How the emitted code of one module names things."""

    package: str
    """The new SDK's module, under the author's alias."""
    types: str
    """The module of the new types."""
    services: dict[str, str] = field(default_factory=dict)
    """Other modules beside the types -> the names they are written with."""


class Stays(Struct, frozen=True):
    """What is known to stay on the legacy SDK, where files may live on both."""

    nodes: frozenset[ast.AST] = frozenset()
    """The uses that are left as they are."""
    beside: frozenset[ast.AST] = frozenset()
    """The configurations that stay, and have a client made beside them."""
    modules: frozenset[Module] = frozenset()
    """The modules that have some of either."""


class Workspace:
    """One pack applied to one repository."""

    def __init__(
        self,
        surface: PackSurface,
        modules: Iterable[Module],
        layout: Layout,
        flow: Flow,
        style: Callable[[Module], Style],
        stays: Stays | None = None,
        *,
        waives: bool = False,
    ) -> None:
        self.surface = surface
        self.waives = waives
        """Whether the rules draft on what they cannot prove; nothing of it is ever written."""
        self.stays: Stays = stays or Stays()
        self.layout = layout
        self.flow = flow
        self.modules: list[Module] = list(modules)
        self.drafts: dict[Module, Draft] = {
            module: Draft(module, style(module)) for module in self.modules
        }
        self.sites: list[Site] = []
        self._uses: dict[ast.AST, list[Site]] = {}
        self._filed = 0
        """How many of the sites are in `_uses`."""
        self.by_node: dict[ast.AST, Site] = {}
        """Sites by the node that names them, and by the call they are the callee of."""
        self.names: dict[Module, Names] = {}
        self.consumed: set[ast.AST] = set()
        """Reads of legacy names that vanish with the code around them."""
        self.importers: set[Module] = set()
        """Modules that import the legacy SDK themselves."""
        self.unchanged: set[Site] = set()
        """Uses that mean the same on both sides: no findings."""
        self.stand_ins: dict[Site, StandIn] = {}
        """Attributes in tests that are stand-ins; they belong to no group of the program."""
        self.stood_for: set[ast.AST] = set()
        """The objects that only a stand-in for a method of theirs is read from, or put into."""
        self.extra_imports: dict[Module, list[tuple[str, str]]] = {}
        """``from first import second`` that a module needs besides the new SDK."""
        self.kept_clients: set[Module] = set()
        """Modules that keep a client for each key."""
        self.functions: dict[Module, list[str]] = {}
        """The definitions that a module is given below its imports."""
        self.below_imports: dict[Module, Callable[[], None]] = {}
        """Drafts what a module is given below its imports, once those are drafted."""
        self.dependencies: list[tuple[Module, Module]] = []
        self.followers: list[tuple[Module, Module]] = []
        self.wholes: list[tuple[Module, Module]] = []
        """Pairs of modules that no site of which is ported without all others."""
        self.requires: list[tuple[Site, Site]] = []
        """Sites, and others without whose rewrite theirs is of no use."""
        self.awaited: set[ast.Call] = set()
        """Calls that make an object of which every call is awaited."""
        self.streams: set[ast.Call] = set()
        """Calls whose result is a stream, which stops when its client is collected."""
        self.embedded: dict[Site, bool | None] = {}
        """Calls that embed -> whether they embed several texts; None where it may be either."""
        self.declared_global: set[ast.AST] = set()
        self.taken: dict[tuple[Module, FunctionNode | None], set[str]] = {}
        """The names that were given to something in a body."""
        self.answer_names: dict[ast.Call, str] = {}
        """Calls in statements of their own, whose answer is given a name -> the name."""
        self.called: dict[ast.AST, Called] = {}
        """Expressions that are read by a name instead."""
        self.client_of: dict[Site, str] = {}
        """The client each client-rooted site is called on, once placed."""
        self.client_users: list[Site] = []
        self.early: set[ast.AST] = set()
        """Models that are made in a statement before the call they were made in."""

    @cached_property
    def holding(self) -> list[tuple[ast.AST, Values]]:
        """The expressions that may hold a legacy object or a container, with what they may hold."""
        kinds = (Made, Container)
        return [
            (node, values)
            for node, values in self.flow.values.items()
            if any(isinstance(atom, kinds) for atom in values)
        ]

    @cached_property
    def holders(self) -> dict[Made, list[ast.AST]]:
        """Legacy object -> the expressions that may hold it, the one that makes it left out."""
        found: dict[Made, list[ast.AST]] = {}
        for node, values in self.holding:
            for atom in values:
                if isinstance(atom, Made) and atom.site is not node:
                    found.setdefault(atom, []).append(node)
        return found

    @cached_property
    def homes(self) -> dict[ast.AST, Module]:
        """Every node of the repository but the roots -> the module it stands in."""
        return {node: module for module in self.modules for node in module.parents}

    def add(self, site: Site) -> None:
        if self.waives:
            site.is_waived, site.refusal = True, None
        self.sites.append(site)
        self.by_node[site.node] = site
        if site.call is not None:
            self.by_node[site.call] = site

    def premise(self, step: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """What a step reads; where it refuses and premises are waived, what a person would take
        it for. Raises `RefusedError`."""
        try:
            return step()
        except RefusedError:
            if not self.waives:
                raise
            return otherwise()

    def uses_of(self, made: ast.AST) -> Sequence[Site]:
        """The uses of what an expression makes, in the order they were found."""
        for site in self.sites[self._filed :]:
            for owner in dict.fromkeys(owner.site for owner in site.owners):
                self._uses.setdefault(owner, []).append(site)
        self._filed = len(self.sites)
        return self._uses.get(made, ())

    def home(self, node: ast.AST) -> Module:
        """The module a node stands in."""
        return self.homes[node]

    def find_home(self, node: ast.AST) -> Module | None:
        """The module a node stands in; None where it is no node of the repository."""
        return self.homes.get(node)

    def imported_module(self, module: Module, statement: ast.ImportFrom) -> Module | None:
        """The module of the repository that a statement imports names from."""
        if statement.level:
            path = self.layout.find_relative(statement.module, statement.level, module.path)
        else:
            path = self.layout.find(statement.module or "", module.path)
        return next((other for other in self.modules if other.path == path), None)

    def values(self, node: ast.AST) -> Values:
        return self.flow.of(node)

    def draft(self, site: Site) -> Draft:
        return self.drafts[site.module]

    def types(self, module: Module, name: str) -> str:
        """``types.Name`` as the module writes it; notes that the import is needed."""
        self.drafts[module].needs.add("types")
        return f"{self.names[module].types}.{name}"

    def service(self, module: Module, name: str) -> str:
        """``service.Name`` of a module beside the types; notes that its import is needed."""
        service, _, rest = name.partition(".")
        self.drafts[module].needs.add(service)
        return f"{self.names[module].services[service]}.{rest}"

    def expression(self, module: Module, text: str) -> str:
        """A pack's constant expression in a module's names."""
        if text.startswith("types."):
            self.drafts[module].needs.add("types")
            text = text.replace("types.", self.names[module].types + ".")
        return text.replace('"', self.drafts[module].style.quote)

    def use_client(self, site: Site) -> None:
        """The site's rewrite calls the client."""
        self.client_users.append(site)

    def client(self, site: Site) -> str:
        """The expression of the client at a site; known once clients are placed."""
        return self.client_of[site]

    def package(self, module: Module) -> str:
        """The new SDK's module as `module` writes it; notes that the import is needed."""
        self.drafts[module].needs.add("package")
        return self.names[module].package

    def keep_whole(self, one: Module, other: Module) -> None:
        """Two modules, or one by itself, are ported together and whole, or not at all."""
        self.wholes.append((one, other))

    def depend(self, one: Module, other: Module) -> None:
        """Two modules are ported together or not at all."""
        self.dependencies.append((one, other))

    def follow(self, one: Module, other: Module) -> None:
        """`one` is ported only with `other`, which goes without it too."""
        self.followers.append((one, other))


class Rule(Protocol):
    """One kind of change. Rules run in the order of the registry."""

    def run(self, workspace: Workspace) -> None:
        """Claim sites, draft rewrites, refuse."""
