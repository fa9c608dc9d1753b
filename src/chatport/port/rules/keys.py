"""Keys that are configured: where they come from, and whether that is the same everywhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from chatport.port.packs.schema import ConfigureParams
from chatport.port.program.modules import Module
from chatport.port.program.scopes import FUNCTIONS, FunctionNode
from chatport.port.program.values import External
from chatport.port.rules.base import Site, Workspace
from chatport.port.rules.portable import is_bound_once


def shared_key(workspace: Workspace, params: ConfigureParams, configures: list[Site]) -> str | None:
    """The expression of the one key that all configurations give, when it means the same in any
    module; None otherwise."""
    keys = [_key(workspace, params, site) for site in configures]
    said = {ast.unparse(node) if node is not None else None for node in keys}
    if len(said) != 1 or keys[0] is None:
        return None
    return configures[0].module.source.segment(keys[0])


def may_differ(workspace: Workspace, params: ConfigureParams, configures: list[Site]) -> bool:
    """Whether configurations of several modules may give different keys. What is read the same way
    of the same name, or from the same place, is one key; a bare name may be anything."""
    keys = [_given_key(params, site) for site in configures]
    said = {ast.unparse(node) if node is not None else None for node in keys}
    alike = len(said) == 1 and not isinstance(keys[0], ast.Name)
    return not (
        alike
        or shared_key(workspace, params, configures) is not None
        or shared_setting(workspace, params, configures) is not None
    )


class Setting(Struct, frozen=True):
    """A key that modules import, by itself or as an attribute of what they import."""

    path: str
    """The file it comes from."""
    name: str
    """What is imported from there."""
    attributes: str
    """What is read of it: ``.API_KEY``, or nothing."""
    module: str
    """The module as an import names it, from the top of the program."""


def shared_setting(
    workspace: Workspace, params: ConfigureParams, configures: list[Site]
) -> Setting | None:
    """The one setting of the repository that all configurations take their key from, and that
    nobody changes; None otherwise."""
    found = {_setting(workspace, params, site) for site in configures}
    setting = found.pop() if len(found) == 1 else None
    if setting is None or not setting.attributes:
        return setting
    read = f"{setting.name}{setting.attributes}"
    changed = any(
        not isinstance(node.ctx, ast.Load) and f".{ast.unparse(node)}".endswith(f".{read}")
        for module in workspace.modules
        for node in module.nodes(ast.Attribute)
    )
    return None if changed else setting


def _setting(workspace: Workspace, params: ConfigureParams, site: Site) -> Setting | None:
    node = _given_key(params, site)
    attributes = ""
    while isinstance(node, ast.Attribute):
        attributes = f".{node.attr}{attributes}"
        node = node.value
    variable = site.module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    if variable is None or variable.foreign_stores or len(variable.stores) != 1:
        return None
    (alias,) = variable.stores
    statement = site.module.parents[alias]
    if not isinstance(alias, ast.alias) or not isinstance(statement, ast.ImportFrom):
        return None
    if statement.level or statement.module is None:
        return None
    path = workspace.layout.find(statement.module, site.module.path)
    if path is None:
        return None
    return Setting(path, alias.name, attributes, statement.module)


def is_from(workspace: Workspace, module: Module, node: ast.expr, names: tuple[str, ...]) -> bool:
    """Whether a key is read from one of some environment variables, wherever it comes from."""
    return all(names_in(source) & set(names) for source in _sources(workspace, module, node, set()))


def names_in(node: ast.expr) -> set[str]:
    """The texts written in an expression."""
    values = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return {value for value in values if isinstance(value, str)}


def _key(workspace: Workspace, params: ConfigureParams, site: Site) -> ast.expr | None:
    node = _given_key(params, site)
    variable = site.module.scopes.variable.get(node) if node is not None else None
    if node is not None and variable is not None and variable.scope.parent is None:
        node = _bound(site.module, node)
    return node if node is not None and is_ambient(workspace, node) else None


def _given_key(params: ConfigureParams, site: Site) -> ast.expr | None:
    """The key a configuration gives, when that is all it gives."""
    assert site.call is not None
    given = {keyword.arg: keyword.value for keyword in site.call.keywords}
    node = given.pop(params.environment_keyword, None)
    if site.call.args or any(name not in params.dropped for name in given):
        return None
    return node


def _bound(module: Module, node: ast.expr) -> ast.expr:
    """What a name was bound to, when that happened once."""
    variable = module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    if variable is None or variable.is_parameter or not is_bound_once(module, variable):
        return node
    statement = module.statement(variable.stores[0])
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return value if value is not None else node


def _sources(
    workspace: Workspace, module: Module, node: ast.expr, seen: set[ast.AST]
) -> Iterator[ast.expr]:
    """The expressions a value may have been given by: through names, imports and parameters. What
    was `seen` is not followed again."""
    variable = module.scopes.variable.get(node) if isinstance(node, ast.Name) else None
    if variable is None or not variable.stores:
        yield node
        return
    stores = [store for store in variable.stores if store not in seen]
    seen.update(stores)
    for store in stores:
        for there, given in _given(workspace, module, store):
            if given is None:
                yield node
            else:
                yield from _sources(workspace, there, given, seen)


def _given(
    workspace: Workspace, module: Module, store: ast.AST
) -> Iterator[tuple[Module, ast.expr | None]]:
    """What a binding of a name gives it, and where that is written; None where it is not seen."""
    parent = module.parents[store]
    if isinstance(parent, ast.Assign | ast.AnnAssign) and isinstance(store, ast.Name):
        yield module, parent.value
    elif isinstance(store, ast.arg):
        function = module.scopes.variable[store].scope.node
        assert isinstance(function, FUNCTIONS)
        calls = workspace.flow.calls.get(function, [])
        for call in calls:
            yield workspace.flow.module_of[call], argument(function, call, store.arg)
        if not calls:
            yield module, None
    elif isinstance(store, ast.alias) and isinstance(parent, ast.ImportFrom):
        yield from _exported(workspace, module, parent, store.name)
    else:
        yield module, None


def _exported(
    workspace: Workspace, module: Module, statement: ast.ImportFrom, name: str
) -> Iterator[tuple[Module, ast.expr | None]]:
    """What another module of the repository gives to a name that is imported from it."""
    home = workspace.imported_module(module, statement)
    variable = home.scopes.module.variables.get(name) if home is not None else None
    if home is None or variable is None:
        yield module, None
        return
    for store in variable.stores:
        parent = home.parents[store]
        yield home, parent.value if isinstance(parent, ast.Assign | ast.AnnAssign) else None


def argument(function: FunctionNode, call: ast.Call, name: str) -> ast.expr | None:
    """What a call gives to a parameter; None where that is not seen."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    names = names[names[:1] in (["self"], ["cls"]) :]
    index = names.index(name) if name in names else len(call.args)
    before = call.args[: index + 1]
    plain = len(before) > index and not any(isinstance(a, ast.Starred) for a in before)
    return call.args[index] if plain else None


def is_ambient(workspace: Workspace, node: ast.expr) -> bool:
    """Whether an expression is a constant or reads the environment, and nothing else."""
    parts = ast.Constant | ast.Attribute | ast.Subscript | ast.Call | ast.Load | ast.BoolOp | ast.Or
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if part.id != "os" or workspace.values(part) != frozenset({External("os")}):
                return False
        elif not isinstance(part, parts):
            return False
    return True
