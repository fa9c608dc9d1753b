"""Whether what an expression holds is written down, and not given from outside.

The value flow knows the callers of a repository. Code that is not seen may call its functions too
and give a parameter something else, so what comes by way of a parameter, or only where one is
empty, is not settled by the values that were seen.
"""

from __future__ import annotations

import ast

from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS, FunctionNode
from chatport.port.program.values import Class, Instance, Values
from chatport.port.rules.base import Workspace
from chatport.port.rules.evaluation import default_of
from chatport.port.rules.keys import argument

EFFECTS = (
    *(ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.Raise, ast.Assert, ast.Delete),
    *(ast.Global, ast.Nonlocal, ast.With, ast.AsyncWith, ast.Attribute, ast.Subscript),
)
"""What a function may do besides giving a value; attributes and items only where they are set."""


def is_written_down(workspace: Workspace, module: Module, node: ast.expr, literal: ast.AST) -> bool:
    """Whether `node` holds `literal` whoever calls: by assignments alone, and nothing happens on
    the way."""
    return _Ways(workspace, {literal}).lead(module, node)


def is_made_of(
    workspace: Workspace, module: Module, node: ast.expr, literals: set[ast.AST]
) -> bool:
    """Whether `node` holds one of `literals`, or None, on every way that is seen; parameters hold
    what their callers pass, where nobody unseen calls."""
    return _Ways(workspace, literals, stays=True).lead(module, node)


class _Ways:
    """The ways a value gets to an expression."""

    def __init__(
        self, workspace: Workspace, literals: set[ast.AST], *, stays: bool = False
    ) -> None:
        self.workspace = workspace
        self.literals = literals
        self.stays = stays
        """The expression itself stays, with what it runs."""
        self.seen: set[ast.AST] = set()

    def lead(self, module: Module, node: ast.expr) -> bool:
        if node in self.literals or node in self.seen:
            return True
        self.seen.add(node)
        if isinstance(node, ast.Name):
            variable = module.scopes.variable.get(node)
            stores = variable.stores if variable is not None else []  # a star brought the name
            return all(self._store_leads(module, store) for store in stores)
        if isinstance(node, ast.Attribute):
            return self._gives(node) and all(
                self._store_leads(home, store)
                for home in self.workspace.modules
                for store in home.parents
                if _is_store_of(home, store, node.attr)
                and _may_reach(self.workspace, home, store, node)
            )
        if isinstance(node, ast.Call):
            return self._gives(node)
        if self.stays and isinstance(node, ast.IfExp | ast.BoolOp):
            parts = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
            return all(self.lead(module, part) for part in parts)
        if self.stays and isinstance(node, ast.Constant):
            return node.value is None
        return isinstance(node, ast.Subscript | ast.Await)

    def _gives(self, node: ast.Call | ast.Attribute) -> bool:
        """Whether what an expression runs gives a literal."""
        if not self.stays:
            takes = isinstance(node, ast.Call) and (node.args or node.keywords)
            return not takes and all(_only_gives(self.workspace, node, a) for a in self.literals)
        return all(
            self.lead(self.workspace.home(part), part.value)
            for function in _called(self.workspace, node)
            if not isinstance(function, ast.Lambda)
            for part in ast.walk(function)
            if isinstance(part, ast.Return) and part.value is not None
        )

    def _store_leads(self, module: Module, store: ast.AST) -> bool:
        """Whether what binds a variable or an attribute leads to a literal."""
        if isinstance(store, ast.arg):
            return self.stays and self._callers_lead(module, store)
        parent = module.parents.get(store)
        if isinstance(parent, ast.AnnAssign):
            owner = module.parents[parent]
            if isinstance(owner, ast.ClassDef) and not _is_only_announced(parent, owner):
                # a field: constructors may give it something else
                return parent.value in self.literals
        if isinstance(parent, ast.Assign | ast.AnnAssign) and parent.value is not None:
            return self.lead(module, parent.value)
        return True

    def _callers_lead(self, module: Module, parameter: ast.arg) -> bool:
        function = module.parents[module.parents[parameter]]
        flow = self.workspace.flow
        if not isinstance(function, FUNCTIONS) or flow.fact("exposed", function):
            return False
        calls, default = flow.calls.get(function, []), default_of(module, parameter)
        given = [(flow.module_of[call], argument(function, call, parameter.arg)) for call in calls]
        if not calls or any(value is None and default is None for _, value in given):
            return False
        pairs = [(home, value) for home, value in given if value is not None]
        return all(self.lead(home, value) for home, value in pairs) and (
            default is None or self.lead(module, default)
        )


def _called(workspace: Workspace, node: ast.Call | ast.Attribute) -> list[FunctionNode]:
    """The functions a call runs, or reading an attribute, if that is a property."""
    if isinstance(node, ast.Call):
        return [function for function, calls in workspace.flow.calls.items() if node in calls]
    return [
        function
        for home in workspace.modules
        for function in home.nodes(ast.FunctionDef)
        if function.name == node.attr and function.decorator_list
    ]


def _only_gives(workspace: Workspace, node: ast.Call | ast.Attribute, literal: ast.AST) -> bool:
    """Whether nothing is lost with an expression: what it runs does nothing but give the
    literal."""
    inside = set(ast.walk(literal))
    return all(
        isinstance(part, ast.Attribute | ast.Subscript) and isinstance(part.ctx, ast.Load)
        for function in _called(workspace, node)
        if not isinstance(function, ast.Lambda)
        for statement in function.body
        for part in ast.walk(statement)
        if part not in inside and isinstance(part, EFFECTS)
    )


def _is_store_of(home: Module, store: ast.AST, name: str) -> bool:
    """Whether a node gives an attribute of this name a value: on an object, or in a class."""
    if isinstance(store, ast.Attribute):
        return store.attr == name and isinstance(store.ctx, ast.Store)
    if isinstance(store, ast.Name) and store.id == name and isinstance(store.ctx, ast.Store):
        scope = home.scopes.around.get(store)
        return scope is not None and isinstance(scope.node, ast.ClassDef)
    return False


def _is_only_announced(statement: ast.AnnAssign, owner: ast.ClassDef) -> bool:
    """Whether a class says of what kind an attribute will be, and has no constructor made of it."""
    return statement.value is None and not owner.bases and not owner.decorator_list


def _may_reach(workspace: Workspace, home: Module, store: ast.AST, read: ast.Attribute) -> bool:
    """Whether what is stored may be what is read: not where the two are of objects whose classes
    have nothing in common."""
    theirs = workspace.flow.values.get(store.value) if isinstance(store, ast.Attribute) else None
    stored = _classes(theirs) if theirs else None
    scope = home.scopes.around.get(store)
    if isinstance(store, ast.Name) and scope is not None and isinstance(scope.node, ast.ClassDef):
        stored = {scope.node}
    wanted = _classes(workspace.values(read.value))
    if stored is None or wanted is None:
        return True
    ancestors = workspace.flow.ancestors
    return any(
        {one, *ancestors.get(one, ())} & {other, *ancestors.get(other, ())}
        for one in stored
        for other in wanted
    )


def _classes(values: Values) -> set[ast.ClassDef] | None:
    """The classes of the repository that values are, or are objects of; None where they may be
    something else."""
    own = {atom.node for atom in values if isinstance(atom, Class | Instance)}
    return own if own and len(own) == len(values) else None
