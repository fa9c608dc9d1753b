"""Exceptions: what waits for a class the new SDK never raises holds its calls back.

A handler, a decorator or a context that names such a class says what happens when a request fails.
After the port it would be passed over in silence, so every request it guards is refused, also
those made by functions that are called inside of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from chatport.port.findings import Kind
from chatport.port.packs.schema import ExceptionParams, Exceptions
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS, FunctionNode
from chatport.port.program.values import Atom, Bound, Container, External, Function
from chatport.port.rules.answer_checks import AnswerChecks
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.calls import RULE as CALLS
from chatport.port.rules.error_classes import NotConvertedError
from chatport.port.rules.error_module import ModuleErrors
from chatport.port.rules.mocks.targets import Targets
from chatport.port.rules.model_calls import RULE as MODEL_CALLS

CODE = "error_class_changed"


class ExceptionRule:
    """The rule kind ``exceptions``."""

    def __init__(self, change: Exceptions) -> None:
        self.params: ExceptionParams = change.params

    def run(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.targets: Targets = Targets(workspace)
        self._called: dict[ast.AST, list[FunctionNode]] = {}
        for function, calls in workspace.flow.calls.items():
            for call in calls:
                self._called.setdefault(call, []).append(function)
        self._handed: dict[ast.AST, list[Site]] = {}
        for site in workspace.sites:
            if site.runner is not None and site.call is not None:
                for atom in workspace.values(site.call.func):
                    if isinstance(atom, Function | Bound):
                        function = atom.node if isinstance(atom, Function) else atom.function
                        self._handed.setdefault(function, []).append(site)
        for module in workspace.modules:
            self._module(module)

    def _module(self, module: Module) -> None:
        """Convert what a module waits for; what is not converted holds back what it guards."""
        errors = ModuleErrors(self.workspace, self.params, module)
        if errors.references and any(self.targets.patches(module)):
            return  # a test: what its stand-ins raise is written with them
        kept = self._convert(errors) if errors.references else None
        if not errors.references and any(site.module is module for site in self.workspace.sites):
            errors.drop_imports()
        converted = bool(errors.references) and kept is None
        if converted:
            self.workspace.keep_whole(module, module)
        transport: list[Site] = []
        raised: list[tuple[str, list[Site]]] = []
        for node in sorted(module.nodes(*_GUARDS), key=lambda node: node.lineno):
            guards, guarded = _guard(node)
            if kept is not None:  # what stays may be named beside a wider class
                guards = [guard for guard in guards if not errors.meets_all(guard)]
            names = sorted(set(self._named(guards)))
            requests = self._requests(guarded) if names else []
            around = node if isinstance(node, FUNCTIONS) else module.function(node)
            if names and around is not None:
                requests += [s for s in self._handed.get(around, []) if s not in requests]
            for name in names:
                if name.startswith(self.params.modules) and converted:
                    transport += requests
                elif name in {self.params.raised.blocked, self.params.raised.stopped}:
                    raised.append((name, requests))
                elif requests or kept is None:
                    self._hold_back(module, name, requests, kept)
                elif errors.shared() is None:
                    self._hold_all_back(module, name, kept)
        self._raise(module, raised)
        if converted:
            self._note(errors, transport)

    def _hold_back(
        self, module: Module, name: str, requests: Sequence[Site], why: str | None
    ) -> None:
        for site in requests:
            detail = f"{module.path} waits for `{name}` around this call"
            site.refuse(CODE, f"{detail}; {why}" if why else detail, self.params.instead)

    def _hold_all_back(self, module: Module, name: str, why: str) -> None:
        """Nothing is seen that a handler guards: it may be there for whatever the module does with
        the SDK, and would be passed over in silence."""
        own = [site for site in self.workspace.sites if site.module is module]
        for site in own[:1]:
            detail = f"`{name}` is waited for here, around which call is not seen; {why}"
            site.refuse(CODE, detail, self.params.instead)

    def _raise(self, module: Module, raised: Sequence[tuple[str, list[Site]]]) -> None:
        """Raise what a module waits for behind the messages that raised it."""
        checks = AnswerChecks(self.workspace, self.params.raised, module)
        if not checks.references and not raised:
            return
        requests = [site for _, sites in raised for site in sites]
        self.workspace.keep_whole(module, module)
        try:
            if not checks.references:
                raise NotConvertedError("the class comes from another module")
            checks.convert(requests)
            for site in requests:
                self.workspace.keep_whole(module, site.module)
        except NotConvertedError as error:
            for name, sites in raised:
                self._hold_back(module, name, sites, str(error))

    def _convert(self, errors: ModuleErrors) -> str | None:
        """Write a module's handlers for the new SDK, or say why they stay."""
        home = errors.module
        if not any(site.module is home for site in self.workspace.sites):
            return "that module does not use the SDK itself"
        shared = errors.shared()
        if shared is not None:
            return f"`{shared}` raises the same classes"
        try:
            errors.convert()
        except NotConvertedError as error:
            return str(error)
        return None

    def _note(self, errors: ModuleErrors, requests: Sequence[Site]) -> None:
        """Bind the module to those of the requests it guards; say once what differs."""
        home = errors.module
        for site in requests:
            if site.module is not home:
                self.workspace.depend(home, site.module)
                self.workspace.keep_whole(home, site.module)
        imports = [s for s in self.workspace.sites if s.module is home and s.kind is Kind.IMPORT]
        own = [site for site in self.workspace.sites if site in requests and site.module is home]
        for site in [*own, *imports][:1]:
            if errors.is_read:
                site.warn("error_text_changed")
            if errors.is_apart:
                site.warn("connection_errors_apart")

    # -- what is waited for

    def _named(self, guards: Sequence[ast.AST]) -> Iterator[str]:
        """The legacy classes that guards name, or that what they name may hold; each place is
        looked at once, however many ways lead to it."""
        flow, seen = self.workspace.flow, set[ast.AST]()
        named = (node for guard in guards for node in ast.walk(guard))
        todo: list[Atom] = [
            atom
            for node in named
            if isinstance(node, ast.Name | ast.Attribute | ast.Call)
            for atom in flow.values.get(node, ())
        ]
        while todo:
            atom = todo.pop()
            if isinstance(atom, External):
                name = self.workspace.surface.canonical(atom.name)
                if name in self.params.classes or name.startswith(self.params.modules):
                    yield name.removesuffix("()")
            elif isinstance(atom, Container) and atom.node not in seen:
                seen.add(atom.node)
                todo += flow.fact("element", atom.node) | flow.fact("any item", atom.node)

    # -- what is guarded

    def _requests(self, nodes: Sequence[ast.AST]) -> list[Site]:
        """The requests made while `nodes` run, in the order they are met."""
        found: dict[Site, None] = {}
        seen: set[ast.AST] = set()
        todo: list[ast.AST] = list(nodes)
        while todo:
            node = todo.pop()
            if node in seen or isinstance(node, FUNCTIONS):
                continue  # defined here, called somewhere else
            seen.add(node)
            site = self.workspace.by_node.get(node)
            if site is not None and site.call is node and site.rule in {CALLS, MODEL_CALLS}:
                found[site] = None
            for function in self._called.get(node, ()):
                todo += function.body if isinstance(function.body, list) else [function.body]
            todo += ast.iter_child_nodes(node)
        return list(found)


_GUARDS: tuple[type[ast.stmt], ...] = (
    *(ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.For, ast.AsyncFor),
    *(ast.FunctionDef, ast.AsyncFunctionDef),
)


def _guard(node: ast.stmt) -> tuple[Sequence[ast.AST], Sequence[ast.AST]]:
    """What says how failures of something are met, and that something."""
    if isinstance(node, ast.Try | ast.TryStar):
        return node.handlers, node.body
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.decorator_list, node.body
    if isinstance(node, ast.With | ast.AsyncWith):
        return node.items, node.body
    if isinstance(node, ast.For | ast.AsyncFor):
        return [node.iter], node.body
    return (), ()
