"""How far a replacement reaches: which objects of the program are made while it is in force.

An object that makes its own client makes it once. A stand-in for the class of clients is asked by
it only when the object is made where the stand-in is in force, and there must be no older object
that legacy's stand-in was asked by as well.
"""

from __future__ import annotations

import ast

from msgspec import Struct

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FunctionNode
from chatport.port.program.values import Class, Function, Instance
from chatport.port.rules.base import Workspace
from chatport.port.rules.mocks.targets import Patch, Role


class Extent(Struct, frozen=True):
    """A stretch of a test module, in characters."""

    module: Module
    start: int
    end: int

    def holds(self, node: ast.AST) -> bool:
        assert isinstance(node, ast.expr | ast.stmt | ast.alias | ast.arg | ast.excepthandler)
        start, end = self.module.source.span(node)
        return self.start <= start and end <= self.end


def extent_of(patch: Patch) -> Extent:
    """Where a replacement is in force, as far as it stands in one piece: the body of a ``with``, of
    a decorated function, or what is left of the function it is started in."""
    module, source = patch.module, patch.module.source
    parent = module.parents[patch.call]
    if isinstance(parent, ast.withitem):
        statement = module.statement(parent)
        return Extent(module, source.span(parent.context_expr)[1], source.span(statement)[1])
    if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
        return Extent(module, source.span(patch.call)[1], source.span(parent)[1])
    around = module.function(patch.call) or module.tree
    end = len(source.text) if isinstance(around, ast.Module) else source.span(around)[1]
    return Extent(module, source.span(patch.call)[1], end)


REACHING = {Role.CONSTRUCTOR, Role.PACKAGE, Role.FUNCTION}

SET_UP = {"setup", "setup_method", "asyncsetup"}
"""What is done before each test of a class."""


class Extents:
    """Answers for the replacements of one test module."""

    def __init__(self, workspace: Workspace, patches: list[Patch]) -> None:
        self.workspace = workspace
        self.patches: list[Patch] = [p for p in patches if p.target.role in REACHING]

    def function_of(self, patch: Patch) -> ast.AST:
        """The function a replacement stands in, or what it stands in outside of one."""
        module = patch.module
        return module.function(patch.call) or module.parents[patch.call]

    def are_beside(self, one: Patch, other: Patch) -> bool:
        """Whether two replacements are decorators of one function, items of one ``with``, or
        statements of one block."""
        first, second = self._home(one), self._home(other)
        return first is not None and first is second

    def _home(self, patch: Patch) -> ast.AST | None:
        parents = patch.module.parents
        parent = parents[patch.call]
        if isinstance(parent, ast.withitem | ast.Expr | ast.Assign):
            return parents[parent]
        return parent if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef) else None

    def runs_in(self, one: Patch, other: Patch) -> bool:
        """Whether a replacement is made in a function that another one is in force for."""
        return self.function_of(one) in (self.users(other) or ())

    def reaches(self, patch: Patch, cls: ast.ClassDef) -> bool:
        """Whether all objects of a class that are used while a replacement is in force are made
        while it is."""
        module, extent = patch.module, extent_of(patch)
        made = [call for call in module.nodes(ast.Call) if self._gives(call, cls)]
        if not all(self._makes(call, cls) for call in made):
            return False  # who knows when it was made
        if not any(extent.holds(call) for call in made):
            return False
        users = self.users(patch)
        if users is not None:
            extents = [extent_of(other) for other in self.patches]
            others = [call for call in made if not any(e.holds(call) for e in extents)]
            makers = {module.function(call) for call in others}
            return None not in makers and not self._meet(module, users, makers)
        named: list[ast.Name | ast.Attribute]
        named = [*module.nodes(ast.Name), *module.nodes(ast.Attribute)]
        return all(
            self._is_made_in(extent, node)
            for node in named
            if isinstance(node.ctx, ast.Load) and extent.holds(node) and self._gives(node, cls)
        )

    def _gives(self, node: ast.expr, cls: ast.ClassDef) -> bool:
        return any(isinstance(a, Instance) and a.node is cls for a in self.workspace.values(node))

    def _makes(self, call: ast.Call, cls: ast.ClassDef) -> bool:
        """Whether a call makes a new object: it calls the class, or a function that does."""
        for atom in self.workspace.values(call.func):
            if isinstance(atom, Function):
                given = [n.value for n in ast.walk(atom.node) if isinstance(n, ast.Return)]
                objects = [node for node in given if node is not None and self._gives(node, cls)]
                if any(
                    not isinstance(node, ast.Call)
                    or not all(isinstance(a, Class) for a in self.workspace.values(node.func))
                    for node in objects
                ):
                    return False
            elif not isinstance(atom, Class):
                return False
        return True

    def users(self, patch: Patch) -> set[ast.AST] | None:
        """The functions that run while a replacement is in force that goes on beyond its own
        function: one of a fixture, or of what is done before each test. None for another."""
        module = patch.module
        function = module.function(patch.call)
        if function is None or isinstance(function, ast.Lambda):
            return None
        functions = _functions(module)
        if function.name.lower() in SET_UP:
            owner = module.class_of(function)
            return {other for other in functions if module.class_of(other) is owner}
        fixture = next((d for d in function.decorator_list if "fixture" in ast.unparse(d)), None)
        if fixture is None:
            return None
        if "autouse" in ast.unparse(fixture):
            return set(functions)
        return self.asking(module, function.name)

    def asking(self, module: Module, name: str) -> set[ast.AST]:
        """The functions that ask for a fixture, or for one that asks for it."""
        found: set[ast.AST] = set()
        todo = [name]
        while todo:
            wanted = todo.pop()
            for function in _functions(module):
                named = {argument.arg for argument in function.args.args}
                if wanted in named and function not in found:
                    found.add(function)
                    todo.append(function.name)
        return found

    def _meet(self, module: Module, users: set[ast.AST], makers: set[FunctionNode | None]) -> bool:
        """Whether a function of the one kind is of the other too, or is given what one makes."""
        if users & makers:
            return True
        return any(
            users & self.asking(module, maker.name)
            for maker in makers
            if maker is not None and not isinstance(maker, ast.Lambda)
        )

    def _is_made_in(self, extent: Extent, node: ast.Name | ast.Attribute) -> bool:
        """Whether what a variable holds was put there while a replacement was in force."""
        module = extent.module
        if isinstance(node, ast.Name):
            variable = module.scopes.variable.get(node)
            stores = variable.stores if variable is not None else []
        else:
            stores = [
                other
                for other in module.nodes(ast.Attribute)
                if other.attr == node.attr and isinstance(other.ctx, ast.Store)
            ]
        return bool(stores) and all(
            not isinstance(store, ast.arg) and extent.holds(store) for store in stores
        )


def _functions(module: Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [*module.nodes(ast.FunctionDef), *module.nodes(ast.AsyncFunctionDef)]
