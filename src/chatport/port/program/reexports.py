"""Modules that are only there for what they export, and those they have it from."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator

from chatport.port.program.modules import Layout, Module


def exporters(
    asked: Iterable[tuple[str, str]],
    layout: Layout,
    known: Collection[Module],
    load: Callable[[str], Module | None],
) -> list[Module]:
    """The modules that are not `known` yet through which, by one import after another, what is
    `asked` of some files (path, name) comes to them, by path; `load` reads one."""
    modules: dict[str, Module | None] = {module.path: module for module in known}
    here, todo, seen = set(modules), sorted(asked), set[tuple[str, str]]()
    while todo:
        path, name = todo.pop()
        if (path, name) in seen:
            continue
        seen.add((path, name))
        if path not in modules:
            modules[path] = load(path)
        module = modules[path]
        if module is not None:
            todo += _sources(module, layout, name)
    return [
        module
        for path, module in sorted(modules.items())
        if module is not None and path not in here
    ]


def _sources(module: Module, layout: Layout, name: str) -> Iterator[tuple[str, str]]:
    """The files a module may import a name of its own from, and what that is called there."""
    variable = module.scopes.module.variables.get(name)
    if variable is None and not module.has_star:
        return
    for node in module.nodes(ast.ImportFrom):
        for alias in node.names:
            starred = variable is None and alias.name == "*"
            if starred or (variable is not None and alias in variable.stores):
                called = name if starred else alias.name
                yield from ((path, called) for path in files(layout, node, module.path))


def files(layout: Layout, node: ast.ImportFrom, importer: str) -> list[str]:
    """The files of the repository that ``from … import`` may name."""
    if node.level:
        found = layout.find_relative(node.module, node.level, importer)
        return [found] if found is not None else []
    return layout.find_all(node.module, importer) if node.module else []
