"""Exceptions of the transport, and how the new SDK says the same: by class, code or status.

One legacy class for each status became a few classes with the status as an attribute. Where a
legacy class meant one status only, naming the new class is not enough: it must be asked for the
status, by code where that is the status' own, by its word where statuses share a code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec import Struct, field

from chatport.port.packs.schema import ErrorClasses, ExceptionParams, NewError
from chatport.port.program.modules import Module
from chatport.port.program.scopes import ScopeKind, Variable
from chatport.port.program.values import Class, External, Values
from chatport.port.render.layout import Style
from chatport.port.rules.base import Workspace
from chatport.port.rules.portable import is_bound_once

BROAD = {"builtins.Exception", "builtins.BaseException"}
ASKED = {
    "builtins.isinstance",
    "tenacity.retry_if_exception_type",
    "tenacity.retry.retry_if_exception_type",
    "backoff.on_exception",
}
"""Functions that take the classes they wait for or ask about."""


class NotConvertedError(Exception):
    """Why a module keeps its handlers."""


class Caught(Struct):
    """What one expression catches: classes of the transport, others, everything."""

    mapped: list[NewError] = field(default_factory=list)
    foreign: list[ast.expr] = field(default_factory=list)
    """Classes that are left as they are written."""
    broad: bool = False
    unknown: bool = False
    """It cannot be told what is caught."""
    missing: str = ""
    """A class of the transport that has no counterpart."""

    @property
    def asks(self) -> bool:
        """Whether the new class must be asked for its status."""
        return any(_asks(error) for error in self.mapped)


class ErrorTable:
    """The table of a pack, asked about the expressions of a program."""

    def __init__(self, workspace: Workspace, params: ExceptionParams) -> None:
        self.workspace = workspace
        self.modules: tuple[str, ...] = params.modules
        self.table: ErrorClasses = params.errors

    def references(self, module: Module) -> list[ast.expr]:
        """The places of a module that name something of the transport's modules."""
        named: list[ast.Name | ast.Attribute]
        named = [*module.nodes(ast.Name), *module.nodes(ast.Attribute)]
        return [
            node
            for node in named
            if isinstance(node.ctx, ast.Load)
            and self._names(node)
            and not self._is_longer(module.parents[node])
        ]

    def is_transport(self, node: ast.AST) -> bool:
        """Whether an expression names a class of the transport."""
        return bool(self._names(node))

    def _is_longer(self, parent: ast.AST) -> bool:
        return isinstance(parent, ast.Attribute) and bool(self._names(parent))

    def _names(self, node: ast.AST) -> list[str]:
        values: Values = self.workspace.flow.values.get(node, frozenset())
        return [
            atom.name
            for atom in values
            if isinstance(atom, External)
            and atom.name.startswith(self.modules)
            and "(" not in atom.name
        ]

    def parts(self, node: ast.expr | None) -> list[ast.expr]:
        """The classes an ``except`` or the second argument of ``isinstance`` names, also by way of
        a name that a module gives some of them."""
        listed = self.listed(node)
        if listed is not None:
            node = listed.value
        if isinstance(node, ast.Tuple):
            return list(node.elts)
        return [node] if node is not None else []

    def listed(self, node: ast.expr | None) -> ast.Assign | None:
        """The statement that gives classes of the transport a name, which `node` reads, and which
        is only read where something is waited for or asked about."""
        module = self.workspace.find_home(node) if isinstance(node, ast.Name) else None
        variable = module.scopes.variable.get(node) if module is not None and node else None
        if module is None or variable is None or not is_bound_once(module, variable):
            return None
        statement = module.parents[variable.stores[0]]
        if not isinstance(statement, ast.Assign) or statement.targets != variable.stores:
            return None
        value = statement.value
        waits = all(self._is_waiting(module.parents[load]) for load in variable.loads)
        names_some = isinstance(value, ast.Tuple) and any(map(self._names, value.elts))
        return (
            statement if waits and names_some and not self._is_offered(module, variable) else None
        )

    def _is_waiting(self, parent: ast.AST) -> bool:
        """Whether classes are given to a handler, or to a function that is asked about them."""
        if isinstance(parent, ast.ExceptHandler):
            return True
        names = self.workspace.values(parent.func) if isinstance(parent, ast.Call) else ()
        return bool(names) and all(isinstance(a, External) and a.name in ASKED for a in names)

    def _is_offered(self, module: Module, variable: Variable) -> bool:
        """Whether others may read the name: of a class, or of a module that is imported."""
        if variable.scope.kind is ScopeKind.FUNCTION:
            return False
        return (
            variable.scope.kind is not ScopeKind.MODULE
            or variable.name in module.offered
            or any(
                node.name in {variable.name, "*"}
                and isinstance(statement := other.parents[node], ast.ImportFrom)
                and self.workspace.imported_module(other, statement) is module
                for other in self.workspace.modules
                for node in other.nodes(ast.alias)
            )
            or any(
                node.attr == variable.name
                for other in self.workspace.modules
                for node in other.nodes(ast.Attribute)
            )
        )

    def caught(self, node: ast.expr | None) -> Caught:
        """What an ``except`` or the second argument of ``isinstance`` names."""
        found = Caught()
        parts: list[ast.expr | None] = [*self.parts(node)]
        for part in parts if node is not None else [None]:
            values = self.workspace.flow.values.get(part, frozenset()) if part else frozenset()
            names = self._names(part) if part is not None else []
            if part is None:
                found.broad = True
            elif names:
                error = self.table.classes.get(names[0]) if len(values) == 1 else None
                if error is None:
                    found.missing = names[0]
                else:
                    found.mapped.append(error)
            else:
                found.foreign.append(part)
                named = {a.name for a in values if isinstance(a, External)}
                found.broad = found.broad or bool(named & BROAD)
                found.unknown = found.unknown or not _is_class(values)
        self._simplify(found)
        return found

    def _simplify(self, found: Caught) -> None:
        """A class that is not asked takes in those below it that are."""
        plain = [error for error in found.mapped if not _asks(error)]
        asked = [
            error
            for error in found.mapped
            if _asks(error) and not any(self.covers(p.name, error.name) for p in plain)
        ]
        found.unknown = found.unknown or bool(plain and asked)
        found.mapped = plain + asked

    # -- writing

    def written(self, module: Module, errors: Iterable[NewError]) -> str:
        """The new class that catches all of `errors`, as a module writes it."""
        names = list(dict.fromkeys(error.name for error in errors))
        kept = [n for n in names if not any(o != n and self.covers(o, n) for o in names)]
        name = kept[0] if len(kept) == 1 else self.table.base
        return self.workspace.service(module, f"{self.table.service}.{name}")

    def covers(self, upper: str, lower: str) -> bool:
        """Whether the new class `upper` catches `lower`."""
        return upper == lower or self.table.parents.get(lower) == upper

    def test(
        self, name: str, errors: Iterable[NewError], style: Style, *, negated: bool = False
    ) -> str:
        """The test of a new error's status: ``name.code == 429``."""
        errors = list(errors)
        codes = list(dict.fromkeys(str(error.code) for error in errors if error.code))
        statuses = list(dict.fromkeys(error.status for error in errors if error.status))
        parts = []
        if codes:
            parts.append(_comparison(f"{name}.code", codes, negated))
        if statuses:
            quoted = [style.string(status) for status in statuses]
            parts.append(_comparison(f"{name}.status", quoted, negated))
        return (" and " if negated else " or ").join(parts)


def _comparison(left: str, values: list[str], negated: bool) -> str:
    if len(values) == 1:
        return f"{left} {'!=' if negated else '=='} {values[0]}"
    return f"{left} {'not in' if negated else 'in'} ({', '.join(values)})"


def _asks(error: NewError) -> bool:
    return bool(error.code or error.status)


def _is_class(values: Values) -> bool:
    """Whether all that an expression may hold is a class somebody wrote down."""
    return bool(values) and all(isinstance(atom, External | Class) for atom in values)
