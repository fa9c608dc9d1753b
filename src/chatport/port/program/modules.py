"""The modules of a repository: which file a dotted name means, seen from another file."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from chatport.port.program import scopes
from chatport.port.program.scopes import FunctionNode
from chatport.port.source.text import SourceFile
from chatport.port.source.trees import N


class Module(Struct, eq=False, dict=True):
    """A parsed file of the repository."""

    source: SourceFile

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def tree(self) -> ast.Module:
        return self.source.tree

    @cached_property
    def scopes(self) -> scopes.ScopeTable:
        return scopes.build(self.tree)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node each node hangs on."""
        return self.source.nodes.parents

    def nodes(self, *kinds: type[N]) -> list[N]:
        """The nodes of some kinds; those of each kind in the order of `parents`."""
        return self.source.nodes.of(*kinds)

    @cached_property
    def has_star(self) -> bool:
        """Whether names come from elsewhere that are not written down here."""
        return any(alias.name == "*" for alias in self.nodes(ast.alias))

    @cached_property
    def offered(self) -> frozenset[str]:
        """The names it offers to whoever imports everything: the texts in ``__all__``."""
        variable = self.scopes.module.variables.get("__all__")
        listed = [
            part
            for store in (variable.stores if variable is not None else ())
            for part in ast.walk(self.statement(store))
        ]
        texts = (part.value for part in listed if isinstance(part, ast.Constant))
        return frozenset(text for text in texts if isinstance(text, str))

    @cached_property
    def imported(self) -> frozenset[str]:
        """The dotted names it imports from other packages, wherever it does."""
        found: set[str] = set()
        for node in self.parents:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
        return frozenset(found)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement `node` stands in."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def function(self, node: ast.AST) -> FunctionNode | None:
        """The innermost function `node` is evaluated in; None at module or class level."""
        scope: scopes.Scope | None = self.scopes.around.get(node)
        while scope is not None and scope.kind is not scopes.ScopeKind.FUNCTION:
            scope = scope.parent
        found = scope.node if scope is not None else None
        return found if isinstance(found, scopes.FUNCTIONS) else None

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose method `node` stands in."""
        scope: scopes.Scope | None = self.scopes.around.get(node)
        while scope is not None and scope.kind is not scopes.ScopeKind.CLASS:
            scope = scope.parent
        found = scope.node if scope is not None else None
        return found if isinstance(found, ast.ClassDef) else None


class Layout:
    """Where a repository keeps its modules: paths only, nothing is read."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(path for path in paths if path.endswith(".py"))
        self._prefixes: dict[str, list[str]] = {}

    def find(self, name: str, importer: str) -> str | None:
        """The file the absolute dotted `name` most likely means when imported from `importer`."""
        return next(iter(self.find_all(name, importer)), None)

    def find_all(self, name: str, importer: str) -> list[str]:
        """The files `name` may mean. Scripts see their own folder first, packages the folder their
        root lies in: so every folder above the importer is asked, the nearest first, then
        ``src``."""
        found = []
        tail = name.replace(".", "/")
        for prefix in self._above(importer.rpartition("/")[0]):
            candidates = (f"{prefix}{tail}.py", f"{prefix}{tail}/__init__.py")
            found += [path for path in candidates if path in self._paths]
        return found

    def _above(self, folder: str) -> list[str]:
        """What the paths of modules may start with that are seen from a folder."""
        if folder not in self._prefixes:
            parts = folder.split("/") if folder else []
            above = ["/".join([*parts[:count], ""]) for count in range(len(parts), -1, -1)]
            self._prefixes[folder] = [*above, "src/"]
        return self._prefixes[folder]

    def find_relative(self, name: str | None, level: int, importer: str) -> str | None:
        """The file a ``from ..name import`` with `level` dots means in `importer`."""
        folder = PurePosixPath(importer)
        for _ in range(level):
            folder = folder.parent
        tail = folder / name.replace(".", "/") if name else folder
        candidates = (
            (tail / "__init__.py",)
            if not name
            else (
                tail.with_name(tail.name + ".py"),
                tail / "__init__.py",
            )
        )
        return next((str(path) for path in candidates if str(path) in self._paths), None)

    def submodule(self, package: str, name: str) -> str | None:
        """The file of submodule `name` of the package whose ``__init__.py`` is `package`."""
        folder = PurePosixPath(package).parent
        candidates = (folder / f"{name}.py", folder / name / "__init__.py")
        return next((str(path) for path in candidates if str(path) in self._paths), None)
