"""The constants an expression may be: written where it stands, or on every way a value gets there.

The value flow knows of a text only that it is one; which of several depends on the texts themselves
(the name of a model, the mode of a configuration) asks here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS, FunctionNode
from chatport.port.program.values import Class, Instance
from chatport.port.rules.base import Workspace

MAX_STEPS = 64


class UnknownError(Exception):
    """One of the ways is not seen."""


def constants_of(workspace: Workspace, node: ast.expr) -> set[object] | None:
    """Every constant an expression may be; None when one of the ways it may get its value is not
    seen."""
    finder = _Finder(workspace)
    try:
        return set(finder.of(node))
    except UnknownError:
        return None


class _Finder:
    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._seen: set[ast.AST] = set()

    def of(self, node: ast.expr) -> Iterator[object]:
        if node in self._seen:
            return
        self._seen.add(node)
        if len(self._seen) > MAX_STEPS:
            raise UnknownError
        if isinstance(node, ast.Constant):
            yield node.value
        elif isinstance(node, ast.IfExp):
            yield from self.of(node.body)
            yield from self.of(node.orelse)
        elif isinstance(node, ast.BoolOp):
            for value in node.values:
                yield from self.of(value)
        elif isinstance(node, ast.Name):
            yield from self._name(node)
        elif isinstance(node, ast.Attribute):
            yield from self._attribute(node)
        else:
            raise UnknownError

    def _name(self, node: ast.Name) -> Iterator[object]:
        module = self.workspace.find_home(node)
        variable = module.scopes.variable.get(node) if module is not None else None
        if module is None or variable is None or variable.foreign_stores or not variable.stores:
            raise UnknownError
        for store in variable.stores:
            if isinstance(store, ast.arg):
                yield from self._parameter(module, store)
            else:
                yield from self._assigned(module, store)

    def _assigned(self, module: Module, store: ast.AST) -> Iterator[object]:
        """The value of the statement that gives one name or attribute its value."""
        statement = module.parents.get(store)
        plain = isinstance(statement, ast.Assign) and statement.targets == [store]
        noted = isinstance(statement, ast.AnnAssign) and statement.target is store
        value = getattr(statement, "value", None) if plain or noted else None
        if value is None:
            raise UnknownError
        yield from self.of(value)

    def _parameter(self, module: Module, arg: ast.arg) -> Iterator[object]:
        """What every caller passes, and the default."""
        function = module.parents[module.parents[arg]]
        flow = self.workspace.flow
        if not isinstance(function, FUNCTIONS) or flow.fact("exposed", function):
            raise UnknownError
        calls = flow.calls.get(function, [])
        default = default_of(function.args, arg)
        if not calls and default is None:
            raise UnknownError
        for call in calls:
            yield from self.of(self._passed(module, function, arg, call))
        if default is not None:
            yield from self.of(default)

    def _passed(
        self, module: Module, function: FunctionNode, arg: ast.arg, call: ast.Call
    ) -> ast.expr:
        arguments = function.args
        named = [*arguments.posonlyargs, *arguments.args]
        if any(isinstance(part, ast.Starred) for part in call.args) or any(
            keyword.arg is None for keyword in call.keywords
        ):
            raise UnknownError
        given = next((k.value for k in call.keywords if k.arg == arg.arg), None)
        if given is not None:
            return given
        if arg in named:
            method = isinstance(module.parents[function], ast.ClassDef)
            shift = 1 if method and not _is_static(function) else 0
            index = named.index(arg) - shift
            if 0 <= index < len(call.args):
                return call.args[index]
        default = default_of(arguments, arg)
        if default is None:
            raise UnknownError
        return default

    def _attribute(self, node: ast.Attribute) -> Iterator[object]:
        """What an attribute of the program's own classes is given anywhere."""
        owners = self.workspace.values(node.value)
        if not owners or not all(isinstance(atom, Instance | Class) for atom in owners):
            raise UnknownError
        classes = {atom.node for atom in owners if isinstance(atom, Instance | Class)}
        flow = self.workspace.flow
        if classes & flow.dynamic or any(self._takes_fields(each) for each in classes):
            raise UnknownError
        found = False
        for module in self.workspace.modules:
            for store in module.parents:
                if self._gives(module, store, node.attr):
                    found = True
                    yield from self._assigned(module, store)
        if not found:
            raise UnknownError

    def _gives(self, module: Module, store: ast.AST, name: str) -> bool:
        """Whether a node is a target by the name of an attribute; whose it is is not asked."""
        if isinstance(store, ast.Attribute):
            return store.attr == name and not isinstance(store.ctx, ast.Load)
        if not isinstance(store, ast.Name) or store.id != name or isinstance(store.ctx, ast.Load):
            return False
        scope = module.scopes.around.get(store)
        return scope is not None and isinstance(scope.node, ast.ClassDef)

    def _takes_fields(self, node: ast.ClassDef) -> bool:
        """Whether a class may fill its attributes by itself: a dataclass, a model, an heir."""
        own_init = self.workspace.flow.fact("attribute", node, "__init__")
        return bool(node.decorator_list or node.bases) and not own_init


def default_of(arguments: ast.arguments, arg: ast.arg) -> ast.expr | None:
    """What a parameter is when nothing is given for it."""
    named = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(named[::-1], arguments.defaults[::-1], strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return next((default for one, default in pairs if one is arg), None)


def _is_static(function: FunctionNode) -> bool:
    decorators = getattr(function, "decorator_list", [])
    return any(isinstance(item, ast.Name) and item.id == "staticmethod" for item in decorators)
