"""Sites that go the same way where both SDKs may live in one file.

Binding groups join what is made by one constructor. Beyond those, whatever may hold an object of
the legacy SDK, in any container and under any name, goes with the places that made it; so do the
sites of one statement, which is rewritten as one text; and so does what is made of legacy objects
in ways that are not followed, with whoever may get it.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator

from chatport.port.findings import Kind
from chatport.port.program.modules import Module
from chatport.port.program.scopes import Variable
from chatport.port.program.values import (
    UNKNOWN,
    Bound,
    Class,
    Container,
    External,
    Function,
    Instance,
    Made,
    Method,
    Project,
    Shape,
    Values,
)
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.shared import holds_legacy

_PLAIN = (Shape, Function, Class, Instance, Bound, Project, Made, Method)
"""What is no legacy object, nor holds one, but for those that the flow follows."""
_FILLS = {
    *("append", "appendleft", "extend", "insert", "add", "update", "setdefault"),
    *("put", "put_nowait"),
}
"""Methods that put what they are given into their object."""


_READERS = {
    f"builtins.{name}"
    for name in (
        *("print", "len", "str", "repr", "isinstance", "issubclass", "type", "bool", "hash"),
        *("id", "format", "hasattr", "callable"),
    )
}


def tie(workspace: Workspace) -> None:
    """Merge the groups of the sites that go the same way. Imports and configurations stand apart:
    they serve all others, and may be there for both SDKs."""
    _Ties(workspace).tie()


class _Ties:
    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._sites: dict[ast.stmt, list[Site]] = {}
        """By the statement they stand in: of one with a body, those of its head."""
        self._held: dict[ast.stmt, set[ast.AST]] = {}
        """By statement, what makes the legacy objects that are there."""
        self._first: dict[Hashable, Site] = {}
        for site in workspace.sites:
            # What only a notebook's shell understands is no part of the tree.
            if not site.serves_all and site.node in site.module.parents:
                self._sites.setdefault(site.module.statement(site.node), []).append(site)

    def tie(self) -> None:
        for statement in self._sites:
            self._join(statement, statement)
        known: dict[ast.AST, bool] = {}
        for node, values in self.workspace.flow.values.items():
            home = self.workspace.find_home(node)
            if home is not None:
                self._by_value(home, node, values, known)
        for site, made in self._annotations():
            self._first.setdefault(made, site).group.merge(site.group)
        for module in self.workspace.modules:
            self._by_name(module)
        for function, calls in self.workspace.flow.calls.items():
            self._by_result(function, calls)
        self._by_leak()

    def _join(self, key: Hashable, statement: ast.stmt | None) -> None:
        """Let the sites of a statement, and those that made what is there, go with all that were
        joined under the same key."""
        if statement is None:
            return
        makers = (self._statement_of(made) for made in self._held.get(statement, ()))
        for home in (statement, *(maker for maker in makers if maker is not None)):
            for site in self._sites.get(home, ()):
                self._first.setdefault(key, site).group.merge(site.group)

    def _statement_of(self, node: ast.AST) -> ast.stmt | None:
        home = self.workspace.find_home(node)
        return home.statement(node) if home is not None and home.tree is not node else None

    # -- objects that are followed

    def _by_value(
        self, home: Module, node: ast.AST, values: Values, known: dict[ast.AST, bool]
    ) -> None:
        """What may be an object, or hold one, goes with where that was made."""
        here = home.statement(node) if home.tree is not node else None
        for atom in values:
            made = atom.site if isinstance(atom, Made) else None
            if isinstance(atom, Container) and holds_legacy(self.workspace, atom, known):
                made = atom.node
            if made is not None:
                self._join(made, here)
                self._join(made, self._statement_of(made))
                if here is not None:
                    self._held.setdefault(here, set()).add(made)
            elif isinstance(atom, External) and self.workspace.surface.is_legacy(atom.name):
                variable = home.scopes.variable.get(node)
                for store in variable.stores if variable is not None else ():
                    if not isinstance(store, ast.alias):
                        self._join(store, here)
                        self._join(store, self._statement_of(store))

    def _annotations(self) -> Iterator[tuple[Site, ast.AST]]:
        """The sites in annotations of parameters and results, with what may be there."""
        flow = self.workspace.flow
        for site in self.workspace.sites:
            if site.kind is not Kind.TYPE:
                continue
            module, node = site.module, site.node
            while not isinstance(node, ast.stmt | ast.arg):
                node = module.parents[node]
            values: set[object] = set()
            if isinstance(node, ast.arg):
                variable = module.scopes.variable.get(node)
                values |= flow.fact("variable", variable) if variable is not None else set()
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for one in module.nodes(ast.Return):
                    if module.function(one) is node and one.value is not None:
                        values |= flow.of(one.value)
            yield from ((site, atom.site) for atom in values if isinstance(atom, Made))

    # -- what is made of them

    def _by_name(self, module: Module) -> None:
        """A name or attribute that is given something in a statement with sites goes with those
        that read it, unless all it holds is plain."""
        fed: dict[Hashable, list[ast.stmt]] = {}
        read: dict[Hashable, list[ast.stmt]] = {}
        names: list[ast.Name | ast.Attribute]
        names = [*module.nodes(ast.Name), *module.nodes(ast.Attribute)]
        for node in names:
            statement = module.statement(node)
            if node in self.workspace.by_node or not self._is_about(statement):
                continue
            key = self._key(module, node)
            if key is None:
                continue
            gets = not isinstance(node.ctx, ast.Load) or self._is_filled(module, node)
            if gets or not self._is_plain(node):
                (fed if gets else read).setdefault(key, []).append(statement)
        for key, statements in fed.items():
            readers = read.get(key, [])
            for statement in (*statements, *readers) if readers else ():
                self._join(key, statement)

    def _is_about(self, statement: ast.stmt) -> bool:
        return statement in self._sites or statement in self._held

    def _by_leak(self) -> None:
        """An object that went where nobody follows goes with whoever gets something from there."""
        lost = [statement for statement in self._held if any(map(self._loses, _heads(statement)))]
        for statement in lost:
            self._join("leaked", statement)
        for statement, sites in self._sites.items() if lost else ():
            calls = [site.call for site in sites if site.call is not None]
            given = [part for call in calls for part in (*call.args, *call.keywords)]
            if any(self._is_unknown(part) for one in given for part in ast.walk(one)):
                self._join("leaked", statement)

    def _loses(self, node: ast.AST) -> bool:
        """Whether a call gives a legacy object to code that is not followed."""
        if not isinstance(node, ast.Call) or node in self.workspace.by_node:
            return False
        callee = self.workspace.values(node.func)
        if all(isinstance(a, Function | Class | Bound) or _is_reader(a) for a in callee):
            return False
        return any(self._is_legacy(part) for part in (*node.args, *node.keywords))

    def _is_legacy(self, node: ast.AST) -> bool:
        value = node.value if isinstance(node, ast.keyword | ast.Starred) else node
        return any(
            isinstance(atom, Made)
            or (isinstance(atom, Container) and holds_legacy(self.workspace, atom, {}))
            for atom in self.workspace.flow.values.get(value, ())
        )

    def _is_unknown(self, node: ast.AST) -> bool:
        """Whether an expression may be what was lost."""
        if not isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            return False
        return any(
            atom == UNKNOWN or (isinstance(atom, External) and _is_foreign(atom.name))
            for atom in self.workspace.flow.values.get(node, ())
        )

    def _key(self, module: Module, node: ast.Name | ast.Attribute) -> Hashable:
        if isinstance(node, ast.Attribute):
            return f".{node.attr}"
        variable: Variable | None = module.scopes.variable.get(node)
        if variable is None or any(isinstance(store, ast.alias) for store in variable.stores):
            return None
        return id(variable)

    def _is_filled(self, module: Module, node: ast.AST) -> bool:
        """Whether something is put into what a name holds."""
        parent = module.parents[node]
        if isinstance(parent, ast.Subscript):
            return not isinstance(parent.ctx, ast.Load)
        return isinstance(parent, ast.Attribute) and parent.attr in _FILLS

    def _is_plain(self, node: ast.AST) -> bool:
        return all(isinstance(atom, _PLAIN) for atom in self.workspace.values(node))

    def _by_result(self, function: ast.AST, calls: Iterable[ast.AST]) -> None:
        """What a function makes of them goes with where it is called."""
        home = self.workspace.find_home(function)
        if home is None:
            return
        yields = [one for one in home.nodes(ast.Expr) if isinstance(one.value, ast.Yield)]
        results = [
            one
            for one in (*home.nodes(ast.Return), *yields)
            if self._is_about(one) and home.function(one) is function
        ]
        for call in calls if results else ():
            if not self._is_plain(call):
                for statement in (*results, self._statement_of(call)):
                    self._join(function, statement)


def _heads(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement, but for the statements in it."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        yield node
        todo += [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.stmt)]


def _is_reader(atom: object) -> bool:
    """Whether a callee keeps nothing of what it is given, and gives back none of it."""
    if not isinstance(atom, External):
        return False
    return atom.name in _READERS or atom.name.startswith("logging.")


def _is_foreign(name: str) -> bool:
    """Whether a name is that of a result of code that is not followed."""
    root = name.partition(".")[0]
    return "()" in name and root not in {"os", "logging"} and name != "builtins.input()"
