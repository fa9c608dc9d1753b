"""Functions of the program that give models or make the client, and that tests replace.

A model is no object any more: what such a function gives is the model's name, and the client is
somewhere else. A test that replaces it replaces the client instead, where the function does nothing
but to make a model; what else it does, it would do now.
"""

from __future__ import annotations

import ast

from chatport.port.packs.schema import ConfigureParams, ModelCallsParams
from chatport.port.program.modules import Module
from chatport.port.program.values import Made
from chatport.port.rules.base import Site, Workspace

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Factories:
    """The functions of a workspace that are left with another meaning."""

    def __init__(
        self, workspace: Workspace, calls: ModelCallsParams, configure: ConfigureParams
    ) -> None:
        self.workspace = workspace
        self.calls = calls
        self.configure = configure
        model = calls.ctor_symbol.rpartition(".")[2]
        self._kinds: set[str] = {model, *calls.method_returns.values()}

    def is_one(self, function: Function) -> bool:
        """Whether a function gives a legacy object, or makes the client of other functions."""
        module = self.workspace.find_home(function)
        if module is None:
            return False
        given = [n.value for n in ast.walk(function) if isinstance(n, ast.Return) and n.value]
        if any(
            isinstance(atom, Made) and atom.type in self._kinds
            for value in given
            for atom in self.workspace.values(value)
        ):
            return True
        return self._configures(module, function) and any(
            user.module is module
            and module.function(user.node) is not function
            and self.workspace.client_of.get(user, "").startswith("self.")
            for user in self.workspace.client_users
        )

    def _configures(self, module: Module, function: Function) -> bool:
        return any(
            site.module is module
            and site.symbol == self.configure.symbol
            and module.function(site.node) is function
            for site in self.workspace.sites
        )

    def is_plain(self, function: Function) -> bool:
        """Whether a function does nothing but to make a model, which it is told nothing about."""
        body = [statement for statement in function.body if not _is_idle(statement)]
        arguments = function.args
        told = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        told = [one for one in told if one.arg not in {"self", "cls"}]
        if len(body) != 1 or told or arguments.vararg or arguments.kwarg:
            return False
        value = body[0].value if isinstance(body[0], ast.Return) else None
        site = self.workspace.by_node.get(value) if value is not None else None
        decorated = bool(function.decorator_list) or isinstance(function, ast.AsyncFunctionDef)
        return not decorated and site is not None and self._makes(site, value)

    def _makes(self, site: Site, value: ast.expr | None) -> bool:
        """Whether making a model does nothing else."""
        if site.call is not value or site.symbol != self.calls.ctor_symbol:
            return False
        inside = [part for part in ast.walk(site.arguments) if isinstance(part, ast.Call)]
        return len(inside) == 1


def _is_idle(statement: ast.stmt) -> bool:
    """Whether a statement only says something, or binds names to constants."""
    if isinstance(statement, ast.Assign):
        return all(isinstance(target, ast.Name) for target in statement.targets) and _is_inert(
            statement.value
        )
    return isinstance(statement, ast.Expr) and _is_inert(statement.value)


def _is_inert(value: ast.expr) -> bool:
    """Whether an expression is a constant, or the length of one."""
    if isinstance(value, ast.Call):
        plain = isinstance(value.func, ast.Name) and value.func.id == "len"
        return plain and not value.keywords and all(map(_is_inert, value.args))
    return isinstance(value, ast.Constant)
