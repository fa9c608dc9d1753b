"""What following a stand-in goes by, and what it writes."""

from __future__ import annotations

import ast
from abc import abstractmethod

from chatport.port.packs.schema import ConfigureParams, ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.mocks.births import Births
from chatport.port.rules.mocks.calls import Assertion, Calls
from chatport.port.rules.mocks.fakes import Fakes
from chatport.port.rules.mocks.free_calls import FreeCalls
from chatport.port.rules.mocks.stand import Change, Outcome, Slot, Stand
from chatport.port.source.text import SourceFile


class Following:
    """The tables of one module's following, and its outcome."""

    def __init__(
        self,
        workspace: Workspace,
        module: Module,
        calls: ModelCallsParams,
        configure: ConfigureParams,
        said: Calls,
        made: list[Site],
        births: Births,
        fleeting: tuple[str, ...],
        about: set[Module],
    ) -> None:
        self.workspace: Workspace = workspace
        self.module: Module = module
        self.source: SourceFile = module.source
        self.calls: ModelCallsParams = calls
        self.configure: ConfigureParams = configure
        self.said: Calls = said
        self.made: list[Site] = made
        self.births = births
        self.fleeting: tuple[str, ...] = fleeting
        self.about: set[Module] = about
        """The modules that the test is about."""
        self._given_as: set[ast.AST] = set()
        """What calls give and was written as the new SDK gives it."""
        self.fakes: Fakes = Fakes(workspace, module, calls)
        self.out: Outcome = Outcome()
        self._model = calls.ctor_symbol.rpartition(".")[2]
        self._unpacked: set[ast.AST] = set()
        """Variables that are given one of several things."""

    @abstractmethod
    def _use(self, node: ast.AST, stand: Stand) -> None: ...

    @abstractmethod
    def _value(self, node: ast.expr, stand: Stand) -> None: ...

    @abstractmethod
    def _free(self, stand: Stand, node: ast.AST) -> FreeCalls: ...

    @abstractmethod
    def _open(self, function: ast.Lambda) -> None: ...

    @abstractmethod
    def _give(self, target: ast.expr, stand: Stand) -> None: ...

    def _said(self, node: ast.AST) -> Calls:
        return self.said.seen_from(self.module.function(node))

    def _slot(self, node: ast.AST) -> Slot | None:
        if isinstance(node, ast.Name):
            return self.module.scopes.variable.get(node)
        if isinstance(node, ast.Attribute) and is_self(node.value):
            owner = self.module.class_of(node)
            return (owner, node.attr) if owner is not None else None
        return None

    def _near(self, node: ast.AST) -> list[Site]:
        """Where models are made in what a function of the test calls."""
        function = self.module.function(node)
        led = self.said.led_to(function) if function is not None else set()
        return [site for site in self.made if site.module.function(site.node) in led]

    # -- writing

    def _restate(self, node: ast.AST, change: Assertion, stand: Stand) -> None:
        """What a call is expected to have been given, as it is given now."""
        if self.source.comments(change.start, change.end):
            self._refuse(node, stand, "a comment stands among what a call is expected to be given")
            return
        self.out.needs_types |= change.reads_types
        self.out.needs_any |= change.reads_any
        text = ", ".join(map(str, change.items))
        self.out.changes.append(Change(change.start, change.end, text, change.items))

    def _rename(self, node: ast.Attribute, name: str) -> None:
        """The attribute by its new name; by none where it falls away."""
        start, end = self.source.span(node.value)[1], self.source.span(node)[1]
        if name != node.attr:
            self.out.changes.append(Change(start, end, f".{name}" if name else ""))

    def _refuse(self, node: ast.AST, stand: Stand, why: str) -> None:
        self.out.troubles.append((stand.patch, node, why))


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"self", "cls"}


def last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
