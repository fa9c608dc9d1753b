"""Modules of a repository, seen from one another: names, imports, what is loaded together."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePosixPath

from chatport.port.program.modules import Layout, Module
from chatport.port.program.values import Project
from chatport.port.rules.base import Workspace

QUIET = ("load_dotenv", "filterwarnings", "basicConfig", "configure")
"""Ends of functions that a module may call while it is imported, and is quiet all the same."""


class Neighbours:
    """Questions about the modules of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._names: dict[Module, set[str]] = {}
        self._loads: dict[Module, set[str]] = {}

    def spelling(self, module: Module, provider: Module) -> str | None:
        """How `module` writes an import of `provider`; None when it cannot be told."""
        layout = self.workspace.layout
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom):
                found = (
                    layout.find_relative(node.module, node.level, module.path)
                    if node.level
                    else layout.find(node.module or "", module.path)
                )
                if found == provider.path:
                    return "." * node.level + (node.module or "")
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if layout.find(alias.name, module.path) == provider.path:
                        return alias.name
        here, there = PurePosixPath(module.path), PurePosixPath(provider.path)
        relative = any(
            isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(module.tree)
        )
        if (beside := self._absolute(module, there)) is not None and not relative:
            return beside
        if layout.find_relative(None, 1, module.path) is not None:
            script = any(_is_main_guard(statement) for statement in module.tree.body)
            return self._inside_package(here, there) if relative or not script else None
        if here.parent == there.parent and there.stem.isidentifier():
            return there.stem
        return None

    def _absolute(self, module: Module, there: PurePosixPath) -> str | None:
        """The dotted name of a file, from the folder the module's own imports start at."""
        layout = self.workspace.layout
        for node in ast.walk(module.tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            for name in names:
                found = layout.find(name, module.path)
                if found is None:
                    continue
                root = PurePosixPath(found.removesuffix("/__init__.py").removesuffix(".py"))
                for _ in name.split("."):
                    root = root.parent
                if root in there.parents:
                    parts = there.relative_to(root).with_suffix("").parts
                    parts = parts[:-1] if parts[-1] == "__init__" else parts
                    if parts and all(part.isidentifier() for part in parts):
                        return ".".join(parts)
        return None

    def _inside_package(self, here: PurePosixPath, there: PurePosixPath) -> str | None:
        """The relative spelling of a module of the same package; None where there is none."""
        layout, dots, folder = self.workspace.layout, 1, here.parent
        while folder not in there.parents:
            dots, folder = dots + 1, folder.parent
            if layout.find_relative(None, dots, str(here)) is None:
                return None
        tail = there.relative_to(folder).with_suffix("")
        parts = [part for part in tail.parts if part != "__init__"]
        return "." * dots + ".".join(parts) if all(p.isidentifier() for p in parts) else None

    def is_quiet_neighbour(self, module: Module, other: Module) -> bool:
        """Whether a module of the same package can be imported without anything happening."""
        here, there = PurePosixPath(module.path), PurePosixPath(other.path)
        if self.workspace.layout.find_relative(None, 1, module.path) is None:
            return False
        if self._inside_package(here, there) is None or there.stem == "__main__":
            return False
        return all(_is_quiet(statement) for statement in other.tree.body)

    def module_name(self, module: Module, provider: Module) -> str | None:
        """The name under which `module` has `provider` itself, as ``import provider`` gives."""
        for alias in module.scopes.variable:
            if isinstance(alias, ast.alias):
                values = self.workspace.flow.fact("variable", module.scopes.variable[alias])
                if values == frozenset({Project(provider.path)}):
                    return alias.asname or alias.name.partition(".")[0]
        return None

    def imports(self, module: Module, wanted: Module) -> bool:
        """Whether loading `module` loads `wanted`."""
        return wanted.path in self._loaded(module)

    def run_together(self, one: Module, other: Module) -> bool:
        """Whether one program may load both modules."""
        return any(
            (module is one or self.imports(module, one))
            and (module is other or self.imports(module, other))
            for module in self.workspace.modules
        )

    def _loaded(self, module: Module) -> set[str]:
        """The files that loading a module loads; computed once for each."""
        if module not in self._loads:
            seen: set[str] = set()
            todo = [module]
            while todo:
                new = self._imported(todo.pop()) - seen
                seen |= new
                todo += [self._by_path[path] for path in new if path in self._by_path]
            self._loads[module] = seen
        return self._loads[module]

    @cached_property
    def _by_path(self) -> dict[str, Module]:
        return {module.path: module for module in self.workspace.modules}

    def _imported(self, module: Module) -> set[str]:
        """The files that the import statements of a module name."""
        if module not in self._names:
            layout = self.workspace.layout
            found: set[str | None] = set()
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Import):
                    found |= {layout.find(alias.name, module.path) for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    found |= set(_found(layout, module, node))
            self._names[module] = {path for path in found if path is not None}
        return self._names[module]


def _found(layout: Layout, module: Module, node: ast.ImportFrom) -> Iterator[str | None]:
    """The files that ``from … import …`` may name: the module, and submodules by their names."""
    names = [node.module] if node.module else []
    names += [f"{node.module}.{a.name}" if node.module else a.name for a in node.names]
    for name in names:
        if node.level:
            yield layout.find_relative(name, node.level, module.path)
        else:
            yield layout.find(name, module.path)


def _is_main_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)


def _is_quiet(statement: ast.stmt) -> bool:
    """Whether a statement of a module binds names and does little else."""
    if isinstance(statement, ast.Try):
        return all(_is_quiet(part) for part in statement.body)
    if isinstance(statement, ast.Expr):
        value = statement.value
        named = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
        return isinstance(value, ast.Constant) or named.endswith(QUIET)
    return isinstance(
        statement,
        ast.Import
        | ast.ImportFrom
        | ast.FunctionDef
        | ast.AsyncFunctionDef
        | ast.ClassDef
        | ast.Assign
        | ast.AnnAssign,
    )
